package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"tripimport/importer"
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
	if len(original.Inputs) > 0 && original.MappingHash != j.mapping.Hash() {
		return Usage("name the mapping that the run used with -m; if it was changed since, use `tripimport runs show "+original.ID+"`",
			"the run used another mapping (%s) than %s is now", original.Mapping, j.mapping.File())
	}

	if j.replay, err = loadReplay(ctx, l, original, j.inputs); err != nil {
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
	location, err := a.ledgerPath()
	if o.Rehearsal {
		location, err = a.Folders.rehearsalLedger(), nil
	}
	if err != nil {
		return nil, err
	}
	l, err := a.open(ctx, location, ledger.Options{ReadOnly: true, Rehearsal: o.Rehearsal})
	var missing *ledger.Error
	if o.Rehearsal && errors.As(err, &missing) && missing.Missing {
		return nil, Usage("`tripimport import --sandbox FILE` rehearses", "there was no rehearsal on this machine, or they were forgotten")
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
	hashes   map[string]string // the SHA-256 of each file, by its name
	entries  map[sourceKey]ledger.Entry
	service  string // where the run sent its trips; empty if it sent none
	next     importer.Reporter
	totals   importer.Totals
}

// loadReplay reads from the ledger what the run did with the trips of its inputs.
func loadReplay(ctx context.Context, l ledger.Ledger, original ledger.Run, inputs []run.Input) (*replay, error) {
	r := &replay{ctx: ctx, ledger: l, original: original, hashes: map[string]string{}, entries: map[sourceKey]ledger.Entry{}}
	named := map[string]bool{}
	for _, in := range inputs {
		r.hashes[in.Source.Name()] = in.Source.Hash()
		named[in.Source.Hash()] = true
	}
	for e, err := range l.Trips(ctx, original.ID) {
		if err != nil {
			return nil, err
		}
		r.service = e.Account.Service
		if named[e.Input] {
			r.entries[sourceKey{e.Input, e.Row, e.Leg, e.TripID}] = e
		}
	}
	return r, nil
}

// Start implements importer.Reporter.
func (r *replay) Start(start importer.RunStart) error {
	start.Run, start.Ledger, start.Check = r.original.RunInfo, r.ledger.Identity(), false
	return r.next.Start(start)
}

// Row implements importer.Reporter.
func (r *replay) Row(row importer.RowResult) error {
	for i := range row.Trips {
		if err := r.recall(&row.Trips[i]); err != nil {
			return err
		}
	}
	row.Summarize()
	r.totals.Add(&row)
	return r.next.Row(row)
}

// recall sets a trip's outcome to what the run did with it, or to what an earlier run had done.
func (r *replay) recall(t *importer.TripResult) error {
	input := r.hashes[t.Trip.Row.File]
	key := sourceKey{input, t.Trip.Row.Row, t.Trip.Leg, t.Trip.ID}
	if e, ok := r.entries[key]; ok {
		delete(r.entries, key)
		t.Outcome = run.ReplayedOutcome(e.Record)
		return nil
	}

	if t.Outcome.State == importer.Skipped {
		return nil
	}
	rec, found, err := r.ledger.FindRow(r.ctx, r.service, input, &t.Trip)
	if err != nil {
		return err
	}

	earlier := found && rec.TripID == t.Trip.ID && rec.ClaimedAt.Before(r.original.Started)
	t.Outcome = run.OutcomeBefore(rec, earlier, t.Outcome)
	return nil
}

// End implements importer.Reporter. It fails if the run sent a trip that no row makes now,
// because the results would silently lack that trip. The rows were then read in another way
// than in the run.
func (r *replay) End(result importer.RunResult) error {
	if n := len(r.entries); n > 0 {
		return &Error{
			BadInput, fmt.Sprintf("the run sent %s that no row makes now", importer.Counted(n, "trip", "trips")),
			"use the files and the mapping as they were; `tripimport runs show " + r.original.ID + "` lists the trips",
		}
	}

	r.totals.RowsRead, r.totals.TripsRead = result.Totals.RowsRead, result.Totals.TripsRead
	result.Totals = r.totals
	return r.next.End(result)
}
