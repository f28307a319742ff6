package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/google/uuid"

	"tripimport/importer"
)

// created reads the body of a 200. It is created with a GUID; created without
// one where the object repeats our trip id; and unclear in every other case.
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
		return importer.AnswerUnclear, "", "the service's answer holds a trip GUID that can't be one"
	case guid != "":
		return importer.AnswerCreated, guid, ""
	case repeats:
		return importer.AnswerCreatedNoGUID, "", "the service booked the trip without telling its GUID"
	}
	return importer.AnswerUnclear, "", "the service's answer holds neither a trip GUID nor this trip's id"
}

// A field is one member of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

var errNotObject = errors.New("not one JSON object")

// object reads a text that is one JSON object and nothing else. Members are
// given as they come: a name that stands there twice is there twice.
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
		f := member{name: name.(string)} // the decoder gives nothing else here
		if err := dec.Decode(&f.value); err != nil {
			return nil, err
		}
		fields = append(fields, f)
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotObject
	}
	return fields, nil
}

// foldField gives a field's name with letters' case and underscores
// disregarded.
func normalizeField(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// oneGUID gives the one GUID that the values agree on, and nothing where they
// are all empty. It reports false where any of them can't be a GUID, or where
// two differ.
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
		if !isGUID(*text) || guid != "" && !strings.EqualFold(guid, *text) {
			return "", false
		}
		guid = *text
	}
	return guid, true
}

// isGUID reports whether the text has the shape of a GUID and is not the one
// of zeros that stands for none: 32 hexadecimal digits, with the usual four
// hyphens or without, in braces or not.
func isGUID(s string) bool {
	if strings.HasPrefix(s, "{") && strings.HasSuffix(s, "}") {
		s = s[1 : len(s)-1]
	}
	id, err := uuid.Parse(s)
	return err == nil && (len(s) == 36 || len(s) == 32) && id != uuid.Nil
}

// sameID reports whether a JSON value is our trip id. A service that keeps ids
// of digits alone may give it back as a number.
func sameID(value json.RawMessage, tripID string) bool {
	var text string
	if err := json.Unmarshal(value, &text); err == nil {
		return text == tripID
	}
	return tripID != "" && string(value) == tripID
}
