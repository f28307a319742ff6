package main

import (
	"strings"

	"tripimport/importer"
)

// explainRow prints which value each field of one row got, and from which cells.
// It prints two lines for each field, because cells and values are too long for columns.
func (s *session) explainRow(path string, row int) error {
	x, err := s.ExplainRow(path, row)
	if err != nil {
		return err
	}

	for i, f := range x.Fields {
		if i == 0 || f.Leg != x.Fields[i-1].Leg {
			s.printf("%s\n", strings.TrimSuffix(x.Row.Ref(0).String()+", "+f.Leg.String(), ", "))
		}
		s.printf("  %-22s %s\n", string(f.Field), oneLine(f.Value))
		var cells []string // by the letters of their columns, as spreadsheet programs show them
		for _, c := range f.Cells {
			cells = append(cells, strings.TrimSpace(importer.ColumnName(c.Col)+" "+c.Header))
		}
		if cells != nil {
			s.printf("  %-22s   from %s\n", "", oneLine(strings.Join(cells, ", ")))
		}
	}

	if x.LeftOut != "" {
		s.printf("left out: %s\n", x.LeftOut)
	}

	for _, p := range x.Problems {
		s.line(describeProblem(x.Row, p, false))
	}
	return nil
}

// oneLine replaces each run of white space, including line breaks, by one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
