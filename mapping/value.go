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
	columns columnList
	source  *source
}

// A columnList is what a value is made of, the most telling column first.
type columnList []importer.Column

// A compiler turns a document into the functions that Map runs. It runs twice: in
// Parse, to find everything that is wrong and every column that the mapping
// names, and in Bind, when these columns are known.
type compiler struct {
	*Mapping
	resolve func(ColumnRef) (importer.Column, bool)
	decoder *decoder
	clocks  columnList // of the trips' times
	fields  []MappedField
}

func (c *compiler) finding(at position, message, fix string) { c.decoder.finding(at, message, fix) }

// A use says what a value is for.
type use struct {
	field importer.Field // empty for a value that only decides something
	// id: the value identifies a trip or a rider. key: it is compared to the last
	// character, as what links trips and what is looked up.
	id, key bool
}

// useOf returns the use of a value of the field.
func useOf(field importer.Field) use {
	return use{field: field, id: isID(field), key: field == FieldLinkedBy}
}

// between returns what stands between joined values.
func (u use) between() string {
	switch _, part := u.field.Split(); part {
	case importer.FieldTripID, importer.FieldRiderID, FieldLinkedBy:
		return "-"
	case FieldAddress, importer.FieldCompleteAddress:
		return ", "
	case importer.FieldEventComment:
		return "; "
	}
	return " "
}

// isID reports whether a field identifies a trip or a rider.
func isID(f importer.Field) bool { return f == importer.FieldTripID || f == importer.FieldRiderID }

// value compiles s; nil stays nil.
func (c *compiler) value(s *source, u use) *value {
	if s == nil {
		return nil
	}
	v := &value{source: s}
	c.note(u.field, func() { v.read = c.made(s, u, &v.columns) })
	v.read = c.onlyWhen(s.When, v.read, &v.columns)
	return v
}

// reader compiles s, which is blank unless its condition holds. It adds the columns that it reads to into.
func (c *compiler) reader(s *source, u use, into *columnList) reader {
	return c.onlyWhen(s.When, c.made(s, u, into), into)
}

// made compiles where the value of s comes from, then what is done to it, in
// this order.
func (c *compiler) made(s *source, u use, into *columnList) reader {
	if u.field != importer.FieldAdditional && (s.Most != nil || s.Less != 0) {
		c.finding(s.position, "most and less count passengers, and this is no count", "take them out; they belong under additional_passengers")
	}
	if s.Less < 0 {
		c.finding(s.position, "less adds passengers where it is below zero", "write less: 1 where a count includes the rider")
	}
	read := c.origin(s, u, into)
	steps := slices.DeleteFunc([]step{c.extractStep(s), c.replaceStep(s), c.tableStep(s), c.shapeStep(s, u), lessStep(s)}, func(s step) bool { return s == nil })
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
	return read
}

// readers compiles several sources.
func (c *compiler) readers(sources []*source, u use, into *columnList) []reader {
	return importer.Each(sources, func(s *source) reader { return c.reader(s, u, into) })
}

// origin compiles the one key of s that says where the value comes from.
func (c *compiler) origin(s *source, u use, into *columnList) reader {
	if !c.oneOf(s.position, []givenKey{
		{"column", s.Column.given()}, {"const", s.Const.given()}, {"first", s.First != nil}, {"list", s.List.given() || s.By != nil}, {"most", s.Most != nil},
	}, "this does not say where the value comes from", "give one of column, const, first or list", "keep one of them") {
		return noValue
	}

	switch {
	case s.Const.given():
		constant := cellValue{text: values.Clean(s.Const.Value)}
		return func(*rowContext) cellValue { return constant }
	case s.First != nil:
		return c.first(s, u, into)
	case s.List.given():
		return c.lookup(s, into)
	case s.Most != nil:
		return c.counts(s.Most, u, func(x, y int) int { return max(x, y) }, into)
	case len(s.Column.Several) > 0 && u.field == importer.FieldAdditional:
		return c.counts(s.Column.Several, u, func(x, y int) int { return x + y }, into)
	case len(s.Column.Several) > 0:
		return c.join(s.Column.Several, u, into)
	case strings.TrimSpace(s.Column.Value) == "":
		c.finding(s.Column.position, "no column is named here", "name the column that has it, or take the line out")
		return noValue
	case strings.ContainsAny(s.Column.Value, "{}"):
		return c.text(s.Column.text, u, into)
	}
	return c.cell(s.ref(), u, into)
}

// ref returns the column that s names.
func (s *source) ref() ColumnRef { return ColumnRef{name: s.Column.text, optional: s.Optional} }

// isColumn reports whether the source is one column.
func (s *source) isColumn() bool {
	return s.Column.given() && s.Column.Several == nil && !strings.ContainsAny(s.Column.Value, "{}")
}

// noValue reads nothing, for a value that the mapping does not define.
func noValue(*rowContext) cellValue { return cellValue{} }

// A givenKey is a key of which one of several must be given.
type givenKey struct {
	name  string
	given bool
}

