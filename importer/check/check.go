// Package check checks trips against the rules: what the service requires, what
// cannot be meant in a schedule, and which trips occur more than once. It
// reports every problem of a row at once, each at its cell and with how to fix
// it.
//
// The package is pure: it uses no files, no network and no clock.
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
	codes map[string]importer.ProblemCode

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

var _ importer.Checker = (*Checker)(nil)

// New returns a Checker for a run on the given day, in the zone of the schedule.
// With the zero Date no date is too early or too far ahead.
func New(today importer.Date) *Checker {
	c := &Checker{today: today, codes: map[string]importer.ProblemCode{}, seed: maphash.MakeSeed()}
	for _, code := range importer.Codes() {
		c.codes[code.Code] = code
	}
	return c
}

// Check implements importer.Checker. It does not check a row that the mapping
// leaves out.
func (c *Checker) Check(m *importer.Mapped, rules *importer.Rules) {
	if m.LeftOut != "" {
		return
	}
	c.compare.Do(c.findDuplicates)
	if c.leaveOutCopy(m) {
		return
	}

	if m.Shifted() {
		return
	}
	for i := range m.Trips {
		tc := tripCheck{checker: c, row: m, trip: &m.Trips[i], rules: rules}
		tc.checkRequired()
		tc.checkPassengers()
		tc.checkTimes()
		tc.checkDates()
		if i > 0 {
			tc.checkLegOrder(&m.Trips[i-1])
			tc.findChecked(&m.Trips[0])
		}
		tc.checkEvent(&tc.trip.Pickup, importer.FieldPickup, tc.pickupChecked)
		tc.checkEvent(&tc.trip.Dropoff, importer.FieldDropoff, tc.dropoffChecked)
		tc.checkDistance()
		tc.checkTexts()
		tc.checkDuplicates(i)
	}
}

// A tripCheck checks one trip against the rules.
type tripCheck struct {
	checker *Checker
	row     *importer.Mapped
	trip    *importer.Trip
	rules   *importer.Rules
	// pickupChecked and dropoffChecked report that the event is the same as the opposite
	// one of the outbound, apart from times and comment, and had no problem there.
	pickupChecked, dropoffChecked bool
}

// findChecked sets pickupChecked and dropoffChecked. They stay false if the outbound or
// the row has a problem, which may have kept others from being reported.
func (tc *tripCheck) findChecked(outbound *importer.Trip) {
	if len(outbound.Problems) == 0 && len(tc.row.Problems) == 0 {
		tc.pickupChecked = samePlace(&tc.trip.Pickup, outbound.Dropoff)
		tc.dropoffChecked = samePlace(&tc.trip.Dropoff, outbound.Pickup)
	}
}

// samePlace reports whether two events differ in times and comments at most.
func samePlace(e *importer.Event, other importer.Event) bool {
	other.Comment, other.Appt, other.PickupTime = e.Comment, e.Appt, e.PickupTime
	return *e == other
}

// checkEvent checks a pickup or a dropoff, unless it was checked with the outbound.
// Messages don't say which of the two it is, because the cells do. So a problem that both
// legs of a round trip share has the same message in both, and is reported once.
func (tc *tripCheck) checkEvent(e *importer.Event, at importer.Field, checked bool) {
	if checked {
		return
	}
	tc.checkAddress(e, at)
	tc.checkPosition(e, at)
	if isBadPhone(e.Phone) {
		tc.reportPhone(e.Phone, at.Of(importer.FieldPhoneNumber))
	}
}

// report adds a problem to the trip, with the severity of its code or the one that the
// mapping gives it. importer.Codes has every code that is reported.
func (tc *tripCheck) report(code, message, fix string, fields ...importer.Field) {
	c := tc.checker.codes[code]
	severity := c.Severity
	if turned, ok := tc.rules.Severities[code]; ok && c.Turnable {
		severity = turned
	}

	if severity == importer.Fault {
		tc.trip.Fault(code, message, fix, fields...)
		return
	}
	tc.trip.Notice(code, message, fix, fields...)
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

// quoted returns a cell's text for a message: in quotes, and shortened to 60
// characters.
func quoted(s string) string {
	const longest = 60
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return `"` + s + `"`
}
