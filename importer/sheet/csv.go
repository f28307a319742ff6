package sheet

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"tripimport/importer"
)

// maxRecord bounds the bytes of one record: more is a quotation mark that was
// never closed and swallows the file.
const maxRecord = 16 << 20

// A csvFile is a table in delimited text.
type csvFile struct {
	file  *File
	text  textFile
	comma rune
	// declared is the length of a first line that only says sep=;, which is no
	// row.
	declared int
	// lost counts cells with a character that an earlier program could not
	// read, and firstLost is the first of them.
	lost      int
	firstLost importer.Ref
}

// openCSV opens delimited text. sample is its beginning, cut where the file
// goes on.
func (f *File) openCSV(text textFile, sample []byte, cut bool, o Options) error {
	c := &csvFile{file: f, text: text}
	c.comma, c.declared = declaredDelimiter(sample)
	switch {
	case o.Delimiter != "":
		comma, err := namedDelimiter(o.Delimiter)
		if err != nil {
			return refuse(f.name, err.Error(), `use "," or ";" or "|" or "tab"`)
		}
		c.comma = comma
	case c.declared == 0:
		c.comma = guessDelimiter(sample, cut)
	}
	f.content = c
	return nil
}

func (c *csvFile) kind() string { return "csv" }

func (c *csvFile) notices() []importer.Problem {
	if c.lost == 0 {
		return nil
	}
	return []importer.Problem{notice("lost-characters", fmt.Sprintf("a character that an earlier program could not read (\uFFFD) stands in %s", count(c.lost, "cell", "cells")),
		"export again as UTF-8 if a name or address has lost a letter", c.firstLost)}
}

// ref gives an address in a file of text.
func (f *File) ref(line, col int) importer.Ref {
	return importer.Ref{File: f.name, Row: line, Col: col}
}

// faultAt makes the error for a place in the file.
func (f *File) faultAt(at importer.Ref, reason, fix string) error {
	return &importer.InputError{File: f.name, At: at, Reason: reason, Fix: fix}
}

// rows reads every record that is not blank. Row.Num is the physical line on
// which it begins.
func (c *csvFile) rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		c.lost = 0
		in := &meter{in: c.text.open()}
		lines := bufio.NewReaderSize(in, 64<<10)
		before := 0
		if c.declared > 0 {
			if _, err := lines.ReadSlice('\n'); err != nil {
				return // nothing but that line
			}
			before = 1
		}
		r := csv.NewReader(lines)
		r.Comma, r.FieldsPerRecord, r.ReuseRecord = c.comma, -1, true
		row := importer.Row{File: c.file.name}
		for {
			record, err := r.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(importer.Row{}, c.fault(err, before))
				return
			}
			in.unread = 0
			line, _ := r.FieldPos(0)
			row.Num = line + before
			if err := c.fill(&row, record); err != nil {
				yield(importer.Row{}, err)
				return
			}
			if len(row.Cells) > 0 && !yield(row, nil) {
				return
			}
		}
	}
}

// fill makes the row's cells of a record. It leaves none for a blank record.
func (c *csvFile) fill(row *importer.Row, record []string) error {
	if len(record) > importer.MaxColumns {
		return c.file.faultAt(c.file.ref(row.Num, 0), fmt.Sprintf("the line has %d columns, more than a spreadsheet can hold", len(record)),
			"check the delimiter, and export the file again")
	}
	row.Width = len(record)
	row.Cells = slices.Grow(row.Cells[:0], len(record))[:len(record)]
	blank := true
	for i, text := range record {
		// A CSV cell has no format, so that its type and text are all there is
		// to overwrite.
		cell := &row.Cells[i]
		if blankText(text) {
			cell.Type, cell.Text = importer.Empty, ""
			continue
		}
		blank = false
		cell.Type, cell.Text = importer.Text, text
		if c.text.lost && strings.Contains(text, "\uFFFD") {
			if err := c.noteLost(row.Num, i+1); err != nil {
				return err
			}
		}
	}
	if blank {
		row.Cells = row.Cells[:0]
	}
	return nil
}

// blankText reports whether a text is nothing but white space.
func blankText(s string) bool {
	return s == "" || (s[0] <= ' ' || s[0] >= 0x80) && strings.TrimSpace(s) == ""
}

// noteLost meets U+FFFD in a cell. In Unicode it stands there and is reported;
// elsewhere the file has bytes which its encoding does not know, so that the
// text can't be trusted.
func (c *csvFile) noteLost(line, col int) error {
	at := c.file.ref(line, col)
	if c.text.encoding.strict {
		return c.file.faultAt(at, "a character can't be read as "+c.text.encoding.name, asUTF8)
	}
	if c.lost++; c.lost == 1 {
		c.firstLost = at
	}
	return nil
}

// fault says where and why the reading of records stopped. before counts the
// lines that were taken before the first record.
func (c *csvFile) fault(err error, before int) error {
	var at *csv.ParseError
	switch {
	case errors.Is(err, errLongRecord):
		return refuse(c.file.name, "a value never ends: a quotation mark is opened and not closed", "mend the quotation mark in the export, or export as an .xlsx workbook")
	case !errors.As(err, &at):
		return unreadable(c.file.name)
	}
	line, start := at.Line+before, at.StartLine+before
	const fix = `a value with a quotation mark in it must stand in quotation marks, each of its own doubled; export it again, or as an .xlsx workbook`
	if errors.Is(at.Err, csv.ErrBareQuote) {
		return c.file.faultAt(c.file.ref(line, 0), fmt.Sprintf("a stray quotation mark near character %d; nothing after it can be trusted", at.Column), fix)
	}
	reason := fmt.Sprintf("a quotation mark that is out of place or never closed, noticed near character %d; nothing after it can be trusted", at.Column)
	if line != start {
		reason = fmt.Sprintf("a quotation mark that is out of place or never closed, noticed on line %d; nothing after it can be trusted", line)
	}
	return c.file.faultAt(c.file.ref(start, 0), reason, fix)
}

var errLongRecord = errors.New("the record is too long")

// A meter stops a reading that swallows too much without giving a record.
type meter struct {
	in     io.Reader
	unread int
}

func (m *meter) Read(b []byte) (int, error) {
	if m.unread > maxRecord {
		return 0, errLongRecord
	}
	n, err := m.in.Read(b)
	m.unread += n
	return n, err
}
