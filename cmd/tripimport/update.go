package main

import (
	"context"

	"github.com/spf13/cobra"

	"tripimport/importer"
)

func newUpdate(e environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "update FILE…",
		Short: "change booked trips to what the schedule says now",
		Example: `  tripimport update --dry-run schedule.xlsx
                                     every change at its cell; nothing is sent
  tripimport update schedule.xlsx    shows what changes, asks, and sends it
  tripimport update --limit 3 schedule.xlsx
                                     a first few, to look at them in the service
  tripimport update --plan 1c04a9e2 schedule.xlsx
                                     sends the plan that was looked at before`,
		Long: `Sends exactly what changed since the trips were booked: times, addresses, phones
and so on, each trip by its GUID. It books nothing. Riders, funding sources and
dates, what became blank, and times and places from 23:00 on the evening before
(freeze in the settings) can't be sent: they are listed, to be changed by hand.

Where the changes look like a mistake (many alike, an older file, another mapping),
--yes is not enough: look at the plan, then agree at the terminal, or with --plan and
the id that was printed. "import --update" books and changes in one run, and leaves
such changes alone.

exit: as import`,
		Args: args(cobra.MinimumNArgs(1), "name the spreadsheet"),
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error {
			return s.Update(ctx, f.Options, s.newReporter(&f), paths...)
		}),
	}

	f.addReading(cmd)
	f.addSending(cmd)
	addSettings(cmd, "freeze")
	flags := cmd.Flags()
	flags.BoolVar(&f.DryRun, "dry-run", false, "show every change at its cell, and send nothing")
	flags.StringVar(&f.Plan, "plan", "", "send the plan with this `ID`, which was looked at before")
	flags.BoolVar(&f.Frozen, "frozen", false, "ask about each trip that is too near to be changed without a phone call")
	return cmd
}

func newHold(e environment) *cobra.Command {
	var release bool
	cmd := &cobra.Command{
		Use:   "hold TRIP",
		Short: "keep a booked trip from being changed: hands off",
		Example: `  tripimport hold 70411-A            a dispatcher changed it in the service
  tripimport hold --release 70411-A  it may be changed again`,
		Long: `Takes a trip id or a GUID of today or later. Changes of the trip in the
schedule are listed, to be made by hand, and never sent.`,
		Args: args(cobra.ExactArgs(1), "name the trip: its id, or its GUID"),
		RunE: e.inSession(func(ctx context.Context, s *session, words []string) error {
			held, err := s.Hold(ctx, words[0], release)
			if err != nil {
				return err
			}
			done := "held: it will not be changed"
			if release {
				done = "released: it may be changed again"
			}
			s.printf("%s %s\n", importer.Counted(len(held), "trip", "trips"), done)
			return nil
		}),
	}
	addSettings(cmd, "base_url", "ledger")
	cmd.Flags().BoolVar(&release, "release", false, "the trip may be changed again")
	return cmd
}
