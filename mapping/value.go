package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A cellValue is the value that a source has for one row.
type cellValue struct {
	text string
	col  int               // the cell's column; 0 if there is no one cell
	kind importer.CellType // of the cell, where the value is one cell as it stands
	bad  bool              // the value can't be read, and the problem is reported
}

// A reader reads a value from a row.
type reader func(*rowContext) cellValue

// A step changes a value that a reader has read.
type step func(*rowContext, cellValue) cellValue

// A value is a compiled source.
type value struct {
	read    reader
	columns []importer.Column // what it is made of, the most telling first
	source  *source
}

// A compiler turns a document into the functions that Map runs. It runs twice: in
// Parse, to find everything that is wrong and every column that the mapping
// names, and in Bind, when these columns are known.
type compiler struct {
	*Mapping
	resolve func(ColumnRef) (importer.Column, bool)
	decoder *decoder
	used    *[]importer.Column // columns of the value that is being compiled
	sources []*source          // every source compiled so far
	inID    bool               // the value is an id or part of one
	inKey   bool               // the value is compared for equality
	inOwnID bool               // the value is trip_id or row_id, which come before {trip_id} is known
	// words are the columns that rules read. inRule is set while a rule is compiled.
	// met are the columns of words in the order in which rules name them.
	words, met []*wordColumn
	inRule     bool
	// dated reports that a template has the date, tripIDDated that the template
	// of trip_id has it.
	dated, tripIDDated bool
	perTrip            bool // a template has the trip's id, date or leg
}

func (c *compiler) finding(at position, message, fix string) { c.decoder.finding(at, message, fix) }

// value compiles s; nil stays nil.
func (c *compiler) value(s *source) *value {
	if s == nil {
		return nil
	}
	c.sources = append(c.sources, s)
	v := &value{source: s}
	v.columns = c.columnsOf(func() { v.read = c.reader(s) })
	if c.used != nil {
		*c.used = append(*c.used, v.columns...)
	}
	return v
}

// columnsOf calls compile and returns the columns of the values that it compiles.
func (c *compiler) columnsOf(compile func()) []importer.Column {
	var columns []importer.Column
	outer := c.used
	c.used = &columns
	compile()
	c.used = outer
	return columns
}

// id compiles a value that identifies a trip or a rider.
func (c *compiler) id(s *source) *value {
	c.inID = true
	defer func() { c.inID = false }()
	return c.value(s)
}

// ownID compiles trip_id or row_id.
func (c *compiler) ownID(s *source) *value {
	c.inOwnID = true
	defer func() { c.inOwnID = false }()
	return c.id(s)
}

// key calls compile for values that are compared to the last character, such as the
// keys of a table.
func (c *compiler) key(compile func()) {
	outer := c.inKey
	c.inKey = true
	compile()
	c.inKey = outer
}

// all compiles several sources; a source that is not given is left out.
func (c *compiler) all(sources []*source) []*value {
	var list []*value
	for _, s := range sources {
		if s != nil {
			list = append(list, c.value(s))
		}
	}
	return list
}

// reader compiles s: where the value comes from, then what is done to it, in
// this order.
func (c *compiler) reader(s *source) reader {
	var read reader
	c.asRule(c.inRule && s.Table == nil, func() { read = c.origin(s) }) // a table needs no list of words: a word that it lacks is a fault
	steps := slices.DeleteFunc([]step{
		c.blankStep(s), c.extractStep(s), c.replaceStep(s), c.dateStep(s),
		c.tableStep(s), c.caseStep(s), c.shapeStep(s), defaultStep(s),
	}, func(s step) bool { return s == nil })
	if len(steps) > 0 {
		origin := read
		read = func(r *rowContext) cellValue {
			v := origin(r)
			for _, step := range steps {
				v = step(r, v)
			}
			return v
		}
	}

	return c.onlyWhen(s.When, read)
}

// origin compiles the one key of s that says where the value comes from.
func (c *compiler) origin(s *source) reader {
	keys := s.originKeys()
	if len(keys) != 1 {
		message, fix := "this does not say where the value comes from", "give one of column, letter, const, template, join, first, expr, lookup or decide"
		if len(keys) > 1 {
			message, fix = fmt.Sprintf("%s can't be used together", strings.Join(keys, " and ")), "keep one of them"
		}
		c.finding(s.position, message, fix)
		return noValue
	}

	switch keys[0] {
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

	return c.cell(s.ref())
}

// ref returns the column that s names.
func (s *source) ref() ColumnRef {
	ref := s.columnSpec.ref()
	ref.optional = s.Optional
	return ref
}

// noValue reads nothing, for a value that the mapping does not define.
func noValue(*rowContext) cellValue { return cellValue{} }

// originKeys returns the keys of s that say where the value comes from.
func (s *source) originKeys() []string {
	var keys []string
	for _, key := range []struct {
		name  string
		given bool
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
		if key.given {
			keys = append(keys, key.name)
		}
	}

	return keys
}

// cell reads one cell. A cell that shows an error of the spreadsheet program is
// a fault wherever it is used.
func (c *compiler) cell(ref ColumnRef) reader {
	column, ok := c.resolve(ref)
	if !ok {
		return noValue
	}
	if c.used != nil {
		*c.used = append(*c.used, column)
	}
	c.watch(ref, column)

	col, blanks, exact := column.Num, foldCases(c.doc.Read.Blank), c.inID || c.inKey
	return func(r *rowContext) cellValue {
		if col > len(r.row.Cells) || col < 1 {
			return cellValue{col: col}
		}
		cell := &r.row.Cells[col-1]
		switch cell.Type {
		case importer.Empty:
			return cellValue{col: col}
		case importer.ErrorCell:
			if cell.Text == importer.NotCalculated {
				r.fault("cell-error", "the formula in this cell was not calculated when the file was saved, so there is no value to rely on", importer.FixNotCalculated, col)
				return cellValue{col: col, bad: true}
			}
			r.fault("cell-error", fmt.Sprintf("the cell shows the error %s", cell.Text), "fix the formula or type the value", col)
			return cellValue{col: col, bad: true}
		}
		v := cellValue{text: values.Clean(cell.Text), kind: cell.Type, col: col}
		if isAnyOf(v.text, blanks) {
			v.text = ""
		}
		v.bad = exact && r.isDamagedID(v)
		return v
	}
}

// isAnyOf reports whether s is one of the words, in any case.
func isAnyOf(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.EqualFold(w, s) })
}

