package seal

import "strconv"

// The headers of the columns that results add to the source's. Package returned finds the
// columns by their headers, so they are part of the format.
const (
	StatusHeader  = "Status"
	GUIDHeader    = "Trip GUID"
	ProblemHeader = "Problem"
	FixHeader     = "How to fix it"
	WhereHeader   = "Where"
	NoticeHeader  = "Notice"
	AnswerHeader  = "What we found"
	NeedsHeader   = "Needs"
	RowHeader     = "Row"
	KeyHeader     = "tripimport key"
	PickupHeader  = "Pickup"
	RiderHeader   = "Passenger"
	TripHeader    = "Trip"
	NameHeader    = "Your name"
	PlaceHeader   = "File and row"
	CellHeader    = "Cell to fix"
	FixedHeader   = "Fix it here"
	SurplusHeader = "Beyond the last column"
)

// A header of the sheet Trips and a heading of the sheet Summary, by which they are known.
const (
	TripIDHeader = "Trip id"
	RunHeading   = "About this run"
)

// HiddenSheet is the name of the hidden sheet. People may rename all others.
const HiddenSheet = "tripimport"

// LineOfRow is written between a row's number and the line on which the row begins in a
// CSV file, if the two differ.
const LineOfRow = ", line "

// HalfBookedPrefix begins the Status of a row that is half booked.
const HalfBookedPrefix = "half booked: "

// OwnHeaders returns the headers of the visible columns that results add, in order. The
// last ones are Trip GUID columns, one for each leg.
func OwnHeaders(legs int) []string {
	headers := []string{
		StatusHeader, RowHeader, TripHeader, RiderHeader, ProblemHeader, FixHeader, WhereHeader, NoticeHeader, AnswerHeader, NeedsHeader, GUIDHeader,
	}
	for leg := 2; leg <= legs; leg++ {
		headers = append(headers, GUIDHeader+" "+strconv.Itoa(leg))
	}
	return headers
}

// ReservedHeaders returns all headers that a source column must not have.
func ReservedHeaders(legs int) []string {
	return append(OwnHeaders(max(legs, 9)), KeyHeader, SurplusHeader)
}

// TextHeaders returns the headers of the columns of a row's texts in which nobody is asked to write.
func TextHeaders() []string { return []string{ProblemHeader, FixHeader, NoticeHeader} }

// LineHeaders returns the headers of the columns that identify a line of a list. A line's
// key has the digests of the cells in these columns, those of columns that a table lacks
// being empty, and then that of its cell under FixedHeader if it has one to fix.
func LineHeaders() []string { return []string{PickupHeader, RiderHeader, TripHeader, StatusHeader} }
