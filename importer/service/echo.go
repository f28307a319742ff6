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

// An echo knows the field in which a service's answers repeat our trip ids. It is safe
// for concurrent use.
type echo struct {
	set bool // the field comes from the settings
	// field is a string: the name of the field, "" until an answer has repeated a trip id,
	// or AnswerIDsNone if answers do not repeat them.
	field atomic.Value
}

// newEcho makes the echo of a Config. learned can only be the field that the contract
// shows.
func newEcho(setting, learned string) *echo {
	e := &echo{set: setting != "" && setting != AnswerIDsLearn}
	if !e.set {
		setting = learned
	}
	e.field.Store(normalizeField(setting))
	return e
}

// AnswerIDs returns what was learned about the service's answers: "" if nothing was
// learned, or if the settings name the field. It may be stored and given to later
// clients. If it is wrong, requests take longer or the run stops; nothing worse happens.
func (c *Client) AnswerIDs() string {
	if c.echo.set {
		return ""
	}
	return c.echo.current()
}

func (e *echo) current() string { return e.field.Load().(string) }

// known reports whether the service is known to repeat our trip ids.
func (e *echo) known() bool {
	field := e.current()
	return field != "" && field != AnswerIDsNone
}

// learn records that an answer repeated our trip id.
func (e *echo) learn() { e.field.CompareAndSwap("", tripIDField) }

// distrust records that answers do not repeat our trip ids, so that every request gets a
// connection of its own.
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

// whose returns whose trip an answer with that status is about. If the settings name a
// field, it does not compare rider ids, because the service may have its own ids for
// riders too.
func (e *echo) whose(body levels, trip *importer.Trip, status int) whose {
	switch {
	case e.set && !e.known():
		return unnamed
	case !e.set && body.compare(riderIDField, trip.RiderID, status) == anothers:
		return anothers
	}
	return body.compare(e.tripField(), trip.ID, status)
}

// compare compares the values of a field with our id. In an error, a value without a
// digit or with a space is a message and not an id.
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
// service may return an id in another case, and an id of digits as a number.
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
