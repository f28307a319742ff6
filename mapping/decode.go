package mapping

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"

	"tripimport/mapping/values"
)

// A decoder fills the types of the document from YAML nodes and collects the
// findings. Unlike the library's strict decoding, it keeps the position of every
// value, words its messages for dispatchers, and goes on after a finding.
type decoder struct {
	file     string
	lines    []string
	findings Findings
}

// A nodeReader is a type that reads its own node.
type nodeReader interface {
	fromNode(*decoder, *yaml.Node)
}

// finding adds a finding at the position; the zero position stands for the
// beginning of the file.
func (d *decoder) finding(at position, message, fix string) {
	f := Finding{File: d.file, Line: max(at.Line, 1), Col: max(at.Col, 1), Message: message, Fix: fix}
	if f.Line <= len(d.lines) {
		f.Source = d.lines[f.Line-1]
	}
	d.findings = append(d.findings, f)
}

func at(n *yaml.Node) position { return position{n.Line, n.Column} }

// value decodes n into v, which is of any type of the document.
func (d *decoder) value(n *yaml.Node, v reflect.Value) {
	if n.Kind == yaml.AliasNode {
		d.finding(at(n), "an alias is not part of the mapping language", "write the value out")
		return
	}

	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}

	if r, ok := v.Addr().Interface().(nodeReader); ok {
		r.fromNode(d, n)
		return
	}

	switch v.Kind() {
	case reflect.Struct:
		d.fields(n, v)
	case reflect.Slice:
		d.list(n, v)
	default:
		d.scalar(n, v)
	}
}

// setPosition records the position of a struct in the file.
func setPosition(n *yaml.Node, v reflect.Value) {
	if line := v.FieldByName("Line"); line.IsValid() {
		line.SetInt(int64(n.Line))
		v.FieldByName("Col").SetInt(int64(n.Column))
	}
}

// fromNode takes a single value as it is written: Yes stays Yes and 0045 keeps
// its zeros.
func (t *text) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind != yaml.ScalarNode {
		d.notScalar(n)
		return
	}
	*t = text{n.Value, at(n)}
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0 {
		t.Col++ // the text begins after its quote
	}
}

func (d *decoder) notScalar(n *yaml.Node) {
	d.finding(at(n), "one value is wanted here, not "+kindOf(n), "write a single text or number, without brackets or dashes")
}

// list decodes a list. A single value is a list of one.
func (d *decoder) list(n *yaml.Node, v reflect.Value) {
	items := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		items = n.Content
	}
	v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
	for i, item := range items {
		d.value(item, v.Index(i))
	}
}

// scalar decodes a bool or a number.
func (d *decoder) scalar(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.ScalarNode {
		d.notScalar(n)
		return
	}

	switch v.Kind() {
	case reflect.Bool:
		switch values.FoldCase(n.Value) {
		case "true", "yes", "on":
			v.SetBool(true)
		case "false", "no", "off":
			v.SetBool(false)
		default:
			d.finding(at(n), fmt.Sprintf("%q is neither true nor false", n.Value), "write true or false")
		}
	case reflect.Int:
		i, err := strconv.Atoi(n.Value)
		if err != nil {
			d.finding(at(n), fmt.Sprintf("%q is not a whole number", n.Value), "write a number such as 2")
		}
		v.SetInt(int64(i))
	}
}

// fields decodes keys and values into the struct whose yaml tags are the keys.
func (d *decoder) fields(n *yaml.Node, v reflect.Value) {
	setPosition(n, v)
	keys := map[string]documentKey{}
	for _, key := range keysIn(v.Type()) {
		keys[key.name] = key
	}
	d.pairs(n, func(key text, value *yaml.Node) {
		known, ok := keys[key.Value]
		if !ok {
			names := slices.Collect(maps.Keys(keys))
			d.finding(key.position, fmt.Sprintf("there is no key %q here", key.Value), suggest(key.Value, names, "the keys here are"))
			return
		}
		field := v.FieldByIndex(known.Index)
		if value.Kind == yaml.ScalarNode && value.Value == "" && value.Tag == "!!null" {
			if isGroup(field) {
				return // everything below it is still open
			}
			d.finding(key.position, fmt.Sprintf("%q has no value", key.Value), "give it one, or take the line out")
			return
		}
		d.value(value, field)
		if one, isText := field.Interface().(text); isText {
			d.choice(one, known.choices())
		}
	})
}

// isGroup reports whether a key has others below it and no short form, such as trip.
func isGroup(field reflect.Value) bool {
	_, ownForm := field.Addr().Interface().(nodeReader)
	return field.Kind() == reflect.Struct && !ownForm
}

// pairs calls visit for each key in the order of the file. A repeated key is a
// finding.
func (d *decoder) pairs(n *yaml.Node, visit func(key text, value *yaml.Node)) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}

	if n.Kind != yaml.MappingNode {
		d.finding(at(n), "keys with values are wanted here, not "+kindOf(n), "write lines with key: value below it, or {key: value}")
		return
	}

	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			d.finding(at(key), "a key must be a single value", "write a text before the colon")
		case seen[key.Value]:
			d.finding(at(key), fmt.Sprintf("the key %q is given twice", key.Value), "keep one of the two")
		default:
			seen[key.Value] = true
			visit(text{key.Value, at(key)}, n.Content[i+1])
		}
	}
}

// A documentKey is a field of a type of the document, with the key that fills it.
type documentKey struct {
	reflect.StructField
	name string
}

// keysIn returns the keys of a type of the document, in order. Those of the structs that it
// inlines are among them.
func keysIn(t reflect.Type) []documentKey {
	var all []documentKey
	for _, field := range reflect.VisibleFields(t) {
		if key := field.Tag.Get("yaml"); key != "" && key != "-" && key != ",inline" {
			all = append(all, documentKey{field, key})
		}
	}
	return all
}

func kindOf(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "keys with values"
	case yaml.SequenceNode:
		return "a list"
	}
	return "a single value"
}

// choices returns the words that the key may have; nil for any.
func (k documentKey) choices() (words []string) {
	for word := range strings.SplitSeq(k.Tag.Get("jsonschema"), ",") {
		if choice, isChoice := strings.CutPrefix(word, "enum="); isChoice {
			words = append(words, choice)
		}
	}
	return words
}

// choice reports a value that is given and is none of the allowed ones, if there are such.
func (d *decoder) choice(t text, allowed []string) {
	if t.given() && allowed != nil && !slices.Contains(allowed, t.Value) {
		d.finding(t.position, fmt.Sprintf("%q can't be used here", t.Value), "write "+strings.Join(allowed, " or "))
	}
}
