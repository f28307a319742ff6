package mapping

import (
	"fmt"
	"regexp"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A cellValue is what a value came to for one row.
type cellValue struct {
	text string
	typ  importer.CellType // of the cell, where it is one cell as it stands
	col  int               // the cell's column; 0 where there is no one cell
	bad  bool              // it can't be read; the problem is reported
}

// A value is a compiled source.
type value struct {
	read    func(*rowContext) cellValue
	columns []importer.Column // what it is made of, the most telling first
	source  *source
}

// A compiler turns a document into what Map runs. It runs twice: when the
// mapping is parsed, to find every fault and every column that the mapping
// names, and again when those columns are known.
type compiler struct {
	*Mapping
	resolve func(ColumnRef) (importer.Column, bool)
	decoder *decoder
	used    *[]importer.Column // columns of the value being compiled
	sources []*source          // every source that was compiled
	inID    bool               // the value is an id, or part of one
}

func (c *compiler) finding(at position, message, fix string) { c.decoder.finding(at, message, fix) }

// value compiles s; nil stays nil.
func (c *compiler) value(s *source) *value {
	if s == nil {
		return nil
	}
	c.sources = append(c.sources, s)
	var columns []importer.Column
	outer := c.used
	c.used = &columns
	v := &value{source: s, read: c.read(s)}
	c.used = outer
	if outer != nil {
		*outer = append(*outer, columns...)
	}
	v.columns = columns
	return v
}

// id compiles a value that identifies a trip or a rider.
func (c *compiler) id(s *source) *value {
	c.inID = true
	defer func() { c.inID = false }()
	return c.value(s)
}

// read compiles s into a function: where the value comes from, then what is
// done to it, in this order.
func (c *compiler) read(s *source) func(*rowContext) cellValue {
	get := c.origin(s)
	get = c.blanked(s, get)
	get = c.extracted(s, get)
	get = c.replaced(s, get)
	get = c.dated(s, get)
	get = c.tabled(s, get)
	get = cased(s, get)
	get = c.shaped(s, get)
	get = defaulted(s, get)
	return c.gated(s, get)
}

// origin compiles the one key of s that says where the value comes from.
func (c *compiler) origin(s *source) func(*rowContext) cellValue {
	given := s.origins()
	if len(given) != 1 {
		message, fix := "this does not say where the value comes from", "give one of column, letter, const, template, join, first, expr, lookup or decide"
		if len(given) > 1 {
			message, fix = fmt.Sprintf("%s stand here together", strings.Join(given, " and ")), "keep one of them"
		}
		c.finding(s.position, message, fix)
		return noValue
	}
	switch given[0] {
	case "const":
		constant := cellValue{text: values.Clean(s.Const.Value)}
		return func(*rowContext) cellValue { return constant }
	case "template":
		return c.template(s.Template)
	case "join":
		return c.join(s)
	case "first":
		return c.first(s)
	case "expr":
		return c.computed(s.Expr)
	case "lookup":
		return c.lookup(s)
	case "decide":
		return noValue
	}
	return c.cell(ColumnRef{header: s.Column, under: s.Under, letter: s.Letter, nth: s.Nth, optional: s.Optional, position: s.position})
}

func noValue(*rowContext) cellValue { return cellValue{} }

// origins names the keys that say where the value comes from.
func (s *source) origins() []string {
	var given []string
	for _, key := range []struct {
		name string
		on   bool
	}{
		{"column", s.Column.given() || s.Letter.given()},
		{"const", s.Const.given()},
		{"template", s.Template.given()},
		{"join", s.Join != nil},
		{"first", s.First != nil},
		{"expr", s.Expr.given()},
		{"lookup", s.Lookup != nil},
		{"decide", s.Decide.given()},
	} {
		if key.on {
			given = append(given, key.name)
		}
	}
	return given
}

// cell reads one cell of the row. One that shows an error of the spreadsheet
// is a fault wherever it is used.
func (c *compiler) cell(ref ColumnRef) func(*rowContext) cellValue {
	column, ok := c.resolve(ref)
	if !ok {
		return noValue
	}
	if c.used != nil {
		*c.used = append(*c.used, column)
	}
	col, words := column.Num, foldCases(c.doc.Read.Blank)
	return func(r *rowContext) cellValue {
		cell := r.row.Cell(col)
		switch cell.Type {
		case importer.Empty:
			return cellValue{col: col}
		case importer.ErrorCell:
			r.fault(codeCell, fmt.Sprintf("the cell shows the error %s", cell.Text), "mend the formula or type the value", col)
			return cellValue{col: col, bad: true}
		}
		f := cellValue{text: values.Clean(cell.Text), typ: cell.Type, col: col}
		if isAnyOf(f.text, words) {
			f.text = ""
		}
		return f
	}
}

// isAnyOf reports whether s is one of the texts that mean nothing.
func isAnyOf(s string, words []string) bool {
	for _, n := range words {
		if strings.EqualFold(n, s) {
			return true
		}
	}
	return false
}

func foldCases(ts []text) []string {
	var all []string
	for _, t := range ts {
		all = append(all, values.FoldCase(t.Value))
	}
	return all
}

// join puts values side by side. A part that is blank leaves no gap; in an id
// every part is needed.
func (c *compiler) join(s *source) func(*rowContext) cellValue {
	parts := c.all(s.Join)
	between := " "
	if s.With.given() {
		between = s.With.Value
	}
	return func(r *rowContext) cellValue {
		var whole cellValue
		var missing []cellValue
		for _, part := range parts {
			f := part.read(r)
			switch {
			case f.bad:
				whole.bad = true
			case f.text == "":
				missing = append(missing, f)
			case whole.text == "":
				whole = cellValue{text: f.text, typ: importer.Text, col: f.col, bad: whole.bad}
			default:
				whole.text += between + f.text
			}
		}
		if len(missing) > 0 && whole.text != "" && !whole.bad && isID(r.field) {
			return r.partMissing(missing)
		}
		return whole
	}
}

func (c *compiler) first(s *source) func(*rowContext) cellValue {
	choices := c.all(s.First)
	return func(r *rowContext) cellValue {
		for _, choice := range choices {
			if f := choice.read(r); f.bad || f.text != "" {
				return f
			}
		}
		return cellValue{}
	}
}

func (c *compiler) all(sources []*source) []*value {
	var values []*value
	for _, s := range sources {
		if s != nil {
			values = append(values, c.value(s))
		}
	}
	return values
}

func (c *compiler) computed(e text) func(*rowContext) cellValue {
	p := c.expression(e, false)
	if p == nil {
		return noValue
	}
	return func(r *rowContext) cellValue {
		result, ok := p.run(r)
		return cellValue{text: resultText(result), typ: importer.Text, bad: !ok}
	}
}

func (c *compiler) blanked(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	if s.Blank == nil {
		return get
	}
	words := foldCases(s.Blank)
	return func(r *rowContext) cellValue {
		f := get(r)
		if isAnyOf(f.text, words) {
			f.text = ""
		}
		return f
	}
}

func (c *compiler) pattern(t text) *regexp.Regexp {
	re, err := regexp.Compile(t.Value)
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		c.finding(t.position, "the regular expression can't be read: "+message, "put a backslash before a character that is meant as it stands")
		return nil
	}
	return re
}

