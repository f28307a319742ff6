package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Row is one row of a sheet, or one record of a CSV file.
type Row struct {
	// File is the name of the row's file, without its folder.
	File string
	// Sheet is the sheet's name; empty for CSV.
	Sheet string
	// Num is the row's number from 1: in a sheet the number that Excel shows, in
	// a CSV file the line on which the record begins.
	Num int
	// Shown is the number that a spreadsheet program shows for a record of a CSV file. It
	// is less than Num if records above have values of several lines. It is 0 if it is
	// not known, and for a sheet.
	Shown int
	// Cells are the row's cells, Cells[0] that of column A. Columns beyond the
	// end are empty.
	Cells []Cell
	// Width is the number of fields of a CSV record or of a row of an HTML table,
	// including empty ones. It is 0 for a sheet, whose rows all have the same
	// columns.
	Width int
	// Hidden reports that the spreadsheet hides the row, by a filter or by hand.
	// Hidden rows are read like others.
	Hidden bool
	// Edited reports that the row comes from results, and that a person has changed cells
	// of it.
	Edited bool
	// Version is RowResult.Version of the results from which the row comes; 0 for a row of
	// a schedule.
	Version int64
}

// Cell returns the cell in column col, where 1 is column A. It returns an empty
// cell if the row does not have the column.
func (r *Row) Cell(col int) Cell {
	if col < 1 || col > len(r.Cells) {
		return Cell{}
	}
	return r.Cells[col-1]
}

// Blank reports whether every cell of the row is empty.
func (r *Row) Blank() bool {
	return !slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Type != Empty })
}

// Clone returns a copy of the row with cells of its own. A Source reuses the cells of a
// row for the next row, so a row that is kept has to be cloned.
func (r Row) Clone() Row {
	r.Cells = slices.Clone(r.Cells)
	return r
}

// CloneInto returns a copy of the row with its cells at the end of cells, and cells with them.
func (r Row) CloneInto(cells []Cell) (Row, []Cell) {
	from := len(cells)
	cells = append(cells, r.Cells...)
	r.Cells = cells[from:len(cells):len(cells)]
	return r, cells
}

// Size is about how many bytes the row's cells and their texts take.
func (r *Row) Size() int {
	const cellSize = 40
	size := len(r.Cells) * cellSize
	for i := range r.Cells {
		size += len(r.Cells[i].Text)
	}
	return size
}

// Ref returns the address of the row's cell in column col, or of the whole row if
// col is 0.
func (r *Row) Ref(col int) Ref {
	return Ref{File: r.File, Sheet: r.Sheet, Row: r.Num, Shown: r.Shown, Col: col}
}

// A Ref is the address of a cell, of a row (Col is 0), of a column (Row is 0) or of
// a sheet or file (both are 0).
type Ref struct {
	File   string // without its folder
	Sheet  string // empty for CSV
	Row    int    // as Row.Num
	Shown  int    // as Row.Shown
	Col    int    // 1 is column A
	Header string // of the column; empty if not known
}

// A1 returns the address as a spreadsheet program writes it: H7, 7 for a row, H for a
// column.
func (r Ref) A1() string {
	row := max(r.Row, 0)
	if r.Sheet == "" && r.Shown > 0 {
		row = r.Shown
	}
	if row == 0 {
		return ColumnName(r.Col)
	}
	return ColumnName(r.Col) + strconv.Itoa(row)
}

// String returns the address for people, without the file: "Trips!H7 (Appt Time)" in a
// sheet, and "H7 (Appt Time)" in a CSV file. If the line has a different number, it is
// added: "H7 (Appt Time), line 9". If only the line is known, the address is "line 9,
// column H". It is empty for a CSV file as a whole.
func (r Ref) String() string {
	if r.Row == 0 && r.Col == 0 {
		return r.Sheet
	}

	text := r.place()
	if r.Header != "" {
		text += " (" + strings.Join(strings.Fields(r.Header), " ") + ")"
	}
	if r.Sheet == "" && r.Shown > 0 && r.Shown != r.Row {
		text += fmt.Sprintf(", line %d", r.Row)
	}
	return text
}

// place returns the address for people without the header.
func (r Ref) place() string {
	switch {
	case r.Sheet != "" && r.Col == 0:
		return r.Sheet + ", row " + r.A1()
	case r.Sheet != "":
		return r.Sheet + "!" + r.A1()
	case r.Row == 0:
		return "column " + r.A1()
	case r.Shown > 0 && r.Col > 0:
		return r.A1()
	case r.Shown > 0:
		return "row " + r.A1()
	case r.Col > 0:
		return fmt.Sprintf("line %d, column %s", r.Row, ColumnName(r.Col))
	}
	return fmt.Sprintf("line %d", r.Row)
}
