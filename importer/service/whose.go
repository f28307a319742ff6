package service

import (
	"encoding/json"
	"strings"

	"tripimport/importer"
)

// A whose says whether an answer is about our trip.
type whose uint8

const (
	unnamed  whose = iota // it names neither trip nor rider
	ours                  // it repeats our trip id
	anothers              // it names another trip or another rider
)

// whose returns whose trip an answer with that status is about. Our rider's id may be written otherwise
// than when the trip was booked; it is empty if it is not known.
func (body levels) whose(tripID, riderID string, status int) whose {
	sameRider := func(v json.RawMessage) (same, ok bool) {
		var text string
		if json.Unmarshal(v, &text) == nil && importer.RiderText(text) == importer.RiderText(riderID) {
			return true, true
		}
		return sameID(v, riderID)
	}
	if riderID != "" && body.compare("riderid", sameRider, status) == anothers {
		return anothers
	}
	return body.compare("tripid", func(v json.RawMessage) (same, ok bool) { return sameID(v, tripID) }, status)
}

// compare compares the values of a field with our id, as sameID does. In an error, a value without a
// digit or with a space is a message and not an id.
func (body levels) compare(field string, sameID func(json.RawMessage) (same, ok bool), status int) whose {
	of := unnamed
	values, _ := body.find(field)
	for _, v := range values {
		same, ok := sameID(v)
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
