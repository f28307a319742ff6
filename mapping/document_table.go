package mapping

import (
	"reflect"

	"go.yaml.in/yaml/v4"
)

// ordered holds keys that the writer of the mapping chooses, with their values, in
// the order of the file.
type ordered[T any] []pair[T]

type pair[T any] struct {
	Key   text
	Value T
}

func (o *ordered[T]) fromNode(d *decoder, n *yaml.Node) {
	d.pairs(n, func(key text, value *yaml.Node) {
		one := pair[T]{Key: key}
		d.value(value, reflect.ValueOf(&one.Value).Elem())
		*o = append(*o, one)
	})
}

// A tableSpec is a table of codes, written out or in a CSV file.
type tableSpec struct {
	Entries ordered[text] `yaml:"-"` // a text and its replacement
	File    text          `yaml:"file" jsonschema:"required" jsonschema_description:"A CSV file, beside the mapping."`
	Key     []text        `yaml:"key" jsonschema:"required" jsonschema_description:"The columns by which a line is found."`
	Value   text          `yaml:"value" jsonschema:"required" jsonschema_description:"The column that gives the value."`

	position
}

func (t *tableSpec) fromNode(d *decoder, n *yaml.Node) {
	t.position = at(n)
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}

	if hasKey(n, "file") {
		d.fields(n, reflect.ValueOf(t).Elem())
		return
	}

	t.Entries.fromNode(d, n)
}

func hasKey(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// A tableRef is the name of a table or the table itself.
type tableRef struct {
	Name   text
	Inline *tableSpec
}

func (t *tableRef) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		t.Name.fromNode(d, n)
		return
	}
	t.Inline = &tableSpec{}
	t.Inline.fromNode(d, n)
}
