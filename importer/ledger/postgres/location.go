package postgres

import (
	"crypto/tls"
	"maps"
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
	text   string // the URL
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
	_, rest, _ := strings.Cut(text, "://")
	path, query, _ := strings.Cut(rest, "?")
	authority, database, _ := strings.Cut(path, "/")
	user := authority[:max(0, strings.LastIndex(authority, "@"))]
	settings, err := url.ParseQuery(query)
	switch {
	case !IsLocation(text), err != nil, database == "" && settings.Get("dbname") == "", settings.Has("password"), settings.Has("sslpassword"):
		return Location{}, urlError()
	case strings.Contains(user, ":"), strings.ContainsAny(database, "#/"), strings.ContainsAny(rest[len(authority):], "@#"):
		return Location{}, urlError()
	}

	text = "postgres://" + rest
	config, err := parseVerified(text, settings.Get("sslmode") == "")
	switch {
	case err != nil, slices.ContainsFunc(slices.Collect(maps.Keys(config.RuntimeParams)), isOption): // pgx's error has all settings
		return Location{}, urlError()
	case slices.ContainsFunc(servers(config), isUnverified):
		return Location{}, ledger.NewError("ledger-url", "leave sslmode out of it; if the server's certificate is of your own authority, name the authority's file with ?sslrootcert=FILE",
			"the ledger's URL asks for a connection on which another server could pose as the ledger's")
	}
	setDefaults(config)
	return Location{config, text}, nil
}

// urlError refuses a URL.
func urlError() *ledger.Error {
	return ledger.NewError("ledger-url",
		"write it as postgres://USER@HOST:PORT/DATABASE, and see its options, the files that it names and the environment variables that begin with PG; "+
			"leave a password out, since others see command lines and settings: write it into ~/.pgpass or a file that the address names with ?passfile=FILE, or set PGPASSWORD; if it stood on a command line, change it",
		"the ledger's URL, or what is set elsewhere for its connection, can't be used, or has a password")
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

// isOption reports whether pgx would send an option of a URL to the server as a setting. It may be a part
// of a password. The names are those that come from the environment.
func isOption(name string) bool { return name != "application_name" && name != "timezone" }

// servers returns the servers that pgx tries, in its order. It lists a server twice if
// pgx tries it without encryption too.
func servers(config *pgx.ConnConfig) []pgconn.FallbackConfig {
	list := []pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}
	return append(list, importer.Each(config.Fallbacks, func(f *pgconn.FallbackConfig) pgconn.FallbackConfig { return *f })...)
}

// isRemote reports whether a server may be on another machine. A Unix socket is a file of this one.
func isRemote(s pgconn.FallbackConfig) bool {
	network, _ := pgconn.NetworkAddress(s.Host, s.Port)
	return network != "unix" && !netfailure.IsLoopback(s.Host)
}

// isUnverified reports whether a remote server would be trusted without a certificate for
// its name.
func isUnverified(s pgconn.FallbackConfig) bool {
	verified := func(c *tls.Config) bool { return c != nil && !c.InsecureSkipVerify }
	return isRemote(s) && !verified(s.TLSConfig)
}
