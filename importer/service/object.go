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
