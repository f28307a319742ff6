package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// A body is the body of a request, parsed as JSON.
type body struct {
	text  []byte
	value any   // as json.Unmarshal returns it; nil if err is set
	err   error // why text is not JSON, or not JSON that the sandbox accepts
}

// parse parses a text that must be one JSON value. It refuses invalid UTF-8 and
// objects that have a name twice. The schema cannot find either, because
// json.Unmarshal replaces invalid bytes and keeps only the last value of a
// name: a client that wrote two trip ids would go unnoticed.
func parse(text []byte) body {
	if !utf8.Valid(text) {
		return body{text: text, err: errors.New("it is not UTF-8")}
	}

	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return body{text: text, err: err}
	}
	if namesTwice(json.NewDecoder(bytes.NewReader(text))) {
		return body{text: text, err: errors.New("an object has the same name twice")}
	}
	return body{text: text, value: value}
}

// namesTwice reads a valid JSON value and reports whether an object in it has the same
// name twice.
func namesTwice(dec *json.Decoder) bool {
	open, _ := dec.Token()
	if open != json.Delim('{') && open != json.Delim('[') {
		return false
	}
	seen := map[json.Token]bool{}
	for dec.More() {
		if open == json.Delim('{') {
			name, _ := dec.Token()
			if seen[name] {
				return true
			}
			seen[name] = true
		}
		if namesTwice(dec) {
			return true
		}
	}
	_, _ = dec.Token() // the closing bracket
	return false
}

// field returns a text at the top level of the body, or "" if there is none.
func (b body) field(name string) string {
	object, _ := b.value.(map[string]any)
	text, _ := object[name].(string)
	return text
}

// into stores a valid body in the struct that value points to. It returns what
// is wrong if that fails, which means that the struct does not fit the schema.
func (b body) into(value any) []string {
	if err := json.Unmarshal(b.text, value); err != nil {
		return []string{"the request can't be read: " + err.Error()}
	}
	return nil
}
