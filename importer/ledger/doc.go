// Package ledger keeps what was sent to the service and what came of it, in one
// SQLite file for an office, so that no trip is booked twice and none is lost.
//
// A claim is durable before its trip is sent, and its settlement before the
// worker takes the next trip. A claim whose run is gone without settling it is
// unknown: it may be booked, and nothing but a person's word frees it.
//
// Four files belong together: the ledger itself (ledger.db, with SQLite's own
// -wal and -shm beside it while it is open); its hash key (ledger.db.key),
// without which nothing in it can be compared; and its lock (ledger.db.lock),
// which says who holds it and how many commits it has seen, so that an older
// copy put in its place is noticed.
//
// Trip ids, service dates, times, legs, GUIDs and statuses stand in clear. All
// other properties of a trip are kept as keyed hashes of 16 bytes, bound to the
// trip: whoever has the file alone can neither guess them nor see which trips
// share a rider. That an account was sent a trip of a rider is kept by another
// such hash, bound to the account, beside the rider's first attempt: the file
// shows which trip was a rider's first, and no other of the rider's. Names of input files and notes are sealed with the same key.
package ledger
