package results

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// statusText returns the words for the Status column.
func statusText(s importer.State, half bool) string {
	if half {
		return seal.HalfBookedPrefix + s.String()
	}
	return s.String()
}

// A need is the text of a row in the Needs column: what the row still needs. People
// filter the rows by it.
type need string

const (
	needsNothing need = ""
	needsPerson  need = "a person, before the next pickup"
	needsList    need = "a person, in the course of the day"
	needsAnswer  need = "an answer"
	needsFixing  need = "fixing"
	needsRun     need = "another run"
)

func needOf(r *importer.RowResult) need {
	urgency := importer.NoAction
	if r.HalfBooked {
		urgency = importer.Listed
	}
	for i := range r.Trips {
		urgency = max(urgency, r.Trips[i].Outcome.Due)
	}

	switch {
	case urgency == importer.ActNow:
		return needsPerson
	case urgency == importer.Listed:
		return needsList
	case isAsked(r):
		return needsAnswer
	case r.State == importer.Fix, r.State == importer.Refused:
		return needsFixing
	case r.State.Missing(), r.State == importer.Unknown && urgency == importer.ToSend:
		return needsRun
	default:
		return needsNothing
	}
}

// isAsked reports whether a row waits for an answer.
func isAsked(r *importer.RowResult) bool {
	return r.State == importer.Held && slices.ContainsFunc(r.Trips, func(t importer.TripResult) bool { return t.Outcome.Asked() })
}

// tooLate is the problem of a trip that was not sent in time.
const tooLate = "too late: its pickup time has passed"

// tripProblem explains a trip's outcome in words, if the trip's problems don't.
func tripProblem(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	switch o.State {
	case importer.Unknown:
		if reply := replyOf(o); strings.Contains(reply, "no proof came back") {
			return "may be booked: " + reply
		}
		return because("may be booked, no proof came back", replyOf(o))
	case importer.LeftOut:
		if o.Moved { // it is listed
			return o.Reason
		}
		return ""
	case importer.Fix:
		return o.Reason
	case importer.Refused:
		return because("the service refused it", replyOf(o))
	case importer.NotSent:
		if o.TooLate {
			return because(tooLate, o.Reason)
		}
		return because("not sent", replyOf(o))
	case importer.Held:
		if o.Asked() {
			return o.Reason
		}
		return because("held", o.Reason)
	case importer.Booked, importer.BookedEarlier, importer.Changed:
		switch {
		case o.GUIDMissing:
			return because("booked, but the service did not return its GUID", o.Reason)
		case o.Question == importer.AskWord:
			return because("booked"+onTime(o.BookedAt, loc)+", and perhaps cancelled now", o.Reason)
		case o.Misplaced:
			return o.Reason
		}
		return ""
	default:
		return bookedProblem(t, loc)
	}
}

// bookedProblem explains the outcome of a booked trip that is not as the schedule has it.
func bookedProblem(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	booked, keys := "booked"+onTime(o.BookedAt, loc), importer.PropertyNames(o.Changed)
	switch {
	case o.State == importer.ReinstateByHand:
		return because("cancelled by hand in the dispatch system, and in the schedule again", o.Reason)
	case o.Why == importer.WhyGone:
		return because(booked+", and not in the schedule any more", o.Reason)
	case o.State == importer.CancelByHand && t.OffRow:
		return because("trip "+t.Trip.ID+" was booked from this row"+onTime(o.BookedAt, loc), o.Reason)
	case o.State == importer.CancelByHand:
		return because("left out as cancelled, but "+booked, o.Reason)
	case o.State == importer.ChangeUnknown:
		return because(booked+", and a change may not have arrived", because(keys, replyOf(o)))
	case o.Why == importer.WhyRefused:
		return because("the service refused to change "+keys, replyOf(o))
	case o.Why == importer.WhyUnsent:
		return because(because(booked+", and changed since", keys), o.Reason)
	case o.State == importer.ChangeByHand && len(o.Changed) == 0:
		return because(booked, o.Reason)
	case o.State == importer.ChangeByHand:
		return because(because(booked+", and differs now", keys), o.Reason)
	}
	return ""
}

