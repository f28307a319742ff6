package sandbox

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A shape reads a JSON request field by field and collects all that is wrong
// with its shape. encoding/json would let too much pass: names in another case,
// null for a text, names twice, broken characters.
type shape struct {
	faults []string
}

func (s *shape) fault(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// A fields is a JSON object being read.
type fields struct {
	shape *shape
	path  string // with a final dot, empty for the request itself
	left  map[string]any
}

// A parsed is a body as JSON, or why it is none.
type parsed struct {
	value any
	err   error
}

func parse(text []byte) parsed {
	value, err := decode(text)
	return parsed{value, err}
}

// text gives a text field of an object, as far as there is one.
func (p parsed) text(name string) string {
	members, _ := p.value.(map[string]any)
	text, _ := members[name].(string)
	return text
}

// request takes a body that has to be one JSON object.
func (s *shape) request(p parsed) *fields {
	if p.err != nil {
		s.fault("the request is not JSON: %v", p.err)
		return &fields{shape: s}
	}
	return s.object("", p.value)
}

// object takes a value as an object. Where it is none it says so, and goes on
// with one that says nothing more.
func (s *shape) object(path string, value any) *fields {
	members, ok := value.(map[string]any)
	if !ok {
		s.fault("%s is not an object", strings.TrimSuffix(orRequest(path), "."))
	}
	return &fields{shape: s, path: path, left: members}
}

func orRequest(path string) string {
	if path == "" {
		return "the request"
	}
	return path
}

// take gives a field's value and crosses it off.
func (f *fields) take(name string, required bool) (any, bool) {
	value, given := f.left[name]
	delete(f.left, name)
	if !given && required && f.left != nil {
		f.shape.fault("%s%s is missing", f.path, name)
	}
	return value, given
}

// done says which fields are left over: the contract has no such ones.
func (f *fields) done() {
	names := make([]string, 0, len(f.left))
	for name := range f.left {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f.shape.fault("%s%s is not a field of this request", f.path, name)
	}
}

// text takes a text that may be left out or empty.
func (f *fields) text(name string) string { return f.anyText(name, false) }

// mustText takes a text that has to be there and not be empty.
func (f *fields) mustText(name string) string {
	before := len(f.shape.faults)
	text := f.anyText(name, true)
	if text == "" && f.left != nil && len(f.shape.faults) == before {
		f.shape.fault("%s%s is empty", f.path, name)
	}
	return text
}

func (f *fields) anyText(name string, required bool) string {
	value, given := f.take(name, required)
	text, ok := value.(string)
	if given && !ok {
		f.shape.fault("%s%s is not a text", f.path, name)
	}
	return text
}

// number takes a number between two bounds.
func (f *fields) number(name string, required bool, low, high float64) *float64 {
	value, given := f.take(name, required)
	if !given {
		return nil
	}
	n, ok := value.(json.Number)
	if !ok {
		f.shape.fault("%s%s is not a number", f.path, name)
		return nil
	}
	v, err := n.Float64()
	if err != nil || v < low || v > high {
		f.shape.fault("%s%s is out of range", f.path, name)
		return nil
	}
	return &v
}

// count takes a whole number of at least one.
func (f *fields) count(name string) int {
	v := f.number(name, true, 1, math.MaxInt32)
	if v == nil {
		return 0
	}
	if *v != math.Trunc(*v) {
		f.shape.fault("%s%s is not a whole number", f.path, name)
	}
	return int(*v)
}

// objects takes a list of objects.
func (f *fields) objects(name string, required bool) []*fields {
	value, given := f.take(name, required)
	if !given {
		return nil
	}
	list, ok := value.([]any)
	if !ok {
		f.shape.fault("%s%s is not a list", f.path, name)
		return nil
	}
	all := make([]*fields, len(list))
	for i, value := range list {
		all[i] = f.shape.object(f.path+name+"["+strconv.Itoa(i)+"].", value)
	}
	return all
}

// object takes a field that has to be an object.
func (f *fields) object(name string) *fields {
	value, given := f.take(name, true)
	if !given {
		return &fields{shape: f.shape}
	}
	return f.shape.object(f.path+name+".", value)
}

// decode reads one JSON value strictly: valid UTF-8, no name twice in an
// object, nothing after it.
func decode(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("it is not UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	value, err := decodeValue(dec, 0)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("something follows after its end")
	}
	return value, nil
}

// maxDepth is far more than the contract's three levels.
const maxDepth = 32

func decodeValue(dec *json.Decoder, depth int) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, errors.New("it breaks off or holds something that JSON does not have")
	}
	if depth > maxDepth {
		return nil, errors.New("it is nested too deep")
	}
	switch token {
	case json.Delim('{'):
		return decodeObject(dec, depth)
	case json.Delim('['):
		return decodeList(dec, depth)
	}
	return token, nil
}

func decodeObject(dec *json.Decoder, depth int) (any, error) {
	members := map[string]any{}
	for dec.More() {
		name, err := decodeValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		key, ok := name.(string)
		if !ok {
			return nil, errors.New("a name is not a text")
		}
		if _, twice := members[key]; twice {
			return nil, fmt.Errorf("%q stands in one object twice", key)
		}
		if members[key], err = decodeValue(dec, depth+1); err != nil {
			return nil, err
		}
	}
	return members, closed(dec)
}

func decodeList(dec *json.Decoder, depth int) (any, error) {
	list := []any{}
	for dec.More() {
		value, err := decodeValue(dec, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, closed(dec)
}

func closed(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return errors.New("it breaks off")
	}
	return nil
}
