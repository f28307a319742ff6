package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newRetry(e environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "retry RESULTS-FILE",
		Short: "send the rows that you fixed in the results, and nothing twice",
		Example: `  tripimport retry schedule.xlsx.20261202T031500Z.results.xlsx
  tripimport retry --sandbox schedule.xlsx.20261202T031500Z.rehearsal.xlsx`,
		Long: `Fix the marked cells in the results workbook itself, save it, and give it to
retry: only trips that are not booked are sent, and only the leg that is
missing. Answers under "What we found" count. A rehearsal's workbook is booked
for real, with what you fixed in it. Sort whole rows only, and put new trips
into the schedule.

exit: as of import`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			r := s.newReporter(&f)
			return r.agreed(func(o app.Options) error { return s.Retry(ctx, o, r, paths[0]) })
		}),
	}

	f.addReading(cmd)
	f.addSending(cmd)
	return cmd
}
