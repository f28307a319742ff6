// Package sqlite keeps a ledger in one SQLite file for an office.
//
// A location is the path of the file. Three files belong together: the ledger (ledger.db,
// with SQLite's own -wal and -shm beside it while it is open); its hash key
// (ledger.db.key), without which nothing in it can be compared; and its lock
// (ledger.db.lock), which says who is using it. Only this user can read the files.
//
// The file is bound to the machine on which it is in use, and counts its commits. The
// marks of the machine (importer/ledger/mark) have the number too. So a copy on another
// machine, or an older copy in place of the file, is refused until it is adopted.
//
// One process writes at a time, and any number may read meanwhile. What is in flight is
// known from the lock and from the memory of the process that holds it. The file must be
// on a disk of the computer, because on a network drive two computers could write at
// once.
//
// A ledger of an older schema is upgraded when it is opened for writing, after a backup
// was made, which stays beside it (ledger.db.schema1.20261202T031500Z). If it is opened
// only for reading, a copy is upgraded. A ledger of a newer schema is refused.
//
// The file of a ledger that was moved to a database (importer/ledger/move) is closed: it
// is refused for reading too, because it lacks what was sent since. Its schema number is
// one that no earlier version of the program accepts.
//
// Trip ids that tell who the rider is are stored as keyed hashes, by which trips are
// found. They are also stored encrypted, because results show them and older hashes of
// properties are bound to them. Whoever has the key could find most ids by trying, so the
// encryption reveals no more than the hash.
//
// A ledger of rehearsals is marked as such in its file. Its commits don't wait for the
// disk, and it is refused wherever the office's own ledger is required.
//
// The ledger records that an account was sent a trip of a rider with the rider's first
// attempt. So the file shows which trip was the first of a rider, and no other trip of
// the rider.
package sqlite
