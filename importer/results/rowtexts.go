package results

import (
	"cmp"
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
	case r.State == importer.Held && slices.ContainsFunc(r.Trips, func(t importer.TripResult) bool { return t.Outcome.Asked() }):
		return needsAnswer
	case r.State == importer.Fix, r.State == importer.Refused:
		return needsFixing
	case r.State.Missing(), r.State == importer.Unknown && urgency == importer.ToSend:
		return needsRun
	default:
		return needsNothing
	}
}

// tripNotice says what is good to know about a trip.
func tripNotice(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	text := outcomeNotice(t, loc)
	if len(o.Remarks) == 0 {
		return text
	}
	return strings.TrimPrefix(text+"; the schedule has another "+importer.PropertyNames(o.Remarks)+", which the service can't change", "; ")
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

// faultsOf returns what the faults of trip i of a row say.
func faultsOf(r *importer.RowResult, i int) (faults []importer.Problem) {
	for k := range r.Problems {
		p := &r.Problems[k]
		if p.Severity == importer.Fault && (p.Leg == r.Trips[i].Trip.Leg || legOf(r, p) == importer.OnlyLeg) {
			faults = append(faults, importer.Problem{Message: p.Message, Fix: p.Fix})
		}
	}
	return faults
}
