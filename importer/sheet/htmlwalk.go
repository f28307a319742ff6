package sheet

import (
	"bytes"
	"strconv"
	"strings"

	"tripimport/importer"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An htmlWalker follows the tags of a page and lays out its tables as a
// browser would: a cell that spans columns or rows keeps the others in their
// place.
type htmlWalker struct {
	row     func(table int, row *importer.Row) bool
	tables  int
	open    []*htmlTable // the table that is being read, and those around it
	unseen  atom.Atom    // inside a script, a style sheet or a title
	stopped bool
	fault   string
}

// An htmlTable is a table that is open.
type htmlTable struct {
	num   int
	row   importer.Row
	inRow bool
	// taken says for each column how many rows on it belongs to a cell above.
	taken  []int
	inCell bool
	cell   []byte
	span   int // columns of the open cell
	down   int // rows of the open cell
}

func (w *htmlWalker) table() *htmlTable {
	if len(w.open) == 0 {
		return nil
	}
	return w.open[len(w.open)-1]
}

// write adds text to the open cell.
func (w *htmlWalker) write(raw []byte) {
	if t := w.table(); t != nil && t.inCell && w.unseen == 0 {
		t.cell = append(t.cell, raw...)
	}
}

// start follows a start tag.
func (w *htmlWalker) start(z *html.Tokenizer) {
	name, _ := z.TagName()
	tag := atom.Lookup(name)
	t := w.table()
	switch tag {
	case atom.Table:
		if len(w.open) == maxTables {
			w.fault = "the HTML page has tables within tables without end"
			return
		}
		w.tables++
		w.open = append(w.open, &htmlTable{num: w.tables})
	case atom.Tr:
		if t != nil {
			w.endRow(t)
			t.inRow = true
		}
	case atom.Td, atom.Th:
		if t != nil {
			t.endCell()
			t.inRow, t.inCell = true, true
			t.span, t.down = spans(z)
		}
	case atom.Br, atom.P, atom.Div, atom.Li:
		if t != nil && t.inCell && len(bytes.TrimSpace(t.cell)) > 0 {
			t.cell = append(t.cell, '\x00') // a line break, told from white space of the source
		}
	case atom.Script, atom.Style, atom.Title, atom.Textarea:
		w.unseen = tag
	}
}

// maxTables bounds how deep tables nest.
const maxTables = 64

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

// end follows an end tag.
func (w *htmlWalker) end(tag atom.Atom) {
	if tag == w.unseen {
		w.unseen = 0
	}
	t := w.table()
	if t == nil {
		return
	}
	switch tag {
	case atom.Td, atom.Th:
		t.endCell()
	case atom.Tr:
		w.endRow(t)
	case atom.Table:
		w.endRow(t)
		w.open = w.open[:len(w.open)-1]
		// Rows of a table inside a cell are rows of their own table only.
	}
}

// endRow gives out the row that is open, if there is one.
func (w *htmlWalker) endRow(t *htmlTable) {
	if !t.inRow || w.stopped {
		return
	}
	t.endCell()
	t.fillTaken()
	t.inRow = false
	t.row.Num++
	t.row.Width = len(t.row.Cells)
	if len(t.row.Cells) > importer.MaxColumns || t.row.Num > importer.MaxRows {
		w.fault = "the HTML page's table is larger than a spreadsheet can hold"
		return
	}
	if !w.row(t.num, &t.row) {
		w.stopped = true
	}
	t.row.Cells = t.row.Cells[:0]
}

// endCell puts the open cell into the row.
func (t *htmlTable) endCell() {
	if !t.inCell {
		return
	}
	t.inCell = false
	t.fillTaken()
	cell := importer.Cell{}
	if text := cellText(t.cell); text != "" {
		cell = importer.Cell{Type: importer.Text, Text: text}
	}
	t.cell = t.cell[:0]
	for i := range t.span {
		col := len(t.row.Cells)
		if col > importer.MaxColumns {
			return // endRow refuses it
		}
		for len(t.taken) <= col {
			t.taken = append(t.taken, 0)
		}
		t.taken[col] = t.down - 1
		if i > 0 {
			cell = importer.Cell{}
		}
		t.row.Cells = append(t.row.Cells, cell)
	}
}

// fillTaken leaves empty the columns, up to the next free one, that a cell above
// reaches down into.
func (t *htmlTable) fillTaken() {
	for len(t.row.Cells) < len(t.taken) && t.taken[len(t.row.Cells)] > 0 {
		t.taken[len(t.row.Cells)]--
		t.row.Cells = append(t.row.Cells, importer.Cell{})
	}
}

// cellText gives the text of a cell as a browser shows it: white space of the
// source made one space, line breaks kept.
func cellText(raw []byte) string {
	lines := strings.Split(string(raw), "\x00")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}
