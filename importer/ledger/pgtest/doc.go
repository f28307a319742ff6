// Package pgtest runs PostgreSQL for tests: a cluster of its own in a temporary
// folder, reached by a socket in that folder, that ends with the test binary, also
// where the binary is killed. Only tests import it.
//
// Where PostgreSQL is not installed, the tests that need it are skipped and say so.
// PostgreSQL refuses to run as root, so a test of root's runs it as the user postgres.
//
// The tests of a package share one cluster, each with a database of its own:
//
//	func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.Main(m)) }
//
//	func TestSomething(t *testing.T) {
//		url := pgtest.Shared(t).NewDatabase(t)
//
// A test that stops the server, or needs settings of its own, starts its own cluster:
//
//	c := pgtest.Start(t, "fsync=on")
//	c.Stop(t, pgtest.Immediate)
//	c.Restart(t)
//
// The server does not wait for the disk unless a test asks for fsync=on. Its files are in
// /tmp, where any user may enter and a socket's path is short.
package pgtest
