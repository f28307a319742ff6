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

// The limits of an expression. Nobody can read a longer one, and it could exhaust
// memory.
const (
	maxExpressionLength = 500 // bytes
	maxExpressionNodes  = 200
)

// rowVariables are the variables of an expression: the cells of its columns, in
// the order in which the expression names the columns.
type rowVariables struct {
	Row []string `expr:"row"`
}

// A columnNamer replaces each row["Header"] by row[n], where n counts the columns
// that the expression names. This way a header that the file lacks is found when
// the mapping is bound, and is not taken for an empty cell.
type columnNamer struct {
	headers   []string
	positions []int // where each header is in the expression, in characters
	rows      []int // where row is in the expression, with or without a header
	members   int   // how often a bracket follows row
	texts     []string
	searches  bool         // some text is only searched for
	numeric   map[int]bool // the columns that are read as numbers, where a word is a fault
	problem   string
	at        int
}

const nameColumns = "an expression names its columns one by one, by their headers"

// Visit implements ast.Visitor. It visits the parts of a node before the node.
func (c *columnNamer) Visit(node *ast.Node) {
	if name, ok := (*node).(*ast.IdentifierNode); ok && name.Value == "row" {
		c.rows = append(c.rows, name.Location().From)
	}

	if text, ok := (*node).(*ast.StringNode); ok {
		c.texts = append(c.texts, text.Value)
	}
	c.noteNumber(*node)
	if binary, ok := (*node).(*ast.BinaryNode); ok {
		c.searches = c.searches || slices.Contains([]string{"contains", "matches", "startsWith", "endsWith"}, binary.Operator)
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
		c.problem, c.at = nameColumns, member.Property.Location().From
		return
	}
	c.texts = c.texts[:len(c.texts)-1] // the header, which was visited last
	c.headers = append(c.headers, property.Value)
	c.positions = append(c.positions, property.Location().From)
	ast.Patch(&member.Property, &ast.IntegerNode{Value: len(c.headers) - 1})
}

// noteNumber records number(row["Header"]).
func (c *columnNamer) noteNumber(node ast.Node) {
	call, ok := node.(*ast.CallNode)
	if !ok || len(call.Arguments) != 1 {
		return
	}
	name, named := call.Callee.(*ast.IdentifierNode)
	if _, cell := call.Arguments[0].(*ast.MemberNode); cell && named && name.Value == "number" {
		c.numeric[len(c.headers)-1] = true
	}
}

// misuse returns the first use of row that does not name a column.
func (c *columnNamer) misuse() (problem string, at int, found bool) {
	if c.problem == "" && len(c.rows) > c.members {
		return nameColumns, c.rows[0], true
	}
	return c.problem, c.at, c.problem != ""
}

// A program is a compiled expression. It is safe for concurrent use.
type program struct {
	vm       *vm.Program
	columns  []reader
	machines sync.Pool // of *machine
}

// A machine runs a program for one row at a time.
type machine struct {
	vm.VM
	env rowVariables
}

// expression compiles e. It returns nil if it reports a finding. The result of a
// condition is true or false, the result of a value is a text.
func (c *compiler) expression(e text, condition bool) *program {
	if len(e.Value) > maxExpressionLength {
		c.finding(e.position, "the expression is longer than 500 characters", "split it, or put the codes into a table")
		return nil
	}

	names := &columnNamer{numeric: map[int]bool{}}
	options := []expr.Option{
		expr.Env(rowVariables{}), expr.Patch(names), expr.MaxNodes(maxExpressionNodes),
		expr.DisableBuiltin("now"),
	}

	for _, f := range ownFunctions() {
		options = append(options, expr.Function(f.name, f.call, f.signature))
	}
	if condition {
		options = append(options, expr.AsBool())
	}

	compiled, err := expr.Compile(e.Value, options...)
	if message, at, found := names.misuse(); found {
		c.finding(offsetBy(e, at), message, "write row[\"Header\"]")
		return nil
	}

	if err != nil {
		c.expressionFinding(e, err, condition)
		return nil
	}

	p := &program{vm: compiled}
	before := len(c.met)
	for i, header := range names.headers {
		name := text{header, offsetBy(e, names.positions[i])}
		c.asRule(c.inRule && !names.numeric[i], func() { p.columns = append(p.columns, c.cell(ColumnRef{header: name})) })
	}
	c.know(before, names.texts, !names.searches)

	p.machines.New = func() any { return &machine{env: rowVariables{Row: make([]string, len(p.columns))}} }
	return p
}

