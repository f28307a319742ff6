package tables

import (
	"context"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// guidOwnersSQL returns the GUIDs of other trips that have or had a GUID with the hash.
const guidOwnersSQL = "SELECT t.guid FROM keys k JOIN trips t ON t.num = k.trip WHERE k.hash = ? AND k.trip <> ?"

// Settle implements next.Ledger. It ignores the end of ctx, because what came of an attempt
// must be written above all when a run is being stopped.
func (l *Ledger) Settle(_ context.Context, ticket importer.Ticket, s importer.Settled) error {
	if !slices.Contains([]importer.TripState{importer.TripBooked, importer.TripRefused, importer.TripUnclear, importer.TripNotSent}, s.State) {
		return fmt.Errorf("an attempt can't end as %s", s.State.Code())
	}
	err := l.commits.do(func(ctx context.Context, w *Writer) error { return l.settle(ctx, w, ticket, s) })
	if err == nil {
		l.open.Delete(ticket.Event)
	}
	return err
}

// claimedTrip returns the trip of a ticket as it is now, or nil. It does not read it if
// no other process wrote anything, and nothing happened to it, since its claim.
func (l *Ledger) claimedTrip(ctx context.Context, w *Writer, ticket importer.Ticket) (*trip, error) {
	if remembered, ok := l.open.Load(ticket.Event); ok && (l.Alone || ticket.Event > w.OthersWrote) {
		t := remembered.(trip) //nolint:forcetypeassert // only trips are stored
		return &t, nil
	}
	return l.tripOf(ctx, w, ticket.Trip)
}

func (l *Ledger) settle(ctx context.Context, w *Writer, ticket importer.Ticket, s importer.Settled) error {
	t, err := l.claimedTrip(ctx, w, ticket)
	if err != nil {
		return err
	}
	if t == nil || t.claim != ticket.Event || t.claimed == nil {
		return refuse(ledger.NewError("ledger-settled", "look in the service which of the trips is there",
			"a trip was sent again or answered before its reply was recorded"))
	}
	booking := t.claimed.booking()
	e := event{kind: eventChanged, at: s.At, run: t.run, trip: t.Number, what: s.State.Code(), keys: t.claimed.Keys}
	if booking {
		e.kind = eventSettled
		if s.State == importer.TripBooked {
			if err := l.refuseGUID(ctx, w, t.Number, s.GUID); err != nil {
				return err
			}
			e.guid = s.GUID
		}
		if s.Code == importer.CodeBookedByHand {
			e.kind, e.what = eventAnswered, importer.BookedByHand.String()
		}
		t.settleBooking(s)
	} else {
		t.settleChange(s)
	}
	t.claimed = nil
	if err := l.addGUID(ctx, w, t.Number, e.guid); err != nil {
		return err
	}
	number, err := w.addEvent(ctx, e)
	switch {
	case err != nil:
		return err
	case booking:
		return w.saveSettled(ctx, t, number)
	}
	return w.saveTrip(ctx, t, number)
}

// settleBooking records what came of a booking. A person's answer since the claim stands
// unless the service says that it created the trip.
func (t *trip) settleBooking(s importer.Settled) {
	t.SettledAt, t.HTTPStatus, t.Code = s.At, s.HTTPStatus, s.Code
	if t.State != importer.TripSending && s.State != importer.TripBooked {
		return
	}
	t.State, t.Answered = s.State, false
	if s.State == importer.TripBooked {
		byHand := s.Code == importer.CodeBookedByHand
		t.GUID, t.GUIDMissing, t.Proved, t.Answered = s.GUID, s.GUIDMissing, !byHand, byHand
	}
}

// settleChange records what came of a change. One that was not sent leaves the trip as it
// was.
func (t *trip) settleChange(s importer.Settled) {
	c := t.claimed
	switch s.State {
	case importer.TripBooked:
		t.Sent, t.Seen = t.Sent.With(c.Values, c.Keys), t.Seen.With(c.Seen, c.Keys)
		t.Begins, t.WillCall, t.Identity, t.mapping = c.Begins, c.WillCall, c.Identity, c.Mapping
		t.Change = withoutKeys(t.Change, c.Keys)
	case importer.TripRefused:
		was := withoutKeys(t.Change, c.Keys)
		t.Change = &importer.ChangeStanding{State: importer.ChangeRefusedByService, Keys: c.Keys, Values: c.Values, At: t.ClaimedAt, Code: s.Code}
		if was != nil && was.State == importer.ChangeUnclear {
			t.Change = was // it still waits for somebody to find out
		}
	case importer.TripUnclear:
		t.leaveUnclear(&t.Standing, s.Code)
	}
}

// withoutKeys returns what is left of a change after its properties with the keys were
// sent again, or nil if nothing is.
func withoutKeys(change *importer.ChangeStanding, keys []string) *importer.ChangeStanding {
	if change == nil {
		return nil
	}
	left := *change
	left.Keys = slices.DeleteFunc(slices.Clone(change.Keys), func(key string) bool { return slices.Contains(keys, key) })
	left.Values = change.Values.Without(keys)
	if len(left.Keys) == 0 {
		return nil
	}
	return &left
}

// addGUID makes the trip one that is found by the GUID.
func (l *Ledger) addGUID(ctx context.Context, w *Writer, trip int64, guid string) error {
	if guid == "" {
		return nil
	}
	return w.addKeys(ctx, trip, []int64{l.Hashes.GUID(guid)})
}

// refuseGUID refuses a GUID that a trip other than the given one has.
func (l *Ledger) refuseGUID(ctx context.Context, w *Writer, trip int64, guid string) error {
	if guid == "" {
		return nil
	}
	owned, err := Query(ctx, w, ScanOne[string], guidOwnersSQL, l.Hashes.GUID(guid), trip)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(owned, func(other string) bool { return importer.SameGUID(other, guid) }) {
		return refuse(importer.ErrGUIDTaken)
	}
	return nil
}
