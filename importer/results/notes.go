package results

import (
	"strings"

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

// linesIn counts the lines that a text takes in a column of that width.
func linesIn(text string, width float64) int {
	total, n := 1, 0.0
	for _, r := range text {
		// Letters are a little narrower than a digit, the unit of widths.
		if n += 0.95; r == '\n' || n > width {
			total, n = total+1, 0
		}
	}
	return total
}
