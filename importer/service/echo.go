package service

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"tripimport/importer"
)

// Values of Config.AnswerIDs that are not names of fields.
const (
	// AnswerIDsLearn means that the first answers show where our trip ids are.
	AnswerIDsLearn = "learn"
	// AnswerIDsNone means that answers do not repeat our trip ids.
	AnswerIDsNone = "none"
)

const (
	tripIDField  = "tripid"
	riderIDField = "riderid"
)

// An echo knows in which field a service's answers repeat our trip ids. It is safe
// for concurrent use.
type echo struct {
	set bool // by the settings
	// field is a string: "" until an answer has repeated a trip id, and AnswerIDsNone if
	// answers can't be told apart by them.
	field atomic.Value
}

// newEcho makes the echo of a Config. Only the field that the contract shows can
// have been learned.
func newEcho(setting, learned string) *echo {
	e := &echo{set: setting != "" && setting != AnswerIDsLearn}
	if !e.set {
		setting = learned
	}
	e.field.Store(normalizeField(setting))
	return e
}

// AnswerIDs returns what was learned about the service's answers: "" if nothing
// was, or if it was set. It may be kept and given to later clients. If it is
// wrong, requests take longer or the run stops, and nothing else.
func (c *Client) AnswerIDs() string {
	if c.echo.set {
		return ""
	}
	return c.echo.current()
}

func (e *echo) current() string { return e.field.Load().(string) }

// known reports whether answers are known to repeat our trip ids.
func (e *echo) known() bool {
	field := e.current()
	return field != "" && field != AnswerIDsNone
}

// learn notes that an answer repeated our trip id.
func (e *echo) learn() { e.field.CompareAndSwap("", tripIDField) }

// distrust lets every request have a connection of its own.
func (e *echo) distrust() { e.field.Store(AnswerIDsNone) }

// A whose says whether an answer is about our trip.
type whose uint8

const (
	unnamed  whose = iota // it names neither trip nor rider
	ours                  // it repeats our trip id
	anothers              // it names another trip or another rider
)

// tripField returns the field that has a trip's id.
func (e *echo) tripField() string {
	if field := e.current(); e.set && field != AnswerIDsNone {
		return field
	}
	return tripIDField
}

// whose returns whose trip an answer with that status is about. Where the settings
// name a field, the service has ids of its own, perhaps for riders too.
func (e *echo) whose(body levels, trip *importer.Trip, status int) whose {
	switch {
	case e.set && !e.known():
		return unnamed
	case !e.set && body.compare(riderIDField, trip.RiderID, status) == anothers:
		return anothers
	}
	return body.compare(e.tripField(), trip.ID, status)
}

// compare says what the values of a field tell about an id. An error may have a
// message in place of an id; it has no digit, or more than one word.
func (body levels) compare(field, id string, status int) whose {
	of := unnamed
	values, _ := body.find(field)
	for _, v := range values {
		same, ok := sameID(v, id)
		switch {
		case !ok:
		case same:
			of = max(of, ours)
		case status < 300 || strings.ContainsAny(string(v), "0123456789") && !strings.Contains(string(v), " "):
			of = anothers
		}
	}
	return of
}

// sameID reports whether a JSON value is our id, and whether it is an id at all. A
// service may return an id in other case, and one that consists of digits as a
// number.
func sameID(value json.RawMessage, id string) (same, ok bool) {
	var text string
	if err := json.Unmarshal(value, &text); err == nil {
		return strings.EqualFold(strings.TrimSpace(text), strings.TrimSpace(id)), true
	}

	var number json.Number
	if err := json.Unmarshal(value, &number); err != nil {
		return false, false
	}
	digits := strings.TrimSuffix(number.String(), ".0")
	return id != "" && (digits == id || digits == strings.TrimLeft(id, "0")), true
}
