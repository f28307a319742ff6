package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

func newRuns(e environment) *cobra.Command {
	var most int
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "list the runs that the ledger knows",
		Example: `  tripimport runs                       the last ones, with their control totals
  tripimport runs show 20261202T031500Z-5f3a1c
                                        one of them, trip by trip
  tripimport runs results 20261202T031500Z-5f3a1c --input schedule.xlsx
                                        its results, written again
  tripimport runs purge --list schedules
                                        the files that are past their time`,
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				runs, err := l.Runs(ctx, most)
				if err != nil {
					return err
				}
				return listRuns(e, runs, s.IsShared())
			})
		}),
	}

	cmd.Flags().IntVar(&most, "most", 20, "list this `N` at most")
	cmd.AddCommand(newRunsShow(e), newRunsResults(e), newRunsPurge(e))
	return cmd
}

// listRuns prints one line for each run. With a shared ledger, the line has the run's machine
// and schedule as well.
func listRuns(e environment, runs []ledger.Run, shared bool) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(e.Out, "no run yet")
		return err
	}

	var t table
	head := []any{"run", "started"}
	if shared {
		head = append(head, "machine", "file")
	}
	t.add(append(head, "command", "rows", "trips", "booked", "end")...)
	for _, r := range runs {
		line := app.LineOf(r)
		var rows any = r.Totals.RowsRead
		if r.Ended.IsZero() {
			rows = "-" // the ledger has the number only once the run has ended
		}
		row := []any{r.ID, importer.SpokenAt(r.Started.Local())}
		if shared {
			row = append(row, r.Host, line.Files)
		}
		t.add(append(row, r.Command, rows, r.Totals.TripsRead, line.Booked, line.End)...)
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

				trips, err := app.FindTrips(ctx, l, ledger.Search{Run: run.ID})
				if err != nil {
					return err
				}
				return showRun(e, run, trips)
			})
		}),
	}
}

// showRun prints a run and its trips.
func showRun(e environment, r ledger.Run, trips []app.History) error {
	var t table
	t.add("run", r.ID)
	t.add("started", r.Started.Local().Format("2006-01-02 15:04:05"))
	t.add("by", r.Who+" at "+r.Host)
	t.add("command", r.Command)
	t.add("mapping", r.Mapping)
	for _, in := range r.Inputs {
		t.add("input", in.Name)
	}
	if rows, sum := r.Totals.Sum(); r.Ended.IsZero() {
		t.add("trips", fmt.Sprintf("%d sent", r.Totals.TripsRead))
	} else {
		t.add("rows", fmt.Sprintf("%d read, %d with an outcome", r.Totals.RowsRead, rows))
		t.add("trips", fmt.Sprintf("%d read, %d with an outcome", r.Totals.TripsRead, sum))
	}
	t.add("end", app.LineOf(r).End)
	for s := range importer.StateCount {
		if n := r.Totals.Trips[s]; n > 0 {
			t.add("", fmt.Sprintf("%d %s", n, importer.State(s)))
		}
	}

	t.add()
	t.add("trip", "leg", "date", "in this run", "now", "GUID", "answer")
	for i := range trips {
		h := &trips[i]
		state, code := inRun(h, r.ID)
		t.add(h.ListedID(), h.Leg, h.Day, state, h.State, h.GUID, code)
	}
	return t.print(e.Out)
}

// inRun says what came of a trip in a run, and with which code the service answered.
func inRun(h *app.History, run string) (words, code string) {
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
	var inputs []string
	cmd := &cobra.Command{
		Use:     "results RUN --input FILE",
		Short:   "write the results of a run again, from the ledger and its input",
		Example: `  tripimport runs results 20261202T031500Z-5f3a1c --input schedule.xlsx`,
		Long: `Use it where a results workbook was lost, could not be written, or its rows got
mixed up. The input must be the very file that the run read; where a run read
several, name each of them with an --input of its own. The ledger does not have
the service's messages: the results give their codes.

exit: 0 written; 2 no such run; 7 the input is not that of the run`,
		RunE: e.inSession(func(ctx context.Context, s *session, ids []string) error {
			if len(inputs) == 0 {
				return usage("add --input FILE: the file that the run read", "the input is not named")
			}
			return s.RewriteResults(ctx, f.Options, s.newReporter(&f), ids[0], inputs...)
		}),
	}

	f.addResults(cmd)
	cmd.Flags().StringArrayVar(&inputs, "input", nil, "a `FILE` that the run read; name each of them")
	return cmd
}
