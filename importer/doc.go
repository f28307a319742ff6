// Package importer holds the nouns of the program: Row, Cell, Trip, Leg,
// Problem, Outcome; the one list of a trip's properties (TripProperties), the
// one definition of who may already be a trip (Identity), the one list of
// states (State) and of problem codes (Codes); and the interfaces of the stages
// that a row goes through.
//
// Faults in the data are values (Problem, Outcome). A Go error means that the
// run can't go on.
//
// The package imports no other package of the program, and no files, network or
// SQL. The folders below it implement its interfaces and do not know each
// other; importer/app connects them.
package importer
