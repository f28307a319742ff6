package results

import (
	"strconv"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// statusWords are the row's status as the Status column has it.
func statusWords(r *importer.RowResult) string {
	if r.HalfBooked {
		return seal.HalfBookedPrefix + r.State.String()
	}
	return r.State.String()
}

// A need is who has to do something about a row. Its text is what the Needs
// column has, so that one choice in its filter shows those rows alone.
type need string

const (
	needsNothing need = ""
	needsPerson  need = "a person, before the day starts"
	needsFixing  need = "fixing"
	needsAnother need = "another run"
)

func needOf(r *importer.RowResult) need {
	if r.HalfBooked || personState(r.State) {
		return needsPerson
	}
	for i := range r.Trips {
		if o := &r.Trips[i].Outcome; personState(o.State) || o.TooLate || o.GUIDMissing {
			return needsPerson
		}
	}
	switch r.State {
	case importer.Invalid, importer.Refused:
		return needsFixing
	case importer.NotSent, importer.Held:
		return needsAnother
	default:
		return needsNothing
	}
}

func personState(s importer.State) bool {
	return s == importer.Unknown || s == importer.CancelledCreated || s == importer.Changed
}

// tripProblem says what is behind a trip's outcome, where its problems don't.
func tripProblem(t *importer.TripResult, loc *time.Location) string {
	o := &t.Outcome
	switch o.State {
	case importer.Unknown:
		return joined("may be booked, no proof came back", service(o))
	case importer.CancelledCreated:
		return joined("left out as cancelled, but booked"+when(o.BookedAt, loc), o.Reason)
	case importer.Changed:
		return joined("booked"+when(o.BookedAt, loc)+", and changed since", changedWords(o.Changed))
	case importer.Refused:
		return joined("the service refused it", service(o))
	case importer.NotSent:
		if o.TooLate {
			return joined("too late: its pickup time has passed", o.Reason)
		}
		return joined("not sent", service(o))
	case importer.Held:
		return joined("waits for its other leg", o.Reason)
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
		return "booked earlier" + when(t.Outcome.BookedAt, loc)
	case importer.Skipped:
		return t.Outcome.Reason
	default:
		return ""
	}
}

// tripFix says what to do about a trip, where the fixes of its problems don't.
func tripFix(t *importer.TripResult) string {
	o := &t.Outcome
	switch o.State {
	case importer.Unknown:
		return "look for trip " + t.Trip.ID + " in the dispatch system, then write its GUID, or: not there, under " + seal.AnswerHeader
	case importer.CancelledCreated:
		return "cancel trip " + nameOf(t) + " by hand in the dispatch system"
	case importer.Changed:
		return "change trip " + nameOf(t) + " by hand in the dispatch system"
	case importer.Refused:
		return "fix what the service names, then retry"
	case importer.NotSent:
		if o.TooLate {
			return "phone now"
		}
		return "retry once the cause is gone"
	case importer.Created, importer.AlreadyCreated:
		if o.GUIDMissing {
			return "look for trip " + t.Trip.ID + " in the dispatch system and write its GUID under " + seal.AnswerHeader
		}
		return ""
	default:
		return ""
	}
}

func nameOf(t *importer.TripResult) string {
	if t.Outcome.GUID != "" {
		return t.Outcome.GUID
	}
	return t.Trip.ID
}

// service gives the service's answer, or the run's own reason without one.
func service(o *importer.Outcome) string {
	s := o.Message
	if s == "" {
		s = o.Reason
	}
	if o.HTTPStatus != 0 {
		s = strings.TrimSpace(s + " (HTTP " + strconv.Itoa(o.HTTPStatus) + ")")
	}
	return s
}

func joined(what, why string) string {
	if why == "" || why == what {
		return what
	}
	return what + ": " + why
}

func when(at time.Time, loc *time.Location) string {
	if at.IsZero() {
		return ""
	}
	return " on " + at.In(loc).Format("2006-01-02 15:04")
}

// changedWords turns contract keys into words: "pickup.event_location.city"
// is "pickup city".
func changedWords(keys []string) string {
	words := make([]string, len(keys))
	for i, key := range keys {
		key = strings.ReplaceAll(key, "event_location.", "")
		key = strings.ReplaceAll(key, "pickup.pickup_", "pickup.")
		words[i] = strings.NewReplacer(".", " ", "_", " ").Replace(key)
	}
	return strings.Join(words, ", ")
}

// onLeg puts the leg before a text that belongs to one alone.
func onLeg(leg importer.Leg, text string) string {
	if leg == importer.OnlyLeg || text == "" {
		return text
	}
	return leg.String() + ": " + text
}

// addLine adds a text to a list that has each but once. A text may quote a
// cell, so it is made inert.
func addLine(lines []string, text string) []string {
	if text == "" {
		return lines
	}
	text = Inert(text)
	for _, l := range lines {
		if l == text {
			return lines
		}
	}
	return append(lines, text)
}
