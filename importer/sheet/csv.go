package sheet

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"tripimport/importer"

	"golang.org/x/text/transform"
)

// maxRecord bounds the bytes of one record. A longer one comes from a quotation
// mark that is never closed, and would hold the rest of the file.
const maxRecord = 16 << 20

// A csvFile is a CSV file or other delimited text.
type csvFile struct {
	file    *File
	text    textFile
	comma   rune
	sepLine int  // the length of a first line such as sep=; which is not a row
	bare    bool // a field may be ="00123" without quotation marks around it
	// records counts the records of the last reading. The last one and the one before have these
	// numbers of fields.
	records, lastWidth, widthBefore int
}

// openCSV opens delimited text. sample is its beginning; cut says that the file
// goes on after it.
func (f *File) openCSV(text textFile, sample []byte, cut bool, o Options) {
	c := &csvFile{file: f, text: text, bare: bytes.Contains(sample, []byte(`="`)) && bareText.Match(sample)}
	c.comma, c.sepLine = declaredDelimiter(sample)
	if c.bare {
		sample = bareText.ReplaceAll(sample, []byte(`$1"`))
	}
	switch named := delimiters()[o.Delimiter]; {
	case named != 0:
		c.comma = named
	case c.sepLine == 0, !bytes.ContainsRune(sample[c.sepLine:], c.comma): // the line may be of another program
		c.comma = guessDelimiter(sample[c.sepLine:], cut)
	}

	f.rows, f.endsWhole = func() iter.Seq2[importer.Row, error] { return c.read(c.fill) }, c.endsWhole
	if text.decoder == nil && !text.hasNUL { // only what is in the cells can be refused then
		f.widths = func() iter.Seq2[importer.Row, error] { return c.read(fillWidth) }
	}
	f.form = "csv, " + text.encoding + ", delimiter " + strings.ReplaceAll(string(c.comma), "\t", "tab")
}

// read reads every record, and yields the rows that fill makes of them, if they are not blank. Row.Num is the physical
// line on which the record begins. A spreadsheet program shows an empty line as a row, but not a first line such as sep=;.
func (c *csvFile) read(fill func(row *importer.Row, record []string) error) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		c.records = 0
		text := c.text.open()
		if c.bare && c.comma < utf8.RuneSelf {
			text = transform.NewReader(text, byteEditor{edit: withoutSigns(byte(c.comma))})
		}
		in := &io.LimitedReader{R: text, N: maxRecord}
		lines := bufio.NewReaderSize(in, 64<<10)
		linesBefore, within := 0, 0 // within counts the lines that continue a record
		if c.sepLine > 0 {
			_, _ = lines.Discard(c.sepLine) // an error comes again
			linesBefore = 1
		}

		r := csv.NewReader(lines)
		r.Comma, r.FieldsPerRecord, r.ReuseRecord = c.comma, -1, true
		row := importer.Row{File: c.file.name}
		for {
			record, err := r.Read()
			switch {
			case in.N <= 0:
				yield(importer.Row{}, refuse(c.file.name, "a value never ends: a quotation mark is opened and not closed", "fix the quotation mark in the file, or export it as an .xlsx workbook"))
				return
			case err == io.EOF:
				return
			case err != nil:
				yield(importer.Row{}, c.parseError(err, linesBefore))
				return
			}

			in.N = maxRecord
			c.records, c.lastWidth, c.widthBefore = c.records+1, len(record), c.lastWidth
			line, _ := r.FieldPos(0)
			row.Num = line + linesBefore
			row.Shown = line - within
			last := len(record) - 1
			lastLine, _ := r.FieldPos(last)
			within += lastLine - line + strings.Count(record[last], "\n")
			if err := fill(&row, record); err != nil {
				yield(importer.Row{}, err)
				return
			}

			if row.Width > 0 && !yield(row, nil) {
				return
			}
		}
	}
}

// bareText matches the beginning of a field such as ="00123", which programs also write without quotation marks around it.
var bareText = regexp.MustCompile(`(^|[,;\t|\n])="`)

