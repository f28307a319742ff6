package sandbox

import (
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// A body is the body of a request, parsed as JSON.
type body struct {
	text  []byte
	value any   // as json.Unmarshal makes it
	err   error // why text is not acceptable JSON; value is nil then
}

// parse reads a text that has to be one JSON value. Beyond what encoding/json
// and the schema find, it refuses invalid UTF-8 and a name that an object has
// twice: the schema sees neither, because json.Unmarshal replaces the bytes and
// keeps the last value only, and a client that wrote two trip ids would go
// unnoticed.
func parse(text []byte) body {
	if !utf8.Valid(text) {
		return body{text: text, err: errors.New("it is not UTF-8")}
	}

	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return body{text: text, err: err}
	}
	if countColons(text) != countMembers(value) {
		return body{text: text, err: errors.New("an object has the same name twice")}
	}
	return body{text: text, value: value}
}

// countColons counts the members of all objects in valid JSON, those with the
// same name included: each has one colon outside the strings.
func countColons(text []byte) int {
	n, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			quoted = !quoted
		case quoted && text[i] == '\\':
			i++
		case !quoted && text[i] == ':':
			n++
		}
	}
	return n
}

// countMembers counts the members of all objects in a parsed value.
func countMembers(value any) int {
	n := 0
	switch v := value.(type) {
	case map[string]any:
		n = len(v)
		for _, member := range v {
			n += countMembers(member)
		}
	case []any:
		for _, element := range v {
			n += countMembers(element)
		}
	}
	return n
}

// field returns a text field of the body's object, "" if there is none.
func (b body) field(name string) string {
	object, _ := b.value.(map[string]any)
	text, _ := object[name].(string)
	return text
}

// into stores a body that the schema accepted in the struct that has its
// fields.
func (b body) into(value any) []string {
	if err := json.Unmarshal(b.text, value); err != nil {
		return []string{"the request can't be read: " + err.Error()}
	}
	return nil
}
