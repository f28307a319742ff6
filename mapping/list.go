package mapping

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"

	"tripimport/importer"
	"tripimport/importer/listcsv"
	"tripimport/mapping/values"
)

// A list is a CSV file of the office in which values are looked up.
type list struct {
	content []byte
	headers []string
	lines   []listLine
}

// A listLine is a line of a list.
type listLine struct {
	num   int // in the file, from 1
	cells []string
}

// list returns the list of that name. Parse reads each once; nil if it can't be read.
func (c *compiler) list(name text) *list {
	if l, ok := c.lists[name.Value]; ok || c.open == nil {
		return l
	}
	l := &list{}
	c.lists[name.Value] = l
	if err := l.read(name.Value, c.open); err != nil {
		c.finding(name.position, fmt.Sprintf("the list %s can't be read%s", name.Value, csvReason(err)), "put it beside the mapping, as CSV with headers in its first line")
		c.lists[name.Value] = nil
	}
	return c.lists[name.Value]
}

func (l *list) read(name string, open func(string) (io.ReadCloser, error)) (err error) {
	file, err := open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()

	if l.content, err = io.ReadAll(file); err != nil {
		return err
	}
	reader := listcsv.NewReader(l.content)
	if l.headers, err = reader.Read(); err != nil {
		return err
	}
	record, err := reader.Read()
	for ; err == nil; record, err = reader.Read() {
		num, _ := reader.FieldPos(0)
		l.lines = append(l.lines, listLine{num, importer.Each(record, values.Clean)})
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// csvReason says in words which line of a CSV file can't be read.
func csvReason(err error) string {
	if parse, ok := errors.AsType[*csv.ParseError](err); ok {
		return fmt.Sprintf(": line %d has more or fewer fields than the headers, or a misplaced quote", parse.Line)
	}
	return ""
}

// column returns the index of a column of the list; -1 if the list does not have it.
func (c *compiler) listColumn(l *list, name, list text) int {
	i := slices.IndexFunc(l.headers, func(h string) bool { return values.HeaderKey(h) == values.HeaderKey(name.Value) })
	if i < 0 {
		c.finding(name.position, fmt.Sprintf("%s has no column %q", list.Value, name.Value), suggest(name.Value, l.headers, "its columns are"))
	}
	return i
}

// lookup compiles a value that is looked up in a list.
func (c *compiler) lookup(s *source, into *columnList) reader {
	if !s.List.given() || len(s.By) == 0 || !s.Value.given() {
		c.finding(s.position, "a list needs by and value", "write {list: riders.csv, by: {name: Rider Name, birth_date: DOB}, value: rider_id}")
		return noValue
	}
	l := c.list(s.List)
	var reads []reader
	var columns []int
	for _, by := range s.By {
		reads = append(reads, c.reader(by.Value, use{key: true}, into))
		if l != nil {
			columns = append(columns, c.listColumn(l, by.Key, s.List))
		}
	}
	if l == nil {
		return noValue
	}
	value := c.listColumn(l, s.Value, s.List)
	if value < 0 || slices.Contains(columns, -1) {
		return noValue
	}
	index := c.index(s.List, l, columns, value)
	return func(r *rowContext) cellValue { return lookUp(r, s.List.Value, reads, index) }
}

// index returns the values of a list by the keys of its lines. Two lines with one key and
// different values are a finding.
func (c *compiler) index(name text, l *list, columns []int, value int) map[string]string {
	index := map[string]string{}
	for _, line := range l.lines {
		key := ""
		for _, column := range columns {
			key += listKey(c.dates, importer.Text, line.cells[column])
		}
		if was, ok := index[key]; ok && was != line.cells[value] {
			c.decoder.findings = append(c.decoder.findings, Finding{
				File: name.Value, Line: line.num, Col: 1, Message: "an earlier line has the same key and another value", Fix: "keep one of the two lines",
			})
		}
		index[key] = line.cells[value]
	}
	return index
}

// listKey returns the form in which cells of rows and of a list are compared: dates as dates, numbers that may be a
// date as they stand, because 1/12/1950 is not 11/2/1950, and any other text by values.HeaderKey.
func listKey(dates *values.DateFormats, kind importer.CellType, text string) string {
	key := values.HeaderKey(text)
	switch date, bad := dates.Date(kind, text); {
	case bad == nil:
		key = date.String()
	case bad.Code == "date-order-undeclared":
		key = text
	}
	return key + "\x00"
}

// lookUp finds the value of a row in an index.
func lookUp(r *rowContext, name string, reads []reader, index map[string]string) cellValue {
	var whole cellValue
	var cols []int
	key, given := "", ""
	for _, read := range reads {
		v := read(r)
		key, given = key+listKey(r.bound.dates, v.kind, v.text), given+v.text
		cols, whole.bad = append(cols, v.col), whole.bad || v.bad
	}
	whole.col = cols[0]
	if whole.bad || given == "" {
		return whole
	}

	var ok bool
	if whole.text, ok = index[key]; !ok {
		message := "no line of " + name + " has these cells"
		if len(reads) == 1 {
			message = fmt.Sprintf("%q is not in %s", given, name)
		}
		r.report(notInTableCode(r.field), message, "add a line to "+name+", or correct the cells", cols...)
		whole.bad = true
	}
	return whole
}
