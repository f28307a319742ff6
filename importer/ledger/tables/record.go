package tables

import (
	"cmp"
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

const (
	answeredSQL = `UPDATE trips SET state = ?, guid = ?, guid_key = ?, guid_missing = ?, answered = ?, look_after = ?, sent = ?, seen = ?, held = ?, change = ?,
		said = ?, settled_at = CASE WHEN settled_at = '' THEN ? ELSE settled_at END, event = ? WHERE id = ?`
	movedByHandSQL = `UPDATE trips SET day = ?, begins = ?, pickup_time = CASE WHEN pickup_time = '' THEN '' ELSE ? END,
		appt_time = CASE WHEN pickup_time = '' THEN ? ELSE appt_time END, will_call = ? WHERE id = ?`
	toRowSQL       = "UPDATE trips SET row = ?, row_key = ? WHERE id = ?"
	rowAnsweredSQL = "UPDATE rows SET answers = ?, event = ? WHERE id = ?"
)

// Record records the effects of answers and of proofs, all or none of them.
func (l *Ledger) Record(ctx context.Context, effects ...importer.Effect) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.Write(func(ctx context.Context, w *Writer) error {
		if err := l.refuseEffects(ctx, w, effects); err != nil {
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
func (l *Ledger) refuseEffects(ctx context.Context, w *Writer, effects []importer.Effect) error {
	q := &Question{}
	for i := range effects {
		q.add(effects[i].Saw)
	}
	if err := w.Ask(ctx, q); err != nil {
		return err
	}
	given := map[string]int64{} // trips by their new GUIDs
	for i := range effects {
		e := &effects[i]
		if err := q.unchanged(e.Saw); err != nil {
			return err
		}
		if e.Answer.Trip == 0 {
			continue
		}
		s, err := l.standing(ctx, w, e.Answer.Trip)
		if err != nil {
			return err
		}
		if s.State == importer.TripSending {
			return refuse(importer.ErrMeanwhile)
		}
		key := importer.GUIDKey(e.Answer.GUID)
		if key == "" {
			continue
		}
		if other, twice := given[key]; twice && other != s.Number {
			return refuse(importer.ErrGUIDTaken)
		}
		given[key] = s.Number
		if err := refuseGUID(ctx, w, key, s.Number); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) record(ctx context.Context, w *Writer, e *importer.Effect) error {
	a := &e.Answer
	kind := ledger.EventAnswered
	switch {
	case e.Doubt.In != "":
		kind = ledger.EventNotTaken
	case e.Doubt.Text != "":
		kind = ledger.EventContradicted
	case e.Hold:
		kind = ledger.EventHeld
	case e.Release:
		kind = ledger.EventReleased
	}
	w.LastEvent++
	number := w.LastEvent
	err := l.addEvent(ctx, w, number, event{at: a.At, kind: kind, what: a.Verdict.String(), trip: a.Trip, row: a.Row, detail: byPerson(a)})
	if err == nil && a.Trip != 0 {
		err = l.answerTrip(ctx, w, e, number)
	}
	if err == nil && e.ForRow {
		err = l.answerRow(ctx, w, e, number)
	}
	if err == nil && e.Meant {
		err = l.recordMeant(ctx, w, e, number)
	}
	return err
}

// answerTrip applies an effect to its trip.
func (l *Ledger) answerTrip(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	s, err := l.standing(ctx, w, e.Answer.Trip)
	if err != nil {
		return err
	}
	apply(&s, e)
	if s.State == importer.TripBooked && len(s.Seen) == 0 && !e.Keep { // it was sent, and no proof came back
		row := w.QueryRowContext(ctx, "SELECT next_sent, next_seen FROM trips WHERE id = ?", s.Number)
		if err := row.Scan(valuesColumn(&s.Sent), valuesColumn(&s.Seen)); err != nil {
			return err
		}
	}
	if !e.Hold && !e.Release { // otherwise nothing was said about the trip
		s.Said = saidBy(e, number)
	}
	var key any
	if k := importer.GUIDKey(s.GUID); k != "" {
		key = k
	}
	err = w.Later(ctx, answeredSQL, s.State.Code(), s.GUID, key, flag(s.GUIDMissing), flag(s.Answered), instant(e.LookAfter), s.Sent.Append(nil), s.Seen.Append(nil),
		flag(s.Held), changeOf(s.Change), l.saidOf(s.Said), instant(e.Answer.At), number, s.Number)
	if err == nil && e.Sent != nil {
		err = l.move(ctx, w, e, &s)
	}
	return err
}

// apply gives the trip the state, the GUID and the values of an effect.
func apply(s *importer.Standing, e *importer.Effect) {
	if !e.Keep {
		s.State, s.Answered = e.State, e.Doubt.Text == ""
	}
	if s.State != importer.TripBooked && s.State != importer.TripCancelled {
		s.GUID, s.GUIDMissing = "", false
	}
	if s.State == importer.TripBooked {
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

// saidBy returns the answer of an effect as it stands from the event on. One that does not count has
// no verdict.
func saidBy(e *importer.Effect, number int64) *importer.StandingAnswer {
	said := &importer.StandingAnswer{Verdict: e.Answer.Verdict, GUID: e.Answer.GUID, Event: number, Who: e.Answer.Who, At: e.Answer.At, Doubt: e.Doubt}
	if e.Doubt.Text != "" {
		said.Verdict, said.GUID = importer.NoVerdict, ""
	}
	return said
}

// move records when and where a trip takes place since a person changed it in the service. If its row
// is at hand, the trip is found by its rider on that day too. If that is another row than before, the
// trip is that one's.
func (l *Ledger) move(ctx context.Context, w *Writer, e *importer.Effect, s *importer.Standing) error {
	var err error
	later := func(text string, args ...any) {
		if err == nil {
			err = w.Later(ctx, text, args...)
		}
	}
	if begins := e.Begins.String(); !e.Begins.IsZero() {
		willCall := e.Begins == importer.WillCallOn(e.Begins.Date)
		later(movedByHandSQL, e.Begins.Date.String(), begins, begins, begins, flag(willCall), s.Number)
	}
	if own := e.Answer.Own; own != nil && own.Identity.Rider != "" {
		later("UPDATE trips SET identity = ? WHERE id = ?", identityOf(own), s.Number)
		later(addKeySQL, keyed.Number(own.Identity.Rider), s.Number)
	}
	row := e.Answer.Row
	if row == 0 || row == s.Row || err != nil {
		return err
	}
	key, err := QueryOne(ctx, w, ScanOne[string], "SELECT key FROM rows WHERE id = ?", row)
	if err == nil {
		later(toRowSQL, row, key, s.Number)
		later(addKeySQL, keyed.Number(key), s.Number)
	}
	return err
}

// answerRow keeps the answer with the row.
func (l *Ledger) answerRow(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	a := &e.Answer
	word, err := QueryOne(ctx, w, l.scanWord, "SELECT "+wordColumns+" FROM rows w WHERE w.id = ?", a.Row)
	if err != nil {
		return err
	}
	kept := importer.RowAnswer{Leg: a.Leg, Day: word.Day, Verdict: a.Verdict, GUID: a.GUID, Other: a.Other, Event: number, Who: a.Who, At: a.At, Doubt: e.Doubt}
	if e.Doubt.Text != "" {
		kept.Verdict = importer.NoVerdict
	}
	kept.Pickup, kept.Dropoff = a.Pickup, a.Dropoff
	if a.Places != nil {
		own := l.Hashes.Own("", word.ID, a.Places)
		kept.Pickup, kept.Dropoff = own.Pickup, own.Dropoff
	}
	if leg := word.Leg(a.Leg); leg != nil && !leg.Begins.IsZero() {
		kept.Day = leg.Begins.Date
	}
	word.Answers = slices.DeleteFunc(word.Answers, func(b importer.RowAnswer) bool {
		return b.Leg == kept.Leg && b.Day == kept.Day && b.Other == kept.Other
	})
	word.Answers = append(word.Answers, kept)
	return w.Later(ctx, rowAnsweredSQL, l.Hashes.Encrypt(marshal(word.Answers)), number, a.Row)
}

// recordMeant records that the rider has several trips a day between the leg's two places.
func (l *Ledger) recordMeant(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	if e.Answer.Places == nil {
		return nil
	}
	subject := l.Hashes.Meant(e.Answer.Places)
	if subject == "" {
		return nil
	}
	return w.Later(ctx, setFactSQL, factMeant, subject, nil, number)
}
