package run_test

import (
	"context"
	"errors"
	"slices"

	"tripimport/importer"
)

// noRows answers that nothing is booked from any row.
type noRows struct{}

func (noRows) CheckRowIDs(context.Context, importer.RowIDs, importer.Date) (bool, error) {
	return true, nil
}

func (noRows) RowTrips(_ context.Context, _ string, m *importer.Mapped) (importer.RowTrips, error) {
	return importer.RowTrips{Matched: make([]*importer.Record, len(m.Trips)), Unclear: make([]*importer.Record, len(m.Trips))}, nil
}

func (noRows) TripsOfID(context.Context, string, string) ([]importer.Record, error) { return nil, nil }

func (noRows) TripsOfRider(context.Context, string, *importer.Trip) ([]importer.Record, error) {
	return nil, nil
}

func (noRows) Respelt(context.Context, string, importer.RowKey, *importer.Trip) ([]importer.Record, error) {
	return nil, nil
}

func (noRows) SameDay(context.Context, importer.Account, *importer.Trip) ([]importer.Record, error) {
	return nil, nil
}

func (noRows) Lacks(context.Context, *importer.Mapped, []importer.Account, int) (bool, error) {
	return false, nil
}

func (noRows) RowMarks(importer.RowKey) []string { return nil }

func (*memory) CheckRowIDs(context.Context, importer.RowIDs, importer.Date) (bool, error) {
	return true, nil
}

// taken returns the entries that are booked or may be booked, and fit.
func taken(among []*entry, fits func(*entry) bool) []*entry {
	var all []*entry
	for _, e := range among {
		if e.taken() && fits(e) && !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	return all
}

// record is the entry in comparison with a trip; nil for none.
func (m *memory) record(e *entry, t *importer.Trip) importer.Record {
	rec := e.Record
	rec.InFlight = e.pending && m.live[e.Run]
	if t != nil {
		rec.Differs = differs(e.props, t.Properties())
		rec.OtherTrip = e.Date != t.Date() || importer.Identifying(rec.Differs)
	}
	m.compareChange(e, &rec, t)
	return rec
}

func (m *memory) records(t *importer.Trip, fits func(*entry) bool) []importer.Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	among := m.attempts
	if t != nil {
		among = m.riders[t.RiderID]
	}
	return m.recordsOf(t, among, fits)
}

func (m *memory) recordsOf(t *importer.Trip, among []*entry, fits func(*entry) bool) []importer.Record {
	var all []importer.Record
	for _, e := range taken(among, fits) {
		all = append(all, m.record(e, t))
	}
	return all
}

func (m *memory) RowTrips(_ context.Context, service string, row *importer.Mapped) (importer.RowTrips, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	booked := taken(m.rows[rowOf(row.Key)], func(e *entry) bool { return e.Account.Service == service && sameRow(e, row) })
	if today := slices.DeleteFunc(slices.Clone(booked), func(e *entry) bool { return e.Date != row.Key.Date }); len(today) > 0 && row.Key.IDs == importer.UnsaidIDs {
		booked = today
	}
	slices.SortStableFunc(booked, func(a, b *entry) int { // those that were cancelled are the last
		switch {
		case a.Cancelled == b.Cancelled:
			return 0
		case b.Cancelled:
			return -1
		}
		return 1
	})
	var legs, now []importer.Leg
	for _, e := range booked {
		legs = append(legs, e.Leg)
	}
	for i := range row.Trips {
		now = append(now, row.Trips[i].Leg)
	}
	matched, unclear, dropped := importer.MatchLegs(legs, now, func(b, n int) importer.Way { return way(&booked[b].trip, &row.Trips[n]) })

	found, _ := noRows{}.RowTrips(context.Background(), service, row)
	for n := range row.Trips {
		if b := matched[n]; b >= 0 {
			rec := m.record(booked[b], &row.Trips[n])
			found.Matched[n] = &rec
		}
		if b := unclear[n]; b >= 0 {
			rec := m.record(booked[b], &row.Trips[n])
			found.Unclear[n] = &rec
		}
	}
	for _, b := range dropped {
		found.Dropped = append(found.Dropped, m.record(booked[b], nil))
	}
	return found, nil
}

func rowOf(key importer.RowKey) [2]string { return [2]string{key.Broker, key.ID} }

// sameRow reports whether an entry is of the row, on its day where ids come again.
func sameRow(e *entry, row *importer.Mapped) bool {
	key := &row.Key
	return key.ID != "" && e.key.Broker == key.Broker && e.key.ID == key.ID &&
		(key.IDs != importer.RepeatedIDs || e.key.Date == key.Date || row.Cancelled && key.Date.IsZero())
}

func way(a, b *importer.Trip) importer.Way {
	from, _ := a.Pickup.Location()
	to, _ := a.Dropoff.Location()
	otherFrom, _ := b.Pickup.Location()
	otherTo, _ := b.Dropoff.Location()
	return importer.CompareWays(from, to, otherFrom, otherTo)
}

