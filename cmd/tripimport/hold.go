package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
)

func newHold(e environment) *cobra.Command {
	var release bool
	var day importer.Date
	cmd := &cobra.Command{
		Use:   "hold TRIP",
		Short: "keep a booked trip from being changed: hands off",
		Example: `  tripimport hold 70411-A            a dispatcher changed it in the service
  tripimport hold --release 70411-A  it may be changed again`,
		Long: `Takes a trip id or a GUID of today or later. Changes of the trip in the schedule
are listed, to be made by hand, and never sent.`,
		RunE: e.inSession(func(ctx context.Context, s *session, words []string) error {
			held, err := s.Hold(ctx, words[0], day, release)
			done := importer.Counted(len(held), "trip held: it will not be changed", "trips held: they will not be changed")
			if release {
				done = importer.Counted(len(held), "trip released: it may be changed again", "trips released: they may be changed again")
			}
			return s.say(err, "%s\n", done)
		}),
	}
	cmd.Flags().BoolVar(&release, "release", false, "the trip may be changed again")
	cmd.Flags().TextVar(&day, "day", importer.Date{}, "only the trips of this `DAY` of service")
	return cmd
}
