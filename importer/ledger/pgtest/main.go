package pgtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// sharedVariable names the shared cluster's socket, for this process and for those that
// its tests start.
const sharedVariable = "TRIPIMPORT_TEST_POSTGRES"

// A Runner runs the tests of a package, as *testing.M does.
type Runner interface{ Run() int }

// Main returns a Runner that starts a cluster, runs the tests, and ends the cluster. The
// tests get it by Shared. Where -parallel does not say otherwise, eight parallel tests run
// at once on any machine, since tests of servers wait most of their time.
func Main(m Runner) Runner { return shared{m} }

type shared struct{ tests Runner }

// Run implements Runner.
func (s shared) Run() int {
	if os.Getenv(sharedVariable) != "" { // a process that a test started
		return s.tests.Run()
	}
	if err := AllowParallel(8); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}

	bin, err := find()
	if err != nil {
		return s.tests.Run() // the tests that need it are skipped
	}
	c, err := start(bin, func(c *Cluster) error { return c.create(nil) })
	if err == nil {
		err = os.Setenv(sharedVariable, filepath.Join(c.Dir, strconv.Itoa(c.Port)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "start PostgreSQL:", err)
		return 1
	}

	status := s.tests.Run()
	if err := c.remove(); err != nil {
		fmt.Fprintln(os.Stderr, "end PostgreSQL:", err)
		return 1
	}
	return status
}

// AllowParallel sets how many parallel tests run at once, unless the command line does. It
// is for a TestMain of tests that wait for servers and other processes.
func AllowParallel(n int) error {
	flag.Parse()
	f := flag.Lookup("test.parallel")
	if f.Value.String() != f.DefValue {
		return nil
	}
	return f.Value.Set(strconv.Itoa(n))
}

// Shared returns the cluster that Main started. It is for tests that leave the server
// as it is. Where PostgreSQL is not installed, the test is skipped.
func Shared(tb testing.TB) *Cluster {
	tb.Helper()
	socket := os.Getenv(sharedVariable)
	if socket == "" {
		if _, err := find(); err != nil {
			tb.Skip(err)
		}
		tb.Fatal("no shared cluster: TestMain has to run the tests by pgtest.Main")
	}
	port, err := strconv.Atoi(filepath.Base(socket))
	if err != nil {
		tb.Fatal(err)
	}
	return &Cluster{Dir: filepath.Dir(socket), Port: port, shared: true}
}
