package pgtest_test

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"tripimport/importer/ledger/pgtest"
)

// childVariable is set in a process that starts a cluster and waits to be killed.
const childVariable = "TRIPIMPORT_TEST_CHILD"

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }

// ask returns the one value that a query gives.
func ask(t *testing.T, url, query string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	var value string
	if err := conn.QueryRow(t.Context(), query).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func TestSharedDatabases(t *testing.T) {
	c := pgtest.Shared(t)
	first, second := c.NewDatabase(t), c.NewDatabase(t)
	c.Exec(t, first, "CREATE TABLE trips (id text); INSERT INTO trips VALUES ('70411')")
	if got := ask(t, first, "SELECT id FROM trips"); got != "70411" {
		t.Errorf("read %q, want what was written", got)
	}
	if got := ask(t, second, "SELECT count(*)::text FROM pg_tables WHERE tablename = 'trips'"); got != "0" {
		t.Error("the second database has the first one's table")
	}
	for setting, want := range map[string]string{
		"server_encoding": "UTF8", "lc_collate": "C.UTF-8", "listen_addresses": "", "fsync": "off",
	} {
		if got := ask(t, first, "SELECT current_setting('"+setting+"')"); got != want {
			t.Errorf("%s is %q, want %q", setting, got, want)
		}
	}
}

func TestDatabaseEndsWithItsTest(t *testing.T) {
	c := pgtest.Shared(t)
	var name string
	t.Run("a test", func(t *testing.T) {
		u, err := url.Parse(c.NewDatabase(t))
		if err != nil {
			t.Fatal(err)
		}
		name = u.Path[1:]
	})
	if got := ask(t, c.URL("postgres"), "SELECT count(*)::text FROM pg_database WHERE datname = '"+name+"'"); got != "0" {
		t.Error("the database is still there")
	}
}

// What was committed before a crash is there after it, as long as the machine runs.
func TestRestart(t *testing.T) {
	c := pgtest.Start(t, "fsync=on")
	url := c.NewDatabase(t)
	c.Exec(t, url, "CREATE TABLE trips (id text); INSERT INTO trips VALUES ('70411')")
	for _, mode := range []pgtest.Mode{pgtest.Immediate, pgtest.Fast} {
		c.Stop(t, mode)
		if conn, err := pgx.Connect(t.Context(), url); err == nil {
			conn.Close(t.Context())
			t.Fatalf("the server is there after it was stopped (%s)", mode)
		}
		c.Restart(t)
		if got := ask(t, url, "SELECT id FROM trips"); got != "70411" {
			t.Errorf("read %q after a stop (%s)", got, mode)
		}
	}
	before := ask(t, url, "SELECT pg_postmaster_start_time()::text")
	c.Restart(t)
	if ask(t, url, "SELECT pg_postmaster_start_time()::text") == before {
		t.Error("a server that ran was not restarted")
	}
	if got := ask(t, url, "SELECT current_setting('fsync')"); got != "on" {
		t.Errorf("fsync is %q, want the test's own setting", got)
	}
}

// Nothing is left of a cluster whose process was killed.
func TestClusterEndsWithItsProcess(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		c := pgtest.Start(t)
		fmt.Println(c.Dir)
		time.Sleep(time.Hour)
	}
	pgtest.Shared(t) // skips

	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^"+t.Name()+"$")
	child.Env = append(os.Environ(), childVariable+"=1")
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	if !lines.Scan() {
		t.Fatal("the child started no cluster")
	}
	dir := lines.Text()
	if _, err := os.Stat(filepath.Join(dir, "data")); err != nil {
		t.Fatal(err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	child.Wait()

	for range 300 {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("%s is still there", dir)
}
