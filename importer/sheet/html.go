package sheet

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"tripimport/importer"
)

// An htmlFile is one table of an HTML page, which many portals save as an .xls
// file.
type htmlFile struct {
	file  *File
	text  textFile
	table int // the number of the table that is read, from 1
}

// openHTML opens a table of an HTML page: the one that the options name, or the
// largest.
func (f *File) openHTML(text textFile, o Options) error {
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

	largest, named := 0, 0
	for i, size := range sizes {
		if size == 0 {
			continue
		}
		f.tables = append(f.tables, tableName(i+1))
		if largest == 0 || size > sizes[largest-1] {
			largest = i + 1
		}
		if strings.EqualFold(o.Sheet, tableName(i+1)) {
			named = i + 1
		}
	}

	h.table = cmp.Or(named, largest)
	if h.table == 0 {
		return refuse(f.name, "this is an HTML page without a table", fixExport)
	}

	if len(sizes) > 1 && named == 0 {
		f.addNotice("html-tables", fmt.Sprintf("the page has %d tables; only the largest, number %d, was read", len(sizes), h.table), "")
	}

	f.addNotice("html", "the file is an HTML page; its table was read as text", "dates and numbers are as the page shows them")
	f.content, f.kind, f.encoding, f.sheetName = h, "html table", text.encoding.name, tableName(h.table)
	return nil
}

func (h *htmlFile) notices() []importer.Problem { return nil }

func tableName(num int) string { return "Table " + strconv.Itoa(num) }

// rows reads the table. Row.Num is the number of the row in the table, which
// Excel also gives it when it opens the file.
func (h *htmlFile) rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		err := h.walk(func(table int, row *importer.Row) error {
			if table != h.table || row.Blank() {
				return nil
			}

			row.File, row.Sheet = h.file.name, h.file.sheetName
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

// walk calls row for every row of every table of the page, in the order in which
// the rows end. An error of row ends the walk.
func (h *htmlFile) walk(row func(table int, row *importer.Row) error) error {
	w := &htmlWalker{name: h.file.name, row: row}
	return w.walk(h.text.open())
}
