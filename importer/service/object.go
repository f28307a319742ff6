package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"tripimport/importer"
)

// levels has the members of an object, then those of the objects in it, and so on, by
// depth. A service may put the trip into an envelope, such as {"data": {"trip": {…}}}.
type levels [][]member

// maxDepth is the depth to which an answer is read. A trip's own objects have depth 2.
const maxDepth = 4

// parsedBody returns the levels of an object with the fields. It leaves out lists and
// errors, because their content is not about the trip as a whole.
func parsedBody(fields []member) levels {
	var body levels
	for len(fields) > 0 && len(body) < maxDepth {
		body = append(body, fields)
		var inner []member
		for _, f := range fields {
			if f.value[0] == '{' && !strings.Contains(f.field, "error") && f.field != "modelstate" {
				object, _ := parseObject(f.value) // it can't fail here
				inner = append(inner, object...)
			}
		}
		fields = inner
	}
	return body
}

// find returns the values of a field at the least depth that has one, and that depth.
// Empty values do not count. If there is no value, it returns the number of levels as the
// depth.
func (body levels) find(field string) (values []json.RawMessage, depth int) {
	for depth, fields := range body {
		for _, f := range fields {
			if text := string(f.value); f.field == field && text != "null" && text != `""` {
				values = append(values, f.value)
			}
		}
		if values != nil {
			return values, depth
		}
	}
	return nil, len(body)
}

// guid returns the first GUID in a field of the body, or "" if there is none.
func (body levels) guid(field string) string {
	for _, f := range slices.Concat(body...) {
		if f.field == field {
			if guid, _ := agreedGUID([]json.RawMessage{f.value}); guid != "" {
				return guid
			}
		}
	}
	return ""
}

// downTo returns the members down to that depth.
func (body levels) downTo(depth int) []member {
	return slices.Concat(body[:min(depth+1, len(body))]...)
}

// failed reports whether the field says that the request failed: "success": false,
// "error": {"code": 7}, "status": "failed", "result": {"success": false}.
func (f member) failed() bool {
	value := func() string { return strings.ToLower(strings.Trim(string(f.value), "\" ")) }
	no := func() bool { return slices.Contains([]string{"false", "0", "no"}, value()) }
	switch strings.TrimPrefix(strings.TrimPrefix(f.field, "is"), "has") {
	case "success", "succeeded", "successful", "ok", "valid":
		return no()
	case "error", "errors", "errormessage", "errormessages", "errorcode", "errordescription", "failed", "failure", "exception", "fault":
		return !no() && !slices.Contains([]string{"", "null", "none", "[]", "{}"}, value())
	case "status", "result", "outcome":
		inner, _ := parseObject(f.value) // empty if it is not an object
		return slices.ContainsFunc(inner, member.failed) || slices.ContainsFunc([]string{"fail", "error", "reject", "refuse"}, func(word string) bool { return strings.HasPrefix(value(), word) })
	}
	return false
}

// A member is one name and value of a JSON object. field is the name as normalizeField
// gives it.
type member struct {
	field string
	value json.RawMessage
}

var errNotObject = errors.New("not one JSON object")

// parseObject parses a text that is one JSON object and nothing else. Unlike a map, the
// result keeps a name that occurs twice, so that two GUIDs are noticed.
func parseObject(text []byte) (fields []member, err error) {
	text = bytes.TrimLeft(text, " \t\r\n")
	if !bytes.HasPrefix(text, []byte("{")) || !json.Valid(text) {
		return nil, errNotObject
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	_, err = dec.Token()
	for err == nil && dec.More() {
		var name json.Token
		var value json.RawMessage
		if name, err = dec.Token(); err == nil {
			err = dec.Decode(&value)
		}
		text, _ := name.(string)
		fields = append(fields, member{normalizeField(text), value})
	}
	return fields, err
}

// normalizeField returns a field's name in lower case without underscores, because
// services spell names in different styles.
func normalizeField(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// agreedGUID returns the GUID that all values agree on, or "" if all are null or
// empty. It returns false if a value is not a GUID or if two values differ.
func agreedGUID(values []json.RawMessage) (string, bool) {
	guid := ""
	for _, v := range values {
		var text *string
		if err := json.Unmarshal(v, &text); err != nil {
			return "", false
		}
		if text == nil || *text == "" {
			continue
		}
		if _, ok := importer.ParseGUID(*text); !ok || guid != "" && !importer.SameGUID(guid, *text) {
			return "", false
		}
		guid = *text
	}
	return guid, true
}

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
