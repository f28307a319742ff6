package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func newResults(w world) *cobra.Command {
	var f runFlags
	var input string
	cmd := &cobra.Command{
		Use:   "results RUN --input FILE",
		Short: "write the results of a run again, from the ledger and the input of that run",
		Example: `  tripimport runs
  tripimport results 20261202T031500Z-5f3a1c --input schedule.xlsx`,
		Long: `Use it where a results workbook was lost, could not be written, or got mixed up.
The input must be the very file that the run read. Messages of the service are
not kept in the ledger: they are given by their code alone.

exit: 0 written; 2 no such run; 7 the input is not that of the run`,
		Args: args(cobra.ExactArgs(1), "name one run; `tripimport runs` lists them"),
		RunE: func(cmd *cobra.Command, ids []string) (err error) {
			if input == "" {
				return usage("add --input FILE: the file that the run read", "the input is not named")
			}
			a, err := newApp(cmd, w)
			if err != nil {
				return err
			}
			l, err := ledger.Open(a.settings.text("ledger"), ledger.Options{ReadOnly: true})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, l.Close()) }()
			return a.rewrite(cmd.Context(), l, f, ids[0], input)
		},
	}
	f.addReading(cmd)
	addSettings(cmd, "ledger")
	cmd.Flags().StringVar(&input, "input", "", "the file that the run read")
	return cmd
}

// rewrite writes a run's results again.
func (a *app) rewrite(ctx context.Context, l *ledger.Ledger, f runFlags, id, input string) error {
	run, err := l.Run(ctx, id)
	if errors.Is(err, ledger.ErrNoRun) {
		return usage("`tripimport runs` lists them", "the ledger has no run %s", id)
	}
	if err != nil {
		return err
	}
	schedules, err := a.openSchedules([]string{input})
	if err != nil {
		return err
	}
	defer closeSchedules(schedules)
	j, err := a.newJob(run.Command, f, schedules)
	if err != nil {
		return err
	}
	if err := j.refuseOtherInput(run); err != nil {
		return err
	}
	if j.opts.today == "" {
		j.opts.today = importer.DateOf(run.Started.In(j.zone())).String()
	}
	j.replay = &replay{ledger: l, run: run}
	if err := j.replay.load(ctx); err != nil {
		return err
	}
	j.started = time.Now()
	err = j.carryOut(ctx)
	var c *complaint
	if errors.As(err, &c) && c.Reason == "" {
		return nil // the results are written, whatever they say
	}
	return err
}

// refuseOtherInput holds the file against what the run read.
func (j *job) refuseOtherInput(run ledger.Run) error {
	for _, in := range run.Inputs {
		if in.Hash == j.inputs[0].Source.Hash() {
			return nil
		}
	}
	return &importer.InputError{
		File:   j.inputs[0].Source.Name(),
		Reason: "it is not the file that the run read, or it was changed since",
		Fix:    "use the file as it was when the run read it",
	}
}

// A replay tells what came of a run's trips from the ledger: it stands between
// a check of the rows and the reporter.
type replay struct {
	ledger  *ledger.Ledger
	run     ledger.Run
	entries map[entryKey]ledger.Entry
	next    importer.Reporter
	totals  importer.Totals
}

// An entryKey is where a trip stood in its file.
type entryKey struct {
	row int
	leg importer.Leg
}

func (r *replay) load(ctx context.Context) error {
	r.entries = map[entryKey]ledger.Entry{}
	for e, err := range r.ledger.Trips(ctx, r.run.ID) {
		if err != nil {
			return err
		}
		r.entries[entryKey{e.Row, e.Leg}] = e
	}
	return nil
}

// Start implements importer.Reporter.
func (r *replay) Start(h importer.Heading) error {
	h.Run, h.Ledger, h.Check = r.run.RunInfo, r.ledger.Identity(), false
	return r.next.Start(h)
}

// Row implements importer.Reporter.
func (r *replay) Row(row importer.RowResult) error {
	booked, missing := false, false
	for i := range row.Trips {
		t := &row.Trips[i]
		if e, ok := r.entries[entryKey{row.Row.Num, t.Trip.Leg}]; ok {
			t.Outcome = replayed(e)
		} else if t.Outcome.State == importer.Ready {
			t.Outcome = importer.Outcome{State: importer.NotSent, Reason: "the run did not send it; it may have been booked by an earlier one"}
		}
		s := t.Outcome.State
		if i == 0 || s.Worse(row.State) {
			row.State = s
		}
		booked = booked || s.Booked()
		missing = missing || s == importer.Refused || s == importer.Invalid || s == importer.NotSent || s == importer.Held
	}
	row.HalfBooked = booked && missing
	r.totals.Add(row)
	return r.next.Row(row)
}

// End implements importer.Reporter.
func (r *replay) End(e importer.Ending) error {
	r.totals.RowsRead, r.totals.TripsRead = e.Totals.RowsRead, e.Totals.TripsRead
	e.Totals = r.totals
	return r.next.End(e)
}

// replayed is the outcome that the ledger has of a trip.
func replayed(e ledger.Entry) importer.Outcome {
	o := importer.Outcome{
		State: e.State, GUID: e.GUID, GUIDMissing: e.GUIDMissing, HTTPStatus: e.HTTPStatus, Message: e.Code,
		Attempts: e.Attempts, SentAt: e.ClaimedAt, AnsweredAt: e.SettledAt,
	}
	if e.State == importer.Unknown {
		o.Reason = "it was sent and no proof came back"
	}
	return o
}
