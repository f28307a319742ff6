package mapping

import (
	"reflect"

	"go.yaml.in/yaml/v4"
)

// A condition holds or does not, for a row. A bare text is an expression; a
// list holds where any of its conditions does.
type condition struct {
	source  `yaml:",inline"`
	Is      []text       `yaml:"is" jsonschema_description:"The value is one of these; case and spacing disregarded."`
	IsNot   []text       `yaml:"is_not" jsonschema_description:"The value is none of these."`
	Matches text         `yaml:"matches" jsonschema_description:"The value matches this regular expression."`
	Empty   *bool        `yaml:"empty" jsonschema_description:"true: the value is blank. false: it is not."`
	Flag    *source      `yaml:"flag" jsonschema_description:"A column of yes and no (y, true, 1, x; n, false, 0 or blank). Anything else in it is a fault."`
	All     []*condition `yaml:"all" jsonschema_description:"All of these hold."`
	Any     []*condition `yaml:"any" jsonschema_description:"One of these holds."`
	Not     *condition   `yaml:"not" jsonschema_description:"This does not hold."`
}

func (c *condition) fromNode(d *decoder, n *yaml.Node) {
	c.position = at(n)
	switch n.Kind {
	case yaml.ScalarNode:
		c.Expr.fromNode(d, n)
	case yaml.SequenceNode:
		d.value(n, reflect.ValueOf(&c.Any).Elem())
	default:
		d.fields(n, reflect.ValueOf(c).Elem())
	}
}

func (w *willCall) fromNode(d *decoder, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		d.value(n, reflect.ValueOf(&w.When).Elem())
		return
	}
	d.fields(n, reflect.ValueOf(w).Elem())
}

// leaveOuts are reasons to leave rows out, in the order of the file.
type leaveOuts []leaveOut

type leaveOut struct {
	Reason text
	When   *condition
}

func (l *leaveOuts) fromNode(d *decoder, n *yaml.Node) {
	d.pairs(n, func(key text, value *yaml.Node) {
		rule := leaveOut{Reason: key}
		d.value(value, reflect.ValueOf(&rule.When).Elem())
		*l = append(*l, rule)
	})
}

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

// A tableSpec is a table of codes, or a CSV file that holds one.
type tableSpec struct {
	Entries []entry `yaml:"-"`
	File    text    `yaml:"file" jsonschema:"required" jsonschema_description:"A CSV file, beside the mapping."`
	Key     []text  `yaml:"key" jsonschema:"required" jsonschema_description:"The columns by which a line is found."`
	Value   text    `yaml:"value" jsonschema:"required" jsonschema_description:"The column that gives the value."`

	position
}

// An entry turns the first text into the second.
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

// A tableRef is the name of a table, or the table itself.
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
