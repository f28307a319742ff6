package postgres

import (
	"crypto/tls"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/netfailure"
)

// A Location is the location of a database: one server, or several servers of one
// cluster, of which the first that accepts writes is used. ParseLocation makes it.
type Location struct {
	config *pgx.ConnConfig
	text   string // the URL, with its server if that is named elsewhere
}

// String returns the location for a person. ParseLocation can parse it again.
func (l Location) String() string { return l.text }

// IsLocation reports whether text is meant as a location, whatever is wrong with it.
func IsLocation(text string) bool {
	scheme, _, _ := strings.Cut(text, "://")
	return len(scheme) < len(text) && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// ParseLocation parses postgres://[user@]host[:port][,host[:port]…]/database[?options], as pgx
// and psql do. Missing parts come from PostgreSQL's own environment variables and files.
//
// The error is a *ledger.Error. It does not repeat any of the text, because a wrong text
// may have a password anywhere.
func ParseLocation(text string) (Location, error) {
	if !IsLocation(text) {
		return Location{}, urlError("the ledger's URL does not begin with postgres://")
	}
	_, rest, _ := strings.Cut(text, "://")
	rest, query, _ := strings.Cut(rest, "?")
	authority, database, _ := strings.Cut(rest, "/")
	user, hosts, found := strings.Cut(authority, "@")
	if !found {
		user, hosts = "", authority
	}
	settings, err := parseOptions(query)
	switch {
	case strings.Contains(user, ":"):
		return Location{}, passwordError()
	case strings.ContainsAny(hosts+database+query, "@#") || strings.ContainsAny(user+database, "#/"):
		return Location{}, urlError("the ledger's URL has one of the signs @ # / at a place where it has to be written as %40, %23 or %2F, or it has a password")
	case err != nil:
		return Location{}, err
	case database == "" && settings.Get("dbname") == "":
		return Location{}, urlError("the ledger's URL names no database")
	}

	if query != "" {
		query = "?" + query
	}
	text = "postgres://" + rest + query
	config, err := parseVerified(text, settings.Get("sslmode") == "")
	switch {
	case err != nil:
		return Location{}, settingsError(err)
	case slices.ContainsFunc(servers(config), isUnverified):
		return Location{}, ledger.NewError("ledger-url", "leave sslmode out of it; if the server's certificate is of your own authority, name the authority's file with ?sslrootcert=FILE",
			"the ledger's URL asks for a connection on which another server could pose as the ledger's")
	case hosts+settings.Get("host") == "" && !isSocket(servers(config)[0]):
		text = "postgres://" + authority + config.Host + "/" + database + query
	}
	setDefaults(config)
	return Location{config, text}, nil
}

// parseVerified parses a URL as pgx does. If the URL leaves that to the program, the server must prove
// its name, unless all servers are on this machine.
func parseVerified(text string, verify bool) (*pgx.ConnConfig, error) {
	config, err := pgx.ParseConfig(text)
	if err != nil || !verify || !slices.ContainsFunc(servers(config), isRemote) {
		return config, err
	}
	if strings.Contains(text, "?") {
		return pgx.ParseConfig(text + "&sslmode=verify-full")
	}
	return pgx.ParseConfig(text + "?sslmode=verify-full")
}

// options returns the options that a URL may have. Others are refused, because pgx would
// send an unknown option to the server as a setting, and a part of a password may look
// like an option.
func options() []string {
	return []string{
		"host", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslnegotiation",
		"channel_binding", "passfile", "connect_timeout",
	}
}

// parseOptions parses the text after the question mark.
func parseOptions(query string) (url.Values, error) {
	settings, err := url.ParseQuery(query)
	for name, values := range settings {
		switch {
		case strings.Contains(strings.ToLower(name), "password"):
			return nil, passwordError()
		case !slices.Contains(options(), name):
			return nil, urlError("the ledger's URL has an option other than " + strings.Join(options(), ", "))
		case len(values) > 1:
			return nil, urlError("the ledger's URL has the option " + name + " twice")
		}
	}
	if err != nil {
		return nil, urlError("the options of the ledger's URL can't be read")
	}
	return settings, nil
}

// servers returns the servers that pgx tries, in its order. It lists a server twice if
// pgx tries it without encryption too.
func servers(config *pgx.ConnConfig) []pgconn.FallbackConfig {
	list := []pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}
	return append(list, importer.Each(config.Fallbacks, func(f *pgconn.FallbackConfig) pgconn.FallbackConfig { return *f })...)
}

// isRemote reports whether a server may be on another machine.
func isRemote(s pgconn.FallbackConfig) bool {
	return !isSocket(s) && !netfailure.IsLoopback(s.Host)
}

// isSocket reports whether a server is reached by a Unix socket, which is a file of this
// machine.
func isSocket(s pgconn.FallbackConfig) bool {
	network, _ := pgconn.NetworkAddress(s.Host, s.Port)
	return network == "unix"
}

// isUnverified reports whether a remote server would be trusted without a certificate for
// its name.
func isUnverified(s pgconn.FallbackConfig) bool {
	verified := func(c *tls.Config) bool { return c != nil && !c.InsecureSkipVerify }
	return isRemote(s) && !verified(s.TLSConfig)
}

// urlError refuses a URL.
func urlError(reason string) *ledger.Error {
	return ledger.NewError("ledger-url", "write it as postgres://USER@HOST/DATABASE, without a password", "%s", reason)
}

func passwordError() *ledger.Error {
	return ledger.NewError("ledger-url",
		"leave the password out, since others see command lines and settings: write it into ~/.pgpass or a file that the address names with ?passfile=FILE, or set PGPASSWORD; if it stood on a command line, change it",
		"the ledger's URL has a password")
}

// settingsError refuses settings that pgx does not accept. Of its error, which has all of them, it
// uses only what is about certificates.
func settingsError(err error) *ledger.Error {
	if cause := errors.Unwrap(err); cause != nil && strings.Contains(err.Error(), "failed to configure TLS") {
		return ledger.NewError("ledger-url", "see the options of the ledger's URL, the environment variables that begin with PGSSL, and the files that they name",
			"the settings of the connection to the ledger can't be used: %v", cause).Because(cause)
	}
	return ledger.NewError("ledger-url", "write it as postgres://USER@HOST:PORT/DATABASE, an address with colons in brackets, as in [fd00::2], the sign % as %25 and a space as %20; and see the environment variables that begin with PG",
		"the ledger's URL, or what is set elsewhere for its connection, can't be read")
}
