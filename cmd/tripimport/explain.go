package main

import (
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
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
			s.printf("%s\n", legTitle(x.Row, f.Leg))
		}
		s.printf("  %-22s %s\n", string(f.Field), oneLine(f.Value))
		if from := origin(f); from != "" {
			s.printf("  %-22s   %s\n", "", oneLine(from))
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

// legTitle returns the line above the fields of a leg.
func legTitle(r importer.Row, leg importer.Leg) string {
	if leg == importer.OnlyLeg {
		return r.Ref(0).String()
	}
	return r.Ref(0).String() + ", " + leg.String()
}

// origin says where a value came from. It names cells by the letters of their columns, as
// spreadsheet programs show them.
func origin(e mapping.Explanation) string {
	var cells []string
	for _, c := range e.Cells {
		cells = append(cells, strings.TrimSpace(importer.ColumnName(c.Col)+" "+c.Header))
	}
	if len(cells) == 0 {
		return ""
	}
	return "from " + strings.Join(cells, ", ")
}

// oneLine replaces each run of white space, including line breaks, by one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
