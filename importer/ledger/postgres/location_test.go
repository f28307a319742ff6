package postgres

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tripimport/importer/ledger"
)

// canary is a password. No error may have any of it.
const canary = "magpieheron"

// clearEnvironment takes away what this machine's user has set for PostgreSQL.
func clearEnvironment(t *testing.T) {
	t.Helper()
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); strings.HasPrefix(name, "PG") {
			t.Setenv(name, "")
		}
	}
	t.Setenv("HOME", t.TempDir())
}

// checkQuiet fails if an error, or anything that it is made of, has the canary.
func checkQuiet(t *testing.T, err error) {
	t.Helper()
	var log strings.Builder
	slog.New(slog.NewJSONHandler(&log, nil)).Error("the run stops", "err", err)
	for e := err; e != nil; e = errors.Unwrap(e) {
		fmt.Fprintf(&log, "%v %+v %#v\n", e, e, e)
		if joined, ok := e.(interface{ Unwrap() []error }); ok {
			fmt.Fprint(&log, joined.Unwrap())
		}
	}
	var words *ledger.Error
	if errors.As(err, &words) {
		fmt.Fprint(&log, words.Reason, words.Fix)
	}
	for _, part := range []string{"magpie", "heron"} {
		if strings.Contains(log.String(), part) {
			t.Errorf("the error has %q of the password: %s", part, log.String())
		}
	}
}

