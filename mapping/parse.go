package mapping

import (
	"errors"
	"fmt"
	"io"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are known on Windows too

	"go.yaml.in/yaml/v4"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A Mapping says which columns the exports of a broker have and what they mean
// for a trip. It is read-only and safe for concurrent use.
type Mapping struct {
	file    string
	text    []string // the lines of the file
	doc     *document
	content string // see Content
	meaning string
	read    Read

	dates *values.DateFormats
	open  func(name string) (io.ReadCloser, error) // nil once the lists are read
	lists map[string]*list                         // nil for one that can't be read
	refs  []ColumnRef                              // every column that the mapping names, once

	fields []MappedField
}

// Read says how the mapping's files are read. The reader detects what is empty
// here.
type Read struct {
	Sheet     string // name or number
	Encoding  string
	Delimiter string // comma, semicolon, tab or pipe
	// HeaderRow is the number of the header row, 0 to find it, -1 if the file has
	// none.
	HeaderRow int
	// Groups reports that the row above the headers has the names of groups.
	Groups bool
}

// Parse reads the mapping with that file name and content. Its error is Findings,
// which list everything that is wrong with the file. It opens the CSV lists of
// the mapping with open, which gets the names as the mapping writes them. If open
// is nil, no list can be read.
func Parse(file string, content []byte, open func(name string) (io.ReadCloser, error)) (*Mapping, error) {
	m := &Mapping{file: file, doc: &document{}, open: open, lists: map[string]*list{}}
	if open == nil {
		m.open = func(string) (io.ReadCloser, error) { return nil, errors.New("no lists here") }
	}
	m.text = strings.Split(strings.ReplaceAll(string(content), "\r\n", "\n"), "\n")
	d := m.decoder()
	root := d.root(content)
	if root != nil {
		d.value(root, reflect.ValueOf(m.doc).Elem())
	}
	if len(d.findings) > 0 {
		return nil, d.findings.sorted()
	}

	m.readSettings(d)
	m.content = contentOf(root)
	m.compileWithoutFile(d)
	m.open = nil
	if len(d.findings) > 0 {
		return nil, d.findings.sorted()
	}

	m.meaning = m.meaningOf()
	return m, nil
}

// decoder returns a decoder that collects findings of the mapping.
func (m *Mapping) decoder() *decoder { return &decoder{file: m.file, lines: m.text} }

// root reads the YAML. It returns nil if it reports a finding.
func (d *decoder) root(content []byte) *yaml.Node {
	var doc yaml.Node
	err := yaml.Load(content, &doc)
	var one *yaml.LoadError
	switch {
	case errors.As(err, &one):
		message, fix := yamlFinding(one)
		d.finding(position{max(one.Mark.Line, 1), max(one.Mark.Column, 1)}, message, fix)
		return nil
	case err != nil || len(doc.Content) == 0:
		d.finding(position{1, 1}, "this is not YAML", checkQuotes)
		return nil
	}

	return doc.Content[0]
}

const checkQuotes = "look at the indentation, and put texts with : or # into quotes"

// yamlFinding puts the YAML library's messages about the usual mistakes into
// plain words.
func yamlFinding(e *yaml.LoadError) (message, fix string) {
	for _, usual := range []struct{ library, message, fix string }{
		{"no documents", "the file is empty", "begin with mapping: 1"},
		{"mapping values are not allowed", "there is a colon where none is allowed", "put the text into quotes; or, if the line is a key, line it up with the keys above"},
		{"expected ',' or ']'", "a bracket [ is not closed", "close it with ]"},
		{"expected ',' or '}'", "a brace { is not closed", "close it with }"},
		{"cannot start any token", "there is a character where it is not allowed: a tab, @, % or a backquote", "indent with spaces, and put the text into quotes"},
		{"could not find expected ':'", "a key has no colon", "write key: value"},
		{"unexpected end of stream", "a quote is not closed", "close it"},
	} {
		if strings.Contains(e.Message, usual.library) {
			return usual.message, usual.fix
		}
	}

	return "this is not YAML: " + strings.TrimPrefix(e.Message, "yaml: "), checkQuotes
}

// compileWithoutFile compiles the mapping as Bind does, but takes every column as
// found. It reports what is wrong with the mapping and collects the columns that
// the mapping names.
func (m *Mapping) compileWithoutFile(d *decoder) {
	c := &compiler{Mapping: m, decoder: d}
	c.resolve = func(ref ColumnRef) (importer.Column, bool) {
		m.refs = append(m.refs, ref)
		return importer.Column{}, true
	}
	c.bound()
	m.fields, m.refs = c.fields, distinct(m.refs)
	c.obeyFields()
	c.stableID()
	if m.read.HeaderRow == 0 && !namesHeader(m.refs) && len(d.findings) == 0 {
		d.finding(position{1, 1}, "the mapping names no column by its header, so that the row with the headers can't be found", "add header: 1 (or none) under read:")
	}
}

// distinct keeps one reference to each column, a required one if there is one.
func distinct(refs []ColumnRef) []ColumnRef {
	seen := map[string]int{}
	var kept []ColumnRef
	for _, ref := range refs {
		i, ok := seen[ref.Key()]
		if !ok {
			seen[ref.Key()] = len(kept)
			kept = append(kept, ref)
		} else if kept[i].optional {
			kept[i] = ref
		}
	}

	return kept
}

// namesHeader reports whether a required column is named by its header.
func namesHeader(refs []ColumnRef) bool {
	return slices.ContainsFunc(refs, func(ref ColumnRef) bool { return ref.letter() == 0 && !ref.optional })
}

// readSettings reads everything but the tables and the fields.
func (m *Mapping) readSettings(d *decoder) {
	if m.doc.Version != 1 {
		d.finding(position{1, 1}, "the mapping language has version 1", "write mapping: 1 in the first line")
	}
	if m.Name() == "" {
		d.finding(position{1, 1}, "the mapping does not say whose rows these are", "add broker: and the broker's name")
	}

	for _, pattern := range m.doc.Files {
		if _, err := path.Match(pattern.Value, ""); err != nil || strings.ContainsAny(pattern.Value, `/\`) {
			d.finding(pattern.position, fmt.Sprintf("%q is not a pattern for file names", pattern.Value), `write a name without folders, with * for any text: "lakeshore_*.csv"`)
		}
	}

	read := m.doc.Read
	m.read = Read{Sheet: read.Sheet.Value, Encoding: read.Encoding.Value, Delimiter: read.Delimiter.Value}
	m.read.HeaderRow, m.read.Groups = d.header(read.Header)

	m.dates = d.dateFormats(read)
	m.dates.Zone = d.zone(m.doc.Zone)
	if m.dates.Offsets == "convert" && m.dates.Zone == nil {
		d.finding(read.Offsets.position, "converting an offset needs the zone to convert to", "add zone: America/Detroit")
	}
}

// zone returns the zone of that name; nil if the mapping names none.
func (d *decoder) zone(name text) *time.Location {
	if !name.given() {
		return nil
	}
	zone, err := time.LoadLocation(name.Value)
	if err != nil || name.Value == "" || name.Value == "Local" {
		d.finding(name.position, fmt.Sprintf("there is no time zone %q", name.Value), "write it as America/Detroit or America/New_York")
	}
	return zone
}

// header reads header: a row's number, none, or 2-3 for two rows of which the upper has
// groups.
func (d *decoder) header(t text) (row int, groups bool) {
	if !t.given() {
		return 0, false
	}
	if values.FoldCase(t.Value) == "none" {
		return -1, false
	}
	upper, lower, two := strings.Cut(t.Value, "-")
	row, err := strconv.Atoi(upper)
	if two && err == nil {
		last, err := strconv.Atoi(lower)
		if err == nil && last == row+1 && row > 0 {
			return last, true
		}
	}
	if two || err != nil || row < 1 {
		d.finding(t.position, fmt.Sprintf("%q is not the number of a row", t.Value), "write the row's number, 2-3 for two rows, or none")
	}
	return row, false
}

// dateFormats returns the forms of dates and times that the mapping declares,
// without the zone.
func (d *decoder) dateFormats(read readSpec) *values.DateFormats {
	formats := &values.DateFormats{Offsets: read.Offsets.Value}
	for _, form := range read.Dates {
		switch form.Value {
		case "mdy", "dmy", "ymd":
			if formats.Order != "" {
				d.finding(form.position, "two orders of dates can't be told apart", "keep one of them")
			}
			formats.Order = form.Value
		case "YYYYMMDD", "MMDDYYYY":
			for _, other := range formats.Compact {
				if len(other) == len(form.Value) {
					d.finding(form.position, form.Value+" and "+other+" can't be told apart", "keep one of them")
				}
			}
			formats.Compact = append(formats.Compact, form.Value)
		case "MMDDYY":
			formats.Compact = append(formats.Compact, form.Value)
		case "serial":
			formats.Serials = 1900
		case "serial1904":
			formats.Serials = 1904
		default:
			d.finding(form.position, fmt.Sprintf("%q is not a way to write dates", form.Value), "write mdy, dmy or ymd; YYYYMMDD, MMDDYYYY or MMDDYY for dates without separators; serial for plain numbers")
		}
	}

	return formats
}

// Name returns the broker whose rows these are.
func (m *Mapping) Name() string { return values.Clean(m.doc.Broker.Value) }

// File returns the mapping's file name, as it was given to Parse.
func (m *Mapping) File() string { return m.file }

// Meaning returns a SHA-256, in hex, of the mapping and its lists. It is the same for two
// mappings that make the same trips of the same row: comments, the order of keys, the names of
// files and complete do not count.
func (m *Mapping) Meaning() string { return m.meaning }

// Content is Meaning without the broker and without the lists, which offices keep up from day to day.
func (m *Mapping) Content() string { return m.content }

// FilePattern returns the patterns of the names of the mapping's files,
// separated by commas; it is empty if the mapping has none.
func (m *Mapping) FilePattern() string {
	return strings.Join(importer.Each(m.doc.Files, func(t text) string { return t.Value }), ", ")
}

// Complete returns whether the mapping's files have all trips of their days: day, part, or empty
// if the mapping does not say it.
func (m *Mapping) Complete() string { return m.doc.Complete.Value }

// Read returns how the mapping's files are to be read.
func (m *Mapping) Read() Read { return m.read }

// Constants returns the provider and the funding source, each if it is the same
// for all rows, otherwise empty.
func (m *Mapping) Constants() (provider, fundingSource string) {
	constant := func(s *source) string {
		if s == nil {
			return ""
		}
		return values.Clean(s.Const.Value)
	}
	return constant(m.doc.Trip.Provider), constant(m.doc.Trip.FundingSource)
}
