package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

func newRuns(e environment) *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use:     "runs",
		Short:   "list the runs that the ledger knows",
		Example: `  tripimport runs     the last ones, with their control totals`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				runs, err := l.Runs(ctx, most)
				if err != nil {
					return err
				}
				return listRuns(e, runs)
			})
		}),
	}

	cmd.Flags().IntVar(&most, "most", 20, "list this `N` at most")
	cmd.AddCommand(newRunsShow(e), newRunsResults(e), newRunsPurge(e))
	return cmd
}

// listRuns prints one line for each run.
func listRuns(e environment, runs []ledger.Run) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(e.Out, "no run yet")
		return err
	}
	var t table
	t.add("run", "started", "by", "file", "command", "rows", "trips", "booked", "end")
	for _, r := range runs {
		line := app.LineOf(r)
		counts := []any{r.Totals.RowsRead, r.Totals.TripsRead, line.Booked}
		if r.Ended.IsZero() {
			counts = []any{"-", "-", "-"} // the ledger has the numbers only once the run has ended
		}
		t.add(append(append([]any{r.ID, importer.SpokenAt(r.Started.Local()), r.Who + " at " + r.Host, line.Input.Name, r.Command}, counts...), line.End)...)
	}
	return t.print(e.Out)
}

func newRunsShow(e environment) *cobra.Command {
	return &cobra.Command{
		Use:     "show RUN",
		Short:   "show a run, trip by trip",
		Example: `  tripimport runs show 20261202T031500Z-5f3a1c`,
		RunE: e.inSession(func(ctx context.Context, s *session, ids []string) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				run, err := app.FindRun(ctx, l, ids[0])
				if err != nil {
					return err
				}

				trips, err := ledger.Histories(ctx, l, ledger.Search{Run: run.ID})
				if err != nil {
					return err
				}
				return showRun(e, run, trips)
			})
		}),
	}
}

// showRun prints a run and its trips.
func showRun(e environment, r ledger.Run, trips []ledger.History) error {
	if err := listRuns(e, []ledger.Run{r}); err != nil {
		return err
	}
	e.printf("\nmapping %s\n\n", r.Mapping)

	var t table
	t.add("trip", "leg", "date", "in this run", "now", "GUID", "answer")
	for i := range trips {
		h := &trips[i]
		state, code := inRun(h, r.ID)
		t.add(h.ListedID(), h.Leg, h.Day, state, h.State, h.GUID, code)
	}
	return t.print(e.Out)
}

// inRun says what came of a trip in a run, and with which code the service answered.
func inRun(h *ledger.History, run string) (words, code string) {
	e := h.In(run)
	switch {
	case e == nil:
		return "", ""
	case e.Settled != nil:
		code = e.Settled.Code
	}
	if e.Changed() {
		return "change: " + e.State().String(), code
	}
	return e.State().String(), code
}

func newRunsResults(e environment) *cobra.Command {
	var f runFlags
	var input string
	cmd := &cobra.Command{
		Use:     "results RUN --input FILE",
		Short:   "write the results of a run again, from the ledger and its input",
		Example: `  tripimport runs results 20261202T031500Z-5f3a1c --input schedule.xlsx`,
		Long: `Use it where a results workbook was lost or its rows got mixed up. Name with
--input the very file that the run read. The service's messages are given by
their codes.

exit: 0 written; 2 no such run; 7 the input is not that of the run`,
		RunE: e.inSession(func(ctx context.Context, s *session, ids []string) error {
			if input == "" {
				return usage("add --input FILE: the file that the run read", "the input is not named")
			}
			return s.RewriteResults(ctx, f.Options, s.newReporter(&f), ids[0], input)
		}),
	}

	f.addResults(cmd)
	cmd.Flags().StringVar(&input, "input", "", "the `FILE` that the run read")
	return cmd
}

func newRunsPurge(e environment) *cobra.Command {
	var list, yes bool
	cmd := &cobra.Command{
		Use:   "purge [FOLDER…]",
		Short: "remove results that are past their time",
		Example: `  tripimport runs purge --list schedules
  tripimport runs purge schedules       the same, asks, and removes it`,
		Long: `Removes results and lists that are older than the setting keep says, from the
folders that you name, and no other file. Without a folder, it does so in that
of the nights' results, and removes the schedules that nights have put away. A
file stays while something of it is open.

exit: 0 done; 1 something could not be removed; 2 usage`,
		RunE: e.inSession(func(ctx context.Context, s *session, folders []string) error {
			at := app.PurgeFolders{Results: folders}
			if len(folders) == 0 {
				config, err := nightConfig(s.Folders)
				if err != nil {
					return usage("name the folders in which results lie", "no folder is named, and there are no nights that have one")
				}
				at.Results, at.Done = []string{config.Results}, config.DoneFolders()
			}
			p, err := s.Purge(ctx, func(p *app.Purge) bool {
				for _, path := range p.Past {
					s.printf("past its time: %s\n", results.Inert(path))
				}
				for _, kept := range p.Kept {
					s.printf("stays: %s\n", results.Inert(kept))
				}
				return !list && len(p.Past) > 0 && (yes || e.ask("remove "+importer.Counted(len(p.Past), "file", "files")+"?"))
			}, at)
			if err != nil {
				return err
			}
			for _, path := range p.Failed {
				s.printf("not removed: %s\n", results.Inert(path))
			}
			s.printf("past their time: %s removed, %d still there, %d to stay for the reasons above\n",
				importer.Counted(len(p.Removed), "file", "files"), len(p.Past)-len(p.Removed), len(p.Kept))
			if len(p.Failed) > 0 {
				return &app.Error{Status: app.Unexpected, Reason: importer.Counted(len(p.Failed), "file", "files") + " could not be removed", Fix: "close the programs that have them open, then do the same again"}
			}
			return nil
		}),
	}

	cmd.Flags().BoolVar(&list, "list", false, "only list what would be removed")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}
