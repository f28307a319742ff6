package mapping

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A codeTable turns a text into another.
type codeTable struct {
	name   string // for people: "the table mobility", "riders.csv"
	fix    string // what to do about a code it does not have
	values map[string]string
	froms  []string // as written, for the nearest one
}

// tabled compiles the table that turns the value into another.
func (c *compiler) tabled(s *source, get func(*rowContext) cellValue) func(*rowContext) cellValue {
	if s.Table == nil || s.Lookup != nil {
		return get
	}
	spec := c.tableSpec(s.Table)
	if spec == nil {
		return get
	}
	table := c.codes(s.Table, spec)
	return func(r *rowContext) cellValue {
		f := get(r)
		if f.text == "" || f.bad {
			return f
		}
		to, ok := table.values[f.text]
		if !ok {
			to, ok = table.values[values.FoldCase(f.text)]
		}
		if !ok {
			code := codeNotInTable
			switch r.field {
			case importer.FieldSpaceType:
				code = codeSpaceType
			case importer.FieldRiderID:
				code = codeRider
			}
			r.fault(code, fmt.Sprintf("%q is not in %s", f.text, table.name), table.fixFor(f.text), f.col)
			return cellValue{col: f.col, bad: true}
		}
		return cellValue{text: to, typ: importer.Text, col: f.col}
	}
}

// fixFor says what to do about a code that the table does not have.
func (t codeTable) fixFor(word string) string {
	if near := nearest(word, t.froms); near != "" {
		return fmt.Sprintf("write %q if that is meant, or %s", near, t.fix)
	}
	return t.fix
}

// tableSpec finds the table that a source names.
func (c *compiler) tableSpec(ref *tableRef) *tableSpec {
	if ref.Inline != nil {
		return ref.Inline
	}
	var names []string
	for i := range c.doc.Tables {
		if c.doc.Tables[i].Name.Value == ref.Name.Value {
			return &c.doc.Tables[i].tableSpec
		}
		names = append(names, c.doc.Tables[i].Name.Value)
	}
	fix := suggest(ref.Name.Value, names, "the tables are")
	if !strings.HasPrefix(fix, "did") {
		fix = "write it under tables:, or write the codes here: {Wheelchair: WCH}"
	}
	c.finding(ref.Name.position, fmt.Sprintf("there is no table %q", ref.Name.Value), fix)
	return nil
}

// codes builds the table for one key.
func (c *compiler) codes(ref *tableRef, spec *tableSpec) codeTable {
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
			t.froms = append(t.froms, line.keys[0])
		}
		return t
	}
	for _, e := range spec.Entries {
		if was, ok := t.values[values.FoldCase(e.From.Value)]; ok && was != e.To.Value {
			c.finding(e.From.position, fmt.Sprintf("%q stands in the table twice", e.From.Value), "keep one of the two; letters' case makes no difference")
		}
		t.values[values.FoldCase(e.From.Value)] = e.To.Value
		t.values[e.From.Value] = e.To.Value
		t.froms = append(t.froms, e.From.Value)
	}
	return t
}

// lookup compiles a value that is found in a table by several keys. Names are
// compared by their letters and digits alone.
func (c *compiler) lookup(s *source) func(*rowContext) cellValue {
	if s.Table == nil {
		c.finding(s.position, "lookup needs a table", "add table: and the table's name")
		return noValue
	}
	spec := c.tableSpec(s.Table)
	keys := c.all(s.Lookup)
	if spec == nil {
		return noValue
	}
	if !spec.File.given() || len(spec.Key) != len(keys) {
		c.finding(s.position, fmt.Sprintf("the table has %d keys, lookup has %d", max(len(spec.Key), 1), len(keys)), "give as many values as the table's key has columns")
		return noValue
	}
	index := c.index(s, spec)
	return func(r *rowContext) cellValue {
		parts, cols, given := make([]string, len(keys)), make([]int, len(keys)), 0
		whole := cellValue{}
		for i, key := range keys {
			f := key.read(r)
			parts[i], cols[i] = values.HeaderKey(f.text), f.col
			whole.bad = whole.bad || f.bad
			if f.text != "" {
				given++
			}
		}
		whole.col = cols[0]
		if whole.bad || given == 0 {
			return whole
		}
		var ok bool
		if whole.text, ok = index[strings.Join(parts, "\x00")]; !ok {
			code := codeNotInTable
			if r.field == importer.FieldRiderID {
				code = codeRider
			}
			r.fault(code, "no line of "+spec.File.Value+" has these cells", "add a line to "+spec.File.Value+", or correct the cells", cols...)
			whole.bad = true
		}
		return whole
	}
}

