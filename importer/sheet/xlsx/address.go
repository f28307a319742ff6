package xlsx

import (
	"bytes"
	"strconv"

	"tripimport/importer"
)

// parseA1 reads the address of a cell, such as H7.
func parseA1(b []byte) (col, row int, ok bool) {
	n := 0
	for n < len(b) && n < 4 && 'A' <= b[n]&^0x20 && b[n]&^0x20 <= 'Z' {
		col = col*26 + int(b[n]&^0x20-'A') + 1
		n++
	}

	if n == 0 || n > 3 {
		return 0, 0, false
	}

	row, ok = wholeNumber(b[n:])
	return col, row, ok && row > 0 && col <= importer.MaxColumns
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
