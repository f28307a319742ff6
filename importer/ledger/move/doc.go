// Package move moves a ledger from a file of one machine to a database that offices
// share, with its identity, its key, its numbers and all rows.
//
// At most one of the two can be used at any time, even if the program or the machine
// dies:
//
//  1. The file is locked, and found sound. The database gets all rows in one transaction,
//     which reads them again and compares them.
//  2. The file is closed, durably, with the id of that transaction.
//  3. The transaction is committed.
//  4. The file notes that the ledger arrived.
//
// Before the second step the file is the ledger, since the server takes back what was not
// committed. After it nobody can use the file before a move has asked the server what came
// of the transaction: it finishes the fourth step, or opens the file and begins again.
package move
