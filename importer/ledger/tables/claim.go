package tables

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Claim records that the step is about to be sent.
func (l *Ledger) Claim(ctx context.Context, s importer.Step) (importer.Ticket, error) {
	if err := ctx.Err(); err != nil {
		return importer.Ticket{}, err
	}
	c := l.newClaim(&s)
	err := l.commits.do(c.ask, func(ctx context.Context, w *Writer) error { return l.claim(ctx, w, c) })
	return c.ticket, err
}

// A claim is a step with its hashes. They are made before its turn to write.
type claim struct {
	*importer.Step

	trip   *importer.Trip
	rowKey string
	keys   []int64
	ticket importer.Ticket
}

func (l *Ledger) newClaim(s *importer.Step) *claim {
	t := &s.Row.Trips[s.Leg]
	rowKey := cmp.Or(s.RowID, l.Hashes.Row(&s.Row.Key))
	if s.Own.Values == nil {
		s.Own.Values = l.Hashes.Values(rowKey, &s.Row.Row, t)
	}
	if s.Seen == nil {
		s.Seen = s.Own.Values
	}
	return &claim{Step: s, trip: t, rowKey: rowKey, keys: l.tripKeys(rowKey, s.Row, t, &s.Own)}
}

// ask adds what the claim has to know.
func (c *claim) ask(q *Question) {
	q.add(c.Saw)
	if c.Trip != 0 {
		q.trips = append(q.trips, c.Trip)
	}
	q.keys, q.rowKeys = append(q.keys, c.keys...), append(q.rowKeys, c.rowKey)
}

func (l *Ledger) claim(ctx context.Context, w *Writer, c *claim) error {
	run, err := w.openRun(ctx, c.Run)
	if err != nil {
		return err
	}
	if err := cmp.Or(w.asked.unchanged(c.Saw), w.asked.unshared(c.Saw, c.rowKey, c.keys, c.Account.Service)); err != nil {
		return err
	}
	if c.Change != nil {
		return l.claimChange(ctx, w, c, run)
	}
	t := &trip{}
	if c.Trip != 0 {
		if t, err = l.trip(w, c.Trip); err != nil {
			return err
		}
		if t.State != importer.TripNotSent && t.State != importer.TripRefused {
			return refuse(importer.ErrMeanwhile)
		}
	}
	if t.account, err = w.accountID(ctx, c.Account, l.Hashes); err != nil {
		return err
	}
	number := w.LastEvent + 1
	c.ticket = importer.Ticket{Trip: cmp.Or(c.Trip, number), Event: number} // no other trip has this number
	t.Number, t.Row, t.RowID, t.Broker, t.Account = c.ticket.Trip, c.RowNumber, c.rowKey, c.Row.Key.Broker, c.Account
	t.Leg, t.TripID, t.Alias, t.Day = c.trip.Leg, c.trip.ID, c.trip.Alias, c.trip.Date()
	if t.Alias != "" { // the id tells something of the rider
		t.Alias = l.Hashes.Alias(c.trip.ID)
	}
	t.place(c.placing())
	t.State, t.Answered, t.LookAfter = importer.TripSending, false, time.Time{}
	t.NextSent, t.NextSeen, t.Mapping = c.Own.Values, c.Seen, c.Mapping
	t.Claimed, t.run, t.Attempts, t.ClaimedAt = number, run, t.Attempts+1, c.At
	t.SettledAt, t.HTTPStatus, t.Code = time.Time{}, 0, ""
	l.happened(ctx, w, t, event{at: c.At, kind: ledger.EventClaimed, run: run})
	w.addKeys(ctx, t.Number, c.keys...)
	return nil
}

// placing returns when and where the trip of the row takes place.
func (c *claim) placing() *trip {
	t := &trip{PickupTime: c.trip.Pickup.PickupTime, Appointment: c.trip.Dropoff.Appt}
	t.Begins, t.WillCall = c.trip.Time(), c.trip.Type == importer.WillCall
	t.Pickup, t.Dropoff, t.Identity = c.Own.Pickup, c.Own.Dropoff, c.Own.Identity
	return t
}

// addKeys has a trip found by further keys.
func (w *Writer) addKeys(ctx context.Context, trip int64, keys ...int64) {
	for _, key := range keys {
		w.asked.sharing[key] = append(w.asked.sharing[key], importer.LastEvent{Trip: trip})
		w.put(ctx, "INSERT INTO keys (hash, trip) VALUES (?, ?) ON CONFLICT DO NOTHING", key, trip)
	}
}

// claimChange records that properties of a booked trip are about to be changed.
func (l *Ledger) claimChange(ctx context.Context, w *Writer, c *claim, run int64) error {
	t, err := l.trip(w, c.Trip)
	if err != nil {
		return err
	}
	if t.State != importer.TripBooked || t.Change != nil && t.Change.State == importer.ChangeSending {
		return refuse(importer.ErrMeanwhile)
	}
	number := w.LastEvent + 1
	c.ticket = importer.Ticket{Trip: c.Trip, Event: number}
	keys := c.Change
	if t.Change != nil && t.Change.State == importer.ChangeUnclear { // what it sent is still unproved
		for _, key := range t.Change.Keys {
			if !slices.Contains(keys, key) {
				keys = append(slices.Clone(keys), key)
			}
		}
	}
	t.Change = &importer.ChangeStanding{Event: number, State: importer.ChangeSending, Keys: keys, Values: c.Own.Values, At: c.At}
	t.Next, t.NextSeen, t.Mapping, t.run, t.Changed = c.placingAfter(t), c.Seen, c.Mapping, run, number
	l.happened(ctx, w, t, event{at: c.At, kind: ledger.EventChanging, run: run, detail: ledger.EventDetail{Keys: c.Change}})
	return nil
}

// placingAfter returns when and where a trip takes place after its change: as the row says of what is
// changed, and otherwise as it did.
func (c *claim) placingAfter(t *trip) *trip {
	after, row := &trip{}, c.placing()
	after.place(t)
	for _, key := range c.Change {
		side, ofPlace := importer.PlaceOf(key)
		switch _, name, _ := strings.Cut(key, "."); {
		case name == "pickup_time":
			after.PickupTime = row.PickupTime
		case name == "appt_time":
			after.Appointment = row.Appointment
		case key == "trip_type":
			after.WillCall = row.WillCall
		case ofPlace:
			takePlace(after, side, row)
		}
	}
	after.Begins = after.timed().Time()
	return after
}

// takePlace takes the hashes of one of the two places.
func takePlace(to *trip, side importer.Field, from *trip) {
	if side == importer.FieldPickup {
		to.Identity.Pickup, to.Pickup = from.Identity.Pickup, from.Pickup
		return
	}
	to.Identity.Dropoff, to.Dropoff = from.Identity.Dropoff, from.Dropoff
}
