package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"tripimport/importer"
)

// readCreated classifies the body of a 200. AnswerCreated needs a JSON object
// with a GUID, AnswerCreatedNoGUID one without a GUID but with our trip id; all
// else is AnswerUnclear.
func (c *Client) readCreated(body []byte, tripID string) (kind importer.AnswerKind, guid, message string) {
	fields, err := parseObject(body)
	if err != nil {
		return importer.AnswerUnclear, "", "the service's answer is not the trip it should have sent back"
	}

	var guids []json.RawMessage
	repeats := false
	for _, f := range fields {
		switch normalizeField(f.name) {
		case c.guidField:
			guids = append(guids, f.value)
		case "tripid":
			repeats = repeats || sameID(f.value, tripID)
		}
	}

	guid, ok := agreedGUID(guids)
	switch {
	case !ok:
		return importer.AnswerUnclear, "", "the service's answer has a trip GUID that is not a GUID"
	case guid != "":
		return importer.AnswerCreated, guid, ""
	case repeats:
		return importer.AnswerCreatedNoGUID, "", "the service booked the trip without returning its GUID"
	}
	return importer.AnswerUnclear, "", "the service's answer has neither a trip GUID nor this trip's id"
}

// A member is one name and value of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

var errNotObject = errors.New("not one JSON object")

// parseObject parses a text that is one JSON object and nothing else. Unlike a
// map, the result keeps a name that is there twice, so that two GUIDs are
// noticed.
func parseObject(text []byte) ([]member, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	dec := json.NewDecoder(bytes.NewReader(text))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errNotObject
	}

	var fields []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		f := member{name: name.(string)} // the decoder accepts only a string here
		if err := dec.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}

	if _, err := dec.Token(); err != nil { // the closing brace
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return fields, nil
}

// normalizeField returns a field's name in lower case without underscores, since
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

// sameID reports whether a JSON value is our trip id. A service may return an id
// that consists of digits as a number.
func sameID(value json.RawMessage, tripID string) bool {
	var text string
	if err := json.Unmarshal(value, &text); err == nil {
		return text == tripID
	}
	return tripID != "" && string(value) == tripID
}
