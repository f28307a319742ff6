package main

import (
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/mapping"
)

// explainRow prints what each field of one row became, and from which cells,
// through which rule. Each field takes two lines: cells, rules and values are
// too long for columns.
func (s *session) explainRow(path string, row int) error {
	x, err := s.ExplainRow(path, row)
	if err != nil {
		return err
	}
	for i, f := range x.Fields {
		if i == 0 || f.Leg != x.Fields[i-1].Leg {
			s.printf("%s\n", legTitle(x.Row, f.Leg))
		}
		s.printf("  %-22s %s\n", fieldName(f), results.Inert(oneLine(f.Value)))
		s.printf("  %-22s   %s\n", "", results.Inert(oneLine(origin(f))))
	}
	if x.LeftOut != "" {
		s.printf("left out: %s\n", results.Inert(x.LeftOut))
	}
	for _, p := range x.Problems {
		s.line(describeProblem(x.Row, p, false))
	}
	return nil
}

func legTitle(r importer.Row, leg importer.Leg) string {
	if leg == importer.OnlyLeg {
		return r.Ref(0).String()
	}
	return r.Ref(0).String() + ", " + leg.String()
}

func fieldName(e mapping.Explanation) string {
	if e.Field == "" {
		return "(row)"
	}
	return string(e.Field)
}

// origin says where a value came from. Cells are named by their letters, which
// is how people find them.
func origin(e mapping.Explanation) string {
	var cells []string
	for _, c := range e.Cells {
		cells = append(cells, strings.TrimSpace(importer.ColumnName(c.Col)+" "+c.Header))
	}
	if len(cells) == 0 {
		return e.Rule
	}
	return "from " + strings.Join(cells, ", ") + ": " + e.Rule
}

// oneLine makes each run of white space, line breaks included, one space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