// offsetBy returns the position that is chars characters after the beginning of
// e, or the beginning if e is written on several lines.
func offsetBy(e text, chars int) position {
	if strings.Contains(e.Value, "\n") {
		return e.position
	}
	return position{e.Line, e.Col + chars}
}

// expressionFinding reports an expression that the library can't compile.
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
		message, fix = "an expression can't ask for the time", "compare with a cell: a file must give the same trips whenever it is read"
	case isName && nearest(unknown, functionNames()) != "":
		fix = fmt.Sprintf("did you mean %q?", nearest(unknown, functionNames()))
	case condition && strings.HasPrefix(message, "expected bool"):
		message, fix = "it gives neither true nor false", "compare it with something: row[\"Header\"] == \"Yes\""
	}

	c.finding(at, "the expression can't be read: "+message, fix)
}

// functionNames returns everything that an expression may call.
func functionNames() []string {
	names := slices.Clone(builtin.Names)
	for _, f := range ownFunctions() {
		names = append(names, f.name)
	}
	return names
}

// run returns the expression's result for a row. It returns false if a cell that
// it needs holds an error, or if it fails; it reports the problem then.
func (p *program) run(r *rowContext) (any, bool) {
	m, _ := p.machines.Get().(*machine)
	defer p.machines.Put(m)
	for i, column := range p.columns {
		v := column(r)
		if v.bad {
			return nil, false
		}
		m.env.Row[i] = v.text
	}

	result, err := m.Run(p.vm, m.env)
	if err != nil {
		r.fault("expression-failed", "an expression of the mapping can't be calculated for this row", "look at the cells that it uses", p.columnNumbers(r)...)
		return nil, false
	}

	return result, true
}

func (p *program) columnNumbers(r *rowContext) []int {
	var cols []int
	for _, column := range p.columns {
		cols = append(cols, column(r).col)
	}
	return cols
}

// An ownFunction is a function that expressions have beside those of the
// library.
type ownFunction struct {
	name      string
	call      func(params ...any) (any, error)
	signature any // a pointer to a function of that type
}

func ownFunctions() []ownFunction {
	return []ownFunction{
		{"is", func(params ...any) (any, error) {
			for _, param := range params[1:] {
				word, ok := param.(string)
				if !ok {
					return nil, errors.New("is compares texts")
				}
				if values.FoldCase(textParam(params[0])) == values.FoldCase(word) {
					return true, nil
				}
			}
			return false, nil
		}, new(func(string, ...string) bool)},
		{"blank", func(params ...any) (any, error) {
			return values.Clean(textParam(params[0])) == "", nil
		}, new(func(string) bool)},
		{"number", func(params ...any) (any, error) {
			text := textParam(params[0])
			if values.Clean(text) == "" {
				return 0.0, nil
			}
			n, ok := values.Number(text)
			if !ok {
				return nil, errors.New("not a number")
			}
			return n, nil
		}, new(func(string) float64)},
		{"digits", func(params ...any) (any, error) {
			return values.OnlyDigits(textParam(params[0])), nil
		}, new(func(string) string)},
	}
}

// textParam returns a parameter that is a text; a parameter of any other type is
// blank.
func textParam(param any) string {
	text, _ := param.(string)
	return text
}

// resultText returns an expression's result as text.
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
