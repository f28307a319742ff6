package tables

import (
	"cmp"
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

// Record records the effects of answers and of proofs, all or none of them.
func (l *Ledger) Record(ctx context.Context, effects ...importer.Effect) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ask := func(q *Question) {
		for i := range effects {
			a := &effects[i].Answer
			q.add(effects[i].Saw)
			q.trips, q.guids = append(q.trips, a.Trip), append(q.guids, importer.GUIDKey(a.GUID))
		}
	}
	return l.commits.do(ask, func(ctx context.Context, w *Writer) error {
		if err := l.refuseEffects(w, effects); err != nil {
			return err
		}
		for i := range effects {
			if err := l.record(ctx, w, &effects[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// refuseEffects refuses effects of which one can't be written. It is called before anything is
// written.
func (l *Ledger) refuseEffects(w *Writer, effects []importer.Effect) error {
	given := map[string]int64{} // trips by their new GUIDs
	for i := range effects {
		e := &effects[i]
		if err := w.asked.unchanged(e.Saw); err != nil {
			return err
		}
		if e.Answer.Trip == 0 {
			continue
		}
		t, err := l.trip(w, e.Answer.Trip)
		if err != nil {
			return err
		}
		if t.State == importer.TripSending && !e.Answer.Proof { // the run of a proof has ended
			return refuse(importer.ErrMeanwhile)
		}
		key := importer.GUIDKey(e.Answer.GUID)
		other, taken := w.asked.taken[key]
		first, twice := given[key]
		switch {
		case key == "":
		case taken && other != t.Number:
			return refuse(importer.GUIDTaken{Trip: other})
		case twice && first != t.Number:
			return refuse(importer.GUIDTaken{})
		}
		given[key] = t.Number
	}
	return nil
}

func (l *Ledger) record(ctx context.Context, w *Writer, e *importer.Effect) error {
	a := &e.Answer
	kind := ledger.EventAnswered
	switch {
	case e.Doubt.In != "":
		kind = ledger.EventNotTaken
	case !e.Doubt.IsZero():
		kind = ledger.EventContradicted
	case e.Hold:
		kind = ledger.EventHeld
	case e.Release:
		kind = ledger.EventReleased
	}
	said := ledger.EventDetail{Who: a.Who, Host: a.Host, Note: a.Note, GUID: a.GUID, Leg: a.Leg}
	number := l.addEvent(ctx, w, event{at: a.At, kind: kind, what: a.Verdict.String(), trip: a.Trip, row: a.Row, detail: said})
	var err error
	if a.Trip != 0 {
		err = l.answerTrip(ctx, w, e, number)
	}
	if err == nil && e.ForRow {
		err = l.answerRow(ctx, w, e, number)
	}
	if a.Places != nil && (e.Meant || e.ForRow && a.Question == importer.AskDoubleBooking) {
		l.recordMeant(ctx, w, e, number)
	}
	return err
}

// answerTrip applies an effect to its trip.
func (l *Ledger) answerTrip(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	t, err := l.trip(w, e.Answer.Trip)
	if err != nil {
		return err
	}
	apply(&t.Standing, e)
	if t.State == importer.TripBooked && len(t.Seen) == 0 && !e.Keep { // it was sent, and no proof came back
		t.Sent, t.Seen = t.NextSent, t.NextSeen
	}
	t.Event, t.LookAfter = number, e.LookAfter
	if !e.Hold && !e.Release { // otherwise nothing was said about the trip
		said := e.Said(number)
		t.Said = &said
	}
	if t.SettledAt.IsZero() {
		t.SettledAt = e.Answer.At
	}
	if e.Sent != nil {
		move(ctx, w, e, t)
	}
	l.save(ctx, w, t)
	return nil
}

// apply gives the trip the state, the GUID and the values of an effect.
func apply(s *importer.Standing, e *importer.Effect) {
	if !e.Keep {
		s.State, s.Answered, s.Proved = e.State, e.Doubt.IsZero() && e.LookAfter.IsZero(), s.Proved && e.State != importer.TripUnclear
	}
	if s.State != importer.TripBooked && s.State != importer.TripCancelled {
		s.GUID, s.GUIDMissing = "", false
	}
	switch {
	case e.LacksGUID:
		s.GUID, s.GUIDMissing = "", true
	case s.State == importer.TripBooked:
		s.GUID = cmp.Or(e.Answer.GUID, s.GUID)
		s.GUIDMissing = s.GUIDMissing && e.Answer.GUID == "" && e.Answer.Verdict != importer.There
	}
	s.Held = (s.Held || e.Hold) && !e.Release
	if e.Seen != nil {
		s.Seen = e.Seen
	}
	if e.Sent != nil {
		s.Sent = e.Sent
	}
	if e.ChangeDone {
		s.Change = nil
	}
}

// move records when and where a trip takes place since a person changed it in the service. If its row
// is at hand, the trip is found by its rider on that day too.
func move(ctx context.Context, w *Writer, e *importer.Effect, t *trip) {
	if !e.Begins.IsZero() {
		t.Day, t.Begins, t.WillCall = e.Begins.Date, e.Begins, e.Begins == importer.WillCallOn(e.Begins.Date)
		if t.PickupTime.IsZero() && !t.WillCall { // which has its day by its pickup time
			t.Appointment = e.Begins
		} else if t.PickupTime != e.Begins {
			t.PickupTime, t.Appointment = e.Begins, importer.DateTime{} // which may be another one, too
		}
	}
	var keys []int64
	if own := e.Answer.Own; own != nil && own.Identity.Rider != "" {
		t.Pickup, t.Dropoff, t.Identity, t.Appointment = own.Pickup, own.Dropoff, own.Identity, own.Identity.Times.Appointment()
		keys = append(keys, keyed.Number(own.Identity.Rider))
	}
	w.addKeys(ctx, t.Number, keys...)
}

// answerRow keeps the answer with the row.
func (l *Ledger) answerRow(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	a := &e.Answer
	word, err := QueryOne(ctx, w, l.scanWord, "SELECT "+wordColumns+" FROM rows w WHERE w.id = ?", a.Row)
	if err != nil {
		return err
	}
	kept := importer.RowAnswer{
		StandingAnswer: e.Said(number), Leg: a.Leg, Day: word.Day, Given: a.Day, Pickup: a.Pickup, Dropoff: a.Dropoff, Other: a.Other, Saw: min(a.Saw, number),
	}
	if a.Apart && a.Own != nil {
		kept.Apart = a.Own.Values
	}
	if a.Places != nil {
		own := l.Hashes.Own("", word.ID, a.Places)
		kept.Pickup, kept.Dropoff = own.Pickup, own.Dropoff
	}
	if leg := word.LegAt(a.Saw, a.Leg); leg != nil && !leg.Begins.IsZero() {
		kept.Day = leg.Begins.Date
	}
	if day := e.Begins.Date; a.Trip == 0 && !day.IsZero() {
		kept.Day = day
	}
	word.Answers = slices.DeleteFunc(word.Answers, func(b importer.RowAnswer) bool {
		return b.Leg == kept.Leg && b.Day == kept.Day && b.Other == kept.Other && b.Apart.Equal(kept.Apart)
	})
	if !e.Release {
		word.Answers = append(word.Answers, kept)
	}
	word.Event = number
	w.asked.last[importer.LastEvent{Row: a.Row}] = number
	l.saveWord(ctx, w, &word)
	return nil
}

// recordMeant records whether the rider has several trips a day between the leg's two places, if these are known: what
// was answered last, or is in doubt since, holds for their other trips.
func (l *Ledger) recordMeant(ctx context.Context, w *Writer, e *importer.Effect, number int64) {
	switch subject := l.Hashes.Meant(e.Answer.Places); {
	case subject == "":
	case e.Meant:
		w.put(ctx, setFactSQL, factMeant, subject, nil, number)
	default:
		w.put(ctx, eraseFactSQL, factMeant, subject)
	}
}