// tripNotice says what is good to know about a trip.
func tripNotice(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	text := outcomeNotice(t, loc)
	if len(o.Remarks) == 0 {
		return text
	}
	remarks := "another " + importer.PropertyNames(o.Remarks) + ", which the service can't change"
	if o.State == importer.BookedEarlier && len(o.Fixed) == 0 {
		return text + " with " + remarks
	}
	return strings.TrimPrefix(text+"; the schedule has "+remarks, "; ")
}

// outcomeNotice says what is good to know about a trip that needs nothing.
func outcomeNotice(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	switch {
	case len(o.Updated) > 0:
		text := "changed: " + strings.Join(newValues(t), ", ")
		if o.State == importer.Changed && !o.Misplaced {
			text = because(text, o.Reason)
		}
		return text
	case o.State == importer.BookedEarlier && len(o.Fixed) > 0:
		return fmt.Sprintf("booked as it was fixed in the results%s: correct the %s in the schedule too", onTime(o.BookedAt, loc), importer.PropertyNames(o.Fixed))
	case o.State == importer.BookedEarlier:
		return "booked earlier" + onTime(o.BookedAt, loc)
	case o.State == importer.LeftOut && !o.Moved:
		return o.Reason
	}
	return ""
}

// newValues names the properties that were changed, with their new values. It leaves out
// the coordinates of a changed address.
func newValues(t *importer.TripResult) []string {
	var texts []string
	for _, v := range t.Trip.Properties() {
		if slices.Contains(t.Outcome.Updated, v.Key) && !importer.IsCoordinate(v.Key) {
			texts = append(texts, importer.PropertyName(v.Key)+" "+v.Value)
		}
	}
	if texts == nil {
		return []string{importer.PropertyNames(t.Outcome.Updated)}
	}
	return texts
}

// tripFix says what to do about a trip, if the fixes of its problems don't.
func tripFix(t *importer.TripResult) string {
	o := &t.Outcome
	if o.Asked() {
		return "find out, " + strings.TrimPrefix(thenWrite(o), ", ")
	}
	switch o.State {
	case importer.Unknown:
		return "look for trip " + t.Trip.ID + " in the dispatch system" + thenWrite(o)
	case importer.ReinstateByHand:
		return "reinstate trip " + cmp.Or(o.GUID, t.Trip.ID) + " by hand in the dispatch system" + thenWrite(o)
	case importer.CancelByHand:
		if o.Why == importer.WhyGone {
			return "find out whether trip " + cmp.Or(o.GUID, t.Trip.ID) + " is still wanted; cancel it by hand if not" + thenWrite(o)
		}
		return "cancel trip " + cmp.Or(o.GUID, t.Trip.ID) + " by hand in the dispatch system" + thenWrite(o)
	case importer.ChangeUnknown:
		return "look for trip " + cmp.Or(o.GUID, t.Trip.ID) + " in the dispatch system, and change it if it is not as the row says" + thenWrite(o)
	case importer.ChangeByHand:
		return changeFix(t)
	case importer.Refused:
		return "fix what the service names, then retry"
	case importer.NotSent:
		if o.TooLate {
			return "phone now"
		}
		return "retry its results, or import the schedule again"
	case importer.Booked, importer.BookedEarlier, importer.Changed:
		return fixOfBooked(t)
	}
	return ""
}

