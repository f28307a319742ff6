package sheet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"
)

// delimiterName gives the name of a delimiter as Options and inspect write it.
func delimiterName(comma rune) string {
	if comma == '\t' {
		return "tab"
	}
	return string(comma)
}

// namedDelimiter is its inverse, with words for the other ones too.
func namedDelimiter(name string) (rune, error) {
	switch strings.ToLower(name) {
	case "tab", "\t", `\t`:
		return '\t', nil
	case "comma":
		return ',', nil
	case "semicolon":
		return ';', nil
	case "pipe":
		return '|', nil
	}
	r, n := utf8.DecodeRuneInString(name)
	if n != len(name) || r == utf8.RuneError || strings.ContainsRune("\"\r\n \x00", r) {
		return 0, fmt.Errorf("%q is no delimiter", name)
	}
	return r, nil
}

// declaredDelimiter reads the line sep=; by which Excel is told the delimiter.
// It gives the length of the line, 0 where there is none.
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

// guessDelimiter finds the delimiter by which the sample makes the best table.
// cut reports that the file goes on after the sample.
func guessDelimiter(sample []byte, cut bool) rune {
	best, bestScore := ',', 0.0
	for _, comma := range []rune{',', '\t', ';', '|'} {
		if bytes.ContainsRune(sample, comma) {
			if score := tableScore(sample, comma, cut); score > bestScore {
				best, bestScore = comma, score
			}
		}
	}
	return best
}

// tableScore says how much of a table the sample is when cut at that
// delimiter: rows of one width, the wider the better, and cells that have none
// of the other delimiters in them and do not begin in the middle of a
// sentence. (The measure of van den Burg, Nazábal and Sutton, "Wrangling messy
// CSV files by detecting row and type patterns", 2019, made simple.)
func tableScore(sample []byte, comma rune, cut bool) float64 {
	const enough = 200
	r := csv.NewReader(bytes.NewReader(sample))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord = comma, -1, true
	widths := map[int]int{}
	cells, clean := 0, 0
	for range enough {
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

// cleanCell reports whether a cell looks whole.
func cleanCell(cell string) bool {
	return !strings.ContainsAny(cell, ",;\t|") && !strings.HasPrefix(cell, " ")
}
