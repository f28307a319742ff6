package run_test

import (
	"cmp"
	"context"
	"slices"

	"tripimport/importer"
)

// A memoryChange is a change of a booked trip.
type memoryChange struct {
	e      *entry
	claim  importer.ChangeClaim
	values []importer.PropertyValue // of claim.Keys
	state  importer.State
	code   string
	// unclear are the values of earlier changes that may have arrived.
	unclear []importer.PropertyValue
	// pending reports that the change was claimed and not settled. closed reports that it
	// is not open any more, because a later change or a person has decided the values.
	pending, closed bool
}

// noChanges is the part of a ledger in which nothing is changed.
type noChanges struct{}

func (noChanges) ClaimChange(context.Context, importer.ChangeClaim) (importer.ClaimedChange, error) {
	return importer.ClaimedChange{}, importer.ErrClaimed
}

func (noChanges) SettleChange(context.Context, importer.ClaimedChange, importer.Settlement) error {
	return nil
}

func (noChanges) NoteSchedule(context.Context, importer.RowKey, *importer.Trip) error { return nil }
func (noChanges) NoteChange(context.Context, importer.RowKey, *importer.Trip) error   { return nil }

func (noChanges) ForgetLeft(context.Context, int64) error { return nil }

func (noChanges) TripsOfDay(context.Context, string, string, importer.Date, []importer.Pair) ([]importer.Record, error) {
	return nil, nil
}

// openChange returns the last change of an entry, if it is open; nil otherwise.
func (m *memory) openChange(e *entry) *memoryChange {
	for _, c := range slices.Backward(m.changes) {
		if c.e == e && (c.pending || c.state != importer.NotSent) {
			if _, values := c.standing(); c.closed || len(values) == 0 {
				return nil
			}
			return c
		}
	}
	return nil
}

// standing returns what is open about a change and those before it: the values that may
// have arrived, or else those that were refused.
func (c *memoryChange) standing() (importer.State, []importer.PropertyValue) {
	sent := func(v importer.PropertyValue) bool { return slices.Contains(c.claim.Keys, v.Key) }
	switch {
	case c.state == importer.Updated:
		return importer.ChangeUnknown, slices.DeleteFunc(slices.Clone(c.unclear), sent)
	case c.state == importer.ChangeRefused && len(c.unclear) == 0:
		return importer.ChangeRefused, c.values
	case c.state == importer.ChangeRefused:
		return importer.ChangeUnknown, c.unclear
	}
	return importer.ChangeUnknown, append(slices.DeleteFunc(slices.Clone(c.unclear), sent), c.values...)
}

func keysOf(values []importer.PropertyValue) (keys []string) {
	for _, v := range values {
		keys = append(keys, v.Key)
	}
	return keys
}

func (m *memory) ClaimChange(ctx context.Context, c importer.ChangeClaim) (importer.ClaimedChange, error) {
	if err := ctx.Err(); err != nil {
		return importer.ClaimedChange{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.attempts[c.Attempt]
	open := m.openChange(e)
	if e.State != importer.Created || e.Cancelled || e.Held || e.Attempt != c.Attempt || open != nil && open.pending && m.live[open.claim.Run] {
		return importer.ClaimedChange{}, importer.ErrClaimed
	}
	change := &memoryChange{e: e, claim: c, values: valuesOf(c.Trip, c.Keys), state: importer.ChangeUnknown, pending: true}
	if len(c.Keys) == 0 || len(change.values) != len(c.Keys) {
		panic("a change of a property that has no value")
	}
	if open != nil {
		if state, values := open.standing(); state == importer.ChangeUnknown {
			change.unclear = values
		}
	}
	m.changes = append(m.changes, change)
	return importer.ClaimedChange{Number: int64(len(m.changes))}, nil
}

// valuesOf returns a trip's values of the properties.
func valuesOf(t *importer.Trip, keys []string) []importer.PropertyValue {
	return slices.DeleteFunc(t.Properties(), func(v importer.PropertyValue) bool { return !slices.Contains(keys, v.Key) })
}

func (m *memory) SettleChange(ctx context.Context, c importer.ClaimedChange, s importer.Settlement) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	change := m.changes[c.Number-1]
	if !change.pending {
		panic("settled twice: a change of " + change.e.TripID)
	}
	change.pending, change.state, change.code = false, s.State, s.Code
	if s.State != importer.Updated {
		return nil
	}

	e, keys := change.e, change.claim.Keys
	e.props = append(slices.DeleteFunc(slices.Clone(e.props), func(v importer.PropertyValue) bool { return slices.Contains(keys, v.Key) }), change.values...)
	e.MappingHash = change.claim.MappingHash
	if slices.Contains(keys, "pickup.pickup_time") {
		e.Time = change.claim.Trip.Time()
	}
	e.trip = *change.claim.Trip
	m.riders[e.trip.RiderID] = append(m.riders[e.trip.RiderID], e)
	return nil
}

// closeChanges is a person's answer about what a trip's values are.
func (m *memory) closeChanges(e *entry) {
	for _, c := range m.changes {
		c.closed = c.closed || c.e == e
	}
}

// compareChange sets what a record says of changes, in comparison with a trip.
func (m *memory) compareChange(e *entry, rec *importer.Record, t *importer.Trip) {
	if seen, noted := m.schedule[scheduleKey{rowOf(e.key), e.Leg}]; noted && t != nil && e.fixed {
		same, changed := differs(seen, t.Properties()), differs(e.claimed, e.props)
		rec.Fixed = slices.DeleteFunc(slices.Clone(rec.Differs), func(key string) bool {
			return slices.Contains(same, key) || slices.Contains(changed, key)
		})
		rec.Differs = slices.DeleteFunc(rec.Differs, func(key string) bool { return slices.Contains(rec.Fixed, key) })
		rec.OtherTrip = e.Date != t.Date() || importer.Identifying(rec.Differs)
	}
	c := m.openChange(e)
	if c == nil {
		return
	}
	state, values := c.standing()
	rec.Change = &importer.ChangeRecord{
		State: state, Keys: keysOf(values), Same: t != nil && len(differs(values, valuesOf(t, keysOf(values)))) == 0,
		InFlight: c.pending && m.live[c.claim.Run], ClaimedAt: c.claim.At, Code: c.code,
	}
}

// A scheduleKey is a row and a leg.
type scheduleKey struct {
	row [2]string
	leg importer.Leg
}

func (m *memory) NoteSchedule(_ context.Context, key importer.RowKey, t *importer.Trip) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.schedule[scheduleKey{rowOf(key), t.Leg}] = t.Properties()
	return nil
}

func (m *memory) NoteChange(context.Context, importer.RowKey, *importer.Trip) error { return nil }

func (m *memory) ForgetLeft(_ context.Context, attempt int64) error {
	m.decide(importer.Decision{Other: attempt}, importer.NoVerdict)
	return nil
}

func (m *memory) TripsOfDay(_ context.Context, service, broker string, day importer.Date, pairs []importer.Pair) ([]importer.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []importer.Record
	for _, e := range taken(m.attempts, func(e *entry) bool {
		return e.Account.Service == service && e.key.Broker == broker && e.Date == day &&
			slices.Contains(pairs, importer.Pair{Provider: e.Account.Provider, FundingSource: e.trip.FundingSource})
	}) {
		all = append(all, m.record(e, nil))
	}
	slices.SortStableFunc(all, func(a, b importer.Record) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.Attempt, b.Attempt))
	})
	return all, nil
}

// hold is a person's word that nothing of a trip is to be changed.
func (m *memory) hold(e *entry, held bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e.Held = held
}
