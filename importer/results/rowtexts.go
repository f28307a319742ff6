package results

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// statusText is the row's status as the Status column has it.
func statusText(r *importer.RowResult) string {
	if r.HalfBooked {
		return seal.HalfBookedPrefix + r.State.String()
	}
	return r.State.String()
}

// A need is what the Needs column says of a row: who has work left to do with it.
// People filter the column for it.
type need string

const (
	needsNothing need = ""
	needsPerson  need = "a person, before the day starts"
	needsFixing  need = "fixing"
	needsRun     need = "another run"
)

func needOf(r *importer.RowResult) need {
	if r.HalfBooked {
		return needsPerson
	}

	for i := range r.Trips {
		if r.Trips[i].Outcome.Urgency() >= importer.Listed {
			return needsPerson
		}
	}

	switch groupOf(r.State) {
	case groupPerson:
		return needsPerson
	case groupFix:
		return needsFixing
	case groupWait:
		return needsRun
	default:
		return needsNothing
	}
}

// tripProblem says what is behind a trip's outcome, where its problems don't.
func tripProblem(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	switch o.State {
	case importer.Unknown:
		return because("may be booked, no proof came back", replyOf(o))
	case importer.Reinstate:
		return because("cancelled by hand in the dispatch system, and in the schedule again", o.Reason)
	case importer.CancelledCreated:
		if t.OffRow {
			return because("trip "+t.Trip.ID+" was booked from this row"+onTime(o.BookedAt, loc), o.Reason)
		}
		return because("left out as cancelled, but booked"+onTime(o.BookedAt, loc), o.Reason)
	case importer.ChangeByHand:
		return because(because("booked"+onTime(o.BookedAt, loc)+", and differs now", propertyNames(o.Changed)), o.Reason)
	case importer.Waiting:
		return o.Reason
	case importer.Changed:
		return because("booked"+onTime(o.BookedAt, loc)+", and changed since", propertyNames(o.Changed))
	case importer.Refused:
		return because("the service refused it", replyOf(o))
	case importer.NotSent:
		if o.TooLate {
			return because("too late: its pickup time has passed", o.Reason)
		}
		return because("not sent", replyOf(o))
	case importer.Held:
		return because("waits for its other leg", o.Reason)
	case importer.Invalid:
		return o.Reason
	case importer.Created, importer.AlreadyCreated:
		if o.GUIDMissing {
			return "booked, but the service told no GUID"
		}
		return ""
	default:
		return ""
	}
}

// tripNotice says what is good to know of a trip that needs nothing.
func tripNotice(t *importer.TripResult, loc *time.Location) string {
	switch t.Outcome.State {
	case importer.AlreadyCreated:
		return "booked earlier" + onTime(t.Outcome.BookedAt, loc)
	case importer.Skipped:
		return t.Outcome.Reason
	default:
		return ""
	}
}

// The fixes of trips that the service refused, that were not sent, and that are
// too late.
const (
	fixRefused = "fix what the service names, then retry"
	fixNotSent = "retry once the cause is gone"
	fixTooLate = "phone now"
)

// tripFix says what to do about a trip, where the fixes of its problems don't.
func tripFix(t *importer.TripResult) string {
	o := &t.Outcome
	switch o.State {
	case importer.Unknown:
		return "look for trip " + t.Trip.ID + " in the dispatch system" + thenWrite(o)
	case importer.Reinstate:
		return "reinstate trip " + guidOrID(t) + " by hand in the dispatch system" + thenWrite(o)
	case importer.CancelledCreated:
		return "cancel trip " + guidOrID(t) + " by hand in the dispatch system" + thenWrite(o)
	case importer.Changed, importer.ChangeByHand:
		return "change trip " + guidOrID(t) + " by hand in the dispatch system" + thenWrite(o)
	case importer.Waiting:
		return "find out, " + strings.TrimPrefix(thenWrite(o), ", ")
	case importer.Refused:
		return fixRefused
	case importer.NotSent:
		if o.TooLate {
			return fixTooLate
		}
		return fixNotSent
	case importer.Created, importer.AlreadyCreated:
		if o.GUIDMissing {
			return "look for trip " + t.Trip.ID + " in the dispatch system" + thenWrite(o)
		}
		return ""
	default:
		return ""
	}
}

// thenWrite says which answers fit.
func thenWrite(o *importer.Outcome) string {
	return ", then write " + o.VerdictWords() + " under " + seal.AnswerHeader
}

func guidOrID(t *importer.TripResult) string {
	if t.Outcome.GUID != "" {
		return t.Outcome.GUID
	}
	return t.Trip.ID
}

// replyOf returns the service's reply, or the run's own reason where there was
// none.
func replyOf(o *importer.Outcome) string {
	s := o.Message
	if s == "" {
		s = o.Reason
	}
	if o.HTTPStatus != 0 {
		s = strings.TrimSpace(s + " (HTTP " + strconv.Itoa(o.HTTPStatus) + ")")
	}
	return s
}

// because adds a reason to a text, unless it says the same.
func because(text, reason string) string {
	if reason == "" || reason == text {
		return text
	}
	return text + ": " + reason
}

func onTime(at time.Time, loc *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return " on " + at.In(loc).Format("2006-01-02 15:04")
}

// propertyNames names the properties that differ, by their contract keys.
func propertyNames(keys []string) string {
	names := make([]string, len(keys))
	for i, key := range keys {
		names[i] = importer.PropertyName(key)
	}
	return strings.Join(names, ", ")
}

// onLeg puts the leg before a text that is about one leg alone.
func onLeg(leg importer.Leg, text string) string {
	if leg == importer.OnlyLeg || text == "" {
		return text
	}
	return leg.String() + ": " + text
}

// addText adds a text to a list, unless it is there. A text may quote a cell, so
// it is made inert.
func addText(texts []string, text string) []string {
	text = Inert(text)
	if text == "" || slices.Contains(texts, text) {
		return texts
	}
	return append(texts, text)
}

// bulleted puts several texts into one cell, a line each.
func bulleted(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return "• " + strings.Join(texts, "\n• ")
}

// noun returns the singular or the plural, as the number asks for.
func noun(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
