package judge

import (
	"cmp"
	"slices"
	"strings"

	"tripimport/importer"
)

// contradiction returns the doubt about two answers of which neither counts: one that was given
// before, or what was in doubt already, and a newer one.
func contradiction(before *importer.StandingAnswer, a *importer.Answer) importer.Doubt {
	sides := slices.Clone(before.Doubt.Sides)
	switch {
	case before.Verdict != importer.NoVerdict:
		sides = []importer.Side{earlierSide(before)}
	case before.Doubt.In != "": // a text that can't be taken
		sides = append(sides, importer.Side{Who: before.Doubt.Who})
	}
	return importer.Doubt{Sides: append(sides, sideOf(a))}
}

// DoubtGUID returns the effect of a GUID that a person gave the trip with the number, and that is said or proved to be another one's:
// the trip may be booked, until a person answers about it, or, where the service booked it without a GUID, lacks it again. What
// the service proved stands.
func DoubtGUID(a importer.Answer, number int64, k *importer.Known) []importer.Effect {
	s := tripOf(k, number)
	either := s != nil && a.Proof && s.Event > a.Saw // the service was asked about both, and one of its answers was the other's
	if s == nil || s.State != importer.TripBooked || s.Proved && !either && (s.Said == nil || !importer.SameGUID(s.Said.GUID, s.GUID)) {
		return nil
	}
	state := importer.TripUnclear
	if s.Proved && !either {
		state = importer.TripBooked
	}
	said := importer.StandingAnswer{Verdict: importer.BookedByHand, At: s.ClaimedAt} // about its row, as a run recorded
	switch {
	case either:
		said = importer.StandingAnswer{Who: a.Who, Verdict: importer.There, At: s.SettledAt}
	case s.Said != nil:
		said = *s.Said
	}
	a.Trip, a.Row, a.Other, a.Verdict, a.GUID, a.Question, a.Own = s.Number, s.Row, 0, importer.NoVerdict, "", importer.NoQuestion, nil
	return []importer.Effect{{Answer: a, Saw: k.Saw(), State: state, LacksGUID: state == importer.TripBooked, Doubt: importer.Doubt{
		Note: importer.OneGUID, Sides: []importer.Side{earlierSide(&said)},
	}}}
}

func earlierSide(a *importer.StandingAnswer) importer.Side {
	return importer.Side{Who: a.Who, Verdict: a.Verdict, At: a.At}
}

func sideOf(a *importer.Answer) importer.Side {
	return importer.Side{Who: a.Who, Verdict: a.Verdict, GUID: a.GUID, At: a.At}
}

// LastSaid returns the last answer about a leg of a row that names no other trip; nil if there is none.
func LastSaid(word *importer.Word, leg importer.Leg) *importer.RowAnswer {
	return importer.Last(word.Answers, func(a *importer.RowAnswer) bool { return a.Leg == leg && a.Other == 0 })
}

// Told tells a doubt: who answered what and when, or what can't be taken.
func Told(d importer.Doubt) string {
	switch d.Note {
	case importer.OneGUID:
		if d.In != "" { // somebody wrote these words
			break
		}
		return "another trip has the GUID with which " + personOr(d.Sides[0].Who) + " answered `" + d.Sides[0].Verdict.String() + "` at " + Clock(d.Sides[0].At, nil)
	case importer.UnreadableFile:
		return "somebody may have answered in " + d.In + ", which can't be read"
	case importer.PrintedToPhone:
		return "it was printed in " + d.In + " to be phoned"
	case importer.AfterCopy:
		return "somebody may have answered after the copy of the ledger was made that is used now"
	}
	if d.In != "" {
		return "what " + personOr(d.Who) + " wrote in " + d.Where + " could not be taken"
	}
	var sides []string
	for _, s := range d.Sides {
		switch {
		case s.Verdict != importer.NoVerdict:
			sides = append(sides, personOr(s.Who)+" answered `"+strings.TrimSpace(s.Verdict.String()+" "+s.GUID)+"` at "+Clock(s.At, nil))
		case s.Who != "":
			sides = append(sides, s.Who+" wrote what could not be taken")
		default:
			sides = append(sides, "somebody may have answered")
		}
	}
	text := strings.Join(sides, ", and ")
	switch {
	case d.Late:
		return text + ", and it was sent since: see whether there are two, or none is wanted"
	case d.Note == importer.OfEarlierRow:
		return text + " about a row that is not in the schedule any more, and that may have been this one"
	case len(sides) == 1:
		return "two earlier answers contradicted each other, and " + text
	}
	return text
}

