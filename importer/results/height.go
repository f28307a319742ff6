package results

import (
	"strings"
	"unicode/utf8"
)

// linesIn returns the number of lines that a text takes in a column of that width if it
// wraps between words.
func linesIn(text string, width float64) int {
	const letter = 0.95 // the width of a letter, in digits, which are the unit of column widths
	most, total := max(1, int(width/letter)), 0
	for line := range strings.SplitSeq(text, "\n") {
		used := 0
		total++
		for word := range strings.FieldsSeq(line) {
			n := utf8.RuneCountInString(word)
			if used > 0 && used+1+n > most {
				total, used = total+1, 0
			}
			used += n + min(used, 1)
			total, used = total+used/(most+1), used%(most+1)
		}
	}
	return total
}

// heightOf returns the height in points of a row with that many lines, or 0 for a row of one. It is
// written because not every program fits heights by itself.
func heightOf(lines int) float64 {
	if lines == 1 {
		return 0
	}
	return float64(15*lines + 2)
}

// rowHeight returns the height in points of a row with these cells.
func rowHeight(cells []cell, width func(column int) float64) float64 {
	lines := 1
	for i, c := range cells {
		lines = max(lines, linesIn(c.text, width(i)))
	}
	return heightOf(lines)
}