// withoutSigns takes the sign out of each such field, so that the text in it is in quotation marks.
func withoutSigns(comma byte) func(c, next byte) (to byte, stays bool) {
	within, quoted := false, false // of a field
	return func(c, next byte) (to byte, stays bool) {
		if c == '=' && !within && next == '"' {
			return c, false
		}
		quoted = quoted != (c == '"')
		within = quoted || c != comma && c != '\n'
		return c, true
	}
}

// asShown gives a cell what a spreadsheet program shows of it: the error that it stands for, or the text of
// ="00123", as programs write an id that is to keep its zeros.
func asShown(cell *importer.Cell) {
	inner, isText := strings.CutPrefix(cell.Text, `="`)
	inner, closed := strings.CutSuffix(inner, `"`)
	switch {
	case slices.Contains([]string{"#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"}, cell.Text):
		cell.Type = importer.ErrorCell
	case isText && closed && blankText(inner):
		cell.Type, cell.Text = importer.Empty, ""
	case isText && closed && !strings.Contains(inner, `"`):
		cell.Text = inner
	}
}

// fill sets the row's cells and width from a record. A blank record has no width.
func (c *csvFile) fill(row *importer.Row, record []string) error {
	if len(record) > importer.MaxColumns {
		return c.file.refuseLine(row.Num, 0, fmt.Sprintf("the line has %d columns, more than a spreadsheet can hold", len(record)),
			"check the delimiter, and export the file again")
	}

	row.Width = len(record)
	row.Cells = slices.Grow(row.Cells[:0], len(record))[:len(record)]
	blank := true
	for i, text := range record {
		// The cell is reused from an earlier row. Setting type and text is
		// enough, because a CSV cell has no format.
		cell := &row.Cells[i]
		if blankText(text) {
			cell.Type, cell.Text = importer.Empty, ""
			continue
		}

		if strings.IndexByte(text, 0) >= 0 { // in a named encoding, or UTF-16
			return c.file.refuseLine(row.Num, i+1, hasNUL, fixExport)
		}
		blank = false
		cell.Type, cell.Text = importer.Text, text
		if text[0] == '#' || text[0] == '=' {
			asShown(cell)
		}
	}

	if blank {
		row.Width = 0
	}
	return nil
}

// fillWidth sets the row's width alone, as fill does.
func fillWidth(row *importer.Row, record []string) error {
	row.Width = 0
	if slices.ContainsFunc(record, func(text string) bool { return !blankText(text) }) {
		row.Width = len(record)
	}
	return nil
}

// endsWhole reports whether the last line has an end, or as many fields as the line before. Of the headers
// and a line nothing is known.
func (c *csvFile) endsWhole() bool {
	const few, lineEnd = 3, 4 // records; bytes of a line end in any encoding
	if c.records < few || c.lastWidth >= c.widthBefore {
		return true
	}
	end := make([]byte, min(c.file.size, lineEnd))
	_, err := c.file.file.ReadAt(end, c.file.size-int64(len(end)))
	return err != nil || bytes.HasSuffix(bytes.TrimRight(end, "\r\x00"), []byte("\n"))
}

// blankText reports whether s is empty or white space alone.
func blankText(s string) bool {
	return s == "" || (s[0] <= ' ' || s[0] >= 0x80) && strings.TrimSpace(s) == ""
}

// parseError turns an error of encoding/csv into one with an address. linesBefore
// is the number of lines before the first record.
func (c *csvFile) parseError(err error, linesBefore int) error {
	at, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		return unreadable(c.file.name)
	}

	const fix = `a value with a quotation mark in it must be in quotation marks, with its own quotation marks doubled; export it again, or as an .xlsx workbook`
	reason := fmt.Sprintf("a stray or unclosed quotation mark, noticed on line %d near character %d; nothing after it can be trusted", at.Line+linesBefore, at.Column)
	return c.file.refuseLine(at.StartLine+linesBefore, 0, reason, fix)
}
