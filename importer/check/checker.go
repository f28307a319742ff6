package check

import (
	"hash/maphash"
	"slices"
	"sync"

	"tripimport/importer"
)

// A Checker implements importer.Checker for one run over its file.
//
// Note must be called for every row before the first call of Check, from one
// goroutine at a time. Check is safe for concurrent use and may be called for a
// row any number of times.
type Checker struct {
	today importer.Date

	seed  maphash.Seed
	notes notes
	words words
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
	return &Checker{today: today, seed: maphash.MakeSeed(), words: words{counts: map[string]int{}}}
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
	has := func(p importer.Problem) bool { return p.Severity == importer.Fault && slices.Contains(fields, p.Field) }
	return slices.ContainsFunc(tc.trip.Problems, has) || slices.ContainsFunc(tc.row.Problems, has)
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
