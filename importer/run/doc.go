// Package run takes the rows of open files through two passes.
//
// The first pass, MakePlan, reads every file to its end, so that a fault anywhere in a file sends
// nothing of it, and writes nothing. The second pass, Run.Do, first records in the ledger what
// the files say of their rows. Then it reads the files again and gives every row its outcome, as
// package judge decides. What is sent goes through the gate: it waits its turn, records the step
// in the ledger, sends it and records what came of it; no worker takes another trip before that
// is durable.
//
// Faults in the data are values (importer.Problem, importer.Outcome). A Go error means that the
// run can't go on.
//
// The package knows the stages only as interfaces. It imports no files, no network and no SQL,
// and decides nothing about trips by itself.
package run
