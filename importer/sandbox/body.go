package sandbox

import (
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

// parse parses a text that must be one JSON value. It refuses invalid UTF-8, which the schema cannot
// find, because json.Unmarshal replaces invalid bytes.
func parse(text []byte) body {
	if !utf8.Valid(text) {
		return body{text: text, err: errors.New("it is not UTF-8")}
	}

	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return body{text: text, err: err}
	}
	return body{text: text, value: value}
}

// field returns a text at the top level of the body, or "" if there is none.
func (b body) field(name string) string {
	object, _ := b.value.(map[string]any)
	text, _ := object[name].(string)
	return text
}
