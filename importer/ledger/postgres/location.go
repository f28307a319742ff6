package postgres

import (
	"crypto/tls"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer/ledger"
	"tripimport/importer/netfailure"
)

// A Location is the location of a database: one server, or several servers of one
// cluster, of which the first that accepts writes is used. ParseLocation makes it.
type Location struct {
	config *pgx.ConnConfig
	// user is the user that the URL names, or empty. options are the URL's options
	// without those that say where the database is, in the form of a URL.
	user, options string
}

// IsLocation reports whether text is meant as a location, whatever is wrong with it.
func IsLocation(text string) bool {
	scheme, _, _ := strings.Cut(text, "://")
	return len(scheme) < len(text) && (strings.EqualFold(scheme, "postgres") || strings.EqualFold(scheme, "postgresql"))
}

// ParseLocation parses postgres://[user@]host[:port][,host[:port]…]/database[?options].
// Missing parts come from PostgreSQL's own environment variables and files, as for psql.
//
// The error is a *ledger.Error. It does not repeat any of the text, because a wrong text
// may have a password anywhere.
func ParseLocation(text string) (Location, error) {
	settings, err := parse(text)
	if err != nil {
		return Location{}, err
	}
	named := optionsOf(settings)

	config, err := pgx.ParseConfig(keywords(settings))
	if err == nil && settings["sslmode"] == "" && slices.ContainsFunc(servers(config), isRemote) {
		settings["sslmode"] = "verify-full"
		config, err = pgx.ParseConfig(keywords(settings))
	}
	if err != nil {
		return Location{}, settingsError(err)
	}

	switch {
	case slices.ContainsFunc(servers(config), isUnverified):
		return Location{}, ledger.NewError("ledger-url", "leave sslmode out of it; if the server's certificate is of your own authority, name the authority's file with ?sslrootcert=FILE",
			"the ledger's URL asks for a connection on which another server could pose as the ledger's")
	case config.Database == "" || settings["dbname"] == "":
		return Location{}, urlError("the ledger's URL names no database")
	}
	setDefaults(config)
	return Location{config, settings["user"], named}, nil
}

// String returns the location for a person. ParseLocation can parse it again.
func (l Location) String() string {
	var both, hosts, ports []string
	sockets := false
	for _, s := range servers(l.config) {
		port := strconv.Itoa(int(s.Port))
		one := net.JoinHostPort(s.Host, port)
		if slices.Contains(both, one) { // servers lists it twice if it is tried without encryption too
			continue
		}
		both, hosts, ports = append(both, one), append(hosts, strings.ReplaceAll(url.QueryEscape(s.Host), "%2F", "/")), append(ports, port)
		sockets = sockets || isSocket(s)
	}

	database := "/" + url.PathEscape(l.config.Database)
	user := ""
	if l.user != "" {
		user = url.User(l.user).String() + "@"
	}
	if sockets {
		return "postgres://" + user + database + "?host=" + strings.Join(hosts, ",") + "&port=" + strings.Join(ports, ",") + l.options
	}
	return "postgres://" + user + strings.Join(both, ",") + database + strings.Replace(l.options, "&", "?", 1)
}

