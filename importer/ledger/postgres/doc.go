// Package postgres keeps the ledger that several offices share in a PostgreSQL database,
// in the schema tripimport.
//
// A Location is the database's URL. It never has a password: the password comes from a
// file, a command, PGPASSWORD or ~/.pgpass. The server's certificate is always verified,
// except on this machine.
//
// Many machines may import at once, even the same file. Each transaction that writes first
// locks the row of meta that numbers the events, so these transactions never overlap, and
// what they compare with what was seen is as the last one left it. A run has a lease by the
// server's clock, which a goroutine renews, and a number that is greater than those of all
// earlier runs. A run whose lease has ended is ended by the next process that comes; what
// it claimed and did not settle is unclear, and it can't claim any more.
//
// The rate of the service is divided among the runs that send. Each learns of its share, and
// of a pause that the service asked any of them for, when its lease is renewed.
//
// If the connection that writes is lost, or the server is silent for too long, every call
// fails within 15 seconds, and nothing is written any more: so nothing is claimed and nothing
// sent, and an answer that could not be recorded leaves its trip unclear. Whatever a commit
// left whose answer was lost, and whichever server takes over, the next run sees it.
//
// The hash key is not in the database but in a file on each machine. Each machine keeps a
// mark of how far the ledger has come, so that a database that was put back to an earlier
// state is refused.
//
// The goroutine that renews leases ends with Close.
package postgres
