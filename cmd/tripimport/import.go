package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newImport(e environment) *cobra.Command {
	var f runFlags
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "book the trips of a schedule, each once",
		Example: `  tripimport import --sandbox schedule.xlsx    rehearse: nothing is booked
  tripimport import schedule.xlsx              book the trips
  tripimport import --for tomorrow --limit 5 schedule.xlsx`,
		Long: `Proves the token and every name in the file, and books the trips, each once: the
same command may be repeated at any time. The results workbook beside the file
says for every row what became of it.

What changed since a trip was booked is shown, and sent after a yes at the
terminal, or with --changes send.

exit: 0 every trip booked; 3 some rows to fix; 4 a person must act before the
next pickup; all others: tripimport help statuses`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			if dryRun {
				return s.check(ctx, &f, paths)
			}
			return s.each(&f, paths, false, func(path string) error {
				r := s.newReporter(&f)
				return r.agreed(func(o app.Options) error { return s.Import(ctx, o, r, path) })
			})
		}),
	}

	f.addReading(cmd)
	f.addSending(cmd)
	cmd.Flags().String("changes", "", "send or report what changed of booked trips: `WORD`, as the setting")
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "the same as tripimport check")
	return cmd
}