func (c *compiler) extracted(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	if !s.Extract.given() {
		return get
	}
	re := c.pattern(s.Extract)
	return func(r *rowContext) cellValue {
		f := get(r)
		m := re.FindStringSubmatch(f.text)
		f.text = ""
		if m != nil {
			f.text = values.Clean(m[min(1, len(m)-1)])
		}
		return f
	}
}

func (c *compiler) replaced(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	for _, one := range s.Replace {
		re, with, before := c.pattern(one.Pattern), one.With.Value, get
		get = func(r *rowContext) cellValue {
			f := before(r)
			if f.text != "" {
				f.text = values.Clean(re.ReplaceAllString(f.text, with))
			}
			return f
		}
	}
	return get
}

func cased(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	change := strings.ToUpper
	switch s.Case.Value {
	case "":
		return get
	case "lower":
		change = strings.ToLower
	}
	return func(r *rowContext) cellValue {
		f := get(r)
		f.text = change(f.text)
		return f
	}
}

func defaulted(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	if !s.Default.given() {
		return get
	}
	return func(r *rowContext) cellValue {
		f := get(r)
		if f.text == "" && !f.bad {
			f.text = s.Default.Value
		}
		return f
	}
}

func (c *compiler) gated(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	c.decoder.choice(s.Case, "upper", "lower")
	if s.When == nil {
		return get
	}
	holds := c.condition(s.When)
	return func(r *rowContext) cellValue {
		switch holds(r) {
		case yes:
			return get(r)
		case no:
			return cellValue{}
		}
		return cellValue{bad: true}
	}
}

// dated reads the value as a date and writes it in ISO form.
func (c *compiler) dated(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	c.decoder.choice(s.As, "date")
	if !s.As.given() {
		return get
	}
	dates := c.dates
	return func(r *rowContext) cellValue {
		f := get(r)
		if f.text == "" || f.bad {
			return f
		}
		date, unreadable := dates.Date(f.typ, f.text)
		if unreadable != nil {
			r.unreadable(unreadable, f.col)
			return cellValue{col: f.col, bad: true}
		}
		return cellValue{text: date.String(), typ: importer.DateCell, col: f.col}
	}
}
