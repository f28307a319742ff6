package pgtest

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Superuser is the user of every URL. It needs no password.
const Superuser = "tester"

// rootsUser runs the server for root, as which it refuses to run.
const rootsUser = "postgres"

// A Cluster is a PostgreSQL server and its files.
type Cluster struct {
	// Dir has the socket.
	Dir string
	// Port is the server's, for its socket, and for the network if a test sets
	// listen_addresses.
	Port int

	bin string
	// server is the shell that keeps the server, and control is its standard
	// input. Both are nil while the server is stopped, and in a shared cluster.
	server  *exec.Cmd
	control *os.File
	shared  bool
}

// A Mode is how a server is stopped.
type Mode string

// Fast ends all sessions and writes everything to disk. Immediate is a crash: the next
// start recovers from the log.
const (
	Fast      Mode = "fast"
	Immediate Mode = "immediate"
)

// Start makes a cluster and starts it. Settings are lines of postgresql.conf, such as
// "fsync=on". The cluster ends with the test. Where PostgreSQL is not installed, the
// test is skipped.
func Start(tb testing.TB, settings ...string) *Cluster {
	tb.Helper()
	return StartOn(tb, func(c *Cluster) error { return c.create(settings) })
}

// StartOn is Start with a function that makes the cluster's files in its Data.
func StartOn(tb testing.TB, create func(*Cluster) error) *Cluster {
	tb.Helper()
	bin, err := find()
	if err != nil {
		tb.Skip(err)
	}
	c, err := start(bin, create)
	if err != nil {
		tb.Fatalf("start PostgreSQL: %v", err)
	}
	tb.Cleanup(func() {
		if err := c.remove(); err != nil {
			tb.Errorf("end PostgreSQL: %v", err)
		}
	})
	return c
}

// start starts a cluster in a folder of its own, in which create makes its files.
func start(bin string, create func(*Cluster) error) (*Cluster, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	c := &Cluster{Dir: "/tmp", Port: port, bin: bin}
	made, err := c.command("mktemp", "-d", "-p", c.Dir).Output() // the server's user owns it
	if err != nil {
		return nil, fmt.Errorf("mktemp: %w", err)
	}

	c.Dir = strings.TrimSpace(string(made))
	if err = create(c); err == nil {
		err = c.run()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(c.Dir))
	}
	return c, nil
}

