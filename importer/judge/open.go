package judge

import (
	"slices"
	"time"

	"tripimport/importer"
)

// Open returns what has become of something that a run left open: the outcome as it is now,
// and false if it needs nobody any more. o is the outcome that the run reported of the leg,
// and k has everything that is known of its trip, or of its row if it was not sent. What an
// answer freed is not sent, until a run sends it. Times are told in the zone.
func Open(o importer.Outcome, leg importer.Leg, k *importer.Known, zone *time.Location) (importer.Outcome, bool) {
	s := openTrip(&o, leg, k)
	if s == nil {
		return openRow(o, leg, k, zone)
	}
	switch now := Unresolved(s, zone); {
	case s.Event <= o.Saw && o.Attempt == s.Number:
		return o, !offSince(&o, k) // nothing happened to it
	case now.State == importer.Unknown, now.State == importer.ChangeUnknown, now.GUIDMissing:
		return now, true
	case now.State.Missing() && offSince(&importer.Outcome{RowNumber: s.Row, State: now.State}, k):
		return openByHand(now, leg, k, zone)
	case now.State.Missing():
		now.Reason = "it is not in the service, and not sent again yet"
		return now, true
	case s.Said == nil || s.Said.Event <= o.Saw: // a person put it on hold, say
		return o, o.State.Booked() && s.Claimed <= o.Saw
	case s.Said.Verdict == importer.NoVerdict:
		o.Saw, o.Reason, o.Contradicted = s.Event, joined(doubtOf(s), o.Reason), true
		return o, true
	case s.Said.Verdict == importer.There && now.State == importer.BookedEarlier:
		return found(now, s, k)
	}
	return o, false
}

// found is Open for a trip that a person found in the service, as it was sent: its schedule may not want it any more, or want it
// otherwise.
func found(now importer.Outcome, s *importer.Standing, k *importer.Known) (importer.Outcome, bool) {
	word := k.WordOf(s.Row)
	switch {
	case word == nil:
		return now, false
	case word.Says != importer.SaysLive:
		now.State, now.Reason = importer.CancelByHand, "it is there, and the schedule does not want it any more"
		return now, true
	}
	leg := word.Leg(s.Leg)
	if leg == nil {
		return now, false
	}
	now.State, now.Reason, now.Changed = importer.ChangeByHand, "it is there as it was sent, and the schedule has changed since", leg.Values.Differs(s.Seen)
	return now, !importer.Informational(now.Changed)
}

// offSince reports whether the row of an open outcome is cancelled, left out or gone since: what it asked for is not
// wanted any more, and a newer item says what is. A trip that has to be cancelled, or may be in the service, stays open.
func offSince(o *importer.Outcome, k *importer.Known) bool {
	word, stays := k.WordOf(o.RowNumber), []importer.State{importer.CancelByHand, importer.Unknown, importer.ChangeUnknown}
	return word != nil && word.Says != importer.SaysLive && word.Said > o.Saw && !slices.Contains(stays, o.State)
}

// Unresolved returns the outcome of a trip about which a person is asked, whatever any row
// says: it may be booked, its GUID is missing, a change of it may not have arrived, or what was said of it does not
// count.
func Unresolved(s *importer.Standing, zone *time.Location) importer.Outcome {
	o := Recorded(s, zone)
	if o.State == importer.BookedEarlier && !s.GUIDMissing && s.Change != nil && s.Change.State == importer.ChangeUnclear {
		o.State, o.Changed = importer.ChangeUnknown, s.Change.Keys
	}
	if why := doubtOf(s); why != "" && o.State == importer.BookedEarlier && !s.GUIDMissing {
		o.State, o.Reason, o.Contradicted = importer.ChangeByHand, why, true
	}
	return o
}

// openTrip returns the trip that an open outcome is about, or that was sent since; nil if
// nothing of it was sent.
func openTrip(o *importer.Outcome, leg importer.Leg, k *importer.Known) *importer.Standing {
	return k.Trip(func(s *importer.Standing) bool {
		if o.Attempt != 0 && !o.State.Missing() {
			return s.Number == o.Attempt
		}
		if o.State == importer.CancelByHand && s.Day != o.Begins.Date { // it is booked by hand, on its own day
			return false
		}
		return s.Row == o.RowNumber && s.Leg == leg && s.State != importer.TripCancelled && s.Claimed > o.Saw
	})
}

// openRow is Open for a leg that was not sent.
func openRow(o importer.Outcome, leg importer.Leg, k *importer.Known, zone *time.Location) (importer.Outcome, bool) {
	word := k.WordOf(o.RowNumber)
	if word == nil {
		return o, true
	}
	if word.Says != importer.SaysLive && word.Said > o.Saw {
		return openByHand(o, leg, k, zone) // cancelled, left out or gone since
	}
	for i := range slices.Backward(word.Answers) {
		a := &word.Answers[i]
		switch {
		case a.Leg != leg || a.Event <= o.Saw || ofOtherDay(a, &o, word):
			continue
		case a.Verdict == importer.NoVerdict:
			o.Saw, o.State, o.Question, o.Reason = word.Event, importer.Held, importer.AskAgain, inDoubt(a.Doubt)
			return o, true
		case a.Verdict.KeepsUnsent():
			return o, false
		}
		o.Saw, o.State, o.Question = word.Event, importer.NotSent, importer.NoQuestion
		o.Reason = "`" + a.Verdict.String() + "` was answered, and it is not sent yet"
		return o, true
	}
	if o.Question == importer.AskAgain && word.Event > o.Saw && !slices.ContainsFunc(word.Answers, func(a importer.RowAnswer) bool { return a.Leg == leg }) {
		o.Saw, o.State, o.Question, o.Reason = word.Event, importer.NotSent, importer.NoQuestion, "what it waited for is gone, and it is not sent yet"
	}
	return o, true
}

// ofOtherDay reports whether an answer is about the same leg on another day than that of the outcome, or of
// the row's trip if it has none.
func ofOtherDay(a *importer.RowAnswer, o *importer.Outcome, word *importer.Word) bool {
	begins := o.Begins
	if leg := word.Leg(a.Leg); begins.IsZero() && leg != nil {
		begins = leg.Begins
	}
	return !begins.IsZero() && !a.Day.IsZero() && a.Day != begins.Date
}

// TellsOfTrip reports whether a line of the list tells of the trip that it names, also by a question about the row's own booked
// trip: a second line about that one would be answered otherwise.
func TellsOfTrip(o *importer.Outcome, k *importer.Known) bool {
	booked := func(s *importer.Standing) bool { return s.Number == o.Attempt && s.State == importer.TripBooked }
	return o.Attempt != 0 && (!o.State.Missing() || o.Asked() && k.Trip(booked) != nil)
}
