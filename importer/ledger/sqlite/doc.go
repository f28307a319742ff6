// Package sqlite keeps a ledger in one SQLite file for an office.
//
// A location is the path of the file. Three files belong together: the ledger
// (ledger.db, with SQLite's own -wal and -shm beside it while it is open); its
// hash key (ledger.db.key), without which nothing in it can be compared; and its
// lock (ledger.db.lock), which says who is using it. All files are for this user
// alone.
//
// The file is bound to the machine on which it is in use and counts its commits.
// The number stands in the marks of the machine too (importer/ledger/mark), so
// that a copy on another machine and an older copy put in its place are refused
// until they are adopted.
//
// One process writes at a time, and any number read beside it. The lock and the
// memory of the process that holds it tell what is in flight. The file must be
// on a disk of the computer: on a network drive two computers can't be kept from
// writing at once.
//
// A ledger of an older schema is upgraded when it is opened for writing, behind a
// backup that stays beside it (ledger.db.schema1.20261202T031500Z); to read it, a
// copy is upgraded. A ledger of a newer schema is refused.
//
// A ledger that was moved to a database (importer/ledger/move) leaves its file closed: it
// is refused for reading too, since it lacks what was sent since. Its schema has a number
// that no earlier program takes.
//
// The ids of trips that tell who the rider is are stored as keyed hashes, by which
// trips are found, and encrypted, since results show them and older hashes of their
// properties are bound to them. Whoever has the key could find most of them by trying,
// so the encryption gives away no more than a hash alone.
//
// A ledger of rehearsals says so in its file. Its commits don't wait for the disk, and it
// is refused wherever the office's own is meant.
//
// That an account was sent a trip of a rider is kept beside the rider's first
// attempt. So the file shows which trip was a rider's first, and no other trip of
// the rider's.
package sqlite
