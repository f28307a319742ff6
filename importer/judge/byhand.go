package judge

import (
	"cmp"
	"slices"
	"time"

	"tripimport/importer"
)

// byHand returns who said that a trip was booked by hand, also if that is in doubt, or that it was printed to be phoned;
// false if an answer says something else.
func byHand(a *importer.RowAnswer) (by importer.Side, ok bool) {
	if a.Verdict == importer.BookedByHand || a.Doubt.Note == importer.PrintedToPhone {
		return earlierSide(&a.StandingAnswer), true
	}
	side := slices.IndexFunc(a.Doubt.Sides, func(s importer.Side) bool { return s.Verdict == importer.BookedByHand })
	if side < 0 || a.Verdict != importer.NoVerdict {
		return by, false
	}
	return a.Doubt.Sides[side], true
}

// stillByHand is byHand for what nobody left booked who saw that the row's word does not want it. Of two rows
// with one id the word tells of one.
func stillByHand(a *importer.RowAnswer, word *importer.Word) (by importer.Side, ok bool) {
	by, ok = byHand(a)
	return by, ok && (a.Verdict == importer.NoVerdict || a.Apart != nil || a.Saw < word.Said)
}

// byHandOnOtherDay returns the answer that the trip with the index was booked by hand on another day, where
// nobody has said whether ids repeat; nil if there is none, no car comes any more, or a person wants it booked.
func (r *rowJudge) byHandOnOtherDay(i int) *importer.RowAnswer {
	t := &r.Row.Trips[i]
	if a := r.answer(i, 0); r.Row.Key.IDs != importer.UnsaidIDs || t.Date().IsZero() || a != nil && a.Verdict == importer.Book {
		return nil
	}
	for n := range r.known.Words {
		word := &r.known.Words[n]
		if word.ID != r.known.ID || word.Row == r.known.Row {
			continue
		}
		a := r.carOf(word, t.Leg)
		if a != nil && a.Day != t.Date() && a.Day.Compare(r.options.Now.Date) >= 0 {
			return a
		}
	}
	return nil
}

// carOf returns the answer that a trip of a word, which may be the leg, was booked by hand; nil if there is none,
// nobody wants the car any more, or a run recorded it.
func (r *rowJudge) carOf(word *importer.Word, leg importer.Leg) *importer.RowAnswer {
	for i := range word.Answers {
		a := &word.Answers[i]
		_, comes := byHand(a)
		if word.Says != importer.SaysLive {
			_, comes = stillByHand(a, word)
		}
		if comes && a.Other == 0 && importer.LegsCollide(a.Leg, leg, importer.WayUnclear) && !isRecorded(r.known, word.Row, a) {
			return a
		}
	}
	return nil
}

// isRecorded reports whether a trip was claimed for the leg and the day of an answer since.
func isRecorded(k *importer.Known, row int64, a *importer.RowAnswer) bool {
	return slices.ContainsFunc(k.Trips, func(s importer.Standing) bool {
		return s.Row == row && s.Leg == a.Leg && (s.Day == a.Day || s.Day == a.Given) && s.Claimed > a.Event
	})
}

// toldByHand says who booked a trip by hand, with the time in the zone.
func toldByHand(a *importer.RowAnswer, by importer.Side, zone *time.Location) string {
	if a.Doubt.Note == importer.PrintedToPhone {
		return Told(a.Doubt)
	}
	return personOr(by.Who) + " answered `booked by hand` at " + Clock(by.At, zone)
}

// notMadeByHand decides the trips of the row that a person booked by hand, that no run has recorded, and
// that it does not make any more, or because of which it is left out.
func (r *rowJudge) notMadeByHand() (decisions []Decision) {
	word := r.known.Word()
	if word == nil {
		return nil
	}
	for n := range word.Answers {
		a := &word.Answers[n]
		makes := false
		for i := range r.Row.Trips {
			makes = makes || r.isAbout(i, a) || a.Apart != nil && r.Row.Trips[i].Faulty() // another row may have its id still
		}
		by, ok := stillByHand(a, word)
		if a.Other != 0 || makes && r.Row.LeftOut == "" || !ok || isRecorded(r.known, word.Row, a) || a.Day.Compare(r.options.Now.Date) < 0 {
			continue
		}
		s := &importer.Standing{Row: word.Row, Leg: a.Leg, Day: a.Day, TripID: r.Row.Key.ID}
		if len(r.Row.Trips) > 0 {
			s.Alias = r.Row.Trips[0].Alias
		}
		s.Account.Provider = word.PairAt(a.Saw).Provider
		if leg := word.LegAt(a.Saw, a.Leg); leg != nil {
			s.Begins = leg.Begins
		}
		decisions = append(decisions, Decision{Leg: -1, Trip: s, Outcome: importer.Outcome{
			State: importer.CancelByHand, GUID: a.GUID, Begins: s.Begins, RowNumber: word.Row,
			Reason: cmp.Or(r.Row.LeftOut, "the row does not make this trip any more") + "; " + toldByHand(a, by, r.zone()),
		}})
	}
	return decisions
}

// openByHand is Open for a leg that was not sent, and that its schedule does not want any more. It stays
// open if a person booked it by hand and no run has recorded that: nothing else tells that a car comes.
func openByHand(o importer.Outcome, leg importer.Leg, k *importer.Known, zone *time.Location) (importer.Outcome, bool) {
	word := k.WordOf(o.RowNumber)
	for i := range word.Answers {
		a := &word.Answers[i]
		if by, ok := stillByHand(a, word); ok && a.Leg == leg && a.Other == 0 && !isRecorded(k, word.Row, a) {
			o.Saw, o.State, o.Question, o.GUID = word.Event, importer.CancelByHand, importer.NoQuestion, a.GUID
			o.Reason = "the schedule does not want it any more; " + toldByHand(a, by, zone)
			return o, true
		}
	}
	return o, false
}

// wayByHand gives an answer about what a person booked by hand, and the schedule does not want, the way of that
// trip, and returns its day: the row may make another one now.
func wayByHand(a *importer.Answer, word *importer.Word) (day importer.Date) {
	if a.Shown != importer.CancelByHand {
		return day
	}
	for i := range word.Answers {
		if b := &word.Answers[i]; b.Leg == a.Leg && b.Other == 0 {
			if _, ok := stillByHand(b, word); ok || day.IsZero() {
				a.Pickup, a.Dropoff, day = b.Pickup, b.Dropoff, b.Day
			}
		}
	}
	return day
}
