// Package pace holds the gate that every attempt to insert a trip passes: it
// keeps the rate, holds all workers while the service asks for a pause or can't
// be reached, and decides when a run has to stop.
//
// The gate is told what came of each attempt and never sends anything itself.
// It starts no goroutine: waiting is done in the caller's.
package pace