// find returns the folder of PostgreSQL's programs. Its error says why there can be no cluster on this
// machine.
func find() (bin string, err error) {
	if name, err := exec.LookPath("initdb"); err == nil {
		if name, err = filepath.EvalSymlinks(name); err == nil { // Debian's programs lie together
			return filepath.Dir(name), nil
		}
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(found) == 0 {
		return "", errors.New("PostgreSQL is not installed: install Debian's package postgresql to run this test")
	}
	return filepath.Dir(slices.Max(found)), nil
}

// freePort returns a port on which nothing listens now.
func freePort() (int, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// Data is the folder of the server's files.
func (c *Cluster) Data() string { return filepath.Join(c.Dir, "data") }

func (c *Cluster) log() string { return filepath.Join(c.Dir, "log") }

// Program is one of PostgreSQL's programs, of the server's user.
func (c *Cluster) Program(name string, args ...string) *exec.Cmd {
	return c.command(filepath.Join(c.bin, name), args...)
}

// create makes the files of the cluster.
func (c *Cluster) create(settings []string) error {
	out, err := c.Program("initdb", "--pgdata", c.Data(), "--username", Superuser, "--auth", "trust",
		"--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync", "--no-instructions").CombinedOutput()
	if err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}

	return c.Configure(append([]string{
		"listen_addresses=''",
		"fsync=off", "full_page_writes=off", "shared_buffers=32MB", "max_connections=200",
	}, settings...))
}

// Configure sets the server's port and socket, and adds lines to its settings; the last one
// of a name counts.
func (c *Cluster) Configure(lines []string) error {
	lines = append([]string{"port=" + strconv.Itoa(c.Port), "unix_socket_directories='" + c.Dir + "'"}, lines...)
	conf, err := os.OpenFile(filepath.Join(c.Data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = conf.WriteString("\n" + strings.Join(lines, "\n") + "\n")
	return errors.Join(err, conf.Close())
}

// keeper starts the server and stops it in the mode that it reads. If the test binary
// dies, it reads the end of its input instead, and takes the files away as well.
const keeper = `
trap '' INT HUP TERM
"$1/pg_ctl" --pgdata "$2/data" --log "$2/log" --wait --silent start >"$2/start" 2>&1 || exit 1
echo started
read -r mode && exec "$1/pg_ctl" --pgdata "$2/data" --mode "$mode" --wait --silent stop
"$1/pg_ctl" --pgdata "$2/data" --mode immediate --wait --silent stop
rm -rf "$2"
`

// run starts the server and returns when it takes connections.
func (c *Cluster) run() error {
	input, control, err := os.Pipe()
	if err != nil {
		return err
	}
	defer func() { _ = input.Close() }()

	server := c.command("/bin/sh", "-c", keeper, "sh", c.bin, c.Dir)
	server.Stdin = input
	output, err := server.StdoutPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		return errors.Join(err, control.Close())
	}

	if line, _ := bufio.NewReader(output).ReadString('\n'); line != "started\n" {
		said, _ := os.ReadFile(filepath.Join(c.Dir, "start"))
		logged, _ := os.ReadFile(c.log())
		return errors.Join(fmt.Errorf("the server did not start: %s%s", said, logged), control.Close(), server.Wait())
	}
	c.server, c.control = server, control
	return nil
}

// command is a program of the server's user, without what this process has set for
// PostgreSQL in its environment.
func (c *Cluster) command(name string, args ...string) *exec.Cmd {
	if os.Getuid() == 0 {
		name, args = "runuser", append([]string{"-u", rootsUser, "--", name}, args...)
	}
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Dir = c.Dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}
	return cmd
}

// Stop stops the server, which has to run.
func (c *Cluster) Stop(tb testing.TB, mode Mode) {
	tb.Helper()
	if c.shared {
		tb.Fatal("other tests use the shared cluster: a test that stops the server calls pgtest.Start")
	}
	if err := c.stop(mode); err != nil {
		tb.Fatalf("stop PostgreSQL: %v", err)
	}
}

func (c *Cluster) stop(mode Mode) error {
	if c.server == nil {
		return errors.New("the server is not running")
	}
	server, control := c.server, c.control
	c.server, c.control = nil, nil
	_, err := fmt.Fprintln(control, mode)
	return errors.Join(err, control.Close(), server.Wait())
}

// Restart starts the server, and stops it before if it runs.
func (c *Cluster) Restart(tb testing.TB) {
	tb.Helper()
	if c.server != nil || c.shared {
		c.Stop(tb, Fast)
	}
	if err := c.run(); err != nil {
		tb.Fatalf("start PostgreSQL: %v", err)
	}
}

// remove stops the server if it runs, and removes its files.
func (c *Cluster) remove() error {
	var err error
	if c.server != nil {
		err = c.stop(Immediate)
	}
	return errors.Join(err, os.RemoveAll(c.Dir))
}

// NewDatabase makes an empty database and returns its URL. The database is dropped when
// the test ends.
func (c *Cluster) NewDatabase(tb testing.TB) string {
	tb.Helper()
	return c.Copy(tb, c.URL("template1"))
}

// Copy is NewDatabase with the content of the database of a URL, to which nobody may be
// connected.
func (c *Cluster) Copy(tb testing.TB, of string) string {
	tb.Helper()
	source, err := url.Parse(of)
	if err != nil {
		tb.Fatal(err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	c.Exec(tb, c.URL("postgres"), "CREATE DATABASE "+name+" TEMPLATE "+strings.TrimPrefix(source.Path, "/"))
	tb.Cleanup(func() {
		if c.server != nil || c.shared {
			c.Exec(tb, c.URL("postgres"), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		}
	})
	return c.URL(name)
}

// URL returns the URL of a database. A server on a busy machine has time to answer.
func (c *Cluster) URL(database string) string {
	query := url.Values{"host": {c.Dir}, "port": {strconv.Itoa(c.Port)}, "connect_timeout": {"30"}}
	return "postgres://" + Superuser + "@/" + database + "?" + query.Encode()
}

// Exec runs SQL statements in the database of a URL.
func (c *Cluster) Exec(tb testing.TB, url, sql string) {
	tb.Helper()
	ctx := context.Background() // also used in a Cleanup, when the test's context has ended
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.PgConn().Exec(ctx, sql).ReadAll(); err != nil {
		tb.Fatalf("%v: %s", err, sql)
	}
}
