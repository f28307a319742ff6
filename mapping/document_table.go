package mapping

import (
	"reflect"

	"go.yaml.in/yaml/v4"
)

// replacements are patterns and what replaces them, in the order of the file.
type replacements []replacement

type replacement struct{ Pattern, With text }

func (r *replacements) fromNode(d *decoder, n *yaml.Node) {
	d.pairs(n, func(key text, value *yaml.Node) {
		one := replacement{Pattern: key}
		one.With.fromNode(d, value)
		*r = append(*r, one)
	})
}

// tables are the named tables, in the order of the file.
type tables []namedTable

type namedTable struct {
	Name text
	tableSpec
}

// A tableSpec is a table of codes, written out or in a CSV file.
type tableSpec struct {
	Entries []entry `yaml:"-"`
	File    text    `yaml:"file" jsonschema:"required" jsonschema_description:"A CSV file, beside the mapping."`
	Key     []text  `yaml:"key" jsonschema:"required" jsonschema_description:"The columns by which a line is found."`
	Value   text    `yaml:"value" jsonschema:"required" jsonschema_description:"The column that gives the value."`

	position
}

// An entry of a table turns the text From into the text To.
type entry struct{ From, To text }

func (t *tables) fromNode(d *decoder, n *yaml.Node) {
	d.pairs(n, func(key text, value *yaml.Node) {
		table := namedTable{Name: key}
		table.fromNode(d, value)
		*t = append(*t, table)
	})
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

	d.pairs(n, func(key text, value *yaml.Node) {
		e := entry{From: key}
		e.To.fromNode(d, value)
		t.Entries = append(t.Entries, e)
	})
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
