package sheet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tripimport/importer"
)

// GuessHeader gives the index of the row that most likely is the header: the
// first that fills about as many columns as any, and with labels alone. Of two
// rows of labels that follow each other, as in a header of two rows, it is the
// fuller one. It gives -1 where no row looks like one.
func GuessHeader(rows []importer.Row) int {
	widest := 0
	for _, r := range rows {
		widest = max(widest, filled(r))
	}
	for i, r := range rows {
		if !labels(r) || filled(r)*2 < widest {
			continue
		}
		if i+1 < len(rows) && labels(rows[i+1]) && filled(rows[i+1]) > filled(r) {
			return i + 1
		}
		return i
	}
	return -1
}

// filled counts the cells that hold something.
func filled(r importer.Row) int {
	n := 0
	for _, c := range r.Cells {
		if c.Type != importer.Empty {
			n++
		}
	}
	return n
}

// labels reports whether nearly all of the row's cells could name a column.
func labels(r importer.Row) bool {
	n := 0
	for _, c := range r.Cells {
		if c.Type == importer.Text && label(c.Text) {
			n++
		}
	}
	return n > 0 && n*10 >= filled(r)*8
}

// label reports whether a text could name a column: short, and more letters
// than digits.
func label(s string) bool {
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
