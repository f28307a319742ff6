package xlsx

import (
	"bytes"
	"strconv"

	"tripimport/importer"
)

// parseA1 reads the address of a cell, such as H7.
func parseA1(b []byte) (col, row int, ok bool) {
	n := 0
	for n < len(b) && b[n] > '9' {
		n++
	}
	col, isColumn := importer.ColumnNumber(string(b[:n]))
	row, ok = wholeNumber(b[n:])
	return col, row, ok && isColumn && row > 0
}

// parseRange reads the address of a block of cells, such as A1:C2, or of a
// single cell.
func parseRange(b []byte) (Range, bool) {
	first, last, ok := bytes.Cut(b, []byte(":"))
	if !ok {
		last = first
	}
	c1, r1, ok1 := parseA1(first)
	c2, r2, ok2 := parseA1(last)
	return Range{r1, c1, r2, c2}, ok1 && ok2 && r1 <= r2 && c1 <= c2
}

// A Range is a block of cells, all ends included. Rows and columns are numbered from 1.
type Range struct{ FirstRow, FirstCol, LastRow, LastCol int }

// wholeNumber reads a whole number of at most nine digits.
func wholeNumber(b []byte) (int, bool) {
	n, err := strconv.ParseUint(string(b), 10, 30)
	return int(n), err == nil && len(b) < 10 //nolint:gosec // it has 30 bits
}