// changeFix says what to do about a booked trip that a person has to change, or to look at.
func changeFix(t *importer.TripResult) string {
	o := &t.Outcome
	switch {
	case o.Older:
		return "work with the results of the newer schedule"
	case o.Back:
		return "see that trip " + cmp.Or(o.GUID, t.Trip.ID) + " is still in the dispatch system as the row says, and reinstate it if somebody cancelled it" + thenWrite(o)
	case o.Contradicted:
		return "see that the dispatch system has trip " + cmp.Or(o.GUID, t.Trip.ID) + " once, as the row says" + thenWrite(o)
	case len(o.Changed) == 0:
		return "see that trip " + cmp.Or(o.GUID, t.Trip.ID) + " is in the dispatch system as the row says" + thenWrite(o)
	}
	return updateFirst(o) + "change trip " + cmp.Or(o.GUID, t.Trip.ID) + " by hand in the dispatch system" + thenWrite(o)
}

// fixOfBooked says what to do about a booked trip that is as the schedule has it.
func fixOfBooked(t *importer.TripResult) string {
	switch o := &t.Outcome; {
	case o.GUIDMissing:
		return "look for trip " + t.Trip.ID + " in the dispatch system" + thenWrite(o)
	case o.Question == importer.AskWord:
		return "find out what the word means, then write `book` or `leave out` under " + seal.AnswerHeader + ": it counts for all rows that say so, later ones too"
	case o.Misplaced:
		return "look at the address of trip " + cmp.Or(o.GUID, t.Trip.ID) + " in the dispatch system"
	}
	return ""
}

// updateFirst says that a changed trip is changed by hand only if an import can't.
func updateFirst(o *importer.Outcome) string {
	switch {
	case o.Why != importer.WhyUnsent:
		return ""
	case o.Edited:
		return "see that the schedule says so too, then import it again and send its changes; only if that can't, "
	}
	return "import the schedule again and send its changes; only if that can't, "
}

// thenWrite says which answers to write.
func thenWrite(o *importer.Outcome) string {
	return ", then write " + o.VerdictWords() + " under " + seal.AnswerHeader
}

// replyOf returns the service's reply, or the run's own reason if there was none.
func replyOf(o *importer.Outcome) string {
	s := cmp.Or(o.Message, o.Reason)
	if o.HTTPStatus != 0 {
		s = strings.TrimSpace(s + " (HTTP " + strconv.Itoa(o.HTTPStatus) + ")")
	}
	return s
}

// because adds a reason to a text, unless the two are equal.
func because(text, reason string) string {
	switch {
	case reason == "" || reason == text:
		return text
	case strings.HasPrefix(reason, text):
		return reason
	}
	return text + ": " + reason
}

func onTime(at time.Time, loc *time.Location) string {
	switch {
	case at.IsZero():
		return ""
	case loc == nil:
		loc = time.Local
	}
	return " on " + importer.SpokenAt(at.In(loc))
}

// onLeg puts the name of the leg before a text about one leg.
func onLeg(leg importer.Leg, text string) string {
	if leg == importer.OnlyLeg || text == "" {
		return text
	}
	return leg.String() + ": " + text
}

// addText adds a text to a list, unless the list has it. It makes the text inert, because
// it may quote a cell.
func addText(texts []string, text string) []string {
	text = Inert(text)
	if text == "" || slices.Contains(texts, text) {
		return texts
	}
	return append(texts, text)
}

// bulleted joins the texts for one cell, each on a line with a bullet if there are
// several.
func bulleted(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return "• " + strings.Join(texts, "\n• ")
}

// noun returns the form of a noun that goes with the number.
func noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// explain returns the problem and the fix of trip i of a row.
func explain(r *importer.RowResult, i int, loc *time.Location) (problem, fix string) {
	t := &r.Trips[i]
	var problems, fixes []string
	for k := range r.Problems {
		p := &r.Problems[k]
		if p.Severity == importer.Fault && (p.Leg == t.Trip.Leg || legOf(r, p) == importer.OnlyLeg) {
			problems, fixes = addText(problems, p.Message), addText(fixes, p.Fix)
		}
	}
	return strings.Join(addText(problems, tripProblem(t, loc)), "; "), strings.Join(addText(fixes, tripFix(t)), "; ")
}
