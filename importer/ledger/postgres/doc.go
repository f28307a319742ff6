// Package postgres keeps the ledger that several offices share in a PostgreSQL database,
// in the schema tripimport.
//
// A Location is the database's URL. It never has a password: the password comes from a
// file, a command, PGPASSWORD or ~/.pgpass. The server's certificate is always verified,
// except on this machine.
//
// Many machines may import at once, even the same file. Each transaction that writes
// first changes the same row, so these transactions never overlap: a claim is granted
// once, and collisions are looked up in the same transaction. A run is a row with a lease
// by the server's clock, which each commit and a heartbeat prolong. A run whose lease has
// run out is ended by the next run that begins; the trips of its unsettled claims may be
// booked, and its process can't write any more. There are no advisory locks.
//
// If the connection is lost, a transaction that certainly left nothing behind is
// repeated. A commit whose answer was lost is first looked up in the session's row, after
// the lost transaction has released the row that all of them change. A server that sends
// nothing for a minute counts as lost, and the server itself ends the transaction of a
// machine that died within seconds. While the server can't be reached nothing is claimed,
// so nothing is sent, and answers that can't be recorded are kept in files of this
// machine until the ledger is opened again. If another server took over, nothing more is
// sent, because it may lack the last commits.
//
// The hash key is not in the database but in a file on each machine. Each machine keeps a
// mark of how far the ledger has come, so that a database that was put back to an earlier
// state is refused.
//
// The goroutine of the heartbeat is the package's only one. It ends with Close.
package postgres
