package main

import (
	"context"
	"errors"
	"fmt"
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
			path := a.settings.text("ledger")
			if f.sandbox {
				path = a.folders.rehearsalLedger()
			}
			l, err := ledgers().Open(context.Background(), path, ledger.Options{ReadOnly: true})
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
func (a *app) rewrite(ctx context.Context, l ledger.Ledger, f runFlags, id, input string) error {
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
	if len(run.Inputs) > 0 && run.MappingHash != j.mapping.Hash() {
		return usage("name it with -m as it was then; where it was changed since, use `tripimport runs show "+run.ID+"`",
			"the run used another mapping (%s) than %s is now", run.Mapping, j.mapping.File())
	}
	j.replay = &replay{ctx: ctx, ledger: l, run: run, input: j.inputs[0].Source.Hash()}
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
	ctx     context.Context // of the command: a Reporter's calls bring none
	ledger  ledger.Ledger
	run     ledger.Run
	input   string // the SHA-256 of the file
	entries map[entryKey]ledger.Entry
	next    importer.Reporter
	totals  importer.Totals
}

// An entryKey is where a trip stood in its file, and its id: sheets of one file
// have rows of the same numbers.
type entryKey struct {
	row int
	leg importer.Leg
	id  string
}

func (r *replay) load(ctx context.Context) error {
	r.entries = map[entryKey]ledger.Entry{}
	for e, err := range r.ledger.Trips(ctx, r.run.ID) {
		if err != nil {
			return err
		}
		if e.Input == r.input {
			r.entries[entryKey{e.Row, e.Leg, e.TripID}] = e
		}
	}
	return nil
}

// Start implements importer.Reporter.
func (r *replay) Start(h importer.RunStart) error {
	h.Run, h.Ledger, h.Check = r.run.RunInfo, r.ledger.Identity(), false
	return r.next.Start(h)
}

// Row implements importer.Reporter.
func (r *replay) Row(row importer.RowResult) error {
	booked, missing := false, false
	for i := range row.Trips {
		t := &row.Trips[i]
		if err := r.tell(t); err != nil {
			return err
		}
		s := t.Outcome.State
		if i == 0 || s.Worse(row.State) {
			row.State = s
		}
		booked = booked || s.Booked()
		missing = missing || s == importer.Refused || s == importer.Invalid || s == importer.NotSent || s == importer.Held
	}
	row.HalfBooked = row.HalfBooked || booked && missing
	r.totals.Add(row)
	return r.next.Row(row)
}

// tell sets a trip's outcome: what the run itself did, or what an earlier one
// had done before it.
func (r *replay) tell(t *importer.TripResult) error {
	key := entryKey{t.Trip.Row.Row, t.Trip.Leg, t.Trip.ID}
	if e, ok := r.entries[key]; ok {
		delete(r.entries, key)
		t.Outcome = replayed(e)
		return nil
	}
	if t.Outcome.State == importer.Skipped {
		return nil
	}
	rec, found, err := r.ledger.FindRow(r.ctx, r.input, &t.Trip)
	if err != nil {
		return err
	}
	switch {
	case found && rec.TripID == t.Trip.ID && rec.ClaimedAt.Before(r.run.Started) && rec.State == importer.Created:
		t.Outcome = importer.Outcome{State: importer.AlreadyCreated, GUID: rec.GUID, GUIDMissing: rec.GUIDMissing, BookedAt: rec.SettledAt}
		if len(rec.Differs) > 0 {
			t.Outcome.State, t.Outcome.Changed = importer.Changed, rec.Differs
		}
	case found && rec.TripID == t.Trip.ID && rec.ClaimedAt.Before(r.run.Started) && rec.State == importer.Unknown:
		t.Outcome = importer.Outcome{State: importer.Unknown, SentAt: rec.ClaimedAt, Reason: "it was sent and no proof came back"}
	case t.Outcome.State == importer.Ready:
		t.Outcome = importer.Outcome{State: importer.NotSent, Reason: "the run did not send it"}
	}
	return nil
}

// End implements importer.Reporter. A trip that the run sent and no row has
// means that the rows were read in another way than then: such results would
// leave it out without a word.
func (r *replay) End(e importer.RunResult) error {
	if n := len(r.entries); n > 0 {
		return &complaint{
			exitInput, fmt.Sprintf("the run sent %s that no row of this file makes now", plural(n, "trip")),
			"use the file and the mapping as they were; `tripimport runs show " + r.run.ID + "` lists the trips",
		}
	}
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
