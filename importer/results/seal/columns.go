package seal

// The headers of the columns that results add to the source's. Package returned finds the
// columns by their headers, so they are part of the format.
const (
	StatusHeader  = "Status"
	GUIDHeader    = "Trip GUID"
	GUID2Header   = GUIDHeader + " 2"
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

// TripIDHeader is the header by which the sheet Trips is known.
const TripIDHeader = "Trip id"

// HiddenSheet is the name of the hidden sheet. People may rename all others.
const HiddenSheet = "tripimport"

// LineOfRow is written between a row's number and the line on which the row begins in a
// CSV file, if the two differ.
const LineOfRow = ", line "

// HalfBookedPrefix begins the Status of a row that is half booked.
const HalfBookedPrefix = "half booked: "

// OwnHeaders returns the headers of the visible columns that results add, in order.
func OwnHeaders() []string {
	return []string{
		StatusHeader, RowHeader, TripHeader, RiderHeader, ProblemHeader, FixHeader, WhereHeader, NoticeHeader, AnswerHeader, NeedsHeader,
		GUIDHeader, GUID2Header,
	}
}

// ReservedHeaders returns all headers that a source column must not have.
func ReservedHeaders() []string { return append(OwnHeaders(), KeyHeader, SurplusHeader) }

// TextHeaders returns the headers of the columns of a row's texts over which nobody is asked to write. Lists have the first ones.
func TextHeaders() []string {
	return []string{StatusHeader, ProblemHeader, FixHeader, NoticeHeader, GUIDHeader, GUID2Header}
}

// LineHeaders returns the headers of the columns that identify a line of a list. A line's
// key has the digests of the cells in these columns, those of columns that a table lacks
// being empty, and then that of its cell under FixedHeader if it has one to fix.
func LineHeaders() []string { return []string{PickupHeader, RiderHeader, TripHeader} }
