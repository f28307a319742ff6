package results

import (
	"strings"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
)

// maxNotes is how many cells get a note: the time excelize takes for them
// grows with their square.
const maxNotes = 1000

// notes counts the notes of a workbook: how many there are at most, how many were
// made, and how many cells were left without one.
type notes struct{ most, made, left int }

// add adds a note to a cell, unless there are enough.
func (n *notes) add(f *excelize.File, sheet, cell, text string) error {
	if n.made >= n.most {
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

// linesIn counts the lines that a text takes in a column of that width, where it wraps
// between words.
func linesIn(text string, width float64) int {
	const letter = 0.95 // of a digit, the unit of widths
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
