package tables

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Settle records what came of a claimed step. It ignores the end of ctx, because what came of a
// request must be written above all when a run is being stopped.
func (l *Ledger) Settle(_ context.Context, ticket importer.Ticket, s importer.Settled) error {
	if !slices.Contains([]importer.TripState{importer.TripBooked, importer.TripRefused, importer.TripUnclear, importer.TripNotSent}, s.State) {
		return fmt.Errorf("a step can't end as %s", s.State.Code())
	}
	guid := ""
	if s.State == importer.TripBooked {
		guid = importer.GUIDKey(s.GUID)
	}
	ask := func(q *Question) {
		q.trips = append(q.trips, ticket.Trip)
		if guid != "" {
			q.guids = append(q.guids, guid)
		}
	}
	return l.commits.do(ask, func(ctx context.Context, w *Writer) error { return l.settle(ctx, w, ticket, s, guid) })
}

func (l *Ledger) settle(ctx context.Context, w *Writer, ticket importer.Ticket, s importer.Settled, guid string) error {
	t, err := l.trip(w, ticket.Trip)
	if err != nil {
		return err
	}
	run := t.run
	switch {
	case t.Claimed == ticket.Event && t.State == importer.TripSending:
	case t.Change != nil && t.Change.State == importer.ChangeSending && t.Change.Event == ticket.Event:
		l.settleChange(ctx, w, t, s)
		return nil
	case t.Claimed != ticket.Event || answeredBefore(t) && (t.Proved || t.Said == nil):
		return refuse(ledger.NewError("ledger-settled", "look in the service which of the trips is there", "a trip was sent again or answered before its reply was recorded"))
	case answeredBefore(t) && s.State != importer.TripBooked:
		return nil
	case !slices.Contains(slices.Collect(maps.Values(w.runs)), run): // its totals do not have the reply
		run = 0
	}
	return l.settleBooking(ctx, w, t, s, guid, run)
}

// answeredBefore reports whether a person answered about a trip before the reply of the service was
// recorded, because its run was thought to be broken off. What the service proves holds against that.
func answeredBefore(t *trip) bool {
	return t.State != importer.TripSending && t.State != importer.TripUnclear
}

// settleBooking records for a run what came of an attempt to book a trip. key is that of its GUID.
func (l *Ledger) settleBooking(ctx context.Context, w *Writer, t *trip, s importer.Settled, key string, run int64) error {
	if other, taken := w.asked.taken[key]; taken && other != t.Number {
		return refuse(importer.GUIDTaken{Trip: other})
	}
	booked := s.State == importer.TripBooked
	byHand := s.Code == importer.CodeBookedByHand
	kind := ledger.EventSettled
	if byHand {
		kind = ledger.EventEntered
	}
	t.GUID = ""
	if booked {
		t.GUID, t.Sent, t.Seen, t.NextSent, t.NextSeen = s.GUID, t.NextSent, t.NextSeen, nil, nil
	}
	t.State, t.GUIDMissing, t.Proved, t.Answered = s.State, booked && key == "" && !byHand, booked && !byHand, byHand
	t.SettledAt, t.HTTPStatus, t.Code = s.At, s.HTTPStatus, s.Code
	l.happened(ctx, w, t, event{at: s.At, kind: kind, what: s.State.Code(), run: run, detail: ledger.EventDetail{GUID: t.GUID, Code: s.Code}})
	return nil
}

// settleChange records what came of a change. After one that came through, what was sent is what
// the service has, and what the schedule had then was seen. After one that nothing proves, nobody
// knows what the service has.
func (l *Ledger) settleChange(ctx context.Context, w *Writer, t *trip, s importer.Settled) {
	c := t.Change
	t.Change = nil
	switch s.State {
	case importer.TripBooked:
		t.Sent, t.Seen = t.Sent.With(c.Values, c.Keys), t.Seen.With(t.NextSeen, c.Keys)
		t.place(t.Next)
	case importer.TripRefused:
		c.State = importer.ChangeRefusedByService
		t.Change = c
	case importer.TripNotSent:
		// Of an earlier change nobody may know what the service has.
		c.Keys = slices.DeleteFunc(slices.Clone(c.Keys), func(key string) bool { return t.Seen.Same(t.Seen, key) })
		if len(c.Keys) > 0 {
			c.State = importer.ChangeUnclear
			t.Change = c
		}
	default:
		c.State = importer.ChangeUnclear
		t.Change = c
		t.Seen = t.Seen.Forget(c.Keys)
	}
	t.HTTPStatus, t.Code = s.HTTPStatus, s.Code
	l.happened(ctx, w, t, event{at: s.At, kind: ledger.EventChanged, what: s.State.Code(), run: t.run, detail: ledger.EventDetail{Keys: c.Keys, Code: s.Code}})
}
