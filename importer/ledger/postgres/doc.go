// Package postgres keeps the ledger that several offices share in a PostgreSQL database,
// in the schema tripimport.
//
// A Location is the database's URL. Whoever carries it elsewhere sees no password in it:
// a password comes from a file, a command, PGPASSWORD or ~/.pgpass. The server's
// certificate is always verified, except on this machine.
//
// Many machines import at once, the same file among them. Transactions that write are
// kept apart by a row that each of them changes first, so a claim is granted once, and
// what it must not collide with is looked up in the same transaction. A run is a row
// with a lease by the server's clock, which each commit and a heartbeat prolong. A run
// whose lease has run out is ended by the next one; its claims without an answer may be
// booked, and its process writes no more. There are no advisory locks.
//
// Where the connection is lost, a transaction that certainly left nothing is done
// again; a commit whose answer was lost is looked up first, by the session's row, once the
// row that keeps transactions apart is free of the lost one. A server that says nothing for
// a minute counts as lost, and the server itself ends a transaction of a machine that died
// within seconds. While the server is away nothing is claimed,
// so nothing is sent, and answers that can't be recorded are kept in a file of this
// machine until the ledger is opened next. If another server took over, nothing more is
// sent, since it may lack the last commits.
//
// The hash key is not in the database but in a file on each machine. Each machine keeps a
// mark of how far the ledger had come, so that a database that was put back to an
// earlier state is refused.
//
// The goroutine of the heartbeat is the package's only one. It ends with Close.
package postgres