func (m *memory) TripsOfID(_ context.Context, service, id string) ([]importer.Record, error) {
	return m.records(nil, func(e *entry) bool { return e.Account.Service == service && e.TripID == id }), nil
}

func (m *memory) TripsOfRider(_ context.Context, service string, t *importer.Trip) ([]importer.Record, error) {
	return m.records(t, func(e *entry) bool {
		return e.Account.Service == service && e.trip.RiderID == t.RiderID && t.RiderID != "" && e.Date == t.Date()
	}), nil
}

func (m *memory) Respelt(_ context.Context, service string, key importer.RowKey, t *importer.Trip) ([]importer.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	forms := importer.IDSpellings(key.ID)
	var among []*entry
	for _, form := range forms {
		among = append(among, m.spelt[form]...)
	}
	return m.recordsOf(nil, among, func(e *entry) bool {
		if e.Account.Service != service || e.key.Broker != key.Broker || e.key.ID == key.ID || !slices.Contains(key.RespeltDays(t), e.Date) ||
			!slices.ContainsFunc(e.forms, func(s string) bool { return slices.Contains(forms, s) }) {
			return false
		}
		id, _ := t.Places()
		other, _ := e.trip.Places()
		id.Rider, other.Rider = "", ""
		return t.RiderID == "" || e.trip.RiderID == t.RiderID || id.SamePlaces(other) && e.Date == t.Date()
	}), nil
}

func (m *memory) SameDay(_ context.Context, a importer.Account, t *importer.Trip) ([]importer.Record, error) {
	id, ok := t.Places()
	return m.records(t, func(e *entry) bool {
		other, known := e.trip.Places()
		return ok && known && e.Date == t.Date() && id.SamePlaces(other) && (e.TripID != t.ID || e.Account.Provider != a.Provider)
	}), nil
}

func (m *memory) Lacks(ctx context.Context, row *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	booked, err := m.RowTrips(ctx, accounts[0].Service, row)
	lacks := len(booked.Dropped) == 0
	for i := range row.Trips {
		trip := &row.Trips[i]
		_, found, findErr := m.Find(ctx, accounts[i], trip)
		similar, similarErr := m.Similar(ctx, accounts[i], trip, within)
		respelt, _ := m.Respelt(ctx, accounts[i].Service, row.Key, trip)
		sameDay, _ := m.SameDay(ctx, accounts[i], trip)
		decided, _ := m.Decided(ctx, importer.Decision{Key: row.Key, Trip: trip})
		err = errors.Join(err, findErr, similarErr)
		lacks = lacks && booked.Matched[i] == nil && booked.Unclear[i] == nil && !found && decided == importer.NoVerdict && len(similar)+len(respelt)+len(sameDay) == 0
	}
	return lacks && err == nil, err
}

func (m *memory) RowMarks(key importer.RowKey) []string {
	if key.ID == "" {
		return nil
	}
	return []string{importer.NewRowMark(key.Broker, key.ID)}
}

// outdated reports whether another run booked a trip that may be the same since the ledger
// was asked, or a person left it.
func (m *memory) outdated(ctx context.Context, c importer.Claim) bool {
	if c.Look == nil {
		return false
	}
	beside, _ := m.Respelt(ctx, c.Account.Service, c.Key, c.Trip)
	if c.Look.SameDay {
		more, _ := m.SameDay(ctx, c.Account, c.Trip)
		beside = append(beside, more...)
	}
	v, _ := m.Decided(ctx, importer.Decision{Key: c.Key, Trip: c.Trip})
	return v == importer.LeaveIt || slices.ContainsFunc(beside, func(rec importer.Record) bool {
		return rec.Date == c.Trip.Date() && !rec.Cancelled && rec.Run != c.Run && !slices.Contains(c.Look.Found, rec.Attempt) && !slices.Contains(m.RowMarks(c.Key), rec.RowMark)
	})
}

// collides reports whether a claim collides with what is booked.
func (m *memory) collides(c importer.Claim) bool {
	own := m.entries[keyOf(c.Account, c.Trip.ID)]
	id, ok := c.Trip.Identity()
	among := slices.Concat(m.rows[rowOf(c.Key)], m.riders[c.Trip.RiderID])
	return len(taken(among, func(e *entry) bool {
		if e == own || e.Cancelled || e.Account.Service != c.Account.Service {
			return false
		}
		if sameRow(e, &importer.Mapped{Key: c.Key}) && (c.Key.IDs == importer.UniqueIDs || e.Date == c.Trip.Date()) {
			return importer.LegsCollide(e.Leg, c.Trip.Leg, way(&e.trip, c.Trip))
		}
		other, known := e.trip.Identity()
		return c.Within > 0 && ok && known && id.MayBe(other, c.Within)
	})) > 0
}
