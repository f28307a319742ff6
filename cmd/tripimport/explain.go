package main

import (
	"errors"
	"fmt"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/mapping"
)

// explain shows what each field of one row became, and from which cells,
// through which rule.
func explain(w world, s *schedule, row int) (err error) {
	for r, err := range s.file.Below(s.bound.HeaderRow()).Rows() {
		if err != nil {
			return err
		}
		if r.Num == row {
			return printExplanation(w, s, r)
		}
	}
	return &importer.InputError{
		File:   s.file.Name(),
		Reason: fmt.Sprintf("it has no row %d below its header that is not blank", row),
		Fix:    "give the row's own number, as the spreadsheet shows it; for CSV the line",
	}
}

func printExplanation(w world, s *schedule, r importer.Row) error {
	leg := importer.Leg(255)
	for _, e := range s.bound.Explain(r) {
		if e.Leg != leg {
			leg = e.Leg
			_, _ = fmt.Fprintf(w.Out, "%s\n", legTitle(r, leg))
		}
		// Two lines a field: cells, rules and values are too long for columns.
		_, _ = fmt.Fprintf(w.Out, "  %-22s %s\n", orRow(e), results.Inert(oneLine(e.Value)))
		_, _ = fmt.Fprintf(w.Out, "  %-22s   %s\n", "", results.Inert(oneLine(source(e))))
	}
	m := s.bound.Map(r)
	if m.LeftOut != "" {
		_, _ = fmt.Fprintf(w.Out, "left out: %s\n", results.Inert(m.LeftOut))
	}
	for _, p := range m.AllProblems() {
		w.line(describeProblem(r, p, false))
	}
	return nil
}

func legTitle(r importer.Row, leg importer.Leg) string {
	if leg == importer.OnlyLeg {
		return r.Ref(0).String()
	}
	return r.Ref(0).String() + ", " + leg.String()
}

func orRow(e mapping.Explanation) string {
	if e.Field == "" {
		return "(row)"
	}
	return string(e.Field)
}

// source says where a value came from. Cells go by their letters, which is how
// people look for them.
func source(e mapping.Explanation) string {
	var cells []string
	for _, c := range e.Cells {
		cells = append(cells, strings.TrimSpace(importer.ColumnName(c.Col)+" "+c.Header))
	}
	if len(cells) == 0 {
		return e.Rule
	}
	return "from " + strings.Join(cells, ", ") + ": " + e.Rule
}

// oneLine folds white space, line breaks included.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// explainRow is `check --row`.
func (a *app) explainRow(path string, row int) (err error) {
	schedules, err := a.openSchedules([]string{path})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, schedules[0].file.Close()) }()
	return explain(a.world, schedules[0], row)
}
