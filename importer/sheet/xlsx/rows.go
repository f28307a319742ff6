package xlsx

import (
	"errors"
	"fmt"
	"iter"
	"math"

	"tripimport/importer"
)

// Rows reads the sheet from its beginning and gives every row that has a cell
// which is not empty, in order. Calling it again reads the sheet again.
//
// notes is filled on the way. A row's Cells are valid until
// the next row; the texts of the cells stay valid. An error is an
// *importer.InputError and ends the sequence. After an error, none of the rows
// may be used, since the sheet is damaged.
func (w *Workbook) Rows(sheet Sheet, notes *Notes) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		*notes = Notes{}
		r := &rowReader{book: w, sheet: sheet, notes: notes}
		r.row.File, r.row.Sheet = w.name, sheet.Name

		err := r.read(func(row importer.Row) bool { return yield(row, nil) })
		if err != nil && !errors.Is(err, errStopped) {
			err = damageOf(fmt.Sprintf("sheet %s, after row %d,", sheet.Name, r.lastRow), err)
			yield(importer.Row{}, w.inputError(sheet.Name, err))
		}
	}
}

// errStopped ends a reading that the caller broke off.
var errStopped = errors.New("reading stopped")

// read reads the worksheet part to its end and yields its rows.
func (r *rowReader) read(yield func(importer.Row) bool) error {
	var err error
	if r.part, err = r.book.parts.open(r.sheet.part, math.MaxUint64); err != nil {
		return err
	}

	defer func() { _ = r.Close() }() // it was read, or is damaged
	err = r.tags(func() error { return r.readElement(yield) })
	if err == nil && !r.hasRows {
		err = badXML("a worksheet without a sheetData element")
	}
	return err
}

// readElement reads the element whose start tag the scanner is at, if it is one
// of those that matter.
func (r *rowReader) readElement(yield func(importer.Row) bool) error {
	switch name := string(r.name); {
	case r.depth() == 1 && name != "worksheet":
		return damage("its sheet " + r.sheet.Name + " is not a worksheet")
	case r.depth() == 2 && name == "sheetData":
		r.hasRows = true
		return r.readRows(yield)
	case r.depth() == 3 && name == "mergeCell":
		r.noteMerged()
	}
	return nil
}

// readRows reads the sheetData element.
func (r *rowReader) readRows(yield func(importer.Row) bool) error {
	return r.children(func() error {
		if string(r.name) != "row" {
			return badXML("an element other than a row among the rows")
		}
		if err := r.readRow(); err != nil {
			return err
		}

		if len(r.row.Cells) == 0 {
			return nil
		}
		if r.row.Hidden {
			r.note(&r.notes.HiddenRows, r.row.Num, 0)
		}
		if r.struck {
			r.note(&r.notes.StruckRows, r.row.Num, 0)
		}

		if !yield(r.row) {
			return errStopped
		}

		return nil
	})
}

// readRow reads the row element whose start tag the scanner is at into r.row.
func (r *rowReader) readRow() error {
	num := r.lastRow + 1
	hidden := false
	for i := range r.attrs {
		switch string(r.attrs[i].name) {
		case "r":
			n, ok := wholeNumber(r.attrs[i].value)
			if !ok || n == 0 {
				return badXML("a row number that is not a number")
			}
			num = n
		case "hidden":
			hidden = isTrue(string(r.attrs[i].value))
		}
	}

	if num <= r.lastRow {
		return damage(fmt.Sprintf("row %d of its sheet %s comes after row %d", num, r.sheet.Name, r.lastRow))
	}
	if num > importer.MaxRows {
		return damage(fmt.Sprintf("its sheet %s has more than %d rows", r.sheet.Name, importer.MaxRows))
	}

	r.row.Num, r.row.Hidden, r.row.Cells = num, hidden, r.row.Cells[:0]
	r.lastCol, r.struck = 0, false
	if err := r.children(r.readRowChild); err != nil {
		return err
	}

	r.lastRow = num
	return nil
}

// readRowChild reads one element of a row.
func (r *rowReader) readRowChild() error {
	switch string(r.name) {
	case "c":
		return r.readCell()
	case "extLst":
		return r.skip()
	}
	return badXML("an element other than a cell in a row")
}

// noteMerged notes the range of a mergeCell element.
func (r *rowReader) noteMerged() {
	if m, ok := parseRange(r.attr("ref")); ok && m.FirstRow <= r.lastRow && m.FirstRow < m.LastRow {
		r.notes.Merged = append(r.notes.Merged, m)
	}
}
