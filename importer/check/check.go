// Package check holds trips against the rules: what the service requires, what
// a schedule can't mean, and what stands twice. Every fault of a row is found
// at once, each at its cell, each with how to mend it.
//
// The package is pure: it reads no file, no network and no clock.
package check

import (
	"hash/maphash"
	"sync"

	"tripimport/importer"
)

// A Checker implements importer.Checker for one run over all its files.
//
// Every row is noted before the first one is checked: Note must come from one
// goroutine at a time, and not after the first Check. Check is safe for
// concurrent use and may be asked about a row any number of times.
type Checker struct {
	today importer.Date
	codes map[string]importer.Code

	seed  maphash.Seed
	notes notes
	buf   []byte // of the first pass, reused

	compare    sync.Once
	duplicates duplicates
}

var _ importer.Checker = (*Checker)(nil)

// New gives a Checker for a run on the day today, in the zone of the schedule.
// The zero Date leaves out the rules about days gone by and days far off.
func New(today importer.Date) *Checker {
	c := &Checker{today: today, codes: map[string]importer.Code{}, seed: maphash.MakeSeed()}
	for _, code := range importer.Codes() {
		c.codes[code.Code] = code
	}
	return c
}

// Check implements importer.Checker. A row that is left out is not held against
// the rules.
func (c *Checker) Check(m *importer.Mapped, rules *importer.Rules) {
	if m.LeftOut != "" {
		return
	}
	c.compare.Do(c.findDuplicates)
	if c.leaveOutCopy(m) {
		return
	}
	for i := range m.Trips {
		f := finder{checker: c, row: m, trip: &m.Trips[i], rules: rules}
		f.required()
		f.passengers()
		f.times()
		f.days()
		if i > 0 {
			f.after(&m.Trips[i-1])
		}
		f.event(&f.trip.Pickup, importer.FieldPickup)
		f.event(&f.trip.Dropoff, importer.FieldDropoff)
		f.journey()
		f.texts()
		f.duplicates(i)
	}
}

// A finder holds one trip against the rules.
type finder struct {
	checker *Checker
	row     *importer.Mapped
	trip    *importer.Trip
	rules   *importer.Rules
}

// report adds a problem of the code's severity, or of the one that the mapping
// turned it to.
func (f *finder) report(code, message, fix string, fields ...importer.Field) {
	c := f.checker.codes[code]
	severity := c.Severity
	if turned, ok := f.rules.Severities[code]; ok && c.Turnable {
		severity = turned
	}
	if severity == importer.Fault {
		f.trip.Fault(code, message, fix, fields...)
		return
	}
	f.trip.Notice(code, message, fix, fields...)
}

// faulty reports whether a fault is already filed under one of the fields. What
// could not be read must not be called missing as well.
func (f *finder) faulty(fields ...importer.Field) bool {
	if len(f.trip.Problems) == 0 && len(f.row.Problems) == 0 {
		return false
	}
	for _, field := range fields {
		if filed(f.trip.Problems, field) || filed(f.row.Problems, field) {
			return true
		}
	}
	return false
}

func filed(ps []importer.Problem, field importer.Field) bool {
	for i := range ps {
		if ps[i].Field == field && ps[i].Severity == importer.Fault {
			return true
		}
	}
	return false
}

// shown gives a cell's text for a message: in quotes, and cut where it is long.
func shown(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return `"` + s + `"`
}
