package results

import (
	"strings"
	"unicode/utf8"
)

// heightOf returns the height in points that a text takes in merged cells of that width in
// characters. Spreadsheet programs fit the heights of all other rows by themselves.
func heightOf(text string, width int) float64 {
	return float64(15*(1+strings.Count(text, "\n")+utf8.RuneCountInString(text)/width) + 2)
}
