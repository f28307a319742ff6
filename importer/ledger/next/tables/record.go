package tables

import (
	"context"
	"fmt"
	"slices"

	"tripimport/importer"
)

// Record implements next.Ledger. An effect whose answer has no verdict is a proof of the
// service's.
func (l *Ledger) Record(_ context.Context, effects ...importer.Effect) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		if err := l.checkEffects(ctx, w, effects); err != nil {
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

// checkEffects refuses effects of which one can't be recorded, before anything is written.
func (l *Ledger) checkEffects(ctx context.Context, w *Writer, effects []importer.Effect) error {
	var saw []importer.Saw
	given := map[string]int64{} // the trips by the GUIDs that the effects give them
	for i := range effects {
		e := &effects[i]
		saw = append(saw, e.Saw...)
		if e.Answer.Trip == 0 && e.Answer.Row == 0 {
			return refuse(fmt.Errorf("an answer is about no trip and no row"))
		}
		saw = append(saw, about(&e.Answer))
		if e.Answer.GUID == "" || e.Answer.Trip == 0 {
			continue
		}
		if err := l.refuseGUID(ctx, w, e.Answer.Trip, e.Answer.GUID); err != nil {
			return err
		}
		key := importer.GUIDKey(e.Answer.GUID)
		if other, ok := given[key]; ok && other != e.Answer.Trip {
			return refuse(importer.ErrGUIDTaken)
		}
		given[key] = e.Answer.Trip
	}
	return w.checkSaw(ctx, saw)
}

// about returns the subject of an answer, which has to be there, with any last event.
func about(a *importer.Answer) importer.Saw {
	if a.Trip != 0 {
		return importer.Saw{Trip: a.Trip}
	}
	return importer.Saw{Row: a.Row}
}

// record records one effect that was checked.
func (l *Ledger) record(ctx context.Context, w *Writer, e *importer.Effect) error {
	a := &e.Answer
	detail, err := l.sealDetail(eventDetail{a.Who, a.Host, a.Where, a.Note})
	if err != nil {
		return err
	}
	happened := event{trip: a.Trip, at: a.At, kind: eventAnswered, what: a.Verdict.String(), guid: a.GUID, detail: detail}
	if a.Trip == 0 {
		happened.row = a.Row
	}
	if a.Verdict == importer.NoVerdict {
		happened.kind, happened.what = eventProved, e.State.Code()
	}
	number, err := w.addEvent(ctx, happened)
	if err != nil {
		return err
	}
	if a.Trip != 0 {
		if err := l.recordTrip(ctx, w, e, number); err != nil {
			return err
		}
	}
	if a.Row != 0 {
		return l.recordRow(ctx, w, e, number)
	}
	return nil
}

// recordTrip records an effect on a trip.
func (l *Ledger) recordTrip(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	t, err := l.tripOf(ctx, w, e.Answer.Trip)
	if err != nil || t == nil {
		return err
	}
	if e.Meant && e.Answer.Row == 0 {
		subject, err := l.meantOfTrip(t)
		if err != nil {
			return err
		}
		if err := l.recordMeant(ctx, w, subject, personOf(e.Answer.Who, e.Answer.Host, e.Answer.At)); err != nil {
			return err
		}
	}
	t.apply(e)
	l.open.Delete(t.claim) // its settlement must read it again
	if err := l.addGUID(ctx, w, t.Number, e.Answer.GUID); err != nil {
		return err
	}
	return w.saveTrip(ctx, t, number)
}

// apply applies an effect to the trip as it stands.
func (t *trip) apply(e *importer.Effect) {
	if t.claimed.changing() && !t.live {
		t.Standing, t.claimed = t.standing(), nil
	}
	t.GUIDMissing, t.LookAfter, t.Held = e.GUIDMissing, e.LookAfter, e.Held
	if !e.Keep {
		t.State = e.State
		t.Proved = t.Proved || e.Answer.Verdict == importer.NoVerdict && e.State == importer.TripBooked
		t.Answered = e.Answer.Verdict != importer.NoVerdict
	}
	if e.Answer.GUID != "" {
		t.GUID = e.Answer.GUID
	}
	if t.State == importer.TripNotSent || t.State == importer.TripRefused {
		t.GUID, t.Proved = "", false
	}
	if e.Seen != nil {
		t.Seen = e.Seen
	}
	if e.ChangeDone {
		t.Change = nil
	}
}

// recordRow records an effect on a row: an answer that stands for it, or that its rider has
// several trips a day between the two places.
func (l *Ledger) recordRow(ctx context.Context, w *Writer, e *importer.Effect, number int64) error {
	if !e.ForRow && !e.Meant && e.Answer.Trip != 0 {
		return nil
	}
	rows, err := Query(ctx, w, l.scanWord, wordsOfRowsSQL, numberList([]int64{e.Answer.Row}))
	if err != nil || len(rows) == 0 {
		return err
	}
	row := &rows[0]
	if e.Meant {
		subject, err := l.meantOf(row, e.Answer.Leg)
		if err != nil {
			return err
		}
		if err := l.recordMeant(ctx, w, subject, personOf(e.Answer.Who, e.Answer.Host, e.Answer.At)); err != nil {
			return err
		}
	}
	if e.ForRow {
		row.Answers = withAnswer(row, &e.Answer, number)
	}
	answers, err := l.sealAnswers(row.Answers)
	if err != nil {
		return err
	}
	return w.Later(ctx, setAnswersSQL, answers, number, row.Row)
}

// withAnswer returns the answers about the row with a new one, in place of an earlier one
// about the same leg, day and other trip.
func withAnswer(row *word, a *importer.Answer, number int64) []importer.RowAnswer {
	given := importer.RowAnswer{
		Leg: a.Leg, Day: row.Day, Verdict: a.Verdict, Other: a.Other, Event: number, Who: a.Who, At: a.At,
	}
	if leg := row.Leg(a.Leg); leg != nil {
		given.Values = leg.Values
		if !leg.Begins.IsZero() {
			given.Day = leg.Begins.Date
		}
	}
	others := slices.DeleteFunc(slices.Clone(row.Answers), func(b importer.RowAnswer) bool {
		return b.Leg == given.Leg && b.Day == given.Day && b.Other == given.Other
	})
	return append(others, given)
}
