package returned

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// Answered reports whether somebody may have answered in a workbook of ours that is refused: there is text in
// a column for answers, or an answer that a trip is not to be sent elsewhere, or no such column can be found.
func Answered(path string) bool {
	f, err := openFile(path)
	if err != nil {
		return true
	}
	defer func() { _ = f.close() }() // only read from
	found := false
	for _, name := range f.sheets() {
		t := &table{}
		for row, err := range f.rows(name) {
			if err != nil {
				return true
			}
			if head := headersAt(row); head != nil {
				t = head
				found = found || t.answer != 0
				continue
			}
			for i, c := range row.Cells {
				if isAlone(c.Text) || strings.TrimSpace(c.Text) != "" && (i+1 == t.answer || strings.EqualFold(t.headerOf(i+1), seal.AnswerHeader)) { // perhaps one of two such columns
					return true
				}
			}
		}
	}
	return !found || isCommented(f)
}

// isCommented reports whether a comment on a cell of a file of which all rows were read may have an answer.
func isCommented(f *file) bool {
	return slices.ContainsFunc(f.sheets(), func(sheet string) bool {
		rows, err := f.comments(sheet)
		for _, comments := range rows {
			if answersIn(comments, importer.Ref{}) != nil {
				return true
			}
		}
		return err != nil
	})
}
