// Package importer has the types that all packages of the program share: Row,
// Cell, Trip, Leg, Problem and Outcome. It has the only list of a trip's
// properties (TripProperties), of states (State) and of problem codes (Codes),
// the only definition of which trips may be the same (Identity), and the
// interfaces of the stages that a row passes through.
//
// Problems in the data are values (Problem, Outcome). A Go error means that the
// run cannot go on.
//
// The package imports no other package of the program, and uses no files, network
// or SQL. The packages below it implement its interfaces without importing each
// other, and importer/app connects them.
package importer
