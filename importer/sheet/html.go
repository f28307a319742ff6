package sheet

import (
	"errors"
	"fmt"
	"iter"
	"strconv"

	"tripimport/importer"
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
	err := h.walk(func(table int, row *importer.Row) error {
		for len(sizes) < table {
			sizes = append(sizes, 0)
		}
		sizes[table-1] += len(row.Cells)
		return nil
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
		err := h.walk(func(table int, row *importer.Row) error {
			if table != h.table || row.Blank() {
				return nil
			}
			row.File, row.Sheet = h.file.name, h.sheetName()
			if !yield(*row, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(importer.Row{}, err)
		}
	}
}

// errStopped ends a reading that the caller has broken off.
var errStopped = errors.New("reading stopped")

// walk calls row for every row of every table of the page, in the order in
// which the rows end, until it gives an error.
func (h *htmlFile) walk(row func(table int, row *importer.Row) error) error {
	w := &htmlWalker{name: h.file.name, row: row}
	return w.walk(h.text.open())
}
