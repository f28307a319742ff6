package sheet

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"tripimport/importer"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bounds on an HTML page, so that a hostile page is refused before memory
// grows. A table may have the columns and rows of a spreadsheet, and all rows
// that are open at one time maxRecord bytes of text.
const (
	// maxTag bounds the bytes of one tag, comment or piece of text.
	maxTag = 4 << 20
	// maxNested bounds how deep tables nest.
	maxNested = 64
)

// An htmlWalker follows the tags of a page and lays out its tables as a browser
// does: a cell that spans columns or rows moves the cells after it. It reads
// the page as a stream, and so holds one row of each open table.
type htmlWalker struct {
	name string // the file's, for errors
	// row is called for each row when it ends. Its error ends the walk.
	row func(table int, row *importer.Row) error

	tables int
	open   []*htmlTable // the innermost table is the last
	hidden atom.Atom    // the element whose text no browser shows in a cell; 0 outside one
	held   int          // bytes of text in the rows of all open tables
}

// An htmlTable is a table whose end tag was not read yet.
type htmlTable struct {
	num   int // from 1, in the order of the start tags
	row   importer.Row
	inRow bool
	held  int // bytes of text in the row
	// covered counts, for each column, the rows from here on that a cell above
	// covers.
	covered []int

	inCell bool
	cell   []byte
	filled bool // the cell has more than white space
	span   int  // columns of the cell
	down   int  // rows of the cell
}

// walk reads the page to its end, or until row gives an error.
func (w *htmlWalker) walk(page io.Reader) error {
	z := html.NewTokenizer(page)
	z.SetMaxBuf(maxTag)
	for {
		var err error
		switch z.Next() {
		case html.ErrorToken:
			switch {
			case !errors.Is(z.Err(), io.EOF):
				return refuse(w.name, "the HTML page can't be read", fixSaveAsXLSX)
			case len(w.open) > 0:
				return refuse(w.name, "the HTML page breaks off inside its table", "export it again")
			}
			return nil
		case html.TextToken:
			err = w.write(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			err = w.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			err = w.end(atom.Lookup(name))
		}

		if err != nil {
			return err
		}
	}
}

// table returns the innermost open table; nil outside tables.
func (w *htmlWalker) table() *htmlTable {
	if len(w.open) == 0 {
		return nil
	}
	return w.open[len(w.open)-1]
}

// write adds text to the open cell.
func (w *htmlWalker) write(text []byte) error {
	t := w.table()
	if t == nil || !t.inCell || w.hidden != 0 {
		return nil
	}
	if w.held += len(text); w.held > maxRecord {
		return refuse(w.name, "a row of the HTML page's table has more text than a spreadsheet can hold", fixSaveAsXLSX)
	}

	t.held += len(text)
	t.cell = append(t.cell, text...)
	t.filled = t.filled || len(bytes.TrimSpace(text)) > 0
	return nil
}

// lineBreak marks a line break in the text of a cell, because a line feed is only
// white space in HTML.
const lineBreak = "\x00"

// start handles a start tag.
func (w *htmlWalker) start(z *html.Tokenizer) error {
	name, _ := z.TagName()
	tag := atom.Lookup(name)
	t := w.table()

	switch tag {
	case atom.Table:
		if len(w.open) == maxNested {
			return refuse(w.name, "the HTML page has too many tables inside tables", fixSaveAsXLSX)
		}
		w.tables++
		w.open = append(w.open, &htmlTable{num: w.tables})
	case atom.Script, atom.Style, atom.Title, atom.Textarea:
		w.hidden = tag
	}

	if t == nil {
		return nil
	}

	switch tag {
	case atom.Tr:
		err := w.endRow(t)
		t.inRow = true
		return err
	case atom.Td, atom.Th:
		t.endCell()
		t.inRow, t.inCell = true, true
		t.span, t.down = spans(z)
	case atom.Br, atom.P, atom.Div, atom.Li:
		if t.inCell && t.filled {
			return w.write([]byte(lineBreak))
		}
	}
	return nil
}

// spans reads how many columns and rows a cell covers.
func spans(z *html.Tokenizer) (cols, rows int) {
	cols, rows = 1, 1
	for {
		key, value, more := z.TagAttr()
		n, err := strconv.Atoi(strings.TrimSpace(string(value)))
		if err == nil && n > 1 {
			switch string(key) {
			case "colspan":
				cols = min(n, 1000) // as browsers do
			case "rowspan":
				rows = min(n, 65_534)
			}
		}

		if !more {
			return cols, rows
		}
	}
}

// end handles an end tag.
func (w *htmlWalker) end(tag atom.Atom) error {
	if tag == w.hidden {
		w.hidden = 0
	}

	t := w.table()
	if t == nil {
		return nil
	}

	switch tag {
	case atom.Td, atom.Th:
		t.endCell()
	case atom.Tr:
		return w.endRow(t)
	case atom.Table:
		err := w.endRow(t)
		w.open = w.open[:len(w.open)-1]
		return err
	}
	return nil
}

// endRow ends the open row, if there is one, and passes it to w.row.
func (w *htmlWalker) endRow(t *htmlTable) error {
	if !t.inRow {
		return nil
	}

	t.endCell()
	t.skipCovered()
	t.inRow = false
	w.held -= t.held
	t.held = 0

	t.row.Num++
	t.row.Width = len(t.row.Cells)
	if len(t.row.Cells) > importer.MaxColumns || t.row.Num > importer.MaxRows {
		return refuse(w.name, "the HTML page's table is larger than a spreadsheet can hold", fixSaveAsXLSX)
	}

	err := w.row(t.num, &t.row)
	t.row.Cells = t.row.Cells[:0]
	return err
}

// endCell puts the open cell into the row, if there is one.
func (t *htmlTable) endCell() {
	if !t.inCell {
		return
	}

	t.inCell, t.filled = false, false
	t.skipCovered()

	cell := importer.Cell{}
	if text := cellText(t.cell); text != "" {
		cell = importer.Cell{Type: importer.Text, Text: text}
	}

	t.cell = t.cell[:0]
	for range t.span {
		col := len(t.row.Cells)
		if col > importer.MaxColumns {
			return // endRow refuses the row
		}

		if col == len(t.covered) {
			t.covered = append(t.covered, 0)
		}

		t.covered[col] = t.down - 1
		t.row.Cells = append(t.row.Cells, cell)
		cell = importer.Cell{} // the other columns of the span are empty
	}
}

// skipCovered adds empty cells for the columns that a cell above covers, up to
// the next free column.
func (t *htmlTable) skipCovered() {
	for len(t.row.Cells) < len(t.covered) && t.covered[len(t.row.Cells)] > 0 {
		t.covered[len(t.row.Cells)]--
		t.row.Cells = append(t.row.Cells, importer.Cell{})
	}
}

// cellText returns the text of a cell as a browser shows it: it turns white space
// into one space and keeps line breaks.
func cellText(raw []byte) string {
	lines := strings.Split(string(raw), lineBreak)
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