func personOr(who string) string { return cmp.Or(who, "somebody") }

// corrects reports whether an answer settles a doubt although its person had not seen it: it stands
// where the text stood that could not be taken, or it sends nothing, whatever that text meant.
func corrects(a *importer.Answer, d importer.Doubt) bool {
	return d.In != "" && (d.In == fileOf(a) || a.Verdict.KeepsUnsent())
}

// fileOf returns the file in which an answer was given.
func fileOf(a *importer.Answer) string { return cmp.Or(a.In, a.Where) }

// doubt returns the effect of a text in a workbook that is not taken, none if it is known already, and
// whether its trip waits. It does not if it was sent since and is in the service or may be, or if
// somebody answered since about a trip that is there.
func doubt(a importer.Answer, k *importer.Known) (effects []importer.Effect, waits bool) {
	e := importer.Effect{Answer: a, Saw: k.Saw(), Keep: true, Doubt: textOf(&a)}
	e.Answer.Verdict, e.Answer.GUID, e.Answer.Other = importer.NoVerdict, "", 0
	if s := tripOf(k, a.Trip); s != nil && !isFree(s) {
		return doubtTrip(e, s)
	} else if s != nil { // it is free: the text is about its row
		e.Answer.Row, e.Answer.Leg, e.Answer.Trip = s.Row, s.Leg, 0
	}
	return doubtRow(e, a.Trip != 0, k)
}

// textOf returns the doubt about what somebody wrote at the place of an answer.
func textOf(a *importer.Answer) importer.Doubt {
	const most = 200 // bytes of a text that are told

	unquoted := strings.NewReplacer("`", "'", `"`, "'") // it is told in quotes
	note := strings.Join(strings.Fields(unquoted.Replace(a.Note)), " ")
	if len(note) > most {
		note = strings.ToValidUTF8(note[:most], "") + "…"
	}
	return importer.Doubt{Note: note, Who: a.Who, Where: a.Where, In: fileOf(a)}
}

// doubtTrip is doubt for a text about a trip that is in the service or may be.
func doubtTrip(e importer.Effect, s *importer.Standing) (effects []importer.Effect, waits bool) {
	a := &e.Answer
	a.Row = s.Row
	answered := s.Said != nil && s.Said.Event > a.Saw
	switch {
	case s.Claimed > a.Saw, s.State == importer.TripSending, s.State == importer.TripBooked && !isOpen(a) && !s.GUIDMissing:
		return nil, false
	case answered && s.Said.Verdict != importer.NoVerdict, answered && s.Said.Doubt.SameText(e.Doubt):
		return nil, s.Said.Verdict == importer.NoVerdict
	}
	return []importer.Effect{e}, true
}

