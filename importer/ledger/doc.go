// Package ledger says what a ledger is: the record of what was sent to the
// service and what came of it, so that no trip is booked twice and none is
// lost.
//
// The package holds the interfaces and the types in them. Where a ledger is
// kept is the business of the folders below: importer/ledger/sqlite keeps it in
// a file, and importer/ledger/tables has what ledgers in databases share. Nothing above
// them knows a path, a lock or a connection.
// importer/ledger/ledgertest holds the tests that every implementation passes.
//
// Every implementation promises:
//
//   - Durability. What a method returns without an error survives a crash of
//     the process and a loss of power. A claim is durable before its trip is
//     sent, a settlement before its worker takes the next trip.
//   - Certainty. A method that writes does not return before it is certain
//     whether it wrote. After a write of which nobody knows whether it was done,
//     every later write fails, so that the run stops before its next send.
//   - Crashes. A claim without a settlement whose run is gone is
//     importer.Unknown: it may be booked, and only a person's answer frees it. A
//     change without a settlement is importer.ChangeUnknown: the trip is booked
//     with its old values or with the new ones.
//   - Concurrency. All methods may be called from many goroutines at once. Of
//     any number of claims of one trip or one row, one is granted.
//   - Privacy. Trip ids, service dates, times, legs, GUIDs and statuses are kept
//     in clear. Every other property of a trip is kept as a hash under a key
//     that is not in the ledger, so that whoever has the ledger alone can
//     neither guess the values nor see which trips share a rider. Names of
//     files, notes, and trip ids that tell who the rider is (importer.Trip.Alias)
//     are encrypted. Errors hold no row content.
package ledger
