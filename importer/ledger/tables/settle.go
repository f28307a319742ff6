package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	settledSQL = `UPDATE trips SET state = ?, guid = ?, guid_key = ?, guid_missing = ?, proved = ?, answered = ?,
		sent = CASE WHEN ? = 1 THEN next_sent ELSE sent END, seen = CASE WHEN ? = 1 THEN next_seen ELSE seen END,
		next_sent = CASE WHEN ? = 1 THEN NULL ELSE next_sent END, next_seen = CASE WHEN ? = 1 THEN NULL ELSE next_seen END,
		event = ?, settled_at = ?, http_status = ?, code = ? WHERE id = ?`
	movedSQL         = "UPDATE trips SET begins = ?, pickup_time = ?, appt_time = ?, will_call = ?, identity = ? WHERE id = ?"
	settledChangeSQL = "UPDATE trips SET change = ?, sent = ?, seen = ?, event = ?, http_status = ?, code = ? WHERE id = ?"
	guidTakenSQL     = "SELECT id FROM trips WHERE guid_key = ? AND id <> ?"
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
	if found := w.asked.found[ticket.Trip]; found != nil && found.claimed == ticket.Event && found.state == importer.TripSending.Code() {
		return l.settleBooking(ctx, w, ticket.Trip, s, guid)
	}
	before, err := l.standing(ctx, w, ticket.Trip)
	switch {
	case err != nil:
		return err
	case before.Change != nil && before.Change.State == importer.ChangeSending && before.Change.Event == ticket.Event:
		return l.settleChange(ctx, w, &before, s)
	case before.Claimed != ticket.Event || answeredBefore(&before) && (before.Proved || before.Said == nil):
		return notClaimedError()
	case answeredBefore(&before) && s.State != importer.TripBooked:
		return nil
	}
	w.asked.found[ticket.Trip].run = w.runs[before.Run] // 0 if the run has ended: its totals do not have the reply
	return l.settleBooking(ctx, w, ticket.Trip, s, guid)
}

// answeredBefore reports whether a person answered about a trip before the reply of the service was
// recorded, because its run was thought to be broken off. What the service proves holds against that.
func answeredBefore(s *importer.Standing) bool {
	return s.State != importer.TripSending && s.State != importer.TripUnclear
}

// settleBooking records what came of an attempt to book a trip. key is that of its GUID.
func (l *Ledger) settleBooking(ctx context.Context, w *Writer, trip int64, s importer.Settled, key string) error {
	if other, taken := w.asked.taken[key]; taken && other != trip {
		return refuse(importer.ErrGUIDTaken)
	}
	booked := s.State == importer.TripBooked
	byHand := s.Code == importer.CodeBookedByHand
	guid, kind := "", ledger.EventSettled
	if booked {
		guid = s.GUID
	}
	if byHand {
		kind = ledger.EventEntered
	}
	w.LastEvent++
	err := w.Later(ctx, settledSQL, s.State.Code(), guid, sql.NullString{String: key, Valid: key != ""}, flag(booked && key == "" && !byHand), flag(booked && !byHand), flag(byHand),
		flag(booked), flag(booked), flag(booked), flag(booked), w.LastEvent, instant(s.At), s.HTTPStatus, s.Code, trip)
	if err != nil {
		return err
	}
	found := w.asked.found[trip]
	found.state = s.State.Code()
	if key != "" {
		w.asked.taken[key] = trip
	}
	return l.addEvent(ctx, w, w.LastEvent, event{
		at: s.At, kind: kind, what: s.State.Code(), trip: trip, row: found.row, run: found.run, detail: ledger.EventDetail{GUID: guid, Code: s.Code},
	})
}

// refuseGUID refuses a GUID that another trip has.
func refuseGUID(ctx context.Context, w *Writer, key string, trip int64) error {
	_, err := QueryOne(ctx, w, ScanOne[int64], guidTakenSQL, key, trip)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err == nil:
		return refuse(importer.ErrGUIDTaken)
	}
	return err
}

// settleChange records what came of a change. After one that came through, what was sent is what
// the service has, and what the schedule had then was seen. After one that nothing proves, nobody
// knows what the service has.
func (l *Ledger) settleChange(ctx context.Context, w *Writer, before *importer.Standing, s importer.Settled) error {
	var nextSeen importer.Values
	var after storedTimes
	err := w.QueryRowContext(ctx, "SELECT next_seen, next_times FROM trips WHERE id = ?", before.Number).Scan(valuesColumn(&nextSeen), jsonColumn(&after))
	if err != nil {
		return err
	}
	c := *before.Change
	sent, seen := before.Sent, before.Seen
	var kept *importer.ChangeStanding
	switch s.State {
	case importer.TripBooked:
		sent, seen = sent.With(c.Values, c.Keys), seen.With(nextSeen, c.Keys)
		if err := w.Later(ctx, movedSQL, after.Begins.String(), after.Pickup.String(), after.Appt.String(), flag(after.WillCall), identityOf(&after.Own), before.Number); err != nil {
			return err
		}
	case importer.TripRefused:
		c.State, c.Code = importer.ChangeRefusedByService, s.Code
		kept = &c
	case importer.TripNotSent:
		if c.Keys = unproved(seen, c.Keys); len(c.Keys) > 0 { // of an earlier change
			c.State = importer.ChangeUnclear
			kept = &c
		}
	default:
		c.State, c.Code = importer.ChangeUnclear, s.Code
		kept = &c
		seen = seen.Forget(c.Keys)
	}
	w.LastEvent++
	err = w.Later(ctx, settledChangeSQL, changeOf(kept), sent.Append(nil), seen.Append(nil), w.LastEvent, s.HTTPStatus, s.Code, before.Number)
	if err != nil {
		return err
	}
	return l.addEvent(ctx, w, w.LastEvent, event{
		at: s.At, kind: ledger.EventChanged, what: s.State.Code(), trip: before.Number, row: before.Row, run: w.asked.found[before.Number].run, detail: ledger.EventDetail{Keys: c.Keys, Code: s.Code},
	})
}

// unproved returns those of the keys of which nobody knows what the service has.
func unproved(seen importer.Values, keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return seen.Same(seen, key) })
}
