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
	var from, to, by string
	cmd := &cobra.Command{
		Use:   "report --from DATE --to DATE",
		Short: "list the booked trips of some days, for billing",
		Example: `  tripimport report --from 2026-12-01 --to 2026-12-31 -o december.xlsx
  tripimport report --from 2026-12-01 --to 2026-12-31 --by payer`,
		Long: `Both days are days of service, and both are in the report. It has the trips that are
booked, those that may be, and those that were cancelled: id, date, leg, GUID, when and
by which run it was booked, changed or cancelled, and whether by hand. Totals are printed,
and each run that booked one of the trips is compared with its control total.

The ledger does not hold the names of funding sources. The report recognizes those that
the service listed last (tripimport access).

exit: 0 written, and every control total balances; 1 one does not; 2 usage`,
		Args: args(cobra.NoArgs, "report takes no file; -o names the file to write"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			o.From, _ = importer.ParseDate(from) // Report refuses a zero date
			o.To, _ = importer.ParseDate(to)
			o.By = results.ReportGroup(by)
			if o.By != results.ByDay && o.By != results.ByProvider && o.By != results.ByPayer {
				return usage("", "--by is %q; it takes day, provider or payer", by)
			}
			r, written, err := s.Report(ctx, o)
			if err != nil {
				return err
			}
			if err := printReport(e, &r, written); err != nil {
				return err
			}
			if !r.Balanced() {
				return &app.Error{Status: app.Unexpected, Reason: "a control total does not balance: the report is not complete", Fix: "run `tripimport ledger verify`"}
			}
			return nil
		}),
	}

	flags := cmd.Flags()
	flags.StringVar(&from, "from", "", "first `DAY` of service, such as 2026-12-01")
	flags.StringVar(&to, "to", "", "last `DAY` of service")
	flags.StringVar(&by, "by", string(results.ByDay), "`WHAT` the totals are of: day, provider or payer")
	flags.StringVar(&o.Provider, "provider", "", "only the trips of this transportation `PROVIDER`")
	flags.StringVar(&o.FundingSource, "funding-source", "", "only the trips of this `FUNDING-SOURCE`")
	flags.StringVarP(&o.Path, "output", "o", "", "`FILE` to write the trips to: .xlsx or .csv")
	return cmd
}

// printReport prints the totals and the control totals.
func printReport(e environment, r *results.Report, written string) error {
	groups, all := r.Totals()
	all.Group = "all"
	var t table
	t.add(r.By, "booked", "of these changed", "by hand", "cancelled", "may be booked")
	for _, g := range append(groups, all) {
		t.add(cmp.Or(g.Group, "not known"), g.Booked, g.Changed, g.ByHand, g.Cancelled, g.Unknown)
	}
	if err := t.print(e.Out); err != nil {
		return err
	}

	unbalanced, total, elsewhere := 0, 0, 0
	for _, c := range r.Controls {
		total += c.Within
		elsewhere += c.OtherDays
		if !c.Balanced() {
			unbalanced++
			e.printf("run %s counted %d booked trips, the ledger has %d\n", c.Run, c.Total, c.Within+c.OtherDays)
		}
	}
	balance := "its control total balances"
	switch {
	case unbalanced > 0:
		balance = importer.Counted(unbalanced, "control total does", "control totals do") + " NOT balance"
	case len(r.Controls) != 1:
		balance = "their control totals balance"
	}
	e.printf("%s booked %s of these days and %s of other days: %s\n",
		importer.Counted(len(r.Controls), "run", "runs"), importer.Counted(total, "trip", "trips"), importer.Counted(elsewhere, "trip", "trips"), balance)
	if people := all.Booked - total; people > 0 {
		e.printf("%s on these days by what people answered: there, or booked by hand\n", importer.Counted(people, "more trip is booked", "more trips are booked"))
	}
	if written != "" {
		e.printf("written to %s\n", results.Inert(written))
	}
	return nil
}
