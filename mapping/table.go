package mapping

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/listcsv"
	"tripimport/mapping/values"
)

// A codeTable replaces texts by others.
type codeTable struct {
	name   string // for people: "the table mobility", "riders.csv"
	fix    string // what to do about a code that it does not have
	values map[string]string
	codes  []string // as they are written, for suggestions
}

// tableStep replaces the value by means of a table with one key.
func (c *compiler) tableStep(s *source) step {
	if s.Table == nil || s.Lookup != nil {
		return nil
	}

	spec := c.tableSpec(s.Table)
	if spec == nil {
		return nil
	}

	table := c.codeTable(s.Table, spec)
	return func(r *rowContext, v cellValue) cellValue {
		if v.text == "" || v.bad {
			return v
		}
		to, ok := table.values[v.text]
		if !ok {
			to, ok = table.values[values.FoldCase(v.text)]
		}
		if !ok {
			r.fault(notInTableCode(r.field), fmt.Sprintf("%q is not in %s", v.text, table.name), table.fixFor(v.text), v.col)
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

// fixFor says what to do about a word that the table does not have.
func (t codeTable) fixFor(word string) string {
	if near := nearest(word, t.codes); near != "" {
		return fmt.Sprintf("write %q if that is meant, or %s", near, t.fix)
	}
	return t.fix
}

// tableSpec finds the table that a source names. It returns nil if there is
// none.
func (c *compiler) tableSpec(ref *tableRef) *tableSpec {
	if ref.Inline != nil {
		return ref.Inline
	}

	var names []string
	for i := range c.doc.Tables {
		if c.doc.Tables[i].Key.Value == ref.Name.Value {
			return &c.doc.Tables[i].Value
		}
		names = append(names, c.doc.Tables[i].Key.Value)
	}

	fix := suggest(ref.Name.Value, names, "the tables are")
	if !strings.HasPrefix(fix, "did") {
		fix = "write it under tables:, or write the codes here: {Wheelchair: WCH}"
	}

	c.finding(ref.Name.position, fmt.Sprintf("there is no table %q", ref.Name.Value), fix)
	return nil
}

// codeTable compiles a table with one key.
func (c *compiler) codeTable(ref *tableRef, spec *tableSpec) codeTable {
	where := fmt.Sprintf("%s, line %d", c.file, spec.Line)
	t := codeTable{name: "the mapping's table", fix: "add it to the table (" + where + ")", values: map[string]string{}}
	if ref.Name.given() {
		t.name = "the table " + ref.Name.Value
	}

	if spec.File.given() {
		t.name, t.fix = spec.File.Value, "add a line to "+spec.File.Value
		if len(spec.Key) != 1 {
			c.finding(ref.Name.position, fmt.Sprintf("the table %q has %d keys", ref.Name.Value, len(spec.Key)), "use lookup with that many values")
		}
		for _, line := range c.tables[spec] {
			t.values[values.FoldCase(line.keys[0])] = line.value
			t.codes = append(t.codes, line.keys[0])
		}
		return t
	}

	for _, e := range spec.Entries {
		if was, ok := t.values[values.FoldCase(e.Key.Value)]; ok && was != e.Value.Value {
			c.finding(e.Key.position, fmt.Sprintf("%q is in the table twice", e.Key.Value), "keep one of the two; letters' case makes no difference")
		}
		t.values[values.FoldCase(e.Key.Value)] = e.Value.Value
		t.values[e.Key.Value] = e.Value.Value
		t.codes = append(t.codes, e.Key.Value)
	}

	return t
}

// lookup compiles a value that is looked up in a table by several keys. The keys
// are compared by values.HeaderKey.
func (c *compiler) lookup(s *source) reader {
	if s.Table == nil {
		c.finding(s.position, "lookup needs a table", "add table: and the table's name")
		return noValue
	}

	spec := c.tableSpec(s.Table)
	var keys []*value
	c.key(func() { keys = c.all(s.Lookup) })
	if spec == nil {
		return noValue
	}

	if !spec.File.given() || len(spec.Key) != len(keys) {
		c.finding(s.position, fmt.Sprintf("the table has %d keys, lookup has %d", max(len(spec.Key), 1), len(keys)), "give as many values as the table's key has columns")
		return noValue
	}

	index := c.index(s, spec)
	return func(r *rowContext) cellValue {
		parts, cols, given := make([]string, len(keys)), make([]int, len(keys)), false
		whole := cellValue{}
		for i, key := range keys {
			v := key.read(r)
			parts[i], cols[i] = values.HeaderKey(v.text), v.col
			whole.bad = whole.bad || v.bad
			given = given || v.text != ""
		}
		whole.col = cols[0]
		if whole.bad || !given {
			return whole
		}
		var ok bool
		if whole.text, ok = index[indexKey(parts)]; !ok {
			r.fault(notInTableCode(r.field), "no line of "+spec.File.Value+" has these cells", "add a line to "+spec.File.Value+", or correct the cells", cols...)
			whole.bad = true
		}
		return whole
	}
}

// index returns the values of a table with several keys, by indexKey. Keys that
// are dates are compared as dates. Two lines with one key and different values
// are a finding.
func (c *compiler) index(s *source, spec *tableSpec) map[string]string {
	index := map[string]string{}
	for _, line := range c.tables[spec] {
		parts := make([]string, len(line.keys))
		for i, key := range line.keys {
			if s.Lookup[i].As.Value == "date" {
				date, bad := c.dates.Date(importer.Text, values.Clean(key))
				if bad != nil {
					// The message leaves the date out, because it is a rider's and findings
					// may end up in logs.
					c.tableFinding(spec, line, fmt.Sprintf("the %s of this line is not a date that can be read", spec.Key[i].Value), "write it as 1952-09-03")
				}
				key = date.String()
			}
			parts[i] = values.HeaderKey(key)
		}
		key := indexKey(parts)
		if was, ok := index[key]; ok && was != line.value {
			c.tableFinding(spec, line, "an earlier line has the same key and another value", "keep one of the two lines")
		}
		index[key] = line.value
	}

	return index
}

func indexKey(parts []string) string { return strings.Join(parts, "\x00") }

// tableFinding adds a finding at a line of a CSV table.
func (c *compiler) tableFinding(spec *tableSpec, line tableLine, message, fix string) {
	f := Finding{File: spec.File.Value, Line: line.num, Col: 1, Message: message, Fix: fix}
	c.decoder.findings = append(c.decoder.findings, f)
}

// A tableLine is a line of a CSV table.
type tableLine struct {
	num   int // in the file, from 1
	keys  []string
	value string
}

// maxTableFile is the size of the largest table that is read, in bytes.
const maxTableFile = 64 << 20

// readTables reads every CSV table that the mapping names, and writes what it
// reads to the hash.
func (m *Mapping) readTables(d *decoder, open func(string) (io.ReadCloser, error), hash io.Writer) {
	m.tables = map[*tableSpec][]tableLine{}
	for i := range m.doc.Tables {
		spec := &m.doc.Tables[i].Value
		if !spec.File.given() {
			continue
		}
		content, err := readTable(spec.File.Value, open)
		if err != nil {
			d.finding(spec.File.position, fmt.Sprintf("the table %s can't be read", spec.File.Value), "put it beside the mapping")
			continue
		}
		_, _ = hash.Write(content) // a hash.Hash never fails
		m.tables[spec] = d.tableLines(spec, content)
	}
}

func readTable(name string, open func(string) (io.ReadCloser, error)) (content []byte, err error) {
	if open == nil {
		return nil, errors.New("no tables here")
	}
	file, err := open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	content, err = io.ReadAll(io.LimitReader(file, maxTableFile+1))
	if err == nil && len(content) > maxTableFile {
		err = errors.New("too large")
	}
	return content, err
}

// tableLines reads the columns of a CSV file that the table names.
func (d *decoder) tableLines(spec *tableSpec, content []byte) []tableLine {
	reader := listcsv.NewReader(content)
	header, err := reader.Read()
	if err != nil {
		d.finding(spec.File.position, fmt.Sprintf("%s has no line with headers", spec.File.Value), "write the headers into its first line")
		return nil
	}

	cols := make([]int, 0, len(spec.Key)+1)
	for _, name := range append(spec.Key[:len(spec.Key):len(spec.Key)], spec.Value) {
		col := indexOfHeader(header, name.Value)
		if col < 0 && name.given() {
			d.finding(name.position, fmt.Sprintf("%s has no column %q", spec.File.Value, name.Value), suggest(name.Value, header, "its columns are"))
		}
		cols = append(cols, col)
	}

	var lines []tableLine
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return lines
		}
		if err != nil {
			d.finding(spec.File.position, fmt.Sprintf("%s can't be read: %s", spec.File.Value, csvReason(err)), "open it in a spreadsheet program and save it as CSV again")
			return lines
		}
		line := tableLine{}
		line.num, _ = reader.FieldPos(0)
		for _, col := range cols {
			if col < 0 {
				return nil
			}
			line.keys = append(line.keys, values.Clean(record[col]))
		}
		last := len(line.keys) - 1
		line.keys, line.value = line.keys[:last], line.keys[last]
		lines = append(lines, line)
	}
}

// csvReason says in words why a CSV file can't be read.
func csvReason(err error) string {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return "it is damaged"
	}
	if errors.Is(err, csv.ErrFieldCount) {
		return fmt.Sprintf("line %d has more or fewer fields than the headers", parse.Line)
	}
	return fmt.Sprintf("there is a misplaced quote in line %d", parse.Line)
}

func indexOfHeader(headers []string, name string) int {
	return slices.IndexFunc(headers, func(h string) bool { return values.HeaderKey(h) == values.HeaderKey(name) })
}
