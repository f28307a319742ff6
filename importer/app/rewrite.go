package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
)

// RewriteResults writes the results of a run again, from the ledger and from inputs, which
// must be the very files that the run read. A notice names files of the run that are missing
// from inputs. Messages of the service are given by their code alone, because the ledger does
// not have their text.
func (a *App) RewriteResults(ctx context.Context, o Options, e Events, id string, inputs ...string) (err error) {
	l, err := a.readLedgerOf(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	original, err := FindRun(ctx, l, id)
	if err != nil {
		return err
	}

	schedules, err := a.openSchedules(inputs)
	if err != nil {
		return err
	}
	defer closeSchedules(schedules)

	j, err := a.newJob(original.Command, o, e, schedules)
	if err != nil {
		return err
	}
	if err := j.refuseOtherInputs(original); err != nil {
		return err
	}

	if j.opts.Today == "" {
		j.opts.Today = importer.DateOf(original.Started.In(j.zone())).String()
	}
	if len(original.Inputs) > 0 && original.MappingHash != j.mapping.Meaning() {
		return usageStep(importer.Do("name the mapping that the run used with -m; if it was changed since, look at the run's trips", importer.ShowRun, original.ID),
			"the run used another mapping (%s) than %s is now", original.Mapping, j.mapping.File())
	}

	if j.replay, err = j.loadReplay(ctx, l, original); err != nil {
		return err
	}

	err = j.run(ctx)
	var ended *Error
	if errors.As(err, &ended) && ended.Reason == "" {
		return nil // the results are written; the status of the run does not matter here
	}
	return err
}

// readLedgerOf opens the office's ledger for reading, or the rehearsals' ledger.
func (a *App) readLedgerOf(ctx context.Context, o Options) (ledger.Ledger, error) {
	location := a.ledgerPath()
	if o.Rehearsal {
		location = a.Folders.rehearsalLedger()
	}
	l, err := a.open(ctx, location, ledger.Options{ReadOnly: true, Rehearsal: o.Rehearsal})
	var missing *ledger.Error
	if o.Rehearsal && errors.As(err, &missing) && missing.Missing {
		return nil, usageStep(importer.Do("rehearse", importer.Rehearse, "FILE"), "there was no rehearsal on this machine, or they were forgotten")
	}
	return l, err
}

// refuseOtherInputs refuses a file that the run did not read. A notice names files of the run
// that were not given, because their rows will be missing from the results.
func (j *job) refuseOtherInputs(original ledger.Run) error {
	left := map[string]string{} // file names, by hash
	for _, in := range original.Inputs {
		left[in.Hash] = in.Name
	}
	for _, in := range j.files() {
		if _, ok := left[in.Hash]; !ok {
			return &importer.InputError{
				File:   in.Name,
				Reason: "it is not the file that the run read, or it was changed since",
				Fix:    "use the file as it was when the run read it",
			}
		}
		delete(left, in.Hash)
	}
	for _, name := range slices.Sorted(maps.Values(left)) {
		j.notice("the run read %s too: its rows are not in these results; name it with an --input of its own", name)
	}
	return nil
}

// A replay is an importer.Reporter that passes rows on to another Reporter, with the outcomes
// that the ledger has for an earlier run.
type replay struct {
	ctx      context.Context // the job's, because a Reporter's calls get none
	ledger   ledger.Ledger
	original ledger.Run
	mappers  map[sheetOf]importer.Mapper
	sent     map[int64]*History // what the run sent or changed and no row has made so far
	service  string             // where the run sent its trips; empty if it sent none
	all      bool               // all inputs of the run were given
	next     importer.Reporter
	totals   importer.Totals
}

// A sheetOf identifies an input by the names of its file and its sheet.
type sheetOf struct{ file, sheet string }

// loadReplay reads from the ledger what the run did with the trips of its inputs.
func (j *job) loadReplay(ctx context.Context, l ledger.Ledger, original ledger.Run) (*replay, error) {
	r := &replay{ctx: ctx, ledger: l, original: original, mappers: map[sheetOf]importer.Mapper{}, sent: map[int64]*History{}}
	given := map[string]bool{}
	for i, in := range j.described {
		r.mappers[sheetOf{in.Name, in.Sheet}] = j.inputs[i].Mapper
		given[in.Hash] = true
	}
	r.all = !slices.ContainsFunc(original.Inputs, func(in importer.InputInfo) bool { return !given[in.Hash] })
	trips, err := TripsOfRun(ctx, l, original.ID)
	for i := range trips {
		r.service, r.sent[trips[i].Number] = trips[i].Account.Service, &trips[i]
	}
	return r, err
}

// Start implements importer.Reporter.
func (r *replay) Start(start importer.RunStart) error {
	start.Run, start.Ledger, start.Check = r.original.RunInfo, r.ledger.Identity(), false
	return r.next.Start(start)
}

// Row implements importer.Reporter.
func (r *replay) Row(row importer.RowResult) error {
	mapped := r.mappers[sheetOf{row.Row.File, row.Row.Sheet}].Map(row.Row, nil)
	run.Identify(&mapped)
	known, err := r.ledger.Look(r.ctx, r.service, []*importer.Mapped{&mapped})
	if err != nil {
		return err
	}
	for i := range row.Trips {
		r.recall(&row.Trips[i], &known[0], mapped.Key.IDs)
	}
	row.Summarize()
	judge.Due(row.Trips, row.Day(), importer.DateTimeOf(r.original.Started), importer.DateTime{})
	r.totals.Add(&row)
	return r.next.Row(row)
}

// recall sets a trip's outcome to what the run did with it, or to what an earlier run had done.
func (r *replay) recall(t *importer.TripResult, known *importer.Known, ids importer.IDUse) {
	i := slices.IndexFunc(known.Trips, func(s importer.Standing) bool {
		return s.RowID == known.ID && s.Leg == t.Trip.Leg && (s.Day == t.Trip.Date() || ids == importer.UniqueIDs)
	})
	switch {
	case i >= 0 && r.sent[known.Trips[i].Number] != nil:
		h := r.sent[known.Trips[i].Number]
		delete(r.sent, h.Number)
		t.Outcome = h.outcomeIn(r.original.ID)
	case t.Outcome.State == importer.LeftOut:
	case i >= 0 && known.Trips[i].State.Taken() && known.Trips[i].ClaimedAt.Before(r.original.Started):
		t.Outcome = judge.Recorded(&known.Trips[i], nil)
	case t.Outcome.State == importer.Ready:
		t.Outcome = importer.Outcome{State: importer.NotSent, Reason: "the run did not send it"}
	}
}

// outcomeIn returns the outcome that a trip had in a run that sent or changed it, and that
// persons have corrected since. The ledger does not have the service's message, so the code
// takes its place.
func (h *History) outcomeIn(run string) importer.Outcome {
	e := h.In(run)
	o := judge.Recorded(&h.Standing, nil)
	o.Attempts, o.SentAt, o.AnsweredAt, o.Message = 1, e.At, time.Time{}, ""
	if e.Settled != nil {
		o.AnsweredAt, o.Message = e.Settled.At, e.Settled.Code
	}
	switch {
	case e.Changed():
		o.State = map[importer.TripState]importer.State{
			importer.TripBooked: importer.Changed, importer.TripRefused: importer.ChangeByHand, importer.TripNotSent: importer.ChangeByHand,
			importer.TripUnclear: importer.ChangeUnknown,
		}[e.State()]
		o.Why = map[importer.TripState]importer.Why{importer.TripRefused: importer.WhyRefused, importer.TripNotSent: importer.WhyUnsent}[e.State()]
		if o.State == importer.Changed {
			o.Updated = e.Keys
		} else {
			o.Changed = e.Keys
		}
	case h.Run == run && h.State == importer.TripBooked:
		o.State = importer.Booked
	case h.Run != run: // it was sent again since
		o = importer.Outcome{State: e.State().Sent(), Message: o.Message, Attempts: 1, SentAt: o.SentAt, AnsweredAt: o.AnsweredAt}
	}
	if o.State == importer.Unknown && o.Reason == "" {
		o.Reason = "it was sent and no proof came back"
	}
	return o
}

// End implements importer.Reporter. It fails if the run sent a trip that no row makes now,
// because the results would silently lack that trip. The rows were then read in another way
// than in the run.
func (r *replay) End(result importer.RunResult) error {
	if n := len(r.sent); n > 0 && r.all {
		return importer.Advise(&Error{BadInput, fmt.Sprintf("the run sent %s that no row makes now", importer.Counted(n, "trip", "trips")), "use the files and the mapping as they were"},
			importer.Do("the trips are listed by", importer.ShowRun, r.original.ID))
	}

	r.totals.RowsRead, r.totals.TripsRead = result.Totals.RowsRead, result.Totals.TripsRead
	result.Totals = r.totals
	return r.next.End(result)
}
