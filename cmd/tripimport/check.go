package main

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer/app"
)

func newCheck(e environment) *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "check FILE…",
		Short: "check a schedule without sending anything",
		Example: `  tripimport check schedule.xlsx           every fault at its cell
  tripimport check --online schedule.xlsx  asks the service about the names, too`,
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

// each does a job with one file after the other, the one that was saved first before the others, as nights do: none is
// older than one that came before it. It returns the worst of their statuses. If one does not come to
// its end, a check goes on with the others, and an import does nothing with them.
func (s *session) each(f *runFlags, paths []string, goOn bool, job func(path string) error) error {
	switch {
	case len(paths) == 0:
		return usage("name the spreadsheet", "no file is named")
	case len(paths) > 1 && (f.Output != "" || f.Limit > 0):
		return usage("leave it out, or name one file", "-o and --limit are for one file, and each of the %d files is done by itself", len(paths))
	}
	if len(paths) > 1 {
		slices.SortStableFunc(paths, func(a, b string) int { return savedAt(a).Compare(savedAt(b)) })
		f.Parts = paths
	}
	worst := app.Done
	for i, path := range paths {
		err := job(path)
		worst = worst.OrWorse(app.StatusOf(err))
		rest := paths[i+1:]
		switch finished := slices.Contains([]app.Status{app.Done, app.FixRows, app.NeedsPerson, app.Listed}, app.StatusOf(err)); {
		case len(rest) == 0 && worst == app.StatusOf(err):
			return err
		case finished:
			explainError(s.environment, err, s.Spell)
		case goOn:
			explainError(s.environment, err, s.Spell)
			f.Parts = slices.DeleteFunc(slices.Clone(f.Parts), func(part string) bool { return part == path }) // no import takes it
		default:
			s.notice("nothing was done with " + strings.Join(rest, ", "))
			return err
		}
	}
	return &app.Error{Status: worst}
}

// savedAt returns when a file was saved, or zero for one that is not there.
func savedAt(path string) (at time.Time) {
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	return at
}

// check checks the files.
func (s *session) check(ctx context.Context, f *runFlags, paths []string) error {
	if f.Online && f.Rehearsal {
		return usage("", "--online does not go with --sandbox")
	}
	return s.each(f, paths, true, func(path string) error { return s.Check(ctx, f.Options, s.newReporter(f), path) })
}
