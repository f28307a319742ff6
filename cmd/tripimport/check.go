package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newCheck(e environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "check a schedule without sending anything",
		Example: `  tripimport check schedule.xlsx           every fault at its cell
  tripimport check --online schedule.xlsx  asks the service about the names, too
  tripimport check --for tomorrow schedule.xlsx
  tripimport check -m lakeshore.yaml --json schedule.csv`,
		Long: `Checks every row against the mapping, the rules and what the ledger knows, and
sends nothing. Faults are written to a workbook as well, each at its cell.

exit: 0 every row is good; 3 some rows to fix; 4 a person must act before the
next pickup; all others: tripimport help statuses`,
		RunE: e.inSession(func(ctx context.Context, s *session, paths []string) error { return s.check(ctx, &f, paths) }),
	}

	f.addReading(cmd)
	cmd.Flags().BoolVar(&f.Online, "online", false, "ask the service whether providers and funding sources are right (GET access)")
	return cmd
}

// each does a job with one file after the other, each for itself, and returns the worst of their statuses. If one does
// not come to its end, nothing is done with the others.
func (s *session) each(paths []string, job func(path string) error) error {
	if len(paths) == 0 {
		return usage("name the spreadsheet", "no file is named")
	}
	worst := app.Done
	for i, path := range paths {
		err := job(path)
		told, _ := errors.AsType[*app.Error](err) // without a reason, its summary said it
		finished := slices.Contains([]app.Status{app.Done, app.FixRows, app.NeedsPerson, app.Listed}, app.StatusOf(err))
		if !finished || told != nil && told.Reason != "" {
			if rest := paths[i+1:]; len(rest) > 0 {
				s.notice("nothing was done with " + strings.Join(rest, ", "))
			}
			return err
		}
		worst = worst.OrWorse(app.StatusOf(err))
	}
	if worst == app.Done {
		return nil
	}
	return &app.Error{Status: worst}
}

// check checks the files.
func (s *session) check(ctx context.Context, f *runFlags, paths []string) error {
	if f.Online && f.Rehearsal {
		return usage("", "--online does not go with --sandbox")
	}
	return s.each(paths, func(path string) error { return s.Check(ctx, f.Options, s.newReporter(f), path) })
}
