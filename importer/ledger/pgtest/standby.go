package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
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
	s, err := c.standby()
	if err != nil {
		tb.Fatalf("start a standby of PostgreSQL: %v", err)
	}
	tb.Cleanup(func() {
		if err := s.remove(); err != nil {
			tb.Errorf("end PostgreSQL: %v", err)
		}
	})
	return s
}

func (c *Cluster) standby() (*Cluster, error) {
	dir, err := os.MkdirTemp(folder(), "pg")
	if err != nil {
		return nil, err
	}
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &Cluster{Dir: dir, Port: port, bin: c.bin, user: c.user}
	err = s.user.own(dir)
	if err == nil {
		var out []byte
		out, err = s.command(filepath.Join(s.bin, "pg_basebackup"), "--pgdata", s.data(), "--host", c.Dir, "--port", strconv.Itoa(c.Port),
			"--username", Superuser, "--checkpoint", "fast", "--write-recovery-conf", "--no-sync").CombinedOutput()
		if err != nil {
			err = fmt.Errorf("pg_basebackup: %w: %s", err, out)
		}
	}
	if err == nil {
		err = s.configure([]string{"port=" + strconv.Itoa(port), "unix_socket_directories='" + dir + "'"})
	}
	if err == nil {
		err = s.run()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return s, nil
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
