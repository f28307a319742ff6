package xlsx

import (
	"errors"
	"fmt"

	"tripimport/importer"
)

// Notes are what reading a sheet finds apart from its cells. They are complete
// once the sheet was read to its end.
type Notes struct {
	// HiddenRows counts the hidden rows that have cells. FirstHidden is the
	// number of the first.
	HiddenRows, FirstHidden int
	// StruckRows counts the rows with a cell that is struck through. FirstStruck is the
	// number of the first.
	StruckRows, FirstStruck int
	// HiddenColumns are the hidden columns, in the order of the file.
	HiddenColumns []Span
	// Uncalculated counts the formulas without a result that can be relied on.
	// FirstUncalculated is the address of the first.
	Uncalculated      int
	FirstUncalculated importer.Ref
	// Merged are the merged ranges, at most maxNoted of them. Those that begin
	// below the last row are left out.
	Merged []Range
}

// maxNoted bounds the ranges and the spans that Notes keep. There are sheets
// with fifty thousand merged ranges.
const maxNoted = 1_000

// maxWithoutValue bounds the bytes of a worksheet between one cell with a value
// and the next. The number of rows is not bounded by size, but a gigabyte
// without a value is hostile.
const maxWithoutValue = 256 << 20

// A rowReader reads one worksheet once.
type rowReader struct {
	book  *Workbook
	sheet Sheet
	notes *Notes
	*part

	at       importer.Ref // the row and cell being read, for errors
	row      importer.Row
	lastRow  int   // number of the last row, with cells or not
	lastCol  int   // number of the last cell in this row
	valueEnd int64 // bytes read when the last row with a value ended
	hasRows  bool  // the sheetData element was met
	struck   bool  // a cell of this row is struck through

	// text holds the texts of the row's cells, one after another, and spans
	// say which of them belongs to which cell. A row allocates one string.
	text  []byte
	spans []textSpan

	// arrays are the blocks of cells whose values one formula gives.
	arrays []Range
}

// A textSpan says which piece of the row's text belongs to a cell.
type textSpan struct{ cell, from, to int }

// damage turns an error of the sheet's XML into one that says up to which row
// the sheet is sound.
func (r *rowReader) damage(err error) error {
	var d *damage
	switch {
	case errors.As(err, &d):
		return err
	case errors.Is(err, errDTD):
		return partDamage(r.sheet.part, err)
	}

	where := "before its first row"
	if r.lastRow > 0 {
		where = fmt.Sprintf("after row %d", r.lastRow)
	}
	return &damage{fmt.Sprintf("its sheet %s %s %s", r.sheet.Name, whatIsWrong(err), where), err}
}
