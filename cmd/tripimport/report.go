package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/results"
)

func newReport(e environment) *cobra.Command {
	var from, to importer.Date
	var path string
	cmd := &cobra.Command{
		Use:     "report --from DATE --to DATE",
		Short:   "list the booked trips of some days, for billing",
		Example: `  tripimport report --from 2026-12-01 --to 2026-12-31 -o december.xlsx`,
		Long: `Both days are days of service, and both are in the report: the trips that are
booked, those that may be, and those that were cancelled, each with its GUID.
The ledger is checked as well.

exit: 0 written, and the ledger is sound; 1 it is not; 2 usage`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			r, written, ledger, err := s.Report(ctx, from, to, path)
			if err != nil {
				return err
			}
			if err := printTotals(e, r); err != nil {
				return err
			}
			if written != "" {
				s.printf("written to %s\n", written)
			}
			return s.printSoundness(&ledger)
		}),
	}

	flags := cmd.Flags()
	flags.TextVar(&from, "from", importer.Date{}, "first `DAY` of service, such as 2026-12-01")
	flags.TextVar(&to, "to", importer.Date{}, "last `DAY` of service")
	flags.StringVarP(&path, "output", "o", "", "`FILE` to write the trips to, an .xlsx workbook")
	return cmd
}

// printTotals prints the totals of a report.
func printTotals(e environment, r results.Report) error {
	var t table
	t.add("day", "booked", "cancelled", "may be booked")
	for _, g := range r.Totals() {
		t.add(g.Days, g.Booked, g.Cancelled, g.Unknown)
	}
	return t.print(e.Out)
}
