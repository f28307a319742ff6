// Package sqlite keeps a ledger in one SQLite file for an office.
//
// A location is the path of the file. Three files belong together: the ledger (ledger.db,
// with SQLite's own -wal and -shm beside it while it is open); its hash key
// (ledger.db.key), without which nothing in it can be compared; and its lock
// (ledger.db.lock), which says who is using it. Only this user can read the files.
//
// The file is bound to the machine on which it is in use, and numbers its events. The
// marks of the machine (importer/ledger/mark) have the number too. So a copy on another
// machine, or an older copy in place of the file, is refused until it is adopted.
//
// One process writes at a time, and any number may read meanwhile. What is in flight is
// known from the lock and from the memory of the process that holds it. The file must be
// on a disk of the computer, because on a network drive two computers could write at
// once.
//
// A file of an older or newer build, of another program, or a damaged one is refused, and
// nothing in it is changed.
//
// Trip ids are stored as keyed hashes, by which trips are found, and encrypted, because
// results show them.
//
// The commits of a ledger of rehearsals don't wait for the disk.
package sqlite
