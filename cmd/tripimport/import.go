package main

import (
	"errors"

	"github.com/spf13/cobra"

	"tripimport/mapping"
)

func newImport(w world) *cobra.Command {
	var f runFlags
	var dryRun bool
	cmd := &cobra.Command{
		Use:   "import FILE…",
		Short: "book the trips of a schedule, each once",
		Example: `  tripimport import --sandbox schedule.xlsx          rehearse: nothing is booked, no account needed
  tripimport import schedule.xlsx                    book the trips
  tripimport import --for tomorrow --limit 5 schedule.xlsx
                                                     a first few, to look at them in the service
  tripimport import -m lakeshore.yaml -o out.xlsx schedule.csv`,
		Long: `Reads the whole file, proves the token and every name in it, and books the
trips, each once: what the ledger has as booked is not sent again, so the same
command may be repeated at any time. The results workbook beside the file says
for every row what became of it.

exit: 0 every trip booked; 3 some rows to mend; 4 a person must look before the
day starts; 5 stopped early, run it again later; 6 stopped early, something must
be changed first; 2 not set up, nothing sent; 7 the file can't be read, nothing
sent; 11 another run holds the ledger; 130 interrupted`,
		Args: args(cobra.MinimumNArgs(1), "name the spreadsheet to import"),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if dryRun {
				return runCheck(cmd, w, f, paths)
			}
			return runImport(cmd, w, f, paths)
		},
	}
	f.addReading(cmd)
	f.addSending(cmd)
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "the same as tripimport check")
	return cmd
}

func runImport(cmd *cobra.Command, w world, f runFlags, paths []string) (err error) {
	if err := f.check(cmd); err != nil {
		return err
	}
	a, err := newApp(cmd, w)
	if err != nil {
		return err
	}
	schedules, err := a.openSchedules(paths)
	if err != nil {
		return err
	}
	defer closeSchedules(schedules)
	if err := refuseDraft(schedules[0].mapping, f.sandbox); err != nil {
		return err
	}
	j, err := a.newJob("import", f, schedules)
	if err != nil {
		return err
	}
	if err := j.openVenue(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.venue.close()) }()
	return j.carryOut(cmd.Context())
}

// openVenue opens the real service and ledger, or the rehearsal.
func (j *job) openVenue() (err error) {
	if j.rehearsal {
		j.venue, err = j.rehearsalVenue(j.command)
		return err
	}
	j.venue, err = j.realVenue(j.command, j.opts.lockWait, j.opts.tokenStdin)
	return err
}

// refuseDraft keeps a mapping that nobody has approved from booking trips.
func refuseDraft(m *mapping.Mapping, rehearsal bool) error {
	if !m.Draft() || rehearsal {
		return nil
	}
	return usage("look at it with `tripimport check`, then run `tripimport mapping approve "+quoted(m.File())+" FILE`",
		"the mapping %s is a draft that nobody has approved", m.File())
}
