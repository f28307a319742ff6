package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

func newReport(e environment) *cobra.Command {
	var o app.ReportOptions
	var by string
	cmd := &cobra.Command{
		Use:   "report --from DATE --to DATE",
		Short: "list the booked trips of some days, for billing",
		Example: `  tripimport report --from 2026-12-01 --to 2026-12-31 -o december.xlsx
  tripimport report --from 2026-12-01 --to 2026-12-31 --by payer`,
		Long: `Both days are days of service, and both are in the report. It has the trips that are
booked, those that may be, and those that were cancelled: id, date, leg, GUID, when and
by which run it was booked, changed or cancelled, and whether by hand. Totals are printed,
and each run of the ledger is compared with its control total, as tripimport ledger verify does.

The ledger does not hold the names of funding sources. The report recognizes those that
the service listed last (tripimport access).

exit: 0 written, and the ledger is sound; 1 it is not; 2 usage`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			o.By = results.ReportGroup(by)
			if o.By != results.ByDay && o.By != results.ByProvider && o.By != results.ByPayer {
				return usage("", "--by is %q; it takes day, provider or payer", by)
			}
			r, written, ledger, err := s.Report(ctx, o)
			if err != nil {
				return err
			}
			if err := printTotals(e, &r); err != nil {
				return err
			}
			if written != "" {
				s.printf("written to %s\n", written)
			}
			return s.printSoundness(&ledger)
		}),
	}

	flags := cmd.Flags()
	flags.TextVar(&o.From, "from", importer.Date{}, "first `DAY` of service, such as 2026-12-01")
	flags.TextVar(&o.To, "to", importer.Date{}, "last `DAY` of service")
	flags.StringVar(&by, "by", string(results.ByDay), "`WHAT` the totals are of: day, provider or payer")
	flags.StringVarP(&o.Path, "output", "o", "", "`FILE` to write the trips to: .xlsx or .csv")
	return cmd
}

// printTotals prints the totals of a report.
func printTotals(e environment, r *results.Report) error {
	groups, all := r.Totals()
	all.Group = "all"
	var t table
	t.add(r.By, "booked", "of these changed", "by hand", "cancelled", "may be booked")
	for _, g := range append(groups, all) {
		t.add(cmp.Or(g.Group, "not known"), g.Booked, g.Changed, g.ByHand, g.Cancelled, g.Unknown)
	}
	return t.print(e.Out)
}
