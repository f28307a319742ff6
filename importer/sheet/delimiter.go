package sheet

import (
	"bytes"
	"encoding/csv"
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

// guessDelimiter returns the delimiter that makes the best table of the sample.
// cut says that the file goes on after the sample.
func guessDelimiter(sample []byte, cut bool) rune {
	best, bestScore := ',', 0.0
	for _, comma := range []rune{',', '\t', ';', '|'} {
		if score := tableScore(sample, comma, cut); score > bestScore {
			best, bestScore = comma, score
		}
	}

	return best
}

// tableScore rates the table that the delimiter makes of the first rows of the
// sample. Rows of one width rate high, the wider the higher, and so do clean
// cells. It is a simple form of the measure of van den Burg, Nazábal and Sutton,
// "Wrangling messy CSV files by detecting row and type patterns", 2019.
func tableScore(sample []byte, comma rune, cut bool) float64 {
	const maxRows = 200
	r := csv.NewReader(bytes.NewReader(sample))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	widths := map[int]int{}
	cells, clean := 0, 0
	for range maxRows {
		record, err := r.Read()
		if err != nil || (cut && r.InputOffset() == int64(len(sample))) {
			break
		}

		widths[len(record)]++
		for _, cell := range record {
			cells++
			if cleanCell(cell) {
				clean++
			}
		}
	}

	if cells == 0 {
		return 0
	}

	score := 0.0
	for width, n := range widths {
		score += float64(n) * float64(width-1) / float64(width)
	}

	return score / float64(len(widths)) * (0.01 + float64(clean)/float64(cells))
}

// cleanCell reports whether a cell has no delimiter in it and does not begin
// like the middle of a sentence.
func cleanCell(cell string) bool {
	return !strings.ContainsAny(cell, ",;\t|") && !strings.HasPrefix(cell, " ")
}
