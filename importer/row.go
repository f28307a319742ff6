package importer

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Row is one row of a sheet, or one record of a CSV file.
type Row struct {
	// File is the name of the file the row came from, without its folder.
	File string
	// Sheet is the sheet's name; empty for CSV.
	Sheet string
	// Num is the row's own number: in a sheet the one Excel shows, in a CSV
	// file the physical line on which the record begins.
	Num int
	// Cells holds the row's cells by position: Cells[0] is column A. Columns
	// beyond the end are empty.
	Cells []Cell
	// Width is the number of fields that a CSV record, or a row of an HTML
	// table, has, however many of them are empty; 0 for a sheet, whose rows are
	// never ragged.
	Width int
	// Hidden reports that the spreadsheet hides the row (by a filter or by
	// hand). It is read all the same.
	Hidden bool
}

// Cell gives the cell in column col, 1 being column A; an empty cell where the
// row has none.
func (r Row) Cell(col int) Cell {
	if col < 1 || col > len(r.Cells) {
		return Cell{}
	}
	return r.Cells[col-1]
}

// Blank reports whether every cell of the row is empty.
func (r Row) Blank() bool {
	return !slices.ContainsFunc(r.Cells, func(c Cell) bool { return c.Type != Empty })
}

// Clone gives a row that shares no memory with r. A reader hands out rows that
// are its own until the next one is read; whoever keeps a row clones it.
func (r Row) Clone() Row {
	r.Cells = slices.Clone(r.Cells)
	return r
}

// Ref gives the address of the row's cell in column col; col 0 is the row as a
// whole.
func (r Row) Ref(col int) Ref {
	return Ref{File: r.File, Sheet: r.Sheet, Row: r.Num, Col: col}
}

// A Ref is the address of a cell, of a row (Col 0), or of a file as a whole
// (Row 0), as a person finds it there.
type Ref struct {
	File   string
	Sheet  string // empty for CSV
	Row    int    // the sheet's own number; for CSV the physical line
	Col    int    // 1 is column A
	Header string // the column's header, where known
}

// A1 gives the address as Excel writes it: H7; 7 for a row, H for a column.
func (r Ref) A1() string {
	if r.Row == 0 {
		return ColumnName(r.Col)
	}
	return ColumnName(r.Col) + strconv.Itoa(r.Row)
}

// String gives the address for people, without the file: `Trips!H7 (Appt
// Time)` in a sheet, `line 7, column 8 (Appt Time)` in a CSV file.
func (r Ref) String() string {
	var b strings.Builder
	switch {
	case r.Row == 0 && r.Col == 0:
		return r.Sheet
	case r.Sheet == "" && r.Col == 0:
		fmt.Fprintf(&b, "line %d", r.Row)
	case r.Sheet == "" && r.Row == 0:
		fmt.Fprintf(&b, "column %d", r.Col)
	case r.Sheet == "":
		fmt.Fprintf(&b, "line %d, column %d", r.Row, r.Col)
	case r.Col == 0:
		fmt.Fprintf(&b, "%s, row %d", r.Sheet, r.Row)
	default:
		b.WriteString(r.Sheet + "!" + r.A1())
	}
	if r.Header != "" {
		fmt.Fprintf(&b, " (%s)", strings.Join(strings.Fields(r.Header), " "))
	}
	return b.String()
}