func TestParseLocation(t *testing.T) {
	clearEnvironment(t)
	public, _ := selfSigned(t, "db.example")
	authority := filepath.Join(t.TempDir(), "authority.crt")
	if err := os.WriteFile(authority, public, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"postgres://db.example/trips",
		"postgresql://db.example/trips",
		"postgres://clerk@db.example:6432/trips",
		"postgres://clerk%40office@db.example/night%20trips",
		"postgres://one.example,two.example:5433/trips",
		"postgres://one.example:1,two.example:2/trips",
		"postgres://db.example/trips?sslmode=verify-full",
		"postgres://db.example/?dbname=trips&connect_timeout=3",
		"postgres://localhost/trips",
		"postgres://127.0.0.1/trips?sslmode=disable",
		"postgres://[::1]:5433/trips?sslmode=require",
		"postgres://[2001:db8::7]/trips",
		"postgres://clerk@/trips?host=/run/postgresql",
		"postgres://clerk@/trips?connect_timeout=3&host=/run/postgresql",
		"postgres://db.example/trips?sslrootcert=" + authority,
		"PostgreSQL://db.example/trips",
		"postgres://%2Frun%2Fpostgresql:5433/trips",
		"postgres:///trips?host=/run/postgresql,localhost&port=1,2",
		"postgres://clerk@db.example/trips?user=manager",
		"postgres://db.example/tri'ps",
		"postgres://localhost,127.0.0.1:5433/trips?sslmode=verify-full",
	} {
		l, err := ParseLocation(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		_, rest, _ := strings.Cut(text, "://")
		if again, err := ParseLocation(l.String()); l.String() != "postgres://"+rest || err != nil || again.String() != l.String() {
			t.Errorf("%s is %s, and then %v, %v", text, l, again, err)
		}
		for _, s := range servers(l.config) {
			if isUnverified(s) {
				t.Errorf("%s: %s is believed without a certificate", text, s.Host)
			}
		}
	}
}

// What is not said in the URL comes from PostgreSQL's variables, but no weaker sslmode.
func TestLocationOfEnvironment(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("PGHOST", "db.example")
	t.Setenv("PGUSER", "clerk")
	t.Setenv("PGSSLMODE", "disable")
	t.Setenv("PGAPPNAME", "psql")
	t.Setenv("PGTZ", "America/Chicago")
	l, err := ParseLocation("postgres:///trips")
	if err != nil {
		t.Fatal(err)
	}
	if l.String() != "postgres:///trips" || l.config.User != "clerk" {
		t.Errorf("got %s with the user %q", l, l.config.User)
	}
	if isUnverified(servers(l.config)[0]) {
		t.Error("PGSSLMODE turned the certificate off")
	}
	for name, want := range map[string]string{"application_name": "tripimport", "timezone": "UTC", "statement_timeout": "", "search_path": "tripimport"} {
		if got := l.config.RuntimeParams[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if l.config.ConnectTimeout != connectTimeout {
		t.Errorf("it waits for %v", l.config.ConnectTimeout)
	}
}

func TestRefusedLocations(t *testing.T) {
	clearEnvironment(t)
	missing := filepath.Join(t.TempDir(), "none.crt")
	for text, want := range map[string]string{
		"postgres://db.example/trips?sslmode=require":                                      "pose as the ledger's",
		"postgres://db.example/trips?sslmode=verify-ca":                                    "pose as the ledger's",
		"postgres://db.example/trips?sslmode=prefer":                                       "pose as the ledger's",
		"postgres://db.example/trips?sslmode=disable":                                      "pose as the ledger's",
		"postgres://localhost,db.example/trips?sslmode=disable":                            "pose as the ledger's",
		"postgres://localhost/trips?host=db.example&sslmode=disable":                       "pose as the ledger's",
		"postgres://db.example/trips?sslmode=most":                                         "or has a password",
		"postgres://db.example/trips?sslrootcert=" + missing:                               "or has a password",
		"postgres://db.example/trips?connect_timeout=soon":                                 "or has a password",
		"postgres://db.example/trips?search_path=other":                                    "or has a password",
		"postgres://db.example/trips?options=-csearch_path%3Dother":                        "or has a password",
		"postgres://db.example":                                                            "or has a password",
		"postgres://db.example/":                                                           "or has a password",
		"postgres://db.example:54x/trips":                                                  "or has a password",
		"postgres://db.example:99999/trips":                                                "or has a password",
		"postgres://db.example/tri%zzps":                                                   "or has a password",
		"host=db.example dbname=trips":                                                     "or has a password",
		"postgres:db.example/trips":                                                        "or has a password",
		"mysql://db.example/trips":                                                         "or has a password",
		"postgres://clerk:" + canary + "@db.example/trips":                                 "or has a password",
		"postgres://clerk:@db.example/trips":                                               "or has a password",
		"postgres://clerk@db.example/trips?password=" + canary:                             "or has a password",
		"postgres://clerk@db.example/trips?PassWord=" + canary:                             "or has a password",
		"postgres://clerk@db.example/trips?pass%77ord=" + canary:                           "or has a password",
		"postgres://clerk@db.example/trips?sslpassword=" + canary:                          "or has a password",
		"postgres://clerk@db.example/trips?" + canary + "=1":                               "or has a password",
		"postgres://clerk:magpie/heron@db.example/trips":                                   "or has a password",
		"postgres://clerk:magpie?heron@db.example/trips":                                   "or has a password",
		"postgres://clerk:magpie@heron@db.example/trips":                                   "or has a password",
		"postgres://clerk:42/magpie@db.example/trips":                                      "or has a password",
		"postgres://clerk:42?magpie@db.example/trips":                                      "or has a password",
		"postgres://clerk:42#magpie@db.example/trips":                                      "or has a password",
		"postgres://clerk%3A" + canary + "%40db.example:x/trips":                           "or has a password",
		"postgres://clerk:" + canary:                                                       "or has a password",
		"clerk:" + canary + "@db.example":                                                  "or has a password",
		"host=db.example password=" + canary:                                               "or has a password",
		"postgres://" + canary + ":" + canary + "@" + canary + ":" + canary + "/" + canary: "or has a password",
		"postgres://db.example/trips?sslkey=" + missing:                                    "or has a password",
		"postgres://db.example/trips?sslcert=" + missing + "&sslkey=" + missing:            "or has a password",
		"postgres://db.example/trips?channel_binding=sometimes":                            "or has a password",
		"postgres://one.example,two.example,three.example/trips?port=1,2":                  "or has a password",
		"postgres://::1/trips":                                                             "or has a password",
	} {
		l, err := ParseLocation(text)
		var words *ledger.Error
		if !errors.As(err, &words) {
			t.Errorf("%s: %v, %v, want it refused", text, l, err)
			continue
		}
		if words.Code != "ledger-url" || words.Fix == "" || !strings.Contains(words.Reason, want) {
			t.Errorf("%s: %s %q, want %q", text, words.Code, words.Reason, want)
		}
		checkQuiet(t, err)
	}
}

// pgx's errors have the settings that it was given: those of the environment have none of
// the password, whatever is wrong with another one.
func TestRefusedEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"PGPORT": "54x", "PGSSLROOTCERT": "/none", "PGSSLCERT": "/none", "PGCONNECT_TIMEOUT": "soon",
		"PGTARGETSESSIONATTRS": "some", "PGSERVICE": "none", "PGREQUIREAUTH": "some", "PGMINPROTOCOLVERSION": "7",
	} {
		t.Run(name, func(t *testing.T) {
			clearEnvironment(t)
			t.Setenv("PGPASSWORD", canary)
			t.Setenv(name, value)
			l, err := ParseLocation("postgres://clerk@db.example/trips")
			var words *ledger.Error
			if !errors.As(err, &words) || words.Code != "ledger-url" {
				t.Fatalf("%v, %v, want it refused", l, err)
			}
			checkQuiet(t, err)
		})
	}
}
