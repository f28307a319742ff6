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

// tooLate is the problem of a trip that was not sent in time.
const tooLate = "too late: its pickup time has passed"

// A telling is what is said of trips in a state that are in a case, if it has one. In its text {id} is the trip's id,
// {trip} its GUID or else its id, {on} when it was booked, {keys} what differs, {reason} the run's own reason, {reply} that of
// the service, and {then} the answers to write. What follows a colon is left out if it is empty or was said before it.
type telling struct {
	is   func(*importer.TripResult) bool // nil for any
	text string
}

// problems explain the outcomes of trips in words, if the trips' problems don't: the first telling holds. It is never written to.
var problems = map[importer.State][]telling{
	importer.Unknown:       {{nil, "may be booked: {reply}"}},
	importer.Fix:           {{nil, "{reason}"}},
	importer.Refused:       {{nil, "the service refused it: {reply}"}},
	importer.NotSent:       {{isLate, tooLate + ": {reason}"}, {nil, "not sent: {reply}"}},
	importer.Held:          {{isHeldOpen, "{reason}"}, {nil, "held: {reason}"}},
	importer.LeftOut:       {{isMoved, "{reason}"}}, // it is listed
	importer.Booked:        problemsOfBooked,
	importer.BookedEarlier: problemsOfBooked,
	importer.Changed:       problemsOfBooked,
	importer.ReinstateByHand: {
		{isUnchanged, "cancelled by hand in the dispatch system, and in the schedule again: {reason}"},
		{nil, "cancelled by hand in the dispatch system, and in the schedule again, with another {keys}: {reason}"},
	},
	importer.CancelByHand: {
		{isGone, "booked{on}, and not in the schedule any more: {reason}"},
		{func(t *importer.TripResult) bool { return t.OffRow }, "trip {id} was booked from its row{on}: {reason}"},
		{nil, "left out as cancelled, but booked{on}: {reason}"},
	},
	importer.ChangeUnknown: {{nil, "booked{on}, and a change may not have arrived: {keys}: {reply}"}},
	importer.ChangeByHand: {
		{func(t *importer.TripResult) bool { return t.Outcome.Why == importer.WhyRefused }, "the service refused to change {keys}: {reply}"},
		{isUnsent, "booked{on}, and changed since: {keys}: {reason}"},
		{isUnchanged, "booked{on}: {reason}"},
		{nil, "booked{on}, and differs now: {keys}: {reason}"},
	},
}

var problemsOfBooked = []telling{
	{lacksGUID, "booked, but the service did not return its GUID: {reason}"},
	{asksWord, "booked{on}, and perhaps cancelled now: {reason}"},
	{isMisplaced, "{reason}"},
}

// fixes say what to do about trips, if the fixes of the trips' problems don't: the first telling holds. It is never written to.
var fixes = map[importer.State][]telling{
	importer.Unknown:         {{nil, "look for trip {id} in the dispatch system{then}"}},
	importer.Refused:         {{nil, "fix what the service names, then retry"}},
	importer.NotSent:         {{isLate, "phone now"}, {nil, "retry its results, or import the schedule again"}},
	importer.Held:            {{isHeldOpen, "find out{then}"}},
	importer.LeftOut:         {{isMoved, "find out whether it is left all the same{then}"}},
	importer.Booked:          fixesOfBooked,
	importer.BookedEarlier:   fixesOfBooked,
	importer.Changed:         fixesOfBooked,
	importer.ReinstateByHand: {{nil, "reinstate trip {trip} by hand in the dispatch system{then}"}},
	importer.CancelByHand: {
		{isGone, "find out whether trip {trip} is still wanted; cancel it by hand if not{then}"},
		{nil, "cancel trip {trip} by hand in the dispatch system{then}"},
	},
	importer.ChangeUnknown: {{nil, "look for trip {trip} in the dispatch system, and change it if it is not as the row says{then}"}},
	importer.ChangeByHand: {
		{func(t *importer.TripResult) bool { return t.Outcome.Older }, "work with the results of the newer schedule"},
		{func(t *importer.TripResult) bool { return t.Outcome.Back }, "see that trip {trip} is still in the dispatch system as the row says, and reinstate it if somebody cancelled it{then}"},
		{func(t *importer.TripResult) bool { return t.Outcome.Contradicted }, "see that the dispatch system has trip {trip} once, as the row says{then}"},
		{asksWord, askForWord},
		{isUnchanged, "see that trip {trip} is in the dispatch system as the row says{then}"},
		{func(t *importer.TripResult) bool { return isUnsent(t) && t.Outcome.Edited }, "see that the schedule says so too, then import it again and send its changes; only if that can't, " + changeIt},
		{isUnsent, "import the schedule again and send its changes; only if that can't, " + changeIt},
		{nil, changeIt},
	},
}

var fixesOfBooked = []telling{
	{lacksGUID, "look for trip {id} in the dispatch system{then}"},
	{asksWord, askForWord},
	{isMisplaced, "look at the address of trip {trip} in the dispatch system"},
}

const (
	changeIt   = "change trip {trip} by hand in the dispatch system{then}"
	askForWord = "find out what the word means, then write `book` or `leave out` under " + seal.AnswerHeader + ": it counts for all rows that say so, later ones too"
)

func isLate(t *importer.TripResult) bool      { return t.Outcome.TooLate }
func isHeldOpen(t *importer.TripResult) bool  { return t.Outcome.Asked() }
func lacksGUID(t *importer.TripResult) bool   { return t.Outcome.GUIDMissing }
func asksWord(t *importer.TripResult) bool    { return t.Outcome.Question == importer.AskWord }
func isMoved(t *importer.TripResult) bool     { return t.Outcome.Moved }
func isMisplaced(t *importer.TripResult) bool { return t.Outcome.Misplaced }
func isGone(t *importer.TripResult) bool      { return t.Outcome.Why == importer.WhyGone }
func isUnsent(t *importer.TripResult) bool    { return t.Outcome.Why == importer.WhyUnsent }
func isUnchanged(t *importer.TripResult) bool { return len(t.Outcome.Changed) == 0 }

// tell returns the text of the first telling that holds of a trip; "" if none does.
func tell(tellings map[importer.State][]telling, t *importer.TripResult, loc *time.Location) (text string) {
	o := &t.Outcome
	i := slices.IndexFunc(tellings[o.State], func(c telling) bool { return c.is == nil || c.is(t) })
	if i < 0 {
		return ""
	}
	expand := strings.NewReplacer("{id}", t.Trip.ID, "{trip}", cmp.Or(o.GUID, t.Trip.ID), "{on}", onTime(o.BookedAt, loc), "{keys}", importer.PropertyNames(o.Changed),
		"{reason}", o.Reason, "{reply}", replyOf(o), "{then}", ", then write "+o.VerdictWords()+" under "+seal.AnswerHeader)
	for part := range strings.SplitSeq(tellings[o.State][i].text, ": ") {
		text = because(text, expand.Replace(part))
	}
	return text
}

// tripProblem explains a trip's outcome in words, if the trip's problems don't.
func tripProblem(t *importer.TripResult, loc *time.Location) string { return tell(problems, t, loc) }

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

// tripFix says what to do about a trip, if the fixes of its problems don't.
func tripFix(t *importer.TripResult) string { return tell(fixes, t, nil) }

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
