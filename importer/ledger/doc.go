// Package ledger defines what a ledger is: the record of what was sent to the service and
// what came of it, so that no trip is booked twice and none is lost.
//
// The package has the interfaces and their types. The packages below it implement them:
// importer/ledger/sqlite keeps a ledger in a file, importer/ledger/postgres in a database
// that offices share, and importer/ledger/tables has the code that both have in common.
// No other package knows of paths, locks and connections. importer/ledger/ledgertest has
// the tests that every implementation passes.
//
// Every implementation promises:
//
//   - Durability. What a method returns without an error survives a crash of
//     the process and a loss of power. A claim is durable before its trip is
//     sent, a settlement before its worker takes the next trip.
//   - Certainty. A method that writes does not return before it is certain
//     whether it wrote. If that can't be found out, every later write fails, so
//     that the run stops before its next send.
//   - Crashes. A claim without a settlement whose run is gone is
//     importer.Unknown: the trip may be booked, and only a person's answer frees it. A
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