// oneOf reports whether exactly one of the keys is given. If none is, message and fix are a finding, and if
// several are, keep says what to do.
func (c *compiler) oneOf(at position, keys []givenKey, message, fix, keep string) bool {
	keys = slices.DeleteFunc(keys, func(key givenKey) bool { return !key.given })
	if len(keys) > 1 {
		names := importer.Each(keys, func(key givenKey) string { return key.name })
		message, fix = strings.Join(names, " and ")+" can't be used together", keep
	}
	if len(keys) != 1 {
		c.finding(at, message, fix)
	}
	return len(keys) == 1
}

// all returns s and every source that its value may come from.
func (s *source) all() []*source {
	all := []*source{s}
	for _, part := range slices.Concat(s.Column.Several, s.First, s.Most) {
		all = append(all, part.all()...)
	}
	for _, by := range s.By {
		all = append(all, by.Value.all()...)
	}
	return all
}

// cell reads one cell. A cell that shows an error of the spreadsheet program is
// a fault wherever it is used.
func (c *compiler) cell(ref ColumnRef, u use, into *columnList) reader {
	column, ok := c.resolve(ref)
	if !ok {
		return noValue
	}
	*into = append(*into, column)

	col, blanks, exact := column.Num, foldCases(c.doc.Read.Blank), u.id || u.key
	return func(r *rowContext) cellValue {
		if col > len(r.row.Cells) || col < 1 {
			return cellValue{col: col}
		}
		cell := &r.row.Cells[col-1]
		switch cell.Type {
		case importer.Empty:
			return cellValue{col: col}
		case importer.ErrorCell:
			if isAnyOf(cell.Text, blanks) {
				return cellValue{col: col}
			}
			r.errorCell(cell, col)
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
	return importer.Each(ts, func(t text) string { return values.FoldCase(t.Value) })
}

// join puts values one after the other. A blank value leaves no gap, but an id
// needs all its parts.
func (c *compiler) join(sources []*source, u use, into *columnList) reader {
	parts := c.readers(sources, u, into)
	if len(parts) == 1 {
		return parts[0]
	}

	between := u.between()
	return func(r *rowContext) cellValue {
		var whole cellValue
		var blank []cellValue
		for _, read := range parts {
			v := read(r)
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
		if len(blank) > 0 && whole.text != "" && !whole.bad && u.id {
			return r.idPartMissing(blank)
		}
		return whole
	}
}

// first reads the first value that is not blank.
func (c *compiler) first(s *source, u use, into *columnList) reader {
	choices := c.readers(s.First, u, into)
	return func(r *rowContext) cellValue {
		for _, read := range choices {
			if v := read(r); v.bad || v.text != "" {
				return v
			}
		}
		return cellValue{}
	}
}

// pattern compiles a regular expression; nil if it can't be read.
func (c *compiler) pattern(t text) *regexp.Regexp {
	re, err := regexp.Compile(t.Value)
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "error parsing regexp: ")
		c.finding(t.position, "the regular expression can't be read: "+message, "put a backslash before a character that is meant literally")
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

// mostChoices is of how many values of a table a person chooses one. Larger ones are typed.
const mostChoices = 9

// tableStep replaces the value by means of the table that is written in the mapping.
func (c *compiler) tableStep(s *source) step {
	if s.Table == nil {
		return nil
	}

	table, choices := map[string]string{}, []string{}
	for _, e := range s.Table {
		key, to := values.FoldCase(e.Key.Value), values.Clean(e.Value.Value)
		if key == "" || key == emptyWord {
			c.finding(e.Key.position, "a blank cell is not looked up in a table", "take it out; or write first: [{column: X, table: …}, {const: …, when: {column: X, filled: no}}]")
		}
		if was, ok := table[key]; ok && was != to {
			c.finding(e.Key.position, fmt.Sprintf("%q is in the table twice", e.Key.Value), "keep one of the two; letters' case makes no difference")
		}
		if !slices.ContainsFunc(choices, func(word string) bool { return table[values.FoldCase(word)] == to }) {
			choices = append(choices, e.Key.Value)
		}
		table[key] = to
	}

	if len(choices) > mostChoices {
		choices = nil
	}
	words := importer.Each(s.Table, func(e pair[text]) string { return e.Key.Value })
	add := fmt.Sprintf("add it to the table (%s, line %d)", c.file, s.Line)
	return func(r *rowContext, v cellValue) cellValue {
		if v.text == "" || v.bad {
			return v
		}
		to, ok := table[values.FoldCase(v.text)]
		if !ok {
			fix := "correct the cell, or " + add
			if near := nearest(v.text, words); near != "" {
				fix = fmt.Sprintf("write %q if that is meant, or %s", near, add)
			}
			r.report(notInTableCode(r.field), fmt.Sprintf("%q is not in the mapping's table", v.text), fix, v.col)
			r.offer(v, choices)
			return cellValue{col: v.col, bad: true}
		}
		return cellValue{text: to, kind: importer.Text, col: v.col}
	}
}

// notInTableCode returns the code of the problem that a table lacks the value of
// the field.
func notInTableCode(field importer.Field) (code string) {
	switch field {
	case importer.FieldSpaceType:
		return "space-type-unknown"
	case importer.FieldRiderID:
		return "rider-unknown"
	}
	return "not-in-table"
}

// onlyWhen makes the value blank unless the condition holds.
func (c *compiler) onlyWhen(when *condition, read reader, into *columnList) reader {
	if when == nil {
		return read
	}

	holds := c.condition(when, into)
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
