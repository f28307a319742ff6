package tables

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	addTripSQL = `INSERT INTO trips (id, row, row_key, broker, account, leg, trip_id, alias, day, begins, pickup_time, appt_time, will_call, identity,
		state, guid, guid_missing, proved, answered, look_after, next_sent, next_seen, mapping, held, change, said, event, claimed, run,
		attempts, claimed_at, settled_at, http_status, code)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sending', '', 0, 0, 0, '', ?, ?, ?, 0, '', NULL, ?, ?, ?, 1, ?, '', 0, '')`
	claimAgainSQL = `UPDATE trips SET row = ?, row_key = ?, account = ?, leg = ?, trip_id = ?, alias = ?, day = ?, begins = ?, pickup_time = ?,
		appt_time = ?, will_call = ?, identity = ?, state = 'sending', answered = 0, look_after = '', next_sent = ?, next_seen = ?, mapping = ?,
		event = ?, claimed = ?, run = ?, attempts = attempts + 1, claimed_at = ?, settled_at = '', http_status = 0, code = ''
		WHERE id = ?`
	claimChangeSQL = "UPDATE trips SET change = ?, next_times = ?, next_seen = ?, event = ?, run = ?, mapping = ? WHERE id = ?"
	addKeySQL      = "INSERT INTO keys (hash, trip) VALUES (?, ?) ON CONFLICT DO NOTHING"
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

	trip            *importer.Trip
	rowKey          string
	keys            []int64
	id              []byte
	alias, identity string
	sent, scheduled []byte
	ticket          importer.Ticket
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
	return &claim{
		Step: s, trip: t, rowKey: rowKey, keys: l.tripKeys(rowKey, s.Row, t, &s.Own),
		id: l.Hashes.Encrypt(t.ID), alias: l.alias(t), identity: identityOf(&s.Own),
		sent: s.Own.Values.Append(nil), scheduled: s.Seen.Append(nil),
	}
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
	if before := w.asked.found[c.Trip]; c.Trip != 0 && (before == nil || before.state != "not_sent" && before.state != "refused") {
		return refuse(importer.ErrMeanwhile)
	}
	account, err := w.accountID(ctx, c.Account, l.Hashes)
	if err != nil {
		return err
	}

	w.LastEvent++
	c.ticket = importer.Ticket{Trip: cmp.Or(c.Trip, w.LastEvent), Event: w.LastEvent} // no other trip has this number
	t := c.trip
	shared := []any{
		account, t.Leg.Code(), c.id, c.alias, t.Date().String(), t.Time().String(), t.Pickup.PickupTime.String(),
		t.Dropoff.Appt.String(), flag(t.Type == importer.WillCall), c.identity,
	}
	now := []any{c.sent, c.scheduled, c.Mapping, w.LastEvent, w.LastEvent, run, instant(c.At)}
	if c.Trip == 0 {
		err = w.Later(ctx, addTripSQL, slices.Concat([]any{c.ticket.Trip, c.RowNumber, c.rowKey, c.Row.Key.Broker}, shared, now)...)
	} else {
		err = w.Later(ctx, claimAgainSQL, slices.Concat([]any{c.RowNumber, c.rowKey}, shared, now, []any{c.Trip})...)
	}
	if err != nil {
		return err
	}
	w.asked.found[c.ticket.Trip] = &foundTrip{c.ticket.Event, run, c.RowNumber, importer.TripSending.Code(), c.Account.Service}
	for _, key := range c.keys {
		w.asked.sharing[key] = append(w.asked.sharing[key], importer.LastEvent{Trip: c.ticket.Trip})
		if err := w.Later(ctx, addKeySQL, key, c.ticket.Trip); err != nil {
			return err
		}
	}
	return l.addEvent(ctx, w, w.LastEvent, event{at: c.At, kind: ledger.EventClaimed, trip: c.ticket.Trip, row: c.RowNumber, run: run})
}