// index builds the table for several keys; those that are dates are compared
// as dates. Two lines with one key and different values are a fault.
func (c *compiler) index(s *source, spec *tableSpec) map[string]string {
	index := map[string]string{}
	for _, line := range c.tables[spec] {
		parts := make([]string, len(line.keys))
		for i, key := range line.keys {
			if s.Lookup[i].As.Value == "date" {
				date, unreadable := c.dates.Date(importer.Text, values.Clean(key))
				if unreadable != nil {
					c.decoder.findings = append(c.decoder.findings, Finding{
						File: spec.File.Value, Line: line.num, Col: 1,
						// The date itself is a rider's, and faults may end up in logs.
						Message: fmt.Sprintf("the %s of this line is not a date that can be read", spec.Key[i].Value), Fix: "write it as 1952-09-03",
					})
				}
				key = date.String()
			}
			parts[i] = values.HeaderKey(key)
		}
		key := strings.Join(parts, "\x00")
		if was, ok := index[key]; ok && was != line.value {
			c.decoder.findings = append(c.decoder.findings, Finding{
				File: spec.File.Value, Line: line.num, Col: 1,
				Message: "an earlier line has the same key and another value", Fix: "keep one of the two lines",
			})
		}
		index[key] = line.value
	}
	return index
}

// A tableLine is a line of a CSV table.
type tableLine struct {
	num   int
	keys  []string
	value string
}

// maxTableFile is the largest table file that is read.
const maxTableFile = 64 << 20

// readTables reads every CSV table that the mapping names, and writes what it
// reads to the hash.
func (m *Mapping) readTables(d *decoder, open func(string) (io.ReadCloser, error), hash io.Writer) {
	m.tables = map[*tableSpec][]tableLine{}
	for i := range m.doc.Tables {
		spec := &m.doc.Tables[i].tableSpec
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

// tableLines takes from a CSV file the columns that the table names.
func (d *decoder) tableLines(spec *tableSpec, content []byte) []tableLine {
	reader := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(content, []byte("\ufeff"))))
	header, err := reader.Read()
	if err != nil {
		d.finding(spec.File.position, fmt.Sprintf("%s has no line with headers", spec.File.Value), "write the headers into its first line")
		return nil
	}
	cols := make([]int, 0, len(spec.Key)+1)
	for _, name := range append(spec.Key[:len(spec.Key):len(spec.Key)], spec.Value) {
		col := indexOf(header, name.Value)
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
			d.finding(spec.File.position, fmt.Sprintf("%s can't be read: %s", spec.File.Value, csvFinding(err)), "open it in a spreadsheet program and save it as CSV again")
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

func csvFinding(err error) string {
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		if errors.Is(err, csv.ErrFieldCount) {
			return fmt.Sprintf("line %d has more or fewer fields than the headers", parse.Line)
		}
		return fmt.Sprintf("a quote in line %d stands where it can't", parse.Line)
	}
	return "it is damaged"
}

func indexOf(header []string, name string) int {
	for i, h := range header {
		if values.HeaderKey(h) == values.HeaderKey(name) {
			return i
		}
	}
	return -1
}
