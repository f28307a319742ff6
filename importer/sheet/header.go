package sheet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer"
)

// GuessHeader gives the index of the row that most likely is the header, -1 if
// none looks like one. It is the first row of labels that fills at least half as
// many columns as the fullest row. If the row after it has labels too, as in a
// header of two rows, the fuller of the two is the header.
func GuessHeader(rows []importer.Row) int {
	widest := 0
	for _, r := range rows {
		widest = max(widest, filledCells(r))
	}

	for i, r := range rows {
		if !isLabelRow(r) || filledCells(r)*2 < widest {
			continue
		}
		if i+1 < len(rows) && isLabelRow(rows[i+1]) && filledCells(rows[i+1]) > filledCells(r) {
			return i + 1
		}
		return i
	}

	return -1
}

// filledCells counts the cells that are not empty.
func filledCells(r importer.Row) int {
	n := 0
	for _, c := range r.Cells {
		if c.Type != importer.Empty {
			n++
		}
	}
	return n
}

// isLabelRow reports whether at least 80 % of the cells that are not empty could
// name a column.
func isLabelRow(r importer.Row) bool {
	n := 0
	for _, c := range r.Cells {
		if c.Type == importer.Text && isLabel(c.Text) {
			n++
		}
	}
	return n > 0 && n*10 >= filledCells(r)*8
}

// isLabel reports whether a text could name a column: it is short and has more
// letters than digits.
func isLabel(s string) bool {
	if utf8.RuneCountInString(s) > 80 {
		return false
	}

	letters, digits := 0, 0
	for _, r := range strings.TrimSpace(s) {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			digits++
		}
	}

	return letters > digits || s == "#"
}
