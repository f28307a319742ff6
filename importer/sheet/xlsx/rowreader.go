package xlsx

import "tripimport/importer"

// Notes are what reading a sheet finds apart from its cells. They are complete
// once the sheet was read to its end.
type Notes struct {
	HiddenRows   Count   // the hidden rows that have cells
	StruckRows   Count   // the rows with a cell that is struck through
	Uncalculated Count   // the formulas without a result that can be relied on
	Merged       []Range // the merged ranges of several rows, unless they begin below the last row
}

// A Count counts rows, cells or ranges, and has the address of the first.
type Count struct {
	N     int
	First importer.Ref
}

// note counts a row, or a cell of it.
func (r *rowReader) note(c *Count, row, col int) {
	if c.N++; c.N == 1 {
		c.First = importer.Ref{File: r.book.name, Sheet: r.sheet.Name, Row: row, Col: col}
	}
}

// A rowReader reads one worksheet once.
type rowReader struct {
	book  *Workbook
	sheet Sheet
	notes *Notes
	*part

	row     importer.Row
	lastRow int  // number of the last row, with cells or not
	lastCol int  // number of the last cell in this row
	hasRows bool // the sheetData element was met
	struck  bool // a cell of this row is struck through

	raw []byte // the raw value of the cell being read
	keeper
}
