package seal

import "strconv"

// The headers of the columns that results add to the source's. Reading back
// finds the columns by them, so they are part of the format.
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
	SurplusHeader = "Beyond the last column"
)

// HiddenSheet is the name of the hidden sheet. People may rename all others.
const HiddenSheet = "tripimport"

// LineOfRow stands between a row's number and the line of a CSV file where the row begins,
// where that is another number.
const LineOfRow = ", line "

// HalfBookedPrefix begins the Status of a row of which one leg is booked and
// another is not.
const HalfBookedPrefix = "half booked: "

// OwnHeaders returns the headers of the visible columns that results add, in order: what
// has to be done with which row first, and last one Trip GUID column for each of so many
// legs.
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

// MorningHeaders returns the headers of the columns of a morning workbook that tell its
// rows apart. A row's key has the digests of their cells.
func MorningHeaders() []string { return []string{PickupHeader, RiderHeader, TripHeader, StatusHeader} }
