package check

import (
	"hash/maphash"
	"sync"

	"tripimport/importer"
)

// A Checker implements importer.Checker for one run over all its files.
//
// Note must be called for every row before the first call of Check, from one
// goroutine at a time. Check is safe for concurrent use and may be called for a
// row any number of times.
type Checker struct {
	today importer.Date

	seed  maphash.Seed
	notes notes
	// For the first pass: a buffer that is reused, and the last row's broker with its
	// importer.BrokerText.
	buf                []byte
	broker, brokerText string

	compare    sync.Once
	duplicates duplicates
	copies     map[importer.Date]int
}

// New returns a Checker for a run on the given day, in the zone of the schedule.
// With the zero Date no date is too early or too far ahead.
func New(today importer.Date) *Checker {
	return &Checker{today: today, seed: maphash.MakeSeed()}
}

// A tripCheck checks one trip against the rules.
type tripCheck struct {
	checker *Checker
	row     *importer.Mapped
	trip    *importer.Trip
	rules   *importer.Rules
}

// hasFault reports whether one of the fields has a fault already. A value that
// could not be read must not be reported as missing as well.
func (tc *tripCheck) hasFault(fields ...importer.Field) bool {
	if len(tc.trip.Problems) == 0 && len(tc.row.Problems) == 0 {
		return false
	}
	for _, field := range fields {
		if hasFaultAt(tc.trip.Problems, field) || hasFaultAt(tc.row.Problems, field) {
			return true
		}
	}
	return false
}

func hasFaultAt(problems []importer.Problem, field importer.Field) bool {
	for i := range problems {
		if problems[i].Field == field && problems[i].Severity == importer.Fault {
			return true
		}
	}
	return false
}

// fieldOf returns a field of an event, or of the trip itself if at is empty.
func fieldOf(at, of importer.Field) importer.Field {
	if at == "" {
		return of
	}
	return at.Of(of)
}

// quoted returns a cell's text for a message: in quotes, and shortened to 60
// characters.
func quoted(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return `"` + s + `"`
}

// The fields of a trip's times.
const (
	pickupTime  = importer.FieldPickup + "." + importer.FieldPickupTime
	dropoffAppt = importer.FieldDropoff + "." + importer.FieldApptTime
)
