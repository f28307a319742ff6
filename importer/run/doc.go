// Package run takes the rows of open files through two passes.
//
// The first pass, MakePlan, reads every file to its end, so that a fault
// anywhere in a file sends nothing of it. The second pass, Run.Do, reads the
// files again and gives every row its outcome. For each attempt to send a trip
// it waits at the gate, claims the trip in the ledger, sends it and settles the
// claim; no worker takes another trip before the answer of its last one is
// durable.
//
// Faults in the data are values (importer.Problem, importer.Outcome). A Go
// error means that the run can't go on.
//
// The package knows the stages only as interfaces of package importer. It
// imports no files, no network and no SQL.
package run
