package postgres

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

// at parses a location that is right.
func at(t *testing.T, text string, args ...any) Location {
	t.Helper()
	l, err := ParseLocation(fmt.Sprintf(text, args...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// connected asks the database of a location for one text.
func connected(t *testing.T, l Location, readOnly bool, query string) string {
	t.Helper()
	db, err := l.connect(t.Context(), readOnly, silence)
	if err != nil {
		t.Fatalf("%s: %v (%v)", l, err, errors.Unwrap(err))
	}
	defer db.Close()
	var value string
	if err := db.QueryRowContext(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

// refused fails unless the location is refused with that code, and without a password.
func refused(t *testing.T, l Location, readOnly bool, code string) *ledger.Error {
	t.Helper()
	db, err := l.connect(t.Context(), readOnly, silence)
	if err == nil {
		db.Close()
	}
	var words *ledger.Error
	if !errors.As(err, &words) || words.Code != code || words.Reason == "" || words.Fix == "" {
		t.Fatalf("%s: got %v (%v), want %s", l, err, errors.Unwrap(err), code)
	}
	checkQuiet(t, err)
	return words
}

func TestConnect(t *testing.T) {
	clearEnvironment(t)
	l := at(t, "%s", pgtest.Shared(t).NewDatabase(t))
	pgtest.Shared(t).Exec(t, l.String(), "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$")
	for _, readOnly := range []bool{false, true} {
		if got := connected(t, l, readOnly, "SELECT concat_ws(' ', current_setting('application_name'), current_setting('timezone'), current_setting('statement_timeout'), current_setting('synchronous_commit'))"); got != "tripimport UTC 0 on" {
			t.Errorf("the session has %s", got)
		}
	}
}

func TestConnectErrors(t *testing.T) {
	clearEnvironment(t)
	t.Setenv("PGPASSWORD", canary)
	c := pgtest.Shared(t)

	missing := refused(t, at(t, "postgres:///none?host=%s&port=%d&user=%s", c.Dir, c.Port, pgtest.Superuser), false, "ledger-missing")
	if !missing.Missing {
		t.Error("a database that is not there is not said to be missing")
	}
	refused(t, at(t, "postgres:///postgres?host=%s&port=%d&user=nobody", c.Dir, c.Port), false, "ledger-access")
	refused(t, at(t, "postgres:///postgres?host=%s", t.TempDir()), false, "ledger-unreachable")
	if e := refused(t, at(t, "postgres://nohost.invalid/trips"), false, "ledger-unreachable"); !strings.Contains(e.Reason, "nohost.invalid") || !strings.Contains(e.Reason, "host name is not known") || !e.Later {
		t.Errorf("of a host that is not known it says %q", e.Fix)
	}

	l := at(t, "%s", c.NewDatabase(t))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.connect(ended, false, silence); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
}

// The error of a statement is described in words as well.
func TestStatementErrors(t *testing.T) {
	clearEnvironment(t)
	c := pgtest.Shared(t)
	l := at(t, "%s", c.NewDatabase(t))
	db, err := l.connect(t.Context(), false, silence)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for state, code := range map[string]string{
		"25006": "ledger-standby", "42501": "ledger-access", "53300": "ledger-failed", "53100": "ledger-failed",
		"57P01": "ledger-failed", "XX001": "ledger-failed",
		"40001": "ledger-failed", "53200": "ledger-failed", "55P03": "ledger-failed", "57014": "ledger-failed", "08006": "ledger-failed",
	} {
		_, err := db.ExecContext(t.Context(), "DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '"+state+"'; END $$")
		var words *ledger.Error
		if !errors.As(l.errorOf(t.Context(), err), &words) || words.Code != code {
			t.Errorf("%s is %v, want %s", state, words, code)
			continue
		}
		if forGood := code == "ledger-access" || state == "XX001"; words.Later == forGood {
			t.Errorf("%s: that it may work later is said: %v", state, words.Later)
		}
	}
}

// A server that accepts connections and never answers is given up.
func TestConnectTimeout(t *testing.T) {
	clearEnvironment(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	began := time.Now()
	e := refused(t, at(t, "postgres://clerk@%s/trips?connect_timeout=1&sslmode=disable", silent.Addr()), false, "ledger-unreachable")
	if !strings.Contains(e.Reason, "took too long") || time.Since(began) > 10*time.Second {
		t.Errorf("after %v: %s", time.Since(began), e.Reason)
	}
}

// After a failover the primary is another of the servers that the URL names: new connections find it.
func TestFailover(t *testing.T) {
	clearEnvironment(t)
	first, second := pgtest.Start(t), pgtest.Start(t)
	l := at(t, "postgres:///postgres?user=%s&host=%s,%s&port=%d,%d", pgtest.Superuser, first.Dir, second.Dir, first.Port, second.Port)
	readOnly := func(c *pgtest.Cluster, value string) {
		c.Exec(t, c.URL("postgres"), "ALTER SYSTEM SET default_transaction_read_only = "+value)
		c.Restart(t)
	}
	const who = "SELECT current_setting('unix_socket_directories')"

	readOnly(second, "on")
	if connected(t, l, false, who) != first.Dir {
		t.Error("the standby was taken for writing")
	}
	readOnly(first, "on")
	refused(t, l, false, "ledger-standby")
	if connected(t, l, true, who) != first.Dir {
		t.Error("a standby is not good enough for reading")
	}
	first.Stop(t, pgtest.Immediate)
	refused(t, l, false, "ledger-standby")
	readOnly(second, "off")
	if connected(t, l, false, who) != second.Dir {
		t.Error("the new primary is not found")
	}
	second.Stop(t, pgtest.Fast)
	refused(t, l, false, "ledger-unreachable")
}

// selfSigned returns a certificate for a host, which is an authority's as well, and its key.
func selfSigned(t *testing.T, host string) (public, private []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{host}, IsCA: true, BasicConstraintsValid: true,
	}
	certificate, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})
}

// secured sets a server up for passwords and TLS, and returns the file of its authority.
func secured(t *testing.T, c *pgtest.Cluster, host string) string {
	t.Helper()
	public, private := selfSigned(t, host)

	// The server's own user writes its files.
	write := func(name string, text []byte) {
		c.Exec(t, c.URL("postgres"), fmt.Sprintf("COPY (SELECT unnest(string_to_array('%s', E'\\n'))) TO PROGRAM 'umask 077; cat > %s'", text, name))
	}
	write("server.crt", public)
	write("server.key", private)
	write("pg_hba.conf", []byte("local all all trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n"))
	c.Exec(t, c.URL("postgres"), "ALTER SYSTEM SET ssl = on")
	c.Exec(t, c.URL("postgres"), "CREATE ROLE clerk LOGIN PASSWORD '"+canary+"'")
	c.Restart(t)

	authority := filepath.Join(t.TempDir(), "authority.crt")
	if err := os.WriteFile(authority, public, 0o600); err != nil {
		t.Fatal(err)
	}
	return authority
}

// The server proves its name before it gets the password, which comes from any of the
// places that are no URL.
func TestRemoteServer(t *testing.T) {
	clearEnvironment(t)
	c := pgtest.Start(t, "listen_addresses='127.0.0.1'")
	authority := secured(t, c, "db.example")
	// Both names are of this machine, which the location does not know.
	remote := func(host, options string) Location {
		l := at(t, "postgres://clerk@%s:%d/postgres%s", host, c.Port, options)
		l.config.LookupFunc = func(context.Context, string) ([]string, error) { return []string{"127.0.0.1"}, nil }
		return l
	}
	known := "?sslrootcert=" + authority
	const encrypted = "SELECT ssl::text || ' ' || current_user FROM pg_stat_ssl WHERE pid = pg_backend_pid()"

	t.Setenv("PGPASSWORD", canary)
	if got := connected(t, remote("db.example", known), false, encrypted); got != "true clerk" {
		t.Errorf("connected as %s", got)
	}
	if got := connected(t, at(t, "postgres://clerk@127.0.0.1:%d/postgres", c.Port), false, encrypted); got != "true clerk" {
		t.Errorf("connected on this machine as %s", got)
	}
	refused(t, remote("db.example", ""), false, "ledger-certificate")
	refused(t, remote("other.example", known), false, "ledger-certificate")
	t.Setenv("PGPASSWORD", canary+"!")
	wrong := refused(t, remote("db.example", known), false, "ledger-access")
	t.Setenv("PGPASSWORD", "")
	none := refused(t, remote("db.example", known), false, "ledger-access")
	if !strings.Contains(wrong.Reason, "refuses the user clerk, the password") || !strings.Contains(none.Reason, "no password is set") {
		t.Errorf("of a wrong password it says %q, and of none %q", wrong.Reason, none.Reason)
	}

	t.Run("file", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "passwords")
		if err := os.WriteFile(file, []byte("db.example:*:*:clerk:"+canary+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		connected(t, remote("db.example", known+"&passfile="+file), false, encrypted)
		refused(t, remote("db.example", known+"&passfile="+file+"&user=manager"), false, "ledger-access")
	})
	t.Run("no encryption", func(t *testing.T) {
		c.Exec(t, c.URL("postgres"), "ALTER SYSTEM SET ssl = off")
		c.Restart(t)
		refused(t, remote("db.example", known), false, "ledger-unencrypted")
	})
}