// doubtRow is doubt for a text about a leg of a row. sent reports that it was written beside a trip that
// was sent, and is free now.
func doubtRow(e importer.Effect, sent bool, k *importer.Known) (effects []importer.Effect, waits bool) {
	a := &e.Answer
	word := k.WordOf(e.Answer.Row)
	taken := func(s importer.Standing) bool {
		return s.Row == e.Answer.Row && s.Leg == e.Answer.Leg && s.State.Taken() && (s.Claimed > a.Saw || a.Shown != importer.Held || a.Question == importer.NoQuestion)
	}
	known := func(b importer.RowAnswer) bool { return b.Leg == e.Answer.Leg && b.Doubt.SameText(e.Doubt) }
	switch {
	case word == nil, !sent && slices.ContainsFunc(k.Trips, taken):
		return nil, false
	case slices.ContainsFunc(word.Answers, known):
		return nil, true
	case e.Doubt.Note == importer.AfterCopy && answeredSince(a, word) != nil: // as results tell
		return nil, false
	}
	e.Begins.Date = dayOf(a, word)
	e.Doubt.Sides = sidesBefore(word, a.Leg, e.Begins.Date, e.Doubt)
	e.ForRow = true
	return []importer.Effect{e}, true
}

// sidesBefore returns what a text that can't be taken does not take back, although it takes its place: that the leg was
// booked by hand or left on the day, two answers that contradict each other, and what somebody wrote in another file.
func sidesBefore(word *importer.Word, leg importer.Leg, day importer.Date, now importer.Doubt) (sides []importer.Side) {
	for i := range word.Answers {
		b := &word.Answers[i]
		by, comes := byHand(b)
		switch d := &b.Doubt; {
		case b.Leg != leg || b.Other != 0 || b.Day != day && !b.Day.IsZero() && !day.IsZero():
		case comes:
			sides = []importer.Side{by}
		case len(sides) > 0:
		case b.Verdict == importer.LeaveIt:
			sides = []importer.Side{earlierSide(&b.StandingAnswer)}
		case !d.IsZero():
			if sides = slices.Clone(d.Sides); sides == nil && d.In != now.In {
				sides = []importer.Side{{Who: d.Who}}
			}
		}
	}
	return sides
}

// readAgain returns the effect of an answer which says that a workbook can be read again that could not be: what somebody may
// have written there about a leg is not in doubt, if nothing else was said.
func readAgain(a importer.Answer, k *importer.Known) []importer.Effect {
	if s := tripOf(k, a.Trip); s != nil && isFree(s) {
		a.Row, a.Leg, a.Trip = s.Row, s.Leg, 0
	}
	word := k.WordOf(a.Row)
	if a.Note != "" || a.Trip != 0 || word == nil {
		return nil
	}
	b := LastSaid(word, a.Leg)
	if b == nil || len(b.Doubt.Sides) > 0 || b.Doubt.In != a.Where || b.Doubt.Note != importer.UnreadableFile {
		return nil
	}
	a.Saw, a.Question, a.Other = b.Saw, importer.NoQuestion, 0
	return []importer.Effect{{Answer: a, Saw: k.Saw(), Begins: importer.DateTime{Date: b.Day}, Keep: true, ForRow: true, Release: true}}
}

// isOpen reports whether a booked trip was shown as open to who gave the answer.
func isOpen(a *importer.Answer) bool {
	o := importer.Outcome{State: a.Shown}
	if a.Shown == importer.Held {
		o.Question = a.Question
	}
	return o.Asks()
}

// doubtOf returns the reason that a trip has if it is in doubt what was said of it; empty if it is not.
func doubtOf(s *importer.Standing) string {
	if !s.InDoubt() {
		return ""
	}
	return inDoubt(s.Said.Doubt)
}

// inDoubt returns the reason of a trip about which nothing counts that was said.
func inDoubt(d importer.Doubt) string {
	switch d.Note {
	case "", importer.UnreadableFile, importer.AfterCopy, importer.OneGUID:
	case importer.PrintedToPhone:
		return Told(d) + ": if somebody did, answer `booked by hand`, and if nobody did, `book`"
	case importer.OfEarlierRow:
		return Told(d) + ": if it was, answer the same, and if not, see to that one and answer `book`"
	default:
		return Told(d) + " (`" + d.Note + "`): write in this list what was meant"
	}
	return Told(d) + ": answer once more, in this list"
}
