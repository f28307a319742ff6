package results

import (
	"strings"
	"unicode/utf8"
)

// linesIn estimates the number of lines that a text takes in a column of that width. Words that are not broken leave the ends
// of lines empty.
func linesIn(text string, width float64) (lines int) {
	for line := range strings.SplitSeq(text, "\n") {
		lines++
		if n := utf8.RuneCountInString(line); n > int(width)-2 {
			lines += n / max(1, int(width)-4)
		}
	}
	return lines
}
