package xlsx

import (
	"bytes"

	"tripimport/importer"
)

// parseA1 reads the address of a cell, such as H7.
func parseA1(b []byte) (col, row int, ok bool) {
	n := 0
	for ; n < len(b) && 'A' <= b[n]&^0x20 && b[n]&^0x20 <= 'Z'; n++ {
		col = col*26 + int(b[n]&^0x20-'A') + 1
	}
	row, ok = wholeNumber(b[n:])
	return col, row, ok && row > 0 && 0 < n && n < 4 && col <= importer.MaxColumns
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
func wholeNumber(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, 0 < len(b) && len(b) < 10
}