// alias returns what is shown in place of the trip's id; empty for an id that tells nothing of the
// rider.
func (l *Ledger) alias(t *importer.Trip) string {
	if t.Alias == "" {
		return ""
	}
	return l.Hashes.Alias(t.ID)
}

// claimChange records that properties of a booked trip are about to be changed.
func (l *Ledger) claimChange(ctx context.Context, w *Writer, c *claim, run int64) error {
	before, err := l.standing(ctx, w, c.Trip)
	if err != nil {
		return err
	}
	if before.State != importer.TripBooked || before.Change != nil && before.Change.State == importer.ChangeSending {
		return refuse(importer.ErrMeanwhile)
	}
	w.LastEvent++
	c.ticket = importer.Ticket{Trip: c.Trip, Event: w.LastEvent}
	sending := importer.ChangeStanding{Event: w.LastEvent, State: importer.ChangeSending, Keys: c.Change, Values: c.Own.Values, At: c.At}
	times, err := l.timesAfter(ctx, w, c)
	if err != nil {
		return err
	}
	if before.Change != nil && before.Change.State == importer.ChangeUnclear { // what it sent is still unproved
		for _, key := range before.Change.Keys {
			if !slices.Contains(sending.Keys, key) {
				sending.Keys = append(slices.Clone(sending.Keys), key)
			}
		}
	}
	err = w.Later(ctx, claimChangeSQL, changeOf(&sending), marshal(times), c.scheduled, w.LastEvent, run, c.Mapping, c.Trip)
	if err != nil {
		return err
	}
	return l.addEvent(ctx, w, w.LastEvent, event{at: c.At, kind: ledger.EventChanging, trip: c.Trip, row: c.RowNumber, run: run, detail: ledger.EventDetail{Keys: c.Change}})
}

// The storedTimes say when and where a trip takes place once its change has come through.
type storedTimes struct {
	Begins, Pickup, Appt importer.DateTime
	WillCall             bool
	Own                  importer.Own
}

// timesAfter returns the times and places of a trip after its change: those of the row for what is
// changed, and otherwise those that it has.
func (l *Ledger) timesAfter(ctx context.Context, w *Writer, c *claim) (storedTimes, error) {
	t, err := QueryOne(ctx, w, func(row Scanner) (t storedTimes, err error) {
		return t, row.Scan(textColumn(&t.Pickup), textColumn(&t.Appt), flagColumn(&t.WillCall), jsonColumn(&t.Own))
	}, "SELECT pickup_time, appt_time, will_call, identity FROM trips WHERE id = ?", c.Trip)
	for _, key := range c.Change {
		side, ofPlace := importer.PlaceOf(key)
		switch _, name, _ := strings.Cut(key, "."); {
		case name == "pickup_time":
			t.Pickup = c.trip.Pickup.PickupTime
		case name == "appt_time":
			t.Appt = c.trip.Dropoff.Appt
		case key == "trip_type":
			t.WillCall = c.trip.Type == importer.WillCall
		case ofPlace:
			takePlace(&t.Own, side, &c.Own)
		}
	}
	trip := importer.Trip{Pickup: importer.Event{PickupTime: t.Pickup}, Dropoff: importer.Event{Appt: t.Appt}}
	t.Begins = trip.Time()
	return t, err
}

// takePlace takes the hashes of one of the two places.
func takePlace(to *importer.Own, side importer.Field, from *importer.Own) {
	if side == importer.FieldPickup {
		to.Identity.Pickup, to.Identity.PickupUnit, to.Pickup = from.Identity.Pickup, from.Identity.PickupUnit, from.Pickup
		return
	}
	to.Identity.Dropoff, to.Identity.DropoffUnit, to.Dropoff = from.Identity.Dropoff, from.Identity.DropoffUnit, from.Dropoff
}

// notClaimedError refuses a ticket that is not waiting for a settlement.
func notClaimedError() error {
	return refuse(ledger.NewError("ledger-settled", "look in the service which of the trips is there", "a trip was sent again or answered before its reply was recorded"))
}
