// Package importer holds the nouns of the program (Row, Cell, Trip, Leg,
// Problem, Outcome), the interfaces of the stages that a row passes, and the
// run itself.
//
// A row's journey takes two passes over one open file. The first, the plan,
// reads every file to its end, so that a fault anywhere sends nothing of it.
// The second reads them again and, trip by trip, waits at the gate, claims the
// trip in the ledger, sends it and settles the claim, before its worker takes
// the next one.
//
// Faults in the data are values (Problem, Outcome). A Go error means that the
// run can't go on.
//
// The package knows no file format, no network and no SQL: those are the
// folders below it, each ignorant of its neighbours; cmd/tripimport wires them.
package importer
