package sheet

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"unicode/utf8"
)

// delimiters are the delimiters by their names in Options.
func delimiters() map[string]rune {
	return map[string]rune{"comma": ',', "semicolon": ';', "tab": '\t', "pipe": '|'}
}

// declaredDelimiter reads a first line such as sep=; which tells Excel the
// delimiter. It returns the length of the line, 0 if there is none.
func declaredDelimiter(sample []byte) (comma rune, length int) {
	line, _, _ := bytes.Cut(sample, []byte("\n"))
	text := strings.Trim(strings.TrimSuffix(string(line), "\r"), `"`)
	if len(text) < 5 || !strings.EqualFold(text[:4], "sep=") {
		return 0, 0
	}

	comma, n := utf8.DecodeRuneInString(text[4:])
	if n != len(text)-4 {
		return 0, 0
	}

	return comma, min(len(line)+1, len(sample))
}

// guessDelimiter returns the delimiter that cuts the most of the first rows into the same number of cells, the
// headers among them, and of several such the one that makes the most cells: an address may have as many
// commas in every row, but no header has. cut says that the file goes on after the sample.
func guessDelimiter(sample []byte, cut bool) rune {
	best, mostRows, mostCells := ',', 0, 0
	for _, comma := range ",\t;|" {
		rows, cells := rowsAlike(sample, comma, cut)
		if rows > mostRows || rows == mostRows && cells > mostCells {
			best, mostRows, mostCells = comma, rows, cells
		}
	}
	return best
}

// rowsAlike returns how many of the first rows a delimiter cuts into the same number of cells, in half rows, and that
// number. A row counts half if all cells but the first begin with a space, as the parts of a sentence do.
func rowsAlike(sample []byte, comma rune, cut bool) (rows, cells int) {
	const first = 200
	r := csv.NewReader(bytes.NewReader(sample))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	widths := map[int]int{}
	for range first {
		record, err := r.Read()
		if err != nil || cut && r.InputOffset() == int64(len(sample)) {
			break
		}
		n := len(record)
		if n == 1 {
			continue
		}
		widths[n] += 2
		if !slices.ContainsFunc(record[1:], func(cell string) bool { return !strings.HasPrefix(cell, " ") }) {
			widths[n]--
		}
		if widths[n] > rows {
			rows, cells = widths[n], n
		}
	}
	return rows, cells
}
