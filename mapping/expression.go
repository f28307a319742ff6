package mapping

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"tripimport/mapping/values"
)

// Limits of an expression. Longer ones have been used to exhaust memory, and
// nobody can read them.
const (
	longestExpression = 500
	largestExpression = 200
)

// rowVariables is what an expression sees: the cells of its columns, numbered
// in the order in which the expression names them.
type rowVariables struct {
	Row []string `expr:"row"`
}

// A columnNamer replaces row["Header"] by the number of the column among those
// that the expression names, so that an unknown header can't pass for a blank
// cell.
type columnNamer struct {
	headers []string
	places  []int // where in the expression each is named, in characters
	rows    []int // where row itself is named
	members int   // how often row stands before a bracket
	fault   string
	at      int
}

const nameColumns = "an expression names its columns one by one, by their headers"

// Visit implements ast.Visitor. What a node is made of is visited before it.
func (c *columnNamer) Visit(node *ast.Node) {
	if name, ok := (*node).(*ast.IdentifierNode); ok && name.Value == "row" {
		c.rows = append(c.rows, name.Location().From)
	}
	member, ok := (*node).(*ast.MemberNode)
	if !ok {
		return
	}
	if name, ok := member.Node.(*ast.IdentifierNode); !ok || name.Value != "row" {
		return
	}
	c.members++
	property, ok := member.Property.(*ast.StringNode)
	if !ok {
		c.fault, c.at = nameColumns, member.Property.Location().From
		return
	}
	c.headers = append(c.headers, property.Value)
	c.places = append(c.places, property.Location().From)
	ast.Patch(&member.Property, &ast.IntegerNode{Value: len(c.headers) - 1})
}

// refused reports a use of row that is not the name of a column.
func (c *columnNamer) refused() (string, int, bool) {
	if c.fault == "" && len(c.rows) > c.members {
		return nameColumns, c.rows[0], true
	}
	return c.fault, c.at, c.fault != ""
}

// A program is a compiled expression.
type program struct {
	vm       *vm.Program
	values   []func(*rowContext) cellValue
	machines sync.Pool
}

type machine struct {
	vm.VM
	env rowVariables
}

// expression compiles e. Its result must be of the wanted kind: a condition
// gives true or false, a value a text.
func (c *compiler) expression(e text, condition bool) *program {
	if len(e.Value) > longestExpression {
		c.finding(e.position, "the expression is longer than 500 characters", "split it, or put the codes into a table")
		return nil
	}
	names := &columnNamer{}
	options := []expr.Option{
		expr.Env(rowVariables{}), expr.Patch(names), expr.MaxNodes(largestExpression),
		expr.DisableBuiltin("now"),
	}
	options = append(options, ownFunctions()...)
	if condition {
		options = append(options, expr.AsBool())
	}
	compiled, err := expr.Compile(e.Value, options...)
	if message, at, refused := names.refused(); refused {
		c.finding(offsetBy(e, at), message, "write row[\"Header\"]")
		return nil
	}
	if err != nil {
		c.expressionFinding(e, err, condition)
		return nil
	}
	p := &program{vm: compiled}
	for i, header := range names.headers {
		name := text{header, offsetBy(e, names.places[i])}
		p.values = append(p.values, c.cell(ColumnRef{header: name}))
	}
	p.machines.New = func() any { return &machine{env: rowVariables{Row: make([]string, len(p.values))}} }
	return p
}

// offsetBy gives the position of the character that stands chars after the
// beginning of an expression that is written on one line.
func offsetBy(e text, chars int) position {
	if strings.Contains(e.Value, "\n") {
		return e.position
	}
	return position{e.Line, e.Col + chars}
}

func (c *compiler) expressionFinding(e text, err error, condition bool) {
	at, message := e.position, err.Error()
	var where *file.Error
	if errors.As(err, &where) {
		at, message = offsetBy(e, utf8.RuneCountInString(e.Value[:min(where.From, len(e.Value))])), where.Message
	}
	fix := "look at its brackets and quotes; a column is written row[\"Header\"], a text in quotes"
	unknown, isName := strings.CutPrefix(message, "unknown name ")
	switch {
	case unknown == "now":
		message, fix = "an expression can't ask for the time", "compare with a cell: a file comes to the same trips whenever it is read"
	case isName && nearest(unknown, functionNames()) != "":
		fix = fmt.Sprintf("did you mean %q?", nearest(unknown, functionNames()))
	case condition && strings.HasPrefix(message, "expected bool"):
		message, fix = "it gives neither true nor false", "compare it with something: row[\"Header\"] == \"Yes\""
	}
	c.finding(at, "the expression can't be read: "+message, fix)
}

// functionNames names all that an expression may call.
func functionNames() []string {
	return append(slices.Clone(builtin.Names), "is", "blank", "number", "digits")
}

// run gives the expression's result. It reports false where a cell that it
// needs holds an error, or where it fails; the problem is then reported.
func (p *program) run(r *rowContext) (any, bool) {
	m, _ := p.machines.Get().(*machine)
	defer p.machines.Put(m)
	for i, value := range p.values {
		f := value(r)
		if f.bad {
			return nil, false
		}
		m.env.Row[i] = f.text
	}
	result, err := m.Run(p.vm, m.env)
	if err != nil {
		r.fault(codeExpression, "an expression of the mapping can't be worked out for this row", "look at the cells that it uses", p.columns(r)...)
		return nil, false
	}
	return result, true
}

func (p *program) columns(r *rowContext) []int {
	var cols []int
	for _, value := range p.values {
		cols = append(cols, value(r).col)
	}
	return cols
}

// ownFunctions are the functions that expressions have beside the language's own.
func ownFunctions() []expr.Option {
	return []expr.Option{
		expr.Function("is", func(params ...any) (any, error) {
			value, _ := params[0].(string)
			for _, p := range params[1:] {
				word, ok := p.(string)
				if !ok {
					return nil, errors.New("is compares texts")
				}
				if values.FoldCase(value) == values.FoldCase(word) {
					return true, nil
				}
			}
			return false, nil
		}, new(func(string, ...string) bool)),
		expr.Function("blank", func(params ...any) (any, error) {
			value, _ := params[0].(string)
			return values.Clean(value) == "", nil
		}, new(func(string) bool)),
		expr.Function("number", func(params ...any) (any, error) {
			value, _ := params[0].(string)
			if values.Clean(value) == "" {
				return 0.0, nil
			}
			n, ok := values.Number(value)
			if !ok {
				return nil, errors.New("not a number")
			}
			return n, nil
		}, new(func(string) float64)),
		expr.Function("digits", func(params ...any) (any, error) {
			value, _ := params[0].(string)
			return values.OnlyDigits(value), nil
		}, new(func(string) string)),
	}
}

// resultText gives an expression's result as text.
func resultText(result any) string {
	switch v := result.(type) {
	case string:
		return values.Clean(v)
	case int:
		return strconv.Itoa(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
