// Package sqlite keeps a ledger in one SQLite file for an office.
//
// A location is the path of the file. Four files belong together: the ledger
// itself (ledger.db, with SQLite's own -wal and -shm beside it while it is
// open); its hash key (ledger.db.key), without which nothing in it can be
// compared; and its lock (ledger.db.lock), which says who is using it and how
// many commits it has seen, so that an older copy put in its place is noticed.
//
// One process writes at a time; any number may read beside it. The file must be
// on a disk of the computer: on a network drive two computers can't be kept from
// writing at once.
//
// That an account was sent a trip of a rider is kept by a keyed hash that is
// bound to the account, beside the rider's first attempt: the file shows which
// trip was a rider's first, and no other of the rider's.
package sqlite
