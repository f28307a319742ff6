package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

func newRuns(e environment) *cobra.Command {
	var most int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "runs",
		Short: "list the runs that the ledger knows",
		Example: `  tripimport runs                       the last ones, with their control totals
  tripimport runs show 20261202T031500Z-5f3a1c
                                        one of them, trip by trip`,
		Args: args(cobra.NoArgs, "runs takes no file; `runs show RUN` shows one"),
		RunE: e.inSession(func(ctx context.Context, s *session, _ []string) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				runs, err := l.Runs(ctx, most)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(e.Out, viewsOf(runs, runJSON))
				}
				return listRuns(e, runs, s.IsShared())
			})
		}),
	}

	addSettings(cmd, "ledger")
	cmd.Flags().IntVar(&most, "most", 20, "list this `N` at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.AddCommand(newRunsShow(e))
	return cmd
}

// listRuns prints one line for each run. With a shared ledger, the line has the run's machine
// and schedule as well.
func listRuns(e environment, runs []ledger.Run, shared bool) error {
	if len(runs) == 0 {
		_, err := fmt.Fprintln(e.Out, "no run yet")
		return err
	}

	t := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	head := []any{"run", "started"}
	if shared {
		head = append(head, "machine", "file")
	}
	tableRow(t, append(head, "command", "rows", "trips", "booked", "end")...)
	for _, r := range runs {
		booked := r.Totals.Trips[importer.Created] + r.Totals.Trips[importer.AlreadyCreated]
		var rows any = r.Totals.RowsRead
		if r.Ended.IsZero() {
			rows = "-" // the ledger has the number only once the run has ended
		}
		row := []any{r.ID, r.Started.Local().Format("Jan 2 15:04")}
		if shared {
			row = append(row, r.Host, filesOf(&r))
		}
		tableRow(t, append(row, r.Command, rows, r.Totals.TripsRead, booked, howEnded(r))...)
	}
	return t.Flush()
}

// filesOf names the first file of a run, and says how many more there are.
func filesOf(r *ledger.Run) string {
	switch n := len(r.Inputs); n {
	case 0:
		return "-"
	case 1:
		return r.Inputs[0].Name
	default:
		return fmt.Sprintf("%s and %d more", r.Inputs[0].Name, n-1)
	}
}

// howEnded says how a run ended, and whether its control total balances.
func howEnded(r ledger.Run) string {
	switch {
	case r.Live:
		return "goes on"
	case r.Ended.IsZero():
		return "broken off: run the same command again"
	case !r.Totals.Balanced():
		return r.How + "; the control total does NOT balance"
	}
	return r.How + "; control total balances"
}

func newRunsShow(e environment) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show RUN",
		Short:   "show a run, trip by trip",
		Example: `  tripimport runs show 20261202T031500Z-5f3a1c`,
		Args:    args(cobra.ExactArgs(1), "name one run; `tripimport runs` lists them"),
		RunE: e.inSession(func(ctx context.Context, s *session, ids []string) error {
			return s.ReadLedger(ctx, func(l ledger.Ledger) error {
				run, err := app.FindRun(ctx, l, ids[0])
				if err != nil {
					return err
				}

				trips, err := app.TripsOfRun(ctx, l, run.ID)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(e.Out, runDocument{runJSON(&run), viewsOf(trips, func(h *app.History) tripView { return tripJSON(h, run.ID) })})
				}
				return showRun(e, run, trips)
			})
		}),
	}

	addSettings(cmd, "ledger")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// showRun prints a run and its trips.
func showRun(e environment, r ledger.Run, trips []app.History) error {
	t := tabwriter.NewWriter(e.Out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(t, inertf("run\t%s\nstarted\t%s\nby\t%s at %s\ncommand\t%s\nmapping\t%s\n", r.ID,
		r.Started.Local().Format("2006-01-02 15:04:05"), r.Who, r.Host, r.Command, r.Mapping))

	for _, in := range r.Inputs {
		tableRow(t, "input", in.Name)
	}

	counts := fmt.Sprintf("trips\t%d sent", r.Totals.TripsRead)
	if rows, sum := r.Totals.Sum(); !r.Ended.IsZero() {
		counts = fmt.Sprintf("rows\t%d read, %d with an outcome\ntrips\t%d read, %d with an outcome", r.Totals.RowsRead, rows, r.Totals.TripsRead, sum)
	}
	_, _ = fmt.Fprintf(t, "%s\nend\t%s\n", counts, howEnded(r))

	for s := range importer.StateCount {
		if n := r.Totals.Trips[s]; n > 0 {
			_, _ = fmt.Fprintf(t, "\t%d %s\n", n, importer.State(s))
		}
	}

	_, _ = fmt.Fprint(t, "\ntrip\tleg\tdate\tin this run\tnow\tGUID\tanswer\n")
	for i := range trips {
		h := &trips[i]
		state, code := inRun(h, r.ID)
		tableRow(t, h.ListedID(), h.Leg, h.Day, state, h.State, h.GUID, code)
	}
	return t.Flush()
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

// These types are the JSON form of runs and their trips.
type (
	runDocument struct {
		Run   runView    `json:"run"`
		Trips []tripView `json:"trips"`
	}
	runView struct {
		ID       string         `json:"id"`
		Started  time.Time      `json:"started"`
		Ended    *time.Time     `json:"ended"`
		Machine  string         `json:"machine"`
		Command  string         `json:"command"`
		Inputs   []string       `json:"inputs"`
		Mapping  string         `json:"mapping"`
		Rows     int            `json:"rows_read"`
		Trips    int            `json:"trips_read"`
		Balanced bool           `json:"balanced"`
		Outcomes map[string]int `json:"outcomes"`
		How      string         `json:"how"`
		Live     bool           `json:"live"`
	}
	tripView struct {
		TripID string    `json:"trip_id"`
		Leg    string    `json:"leg"`
		Date   string    `json:"date"`
		State  string    `json:"state"`
		GUID   string    `json:"guid,omitempty"`
		Answer string    `json:"answer,omitempty"`
		SentAt time.Time `json:"sent_at"`
	}
)

func runJSON(r *ledger.Run) runView {
	v := runView{
		ID: r.ID, Started: r.Started, Machine: r.Host, Command: r.Command, Mapping: r.Mapping, Rows: r.Totals.RowsRead,
		Trips: r.Totals.TripsRead, Balanced: !r.Ended.IsZero() && r.Totals.Balanced(), How: r.How, Live: r.Live,
		Outcomes: map[string]int{}, Inputs: viewsOf(r.Inputs, func(in *importer.InputInfo) string { return in.Name }),
	}

	if !r.Ended.IsZero() {
		v.Ended = &r.Ended
	}

	for s := range importer.StateCount {
		if n := r.Totals.Trips[s]; n > 0 {
			v.Outcomes[importer.State(s).Code()] = n
		}
	}
	return v
}

func tripJSON(h *app.History, run string) tripView {
	v := tripView{TripID: h.ListedID(), Leg: h.Leg.String(), Date: h.Day.String(), State: h.State.Code(), GUID: h.GUID}
	if e := h.In(run); e != nil {
		_, v.Answer = inRun(h, run)
		v.SentAt = e.At
	}
	return v
}
