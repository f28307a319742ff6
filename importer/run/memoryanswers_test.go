package run_test

import (
	"strings"

	"tripimport/importer"
)

// entryOf returns the entry of an attempt, or nil.
func (m *memory) entryOf(attempt int64) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	if attempt <= 0 || attempt >= int64(len(m.attempts)) {
		return nil
	}
	return m.attempts[attempt]
}

// decide is a person's answer that is about no attempt.
func (m *memory) decide(d importer.Decision, v importer.Verdict) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if subject, ok := d.Subject(); ok {
		m.decided[strings.Join(subject, "\x00")] = v
	}
}

// found is a person's answer about a trip that may be booked; without a GUID it is
// not there.
func (m *memory) found(e *entry, guid string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.State, e.GUID, e.GUIDMissing, e.pending = importer.NotSent, guid, false, false
	if guid != "" {
		e.State = importer.Created
	}
}

// cancel is a person's answer that a booked trip was cancelled in the service: for
// good, or for another trip.
func (m *memory) cancel(e *entry, free bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.State, e.Cancelled, e.free, e.pending = importer.Created, true, free, false
}

// reinstate is a person's answer that a cancelled trip was reinstated.
func (m *memory) reinstate(e *entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.Cancelled, e.free = false, false
}

// accept is a person's answer that a booked trip was changed to what the row says.
func (m *memory) accept(e *entry, t *importer.Trip) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.props, e.trip, e.Date, e.Time = t.Properties(), *t, t.Date(), t.Time()
	m.closeChanges(e)
	m.riders[t.RiderID] = append(m.riders[t.RiderID], e)
}

// unknowns returns the entries that may be booked, in the order of their claims.
func (m *memory) unknowns() []*entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	return taken(m.attempts, func(e *entry) bool { return e.State == importer.Unknown })
}
