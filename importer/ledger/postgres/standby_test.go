package postgres

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tripimport/importer/ledger/pgtest"
)

// standbyOf makes a cluster that follows another one and starts it. It ends with the test.
func standbyOf(tb testing.TB, primary *pgtest.Cluster) *pgtest.Cluster {
	tb.Helper()
	return pgtest.StartOn(tb, func(c *pgtest.Cluster) error {
		out, err := c.Program("pg_basebackup", "--pgdata", c.Data(), "--host", primary.Dir, "--port", strconv.Itoa(primary.Port),
			"--username", pgtest.Superuser, "--checkpoint", "fast", "--write-recovery-conf", "--no-sync").CombinedOutput()
		if err != nil {
			return fmt.Errorf("pg_basebackup: %w: %s", err, out)
		}
		return c.Configure(nil)
	})
}

// follow waits until a standby has all that its primary has written.
func follow(tb testing.TB, standby, primary *pgtest.Cluster) {
	tb.Helper()
	written := said(tb, primary, "SELECT pg_current_wal_lsn()::text")
	for said(tb, standby, "SELECT (pg_last_wal_replay_lsn() >= '"+written+"'::pg_lsn)::text") != "true" {
		time.Sleep(10 * time.Millisecond)
	}
}

// promote has a standby take writing from now on.
func promote(tb testing.TB, standby *pgtest.Cluster) {
	tb.Helper()
	if out, err := standby.Program("pg_ctl", "--pgdata", standby.Data(), "--wait", "promote").CombinedOutput(); err != nil {
		tb.Fatalf("promote: %v: %s", err, out)
	}
}

// eitherOf returns the URL of a database that is on one cluster or on another one: where
// writing is taken.
func eitherOf(address string, c, other *pgtest.Cluster) string {
	address = strings.Replace(address, "host="+url.QueryEscape(c.Dir), "host="+url.QueryEscape(c.Dir)+","+url.QueryEscape(other.Dir), 1)
	return strings.Replace(address, "port="+strconv.Itoa(c.Port), "port="+strconv.Itoa(c.Port)+","+strconv.Itoa(other.Port), 1)
}

// said returns the text that a statement gives.
func said(tb testing.TB, c *pgtest.Cluster, sql string) (text string) {
	tb.Helper()
	conn, err := pgx.Connect(tb.Context(), c.URL("postgres"))
	if err == nil {
		err = conn.QueryRow(tb.Context(), sql).Scan(&text)
	}
	if err != nil {
		tb.Fatal(err)
	}
	_ = conn.Close(tb.Context()) // it was read
	return text
}
