package app

import (
	"fmt"
	"path/filepath"

	"tripimport/importer"
	"tripimport/mapping"
)

// An Explanation says what one row becomes, and why.
type Explanation struct {
	Row importer.Row
	// Fields are the row's fields with their cells and rules, leg by leg.
	Fields []mapping.Explanation
	// LeftOut says why the mapping leaves the row out; empty if it does not.
	LeftOut string
	// Problems are those that the mapping finds in the row, including words that the mapping
	// does not know.
	Problems []importer.Problem
}

// ExplainRow maps one row and says which value each field got, and from which
// cells. row is the row's number in the spreadsheet, or its line in a CSV file. If the file
// has several sheets, the first one with that row is used. If the file has no such row, the
// error is an *importer.InputError.
func (a *App) ExplainRow(path string, row int) (Explanation, error) {
	schedules, err := a.openSchedules([]string{path})
	if err != nil {
		return Explanation{}, err
	}

	defer closeSchedules(schedules)

	for _, s := range schedules {
		for r, err := range s.file.Below(s.bound.HeaderRow()).Rows() {
			if err != nil {
				return Explanation{}, err
			}
			if r.Num == row {
				r = r.Clone()
				m := s.bound.Map(r, nil)
				problems := m.AllProblems()
				for i := range m.NewWords {
					problems = append(problems, m.NewWords[i].Problem())
				}
				return Explanation{Row: r, Fields: s.bound.Explain(r), LeftOut: m.LeftOut, Problems: problems}, nil
			}
		}
	}

	return Explanation{}, &importer.InputError{
		File:   filepath.Base(path),
		Reason: fmt.Sprintf("it has no row %d below its header that is not blank", row),
		Fix:    "give the row's own number, as the spreadsheet shows it; for CSV the line",
	}
}
