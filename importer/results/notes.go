package results

import (
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// maxNotes limits the cells that get a note, because the time that excelize takes for
// notes grows with the square of their number.
const maxNotes = 1000

// notes counts the notes of a workbook: made is their number, and left the number of cells
// without a note because of the limit.
type notes struct{ made, left int }

// add adds a note to a cell, unless there are enough.
func (n *notes) add(f *excelize.File, sheet, cell, text string) error {
	if n.made >= maxNotes {
		n.left++
		return nil
	}
	n.made++
	shown, _ := showable(text)
	rows := 1 + len(shown)/38 + strings.Count(shown, "\n")
	return f.AddComment(sheet, excelize.Comment{
		Cell: cell, Author: "tripimport", Text: shown,
		Width: 260, Height: uint(min(24+16*rows, 400)),
	})
}

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
