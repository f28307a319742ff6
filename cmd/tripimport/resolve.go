package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
)

func newResolve(e environment) *cobra.Command {
	var o struct{ input, workbook string }
	cmd := &cobra.Command{
		Use:   "resolve",
		Short: "record which of the trips that may be booked are booked",
		Example: `  tripimport resolve                       asks about each at the terminal
  tripimport resolve --input schedule.xlsx
                                           shows places and times as well
  tripimport resolve --results schedule.xlsx.20261202T031500Z.results.xlsx
                                           the same, from the results of the run`,
		Long: `Where the service's answer was lost, the trip may be booked, and it is never sent
again by itself. Look for it in the dispatch system, then answer: it is there
(with its GUID, if you can see it), or it is not there. Places and times are shown
where the schedule or its results are named. After "not there" the next run sends
the trip: if the answer was wrong, two cars come. A "not there" that is given in the
first 15 minutes after the trip was sent does not count, and the trip is asked about again.
A change that may not have arrived is listed too, with the answers that fit it.

exit: 0 no trip is open any more; 4 some trips are still open`,
		Args: args(cobra.NoArgs, "resolve takes no file but with --input or --results"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) (err error) {
			r, err := s.NewResolver(ctx, o.input, o.workbook)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, r.Close()) }()
			cards := &resolveCards{Resolver: r, environment: s.environment}
			return cards.askAll(ctx)
		}),
	}

	addSettings(cmd, "ledger", "mappings")
	flags := cmd.Flags()
	flags.StringP("mapping", "m", "", "with --input: `MAPPING` to use")
	flags.StringVar(&o.input, "input", "", "the `FILE` that the run read, to show places and times")
	flags.StringVar(&o.workbook, "results", "", "results `FILE` of the run, to show places and times")
	cmd.MarkFlagsMutuallyExclusive("input", "results")
	return cmd
}

// stillOpen returns the error of the command if trips are still open, and nil if none are.
func (r *resolveCards) stillOpen(left int) error {
	if left > 0 {
		return &app.Error{Status: app.NeedsPerson, Reason: "still open: " + importer.Counted(left, "trip", "trips"), Fix: "look for them in the dispatch system, then run `tripimport resolve` again"}
	}
	r.printf("no trip is open any more; `tripimport retry` or `import` sends those that were not there\n")
	return nil
}
