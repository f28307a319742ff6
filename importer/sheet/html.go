package sheet

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"

	"tripimport/importer"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An htmlFile is one table of an HTML page: what many portals give out as an
// .xls file.
type htmlFile struct {
	file *File
	text textFile
	// table is the number of the table that is read, from 1, and tables how
	// many the page has.
	table, tables int
}

// openHTML opens the page's largest table.
func (f *File) openHTML(text textFile) error {
	if err := f.refuseNamed("an HTML page"); err != nil {
		return err
	}
	h := &htmlFile{file: f, text: text}
	var sizes []int
	err := h.walk(func(table int, row *importer.Row) bool {
		for len(sizes) < table {
			sizes = append(sizes, 0)
		}
		sizes[table-1] += len(row.Cells)
		return true
	})
	if err != nil {
		return err
	}
	for i, size := range sizes {
		if size > 0 && (h.table == 0 || size > sizes[h.table-1]) {
			h.table = i + 1
		}
	}
	if h.table == 0 {
		return refuse(f.name, "this is an HTML page without a table", "export the schedule as CSV or as an .xlsx workbook")
	}
	h.tables = len(sizes)
	if h.tables > 1 {
		f.notice("html-tables", fmt.Sprintf("the page has %d tables; only the largest, number %d, was read", h.tables, h.table), "")
	}
	f.notice("html", "the file is an HTML page; its table was read as text", "dates and numbers are as the page shows them")
	f.content = h
	return nil
}

func (h *htmlFile) kind() string                { return "html table" }
func (h *htmlFile) sheetName() string           { return "Table " + strconv.Itoa(h.table) }
func (h *htmlFile) notices() []importer.Problem { return nil }

// rows reads the table. Row.Num counts the table's rows, as Excel numbers them
// when it opens the file.
func (h *htmlFile) rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		stopped := false
		err := h.walk(func(table int, row *importer.Row) bool {
			if table != h.table || row.Blank() {
				return true
			}
			row.File, row.Sheet = h.file.name, h.sheetName()
			stopped = !yield(*row, nil)
			return !stopped
		})
		if err != nil && !stopped {
			yield(importer.Row{}, err)
		}
	}
}

// walk gives every row of every table of the page, in the order in which they
// end, until row returns false.
func (h *htmlFile) walk(row func(table int, row *importer.Row) bool) error {
	w := &htmlWalker{row: row}
	z := html.NewTokenizer(h.text.open())
	z.SetMaxBuf(4 << 20)
	for {
		switch z.Next() {
		case html.ErrorToken:
			switch {
			case !errors.Is(z.Err(), io.EOF):
				return refuse(h.file.name, "the HTML page can't be read", asXLSX)
			case len(w.open) > 0 && !w.stopped:
				return refuse(h.file.name, "the HTML page breaks off inside its table", "export it again")
			}
			return nil
		case html.TextToken:
			w.write(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			w.start(z)
		case html.EndTagToken:
			name, _ := z.TagName()
			w.end(atom.Lookup(name))
		}
		if w.stopped {
			return nil
		}
		if w.fault != "" {
			return refuse(h.file.name, w.fault, asXLSX)
		}
	}
}
