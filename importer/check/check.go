// Package check checks trips against the rules: what the service requires, what
// cannot be meant in a schedule, and which trips occur more than once. It
// reports every problem of a row at once, each at its cell and with how to fix
// it.
//
// The package is pure: it uses no files, no network and no clock.
package check

import (
	"tripimport/importer"
)

var _ importer.Checker = (*Checker)(nil)

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
		tc.checkTimes()
		tc.checkDates()
		if i > 0 {
			tc.checkLegOrder(&m.Trips[i-1])
		}
		tc.checkEvent(&tc.trip.Pickup, importer.FieldPickup)
		tc.checkEvent(&tc.trip.Dropoff, importer.FieldDropoff)
		tc.checkTexts()
		tc.checkDuplicates(i)
	}
}

// checkEvent checks a pickup or a dropoff.
// Messages don't say which of the two it is, because the cells do. So a problem that both
// legs of a round trip share has the same message in both, and is reported once.
func (tc *tripCheck) checkEvent(e *importer.Event, at importer.Field) {
	code := e.State
	if e.CompleteAddress != "" {
		code = tailState(e.CompleteAddress)
	}
	state := stateOf(code)
	tc.checkAddress(e, at, state)
	tc.checkPosition(e, at, code, state)
	tc.checkPhone(e.Phone, at.Of(importer.FieldPhoneNumber))
}
