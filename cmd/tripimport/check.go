package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer"
)

func newCheck(e environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "check a schedule without sending anything",
		Example: `  tripimport check schedule.xlsx           every fault at its cell
  tripimport check --online schedule.xlsx  asks the service about the names, too
  tripimport check --row 7 schedule.xlsx   what row 7 becomes, and why
  tripimport check --for tomorrow schedule.xlsx
  tripimport check -m lakeshore.yaml --json schedule.csv`,
		Long: `Reads the whole file and checks every row against the mapping and the rules. It
sends nothing and writes to no ledger; what the office's ledger knows is compared.
Where there are faults they are written to a workbook as well, each at its cell.

exit: 0 every row is good; 3 some rows to fix; 4 a person must act before the
next pickup; all others: tripimport help statuses`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error { return s.check(ctx, &f, paths) }),
	}

	f.addReading(cmd)
	cmd.Flags().IntVar(&f.row, "row", 0, "explain this `ROW` alone: what each field became, from which cells, by which rule")
	cmd.Flags().BoolVar(&f.Online, "online", false, "ask the service whether providers and funding sources are right (GET access)")
	return cmd
}

// check checks the files, or explains one row.
func (s *session) check(ctx context.Context, f *runFlags, paths []string) error {
	switch {
	case f.Online && f.Rehearsal:
		return usage("", "--online does not go with --sandbox")
	case f.row > 0 && len(paths) > 1:
		return usage("", "--row explains a row of one file")
	case f.row > 0:
		return s.explainRow(paths[0], f.row)
	}
	return s.Check(ctx, f.Options, s.newReporter(f), paths...)
}

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
		// By the letters of their columns, as spreadsheet programs show them.
		cells := importer.Each(f.Cells, func(c importer.Ref) string { return strings.TrimSpace(importer.ColumnName(c.Col) + " " + c.Header) })
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
