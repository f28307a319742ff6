package mapping

import (
	"reflect"

	"go.yaml.in/yaml/v4"
)

// A condition holds for a row or does not. Its short form is an expression. A
// list of conditions holds if any of them does.
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
