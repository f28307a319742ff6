package importer

import "slices"

// A Severity says whether a Problem stops its trip.
type Severity uint8

// The severities.
const (
	// Fault stops the trip: it is not sent until the cell is fixed.
	Fault Severity = iota
	// Notice is reported and does not stop the trip.
	Notice
)

// String returns "fault" or "notice".
func (s Severity) String() string { return codeOf([]string{Fault: "fault", Notice: "notice"}, s) }

// A Problem is something wrong in the data. It is a value and not an error, since
// it stops one trip at most: an error means that the run cannot go on.
type Problem struct {
	// Code is the kind of problem, one of Codes: "space-type-unknown".
	Code     string
	Severity Severity
	// Field is the affected field. It is empty for a problem of a whole row or file.
	Field Field
	// Leg is the leg of the trip that has the problem.
	Leg Leg
	// Cells are the cells to look at, the most important one first. A Ref without a
	// column is a whole row. Cells is empty for a problem of a whole file.
	Cells []Ref
	// Message says what is wrong, for a dispatcher: one sentence, in lower case,
	// without a full stop. It may quote cells, so it may go to results and to the
	// terminal, never to a log.
	Message string
	// Fix says what to do about it, in the same form.
	Fix string
	// Choices are what the first of Cells may say instead, if that are few words. The caller must not
	// change them.
	Choices []string
}

// Faulty reports whether any of the problems stops a trip.
func Faulty(ps []Problem) bool {
	return slices.ContainsFunc(ps, func(p Problem) bool { return p.Severity == Fault })
}

// At returns the first of the problem's cells, or the row in which it is.
func (p *Problem) At(row *Row) Ref {
	if len(p.Cells) > 0 {
		return p.Cells[0]
	}
	return row.Ref(0)
}

// Names reports whether the column is one of the problem's cells.
func (p *Problem) Names(col int) bool {
	return slices.ContainsFunc(p.Cells, func(at Ref) bool { return at.Col == col })
}

// Codes of problems that more than one stage uses.
const (
	// CodeSavedByExcel is an id that a spreadsheet program has rewritten: in
	// scientific notation, as a date, or without its leading zeros.
	CodeSavedByExcel = "id-damaged"
	// CodeRowRagged is a row with more or fewer fields than the headers, so that its cells
	// may be shifted.
	CodeRowRagged = "row-ragged"
	// CodeSecondTable is a row that has the headers again with the columns at other
	// places, so that the rows below it can't be read.
	CodeSecondTable = "second-table"
	// CodeDoubleBooking is a trip that seems to be booked, or to be in the files,
	// under another id.
	CodeDoubleBooking = "double-booking"
	// CodeTripIDCancelled is a trip on a live row that is also on a cancelled one.
	CodeTripIDCancelled = "trip-id-cancelled"
)