func foldCases(ts []text) []string {
	var all []string
	for _, t := range ts {
		all = append(all, values.FoldCase(t.Value))
	}
	return all
}

// join puts values one after the other. A blank value leaves no gap, but an id
// needs all its parts.
func (c *compiler) join(s *source) reader {
	parts := c.all(s.Join)
	between := " "
	if s.With.given() {
		between = s.With.Value
	}

	return func(r *rowContext) cellValue {
		var whole cellValue
		var blank []cellValue
		for _, part := range parts {
			v := part.read(r)
			switch {
			case v.bad:
				whole.bad = true
			case v.text == "":
				blank = append(blank, v)
			case whole.text == "":
				whole = cellValue{text: v.text, kind: importer.Text, col: v.col, bad: whole.bad}
			default:
				whole.text += between + v.text
			}
		}
		if len(blank) > 0 && whole.text != "" && !whole.bad && isID(r.field) {
			return r.idPartMissing(blank)
		}
		return whole
	}
}

// first reads the first value that is not blank.
func (c *compiler) first(s *source) reader {
	choices := c.all(s.First)
	return func(r *rowContext) cellValue {
		for _, choice := range choices {
			if v := choice.read(r); v.bad || v.text != "" {
				return v
			}
		}
		return cellValue{}
	}
}

// computed reads the result of an expression.
func (c *compiler) computed(e text) reader {
	p := c.expression(e, false)
	if p == nil {
		return noValue
	}
	return func(r *rowContext) cellValue {
		result, ok := p.run(r)
		return cellValue{text: resultText(result), kind: importer.Text, bad: !ok}
	}
}

// blankStep blanks the texts that the mapping lists as blank.
func (c *compiler) blankStep(s *source) step {
	if s.Blank == nil {
		return nil
	}
	blanks := foldCases(s.Blank)
	return func(_ *rowContext, v cellValue) cellValue {
		if isAnyOf(v.text, blanks) {
			v.text = ""
		}
		return v
	}
}

// pattern compiles a regular expression; it is nil if it can't be read.
func (c *compiler) pattern(t text) *regexp.Regexp {
	re, err := regexp.Compile(t.Value)
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		c.finding(t.position, "the regular expression can't be read: "+message, "put a backslash before a character that is meant literally")
		return nil
	}
	return re
}

// extractStep keeps the first match of a regular expression, or of its first
// group if it has one.
func (c *compiler) extractStep(s *source) step {
	if !s.Extract.given() {
		return nil
	}
	re := c.pattern(s.Extract)
	return func(_ *rowContext, v cellValue) cellValue {
		m := re.FindStringSubmatch(v.text)
		v.text = ""
		if m != nil {
			v.text = values.Clean(m[min(1, len(m)-1)])
		}
		return v
	}
}

// replaceStep replaces the matches of regular expressions, one expression after
// the other.
func (c *compiler) replaceStep(s *source) step {
	if s.Replace == nil {
		return nil
	}

	type compiled struct {
		re   *regexp.Regexp
		with string
	}

	var list []compiled
	for _, one := range s.Replace {
		list = append(list, compiled{c.pattern(one.Key), one.Value.Value})
	}

	return func(_ *rowContext, v cellValue) cellValue {
		for _, one := range list {
			if v.text != "" {
				v.text = values.Clean(one.re.ReplaceAllString(v.text, one.with))
			}
		}
		return v
	}
}

// dateStep reads the value as a date and writes it in ISO form.
func (c *compiler) dateStep(s *source) step {
	c.decoder.choice(s.As, "date")
	if !s.As.given() {
		return nil
	}

	dates := c.dates
	return func(r *rowContext, v cellValue) cellValue {
		if v.text == "" || v.bad {
			return v
		}
		date, bad := dates.Date(v.kind, v.text)
		if bad != nil {
			r.unreadable(bad, v.col)
			return cellValue{col: v.col, bad: true}
		}
		return cellValue{text: date.String(), kind: importer.DateCell, col: v.col}
	}
}

// caseStep converts the value to upper or lower case.
func (c *compiler) caseStep(s *source) step {
	c.decoder.choice(s.Case, "upper", "lower")
	change := strings.ToUpper
	switch s.Case.Value {
	case "":
		return nil
	case "lower":
		change = strings.ToLower
	}
	return func(_ *rowContext, v cellValue) cellValue {
		v.text = change(v.text)
		return v
	}
}

// defaultStep gives a blank value its default.
func defaultStep(s *source) step {
	if !s.Default.given() {
		return nil
	}
	return func(_ *rowContext, v cellValue) cellValue {
		if v.text == "" && !v.bad {
			v.text = s.Default.Value
		}
		return v
	}
}

// onlyWhen makes the value blank unless the condition holds.
func (c *compiler) onlyWhen(when *condition, read reader) reader {
	if when == nil {
		return read
	}

	holds := c.condition(when)
	return func(r *rowContext) cellValue {
		switch holds(r) {
		case yes:
			return read(r)
		case no:
			return cellValue{}
		}
		return cellValue{bad: true}
	}
}
