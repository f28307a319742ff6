package results

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// An OpenItem is something open, as lists for people have it.
type OpenItem struct {
	importer.TripResult
	// Passenger is the passenger's name in the row; empty if there is none.
	Passenger string
	// Problem explains the outcome, and Fix says what to do. Faults are what the row's faults say of both.
	Problem, Fix string
	Faults       []importer.Problem
	// Day is the day of service of the row; it may be known although the trip's time
	// can't be read.
	Day importer.Date
	// File and Sheet name the schedule, Input is its SHA-256, and Row is the row's number
	// there, or 0 for a trip that no row makes any more.
	File, Sheet, Input string
	Row                int
	// Zone is the time zone of the trip's times; empty if the mapping names none.
	Zone string
	// Subject is that of the ledger's fact; empty without one.
	Subject string `json:"-"`
	// Run is the run that left it open, and Results the file with its results; empty for none.
	Run, Results string
	// Faulty are the cells of the row that can be fixed in the list. Words are the broker's words about which a person is
	// asked.
	Faulty []ItemCell
	Words  []importer.NewWord
	Broker string
	// Key identifies what is urgent about the trip; empty if it is not. Told reports that a run
	// at a terminal raised it. Line is the row in the workbook, once that is written.
	Key  string
	Told bool
	Line int
}

// NewItem returns trip i of a row, or of no row, as lists have it. names are the columns with the
// passenger's name.
func NewItem(r *importer.RowResult, i int, names NameColumns, loc *time.Location) OpenItem {
	item := OpenItem{
		TripResult: r.Trips[i], Passenger: names.Of(r.Row), Day: r.Day(),
		File: r.Row.File, Sheet: r.Row.Sheet, Row: r.Row.Num,
	}
	item.Faults = faultsOf(r, i)
	item.Explain(loc)
	return item
}

// Explain explains the item by its outcome and its faults.
func (i *OpenItem) Explain(loc *time.Location) {
	var problems, fixes []string
	for _, p := range i.Faults {
		problems, fixes = addText(problems, p.Message), addText(fixes, p.Fix)
	}
	problem, fix := explain(&i.TripResult, loc)
	i.Problem, i.Fix = strings.Join(addText(problems, problem), "; "), strings.Join(addText(fixes, fix), "; ")
}

// An ItemCell is a cell of a schedule's row.
type ItemCell struct {
	Column       int
	Header, Text string
}

// Begins returns the time at which the trip begins, or zero if it is not known.
func (i *OpenItem) Begins() importer.DateTime {
	if t := i.Trip.Time(); !t.IsZero() && !i.OffRow {
		return t
	}
	return i.Outcome.Begins
}

// When says on two lines when the trip begins, as far as that is known: Wed Dec 2, 2026 and 08:30.
func (i *OpenItem) When() string {
	switch at := i.Begins(); {
	case !at.IsZero():
		return textLines(at.Spoken(), at.SpokenTime())
	case !i.Day.IsZero():
		return textLines(i.Day.Spoken(), "time not known")
	}
	return "time not known"
}

// Location returns the time zone of the trip's times; nil if it is not known.
func (i *OpenItem) Location() *time.Location {
	if zone, err := time.LoadLocation(i.Zone); err == nil && i.Zone != "" {
		return zone
	}
	return nil
}

// DueIn returns when the trip is due, by the clocks of a time zone.
func (i *OpenItem) DueIn(zone *time.Location) importer.DateTime {
	own := i.Location()
	if own == nil || i.Outcome.DueAt.IsZero() {
		return i.Outcome.DueAt
	}
	at, _ := i.Outcome.DueAt.In(own)
	return importer.DateTimeOf(at.In(zone))
}

// Status returns the item's status in the words of the results.
func (i *OpenItem) Status() string {
	if i.Outcome.GUIDMissing && i.Outcome.State.Booked() {
		return bookedNoGUID
	}
	return statusText(i.Outcome.State, i.Outcome.HalfBooked)
}

// OnScreen returns what the item says for a face that has its answers as buttons beside it.
func (i *OpenItem) OnScreen(text string) string {
	return i.Trip.Listed(strings.NewReplacer("write its GUID, `", "choose `", "write `", "choose `", " under "+seal.AnswerHeader, "").Replace(text))
}

// Place names the file, the sheet and the row of the item.
func (i *OpenItem) Place() string {
	if i.Row == 0 {
		return i.File
	}
	return textLines(i.File, strings.Replace(importer.Ref{Sheet: i.Sheet, Row: i.Row}.String(), "line", "row", 1))
}

// sortItems puts items in the order in which they are due: a will call with its row's other leg. Items without a time
// come last.
func sortItems(lines []OpenItem) {
	slices.SortStableFunc(lines, func(a, b OpenItem) int {
		x, y := cmp.Or(a.Outcome.DueAt, a.Begins()), cmp.Or(b.Outcome.DueAt, b.Begins())
		if x.IsZero() != y.IsZero() {
			return map[bool]int{true: 1, false: -1}[x.IsZero()]
		}
		return cmp.Or(x.Compare(y), cmp.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Trip.Leg, b.Trip.Leg), cmp.Compare(a.Trip.ID, b.Trip.ID))
	})
}

// textLines joins the texts that are not empty, each on a line of its own.
func textLines(texts ...string) string { return joinNonEmpty("\n", texts...) }

// joinNonEmpty joins the texts that are not empty.
func joinNonEmpty(separator string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), separator)
}

// bookedNoGUID is the status of a booked trip whose GUID is missing.
const bookedNoGUID = "booked, its GUID is missing"