// optionsOf returns the options that say how to connect, each after an ampersand.
func optionsOf(settings map[string]string) string {
	var b strings.Builder
	for _, name := range options() {
		if value := settings[name]; value != "" && !slices.Contains(whereabouts(), name) {
			b.WriteString("&" + name + "=" + strings.NewReplacer("%2F", "/", "+", "%20").Replace(url.QueryEscape(value)))
		}
	}
	return b.String()
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

// whereabouts returns the options that say where the database is, and who uses it.
func whereabouts() []string { return []string{"host", "port", "user", "dbname"} }

// parse returns the parts of a URL by the names of their options. It does not use
// net/url, which accepts only one port and repeats the text in its errors.
func parse(text string) (map[string]string, error) {
	_, rest, found := strings.Cut(text, "://")
	if !IsLocation(text) || !found {
		return nil, urlError("the ledger's URL does not begin with postgres://")
	}
	rest, query, _ := strings.Cut(rest, "?")
	authority, database, _ := strings.Cut(rest, "/")
	user, hosts, found := strings.Cut(authority, "@")
	if !found {
		user, hosts = "", authority
	}

	options, err := parseOptions(query)
	switch {
	case strings.Contains(user, ":"):
		return nil, passwordError()
	case strings.ContainsAny(hosts+database+query, "@#") || strings.ContainsAny(user+database, "#/"):
		return nil, urlError("the ledger's URL has one of the signs @ # / at a place where it has to be written as %40, %23 or %2F, or it has a password")
	case err != nil:
		return nil, err
	}

	hostList, portList, ok := splitHosts(hosts)
	for name, raw := range map[string]string{"user": user, "host": hostList, "port": portList, "dbname": database} {
		value, err := url.PathUnescape(raw)
		switch {
		case strings.Count(hosts, ":") > 1 && !strings.ContainsAny(hosts, "[,"):
			return nil, urlError("the ledger's URL has an address with colons, which stands in brackets, as in [fd00::2]")
		case err != nil || !ok:
			return nil, urlError("the ledger's URL can't be read: it has a port that is no number, or the sign %, which is written as %25")
		}
		if options[name] == "" && strings.Trim(value, ",") != "" {
			options[name] = value
		}
	}
	return options, nil
}

// parseOptions parses the text after the question mark.
func parseOptions(query string) (map[string]string, error) {
	settings := map[string]string{}
	for pair := range strings.SplitSeq(query, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, nameErr := url.PathUnescape(rawName)
		value, valueErr := url.PathUnescape(rawValue)
		switch {
		case nameErr != nil || valueErr != nil:
			return nil, urlError("the ledger's URL can't be read")
		case strings.Contains(strings.ToLower(name), "password"):
			return nil, passwordError()
		case !slices.Contains(options(), name):
			return nil, urlError("the ledger's URL has an option other than " + strings.Join(options(), ", "))
		case settings[name] != "":
			return nil, urlError("the ledger's URL has the option " + name + " twice")
		}
		settings[name] = value
	}
	return settings, nil
}

// splitHosts returns the lists of the hosts and of their ports. It reports false if a
// port is not a number, or an address with colons is not in brackets.
func splitHosts(authority string) (hosts, ports string, ok bool) {
	var hostList, portList []string
	for server := range strings.SplitSeq(authority, ",") {
		host, port := server, ""
		if i := strings.LastIndex(server, ":"); i > strings.LastIndex(server, "]") {
			host, port = server[:i], server[i+1:]
		}
		if _, err := strconv.ParseUint(port, 10, 16); port != "" && err != nil {
			return "", "", false
		}
		if strings.Contains(host, ":") && !strings.HasPrefix(host, "[") {
			return "", "", false
		}
		hostList, portList = append(hostList, strings.Trim(host, "[]")), append(portList, port)
	}
	return strings.Join(hostList, ","), strings.Join(portList, ","), true
}

// keywords returns settings in PostgreSQL's keyword form, in which every value can be
// quoted.
func keywords(settings map[string]string) string {
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	var b strings.Builder
	for name, value := range settings {
		b.WriteString(name + "='" + quote.Replace(value) + "' ")
	}
	return b.String()
}

// servers returns the servers that pgx tries, in its order. It lists a server twice if
// pgx tries it without encryption too.
func servers(config *pgx.ConnConfig) []pgconn.FallbackConfig {
	list := []pgconn.FallbackConfig{{Host: config.Host, Port: config.Port, TLSConfig: config.TLSConfig}}
	for _, f := range config.Fallbacks {
		list = append(list, *f)
	}
	return list
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

// lacksSocket reports that a server is reached by a Unix socket and that the file does
// not exist. The error of such a connection differs from system to system.
func lacksSocket(s pgconn.FallbackConfig) bool {
	network, file := pgconn.NetworkAddress(s.Host, s.Port)
	_, err := os.Stat(file)
	return network == "unix" && errors.Is(err, fs.ErrNotExist)
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
		"leave the password out, since others see command lines and settings: name a password file or a password command in your settings, or use PGPASSWORD or ~/.pgpass; if it stood on a command line, change it",
		"the ledger's URL has a password")
}

// settingsError refuses a setting that pgx does not accept. It does not use the whole
// error of pgx, which holds all settings.
func settingsError(err error) *ledger.Error {
	var parsing *pgconn.ParseConfigError
	if errors.As(err, &parsing) {
		err = errors.Unwrap(parsing)
	}
	e := ledger.NewError("ledger-url", "see the options of the ledger's URL, the environment variables that begin with PG, and the files that they name",
		"the settings of the connection to the ledger can't be used")
	if err != nil {
		e = ledger.NewError(e.Code, e.Fix, "%s: %v", e.Reason, err).Because(err)
	}
	return e
}
