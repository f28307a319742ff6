// Package pace decides when the next trip may be sent. All workers of a run
// share one Gate: they call Wait before each attempt and Report after it.
//
// The gate keeps the configured rate. It pauses all workers while the service
// asks for a pause or cannot be reached, lowers the rate if the service refuses
// it, and raises it again slowly. It stops the run if trips could be lost or
// booked at the wrong place: after several answers in a row that prove nothing,
// and at once after an answer that does not come from the service.
//
// Where several offices share a rate, each gate is told its share of it, and makes no attempt before
// that. It passes a pause that the service asks for on to the others. A gate's own rate can only
// make its run slower.
//
// The gate sends nothing and starts no goroutine; waiting happens in the
// caller's.
package pace
