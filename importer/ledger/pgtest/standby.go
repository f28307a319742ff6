package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Standby makes a cluster that follows this one and starts it. It ends with the test.
func (c *Cluster) Standby(tb testing.TB) *Cluster {
	tb.Helper()
	s, err := startNew(c.bin, func(s *Cluster) error { return s.copyFrom(c) })
	return ends(tb, s, err)
}

// copyFrom makes the files of the cluster by those of its primary.
func (c *Cluster) copyFrom(primary *Cluster) error {
	out, err := c.command(filepath.Join(c.bin, "pg_basebackup"), "--pgdata", c.data(), "--host", primary.Dir, "--port", strconv.Itoa(primary.Port),
		"--username", Superuser, "--checkpoint", "fast", "--write-recovery-conf", "--no-sync").CombinedOutput()
	if err != nil {
		return fmt.Errorf("pg_basebackup: %w: %s", err, out)
	}
	return c.configure(nil)
}

// Follow waits until a standby has all that its primary has written.
func (c *Cluster) Follow(tb testing.TB, primary *Cluster) {
	tb.Helper()
	written := primary.ask(tb, "SELECT pg_current_wal_lsn()::text")
	for c.ask(tb, "SELECT (pg_last_wal_replay_lsn() >= '"+written+"'::pg_lsn)::text") != "true" {
		time.Sleep(10 * time.Millisecond)
	}
}

// Promote has a standby take writing from now on.
func (c *Cluster) Promote(tb testing.TB) {
	tb.Helper()
	out, err := c.command(filepath.Join(c.bin, "pg_ctl"), "--pgdata", c.data(), "--wait", "promote").CombinedOutput()
	if err != nil {
		tb.Fatalf("promote: %v: %s", err, out)
	}
}

// Either returns the URL of a database that is on this cluster or on another one: where
// writing is taken.
func (c *Cluster) Either(address string, other *Cluster) string {
	address = strings.Replace(address, "host="+url.QueryEscape(c.Dir), "host="+url.QueryEscape(c.Dir)+","+url.QueryEscape(other.Dir), 1)
	return strings.Replace(address, "port="+strconv.Itoa(c.Port), "port="+strconv.Itoa(c.Port)+","+strconv.Itoa(other.Port), 1)
}

// ask returns the text that a statement gives.
func (c *Cluster) ask(tb testing.TB, sql string) (text string) {
	tb.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if err := conn.QueryRow(ctx, sql).Scan(&text); err != nil {
		tb.Fatal(err)
	}
	return text
}
