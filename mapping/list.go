package mapping

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

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
	for {
		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line := listLine{cells: importer.Each(record, values.Clean)}
		line.num, _ = reader.FieldPos(0)
		l.lines = append(l.lines, line)
	}
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

// A listKey is a column of a list by which lines are found, with the value to find.
type listKey struct {
	name  text
	col   int
	dates bool // the column has dates, and is compared as dates
	read  reader
}

// listDate matches a date as people write it in a list.
var listDate = regexp.MustCompile(`^(\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.](\d\d|\d{4}))$`)

// lookup compiles a value that is looked up in a list. Keys are compared by
// values.HeaderKey.
func (c *compiler) lookup(s *source, into *columnList) reader {
	if !s.List.given() || len(s.By) == 0 || !s.Value.given() {
		c.finding(s.position, "a list needs by and value", "write {list: riders.csv, by: {name: Rider Name, birth_date: DOB}, value: rider_id}")
		return noValue
	}
	l := c.list(s.List)
	var keys []listKey
	for _, by := range s.By {
		key := listKey{name: by.Key, col: -1, read: c.reader(by.Value, use{key: true}, into)}
		if l != nil {
			key.col = c.listColumn(l, by.Key, s.List)
		}
		keys = append(keys, key)
	}
	if l == nil {
		return noValue
	}

	value := c.listColumn(l, s.Value, s.List)
	for i := range keys {
		if value < 0 || keys[i].col < 0 {
			return noValue
		}
		keys[i].dates = slices.ContainsFunc(l.lines, func(line listLine) bool { return listDate.MatchString(line.cells[keys[i].col]) })
	}
	index := c.index(s.List, l, keys, value)
	return func(r *rowContext) cellValue { return lookUp(r, s.List.Value, keys, index) }
}

// index returns the values of a list by the keys of its lines. Two lines with one key and
// different values are a finding.
func (c *compiler) index(name text, l *list, keys []listKey, value int) map[string]string {
	at := func(line listLine, message, fix string) {
		c.decoder.findings = append(c.decoder.findings, Finding{File: name.Value, Line: line.num, Col: 1, Message: message, Fix: fix})
	}
	index := map[string]string{}
	for _, line := range l.lines {
		parts := make([]string, len(keys))
		for i, key := range keys {
			text := line.cells[key.col]
			if key.dates && text != "" {
				date, bad := c.dates.Date(importer.Text, text)
				if bad != nil {
					// The message leaves the date out, because it is a rider's and findings
					// may end up in logs.
					at(line, fmt.Sprintf("the %s of this line is not a date that can be read", key.name.Value), "write it as 1952-09-03")
				}
				text = date.String()
			}
			parts[i] = values.HeaderKey(text)
		}
		key := indexKey(parts)
		if was, ok := index[key]; ok && was != line.cells[value] {
			at(line, "an earlier line has the same key and another value", "keep one of the two lines")
		}
		index[key] = line.cells[value]
	}
	return index
}

func indexKey(parts []string) string { return strings.Join(parts, "\x00") }

// lookUp finds the value of a row in an index.
func lookUp(r *rowContext, name string, keys []listKey, index map[string]string) cellValue {
	parts, cols, given := make([]string, len(keys)), make([]int, len(keys)), ""
	whole := cellValue{}
	for i, key := range keys {
		v := key.read(r)
		given += v.text
		if key.dates && v.text != "" && !v.bad {
			date, bad := r.bound.dates.Date(v.kind, v.text)
			if bad != nil {
				r.unreadable(bad, v.col)
			}
			v.text, v.bad = date.String(), bad != nil
		}
		parts[i], cols[i], whole.bad = values.HeaderKey(v.text), v.col, whole.bad || v.bad
	}
	whole.col = cols[0]
	if whole.bad || given == "" {
		return whole
	}

	var ok bool
	if whole.text, ok = index[indexKey(parts)]; !ok {
		message := "no line of " + name + " has these cells"
		if len(keys) == 1 {
			message = fmt.Sprintf("%q is not in %s", given, name)
		}
		r.report(notInTableCode(r.field), message, "add a line to "+name+", or correct the cells", cols...)
		whole.bad = true
	}
	return whole
}
