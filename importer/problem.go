package importer

import "slices"

// A Severity says what a Problem means for its trip.
type Severity uint8

const (
	// Fault stops the trip: nothing of it is sent until the cell is mended.
	Fault Severity = iota
	// Notice is said and does not stop the trip.
	Notice
)

func (s Severity) String() string {
	if s == Notice {
		return "notice"
	}
	return "fault"
}

// A Problem is something found in the data. It is a value, not an error: a Go
// error means that the run can't go on.
type Problem struct {
	// Code is stable and for machines: "space-type-unknown".
	Code     string
	Severity Severity
	// Field is the mapping's name of what is affected ("dropoff.appt_time");
	// empty where the whole row or file is.
	Field Field
	// Leg is the leg it belongs to, where it belongs to one alone.
	Leg Leg
	// Cells are the guilty cells, the first one first; a Ref without a column
	// is the row. It may be empty for a fault of a file as a whole.
	Cells []Ref
	// Message says what is wrong, for a dispatcher: lower case, one sentence,
	// no full stop. It may quote the cell, so it goes to results and to the
	// terminal's list of problems, never to a log.
	Message string
	// Fix says what to do about it, in the same style.
	Fix string
}

// Faulty reports whether any of the problems stops a trip.
func Faulty(ps []Problem) bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return p.Severity == Fault })
}

// Codes that more than one stage knows.
const (
	// CodeSavedByExcel marks an id that a spreadsheet program has rewritten: in
	// scientific notation, as a date, or without its zeros.
	CodeSavedByExcel = "id-damaged"
	// CodeDoubleBooking marks a trip that seems to be booked, or to stand in the
	// file, under another id.
	CodeDoubleBooking = "double-booking"
)
