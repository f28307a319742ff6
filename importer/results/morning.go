package results

import (
	"cmp"
	"slices"
	"time"

	"tripimport/importer"
)

// A Morning is what is still open of all runs: for the people who come in the morning.
type Morning struct {
	// Made is when the list was made.
	Made time.Time
	// Urgent is to be done before the next pickup, and Listed in the course of the day;
	// each begins with the first pickup.
	Urgent, Listed []MorningItem
	// NeverAnswered counts what was still open when its trip began, from the day Since on.
	NeverAnswered int
	Since         importer.Date
	// Lost are runs of which it is not known what is open. They are urgent.
	Lost []LostRun
	// Unsent are the schedules that were not sent by last call, and UnsentFile is the
	// workbook from which they are phoned. Phoned are such workbooks of the day before.
	Unsent     []UnsentSchedule
	UnsentFile string
	Phoned     []string
	// Written is the workbook; empty for none.
	Written string
}

// A MorningItem is an open trip, or a row that makes none.
type MorningItem struct {
	importer.TripResult
	// Passenger is the name in the row; empty where it has none, or there is no row.
	Passenger string
	// Problem says what is behind its outcome, and Fix what to do.
	Problem, Fix string
	// Day is the day of service of its row, also where the trip's time can't be read.
	Day importer.Date
	// File and Sheet name the schedule, Input is its SHA-256, and Row the row's number
	// there; 0 for what no row makes any more.
	File, Sheet, Input string
	Row                int
	// Results is the file with the results of the row; empty if it was not found.
	Results string
	// Found and By are an answer that was given before and is not taken yet, and who gave
	// it. Note says why it was not taken.
	Found, By, Note string
}

// Begins returns when the trip begins, as far as that is known.
func (i *MorningItem) Begins() importer.DateTime {
	if t := i.Trip.Time(); !t.IsZero() && !i.OffRow {
		return t
	}
	return i.Outcome.Begins
}

// Status returns the item's status in the words of the results.
func (i *MorningItem) Status() string {
	switch {
	case i.Outcome.GUIDMissing && i.Outcome.State.Booked():
		return bookedNoGUID
	case i.Outcome.HalfBooked:
		return "half booked: " + i.Outcome.State.String()
	}
	return i.Outcome.State.String()
}

// A LostRun is a run of which it is not known what is open.
type LostRun struct {
	// Run is the run's id, Host the name of the machine on which it was, and Files are the
	// names of its schedules.
	Run, Host string
	Files     []string
	// Reason says why, and Fix what to do.
	Reason, Fix string
}

// An UnsentSchedule is one that was not sent. Trips are not booked; Cancelled are booked
// and cancelled in it.
type UnsentSchedule struct {
	File             string
	Trips, Cancelled []MorningItem
}

// Sort puts the items in the order of their pickups. Those without a time come last.
func (m *Morning) Sort() {
	sortItems(m.Urgent)
	sortItems(m.Listed)
}

func sortItems(items []MorningItem) {
	slices.SortStableFunc(items, func(a, b MorningItem) int {
		x, y := a.Begins(), b.Begins()
		if x.IsZero() != y.IsZero() {
			return map[bool]int{true: 1, false: -1}[x.IsZero()]
		}
		return cmp.Or(x.Compare(y), cmp.Compare(a.File, b.File), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Trip.Leg, b.Trip.Leg))
	})
}

// bookedNoGUID is how a trip is listed of which the service told no GUID.
const bookedNoGUID = "booked, its GUID is missing"
