package results

import (
	"cmp"
	"slices"
	"time"

	"tripimport/importer"
)

// A Morning lists what is still open from all runs, for the people who come in the
// morning.
type Morning struct {
	// Made is when the list was made.
	Made time.Time
	// Urgent is to be done before the next pickup, and Listed in the course of the day.
	// Both are in the order of the pickups.
	Urgent, Listed []MorningItem
	// NeverAnswered counts the items, from the day Since on, that were still open when
	// their trips began.
	NeverAnswered int
	Since         importer.Date
	// Lost are the runs whose open trips are not known. They are urgent.
	Lost []LostRun
	// Unsent are the schedules that were not sent by last call, and UnsentFile is the
	// workbook from which people phone their trips. Phoned are such workbooks of the day
	// before.
	Unsent     []UnsentSchedule
	UnsentFile string
	Phoned     []string
	// Written is the workbook; empty for none.
	Written string
}

// A MorningItem is an open trip, or an open row that makes no trip.
type MorningItem struct {
	importer.TripResult
	// Passenger is the passenger's name in the row; empty if there is none.
	Passenger string
	// Problem explains the outcome, and Fix says what to do.
	Problem, Fix string
	// Day is the day of service of the row; it may be known although the trip's time
	// can't be read.
	Day importer.Date
	// File and Sheet name the schedule, Input is its SHA-256, and Row the row's number
	// there, or 0 for a trip that no row makes any more.
	File, Sheet, Input string
	Row                int
	// Results is the file with the results of the row; empty if it was not found.
	Results string
	// Found is an answer that was given before and is not taken yet, and By who gave it.
	// Note says why the answer was not taken.
	Found, By, Note string
}

// Begins returns the time at which the trip begins, or zero if it is not known.
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

// A LostRun is a run whose open trips are not known.
type LostRun struct {
	// Run is the run's id, Host the name of its machine, and Files are the names of its
	// schedules.
	Run, Host string
	Files     []string
	// Reason says why they are not known, and Fix what to do.
	Reason, Fix string
}

// An UnsentSchedule is a schedule that was not sent. Trips are not booked. Cancelled are
// booked, and cancelled in the schedule.
type UnsentSchedule struct {
	File             string
	Trips, Cancelled []MorningItem
}

// Sort puts the items in the order of their pickups. Items without a time come last.
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

// bookedNoGUID is the status of a booked trip whose GUID is missing.
const bookedNoGUID = "booked, its GUID is missing"
