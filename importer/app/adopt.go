package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// AdoptLedger takes a copy of a ledger into use: a backup, an older copy, or the ledger of
// another machine. Before that, it enters the trips that the results workbooks show as
// booked or maybe booked. It returns the ledger's location in words and the number of
// trips entered. Other trips that were booked after the copy was made would be booked
// again, so only a person may decide to adopt a copy.
func (a *App) AdoptLedger(ctx context.Context, workbooks ...string) (location string, entered int, err error) {
	path, o, err := a.ledgerToWrite("ledger adopt")
	if err != nil {
		return "", 0, err
	}

	var accounts *run.AccountResolver
	if len(workbooks) > 0 { // results name providers without their keys
		client, address, err := a.client()
		if err != nil {
			return "", 0, err
		}
		access, err := a.askAccess(ctx, client)
		if err != nil {
			return "", 0, err
		}
		accounts = run.NewAccountResolver(address, access, nil)
	}

	l, err := a.store(path).Adopt(ctx, path, o, func(l ledger.Ledger) (seen int64, err error) {
		if workbooks, err = a.byRun(l, workbooks); err != nil {
			return 0, err
		}
		for _, workbook := range workbooks {
			n, number, err := a.enterLost(ctx, l, accounts, workbook)
			if err != nil {
				return 0, err
			}
			entered, seen = entered+n, max(seen, number)
		}
		return seen, nil
	})
	if err != nil {
		return "", 0, err
	}
	return l.Location(), entered, l.Close()
}

// WhereMoved says where the office's ledger was moved from its file. It returns "" if the
// ledger was not moved.
func (a *App) WhereMoved(ctx context.Context) string {
	var failed *ledger.Error
	err := a.ReadLedger(ctx, func(ledger.Ledger) error { return nil })
	if errors.As(err, &failed) && (failed.Code == "ledger-moved" || failed.Code == "ledger-moving") {
		return failed.Reason
	}
	return ""
}

// byRun returns the workbooks in the order of their runs, because a later run may have
// cancelled what an earlier one booked. Runs of the same second are ordered by the ledger's
// number. Other runs are not, because results that are written again get a later number.
func (a *App) byRun(l ledger.Ledger, workbooks []string) ([]string, error) {
	type runStart struct {
		at     string
		number int64
	}
	runs := map[string]runStart{}
	for _, path := range workbooks {
		edited, err := a.openResultsOf(l, path)
		if err != nil {
			return nil, err
		}
		run := edited.Run()
		runs[path] = runStart{run[:min(len(run), len(runTime))], edited.Number()}
		if err := edited.Close(); err != nil {
			return nil, err
		}
	}
	return slices.SortedFunc(slices.Values(workbooks), func(x, y string) int {
		return cmp.Or(cmp.Compare(runs[x].at, runs[y].at), cmp.Compare(runs[x].number, runs[y].number))
	}), nil
}

// A lostRun is a run whose results show trips that the ledger lacks.
type lostRun struct {
	importer.RunInfo
	ledger   ledger.Ledger
	accounts *run.AccountResolver
	by       ledger.Person
	trips    importer.Totals
}

// enterLost enters the trips that a workbook shows as booked or maybe booked and that the
// ledger does not have as such. It returns how many trips it entered, and the number that
// the ledger had after the workbook's run.
func (a *App) enterLost(ctx context.Context, l ledger.Ledger, accounts *run.AccountResolver, path string) (_ int, number int64, err error) {
	edited, err := a.openResultsOf(l, path)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, edited.Close()) }()

	known, err := l.Run(ctx, edited.Run())
	if err == nil && !known.Ended.IsZero() {
		return 0, edited.Number(), nil // the ledger has the whole run
	}
	if lacks := edited.Lacks(); lacks != "" {
		return 0, 0, Usage("name results that have all rows of the run; if there are none, look in the service what the run booked, then move this file elsewhere",
			"%s does not prove all that its run booked: %s", filepath.Base(path), lacks)
	}

	j := &job{App: a, events: Silent{}, path: path, command: "ledger adopt"}
	if err := j.bindEdited(edited); err != nil {
		return 0, 0, err
	}

	r := lostRun{RunInfo: j.runInfo(), ledger: l, accounts: accounts, by: a.thisPerson()}
	r.ID, r.trips = edited.Run(), known.Totals // the ledger may have the first part of the run
	if r.Started, err = runBegan(r.ID); err != nil {
		return 0, 0, err
	}
	if err := l.Begin(ctx, r.RunInfo); err != nil {
		return 0, 0, err
	}

	err = eachSent(j.inputs, edited, func(c importer.Claim, sent returned.SentTrip) error { return r.enter(ctx, c, sent) })
	if err != nil {
		return 0, 0, err
	}
	return r.trips.TripsRead - known.Totals.TripsRead, edited.Number(), l.End(ctx, r.ID, r.trips, a.env.Clock.Now(), "entered from its results")
}

// enter enters what the results show of one trip: that it is booked or maybe booked, that a
// person cancelled it, or that a person wants it left. What the ledger already has is not
// entered again.
func (r *lostRun) enter(ctx context.Context, c importer.Claim, sent returned.SentTrip) error {
	rec, found, err := findSent(ctx, r.ledger, r.accounts, &c, &sent)
	if sends := sent.State.Missing() || sent.State == importer.Created || sent.State == importer.Unknown; err == nil && sends {
		err = r.enterDecision(ctx, c, importer.Book) // if a person had wanted it left, they answered `book` before it was sent
	}
	switch {
	case err != nil:
		return err
	case sent.Left():
		return r.enterDecision(ctx, c, importer.LeaveIt)
	case sent.State.Missing():
		return nil
	case found && rec.Taken():
		return r.enterKnown(ctx, rec, sent)
	case sent.Cancelled():
		return nil
	case c.Account.Provider == "" || c.Trip.ID == "":
		return Usage("name the mapping that the run used with -m, and use the token of that time",
			"row %d: its trip is booked, but can't be read any more, or the service does not list its provider", sent.Row)
	}
	return r.enterNew(ctx, c, sent)
}

// enterDecision records whether a person wanted a trip left when the run began. A decision
// that the ledger has from a later time stays, because a person made it after the run was lost.
func (r *lostRun) enterDecision(ctx context.Context, c importer.Claim, v importer.Verdict) error {
	d := importer.Decision{Key: c.Key, Trip: c.Trip}
	known, at, err := r.ledger.DecidedAt(ctx, d)
	if err != nil || r.isLater(at) || v == importer.Book && known != importer.LeaveIt {
		return err
	}
	by := r.by
	by.When = r.Started
	_, err = refused(r.ledger.Decide(ctx, d, v, by))
	return err
}

// isLater reports whether something was answered after the run began. The run's id has whole
// seconds only.
func (r *lostRun) isLater(at time.Time) bool { return !at.Before(r.Started.Add(time.Second)) }

// enterKnown enters a person's answer about a trip that the ledger has: that it was cancelled
// by hand, that it was reinstated, or that a trip that may be booked is there.
func (r *lostRun) enterKnown(ctx context.Context, rec importer.Record, sent returned.SentTrip) error {
	switch {
	case sent.Cancelled() && !rec.Cancelled:
		return r.enterAnswer(ctx, ledger.Resolution{Attempt: rec.Attempt, Verdict: importer.DoneByHand, State: importer.CancelledCreated})
	case sent.Proved() && rec.State == importer.Unknown:
		return r.enterAnswer(ctx, ledger.Resolution{Attempt: rec.Attempt, Verdict: importer.There, GUID: sent.GUID})
	case rec.Cancelled && sent.State.Booked() && sent.State != importer.Reinstate:
		e, err := r.ledger.Entry(ctx, rec.Attempt)
		if err != nil || r.isLater(e.ResolvedAt) {
			return err
		}
		return r.enterAnswer(ctx, ledger.Resolution{Attempt: rec.Attempt, Verdict: importer.DoneByHand, State: importer.Reinstate, GUID: sent.GUID})
	}
	return nil
}

// enterNew enters a trip that the ledger does not have as booked or maybe booked.
func (r *lostRun) enterNew(ctx context.Context, c importer.Claim, sent returned.SentTrip) error {
	c.Run, c.At = r.ID, r.Started
	claimed, err := r.ledger.Claim(ctx, c)
	if errors.Is(err, importer.ErrClaimed) {
		free, freeErr := r.freeRow(ctx, &c, sent.GUID)
		if freeErr != nil || !free {
			return freeErr
		}
		claimed, err = r.ledger.Claim(ctx, c)
	}
	if err != nil {
		return err
	}

	s := importer.Settlement{State: importer.Unknown, Code: fromResults, At: r.Started}
	if sent.Proved() { // any other trip stays unknown, and a person is asked again
		s.State, s.GUID, s.GUIDMissing = importer.Created, sent.GUID, sent.GUID == ""
	}
	r.trips.TripsRead++
	r.trips.Trips[s.State]++
	err = r.ledger.Settle(ctx, claimed, s)
	if errors.Is(err, importer.ErrGUIDTaken) { // a person gave the GUID to another trip: somebody has to look
		err = r.ledger.Settle(ctx, claimed, importer.Settlement{State: importer.Unknown, Code: s.Code, At: s.At})
	}
	return err
}

// fromResults marks settlements and answers in the ledger that were entered from results.
const fromResults = "entered from results"

// enterAnswer records an answer that a person gave according to the results. An answer that
// the ledger does not accept is dropped.
func (r *lostRun) enterAnswer(ctx context.Context, resolution ledger.Resolution) error {
	resolution.Note, resolution.Who, resolution.When = fromResults, r.by.Who, r.by.When
	_, err := refused(r.ledger.Resolve(ctx, resolution))
	return err
}

// freeRow records that the trip which the row made before was cancelled, because the lost
// ledger let the row's new trip be sent only after a person had said so. It reports false
// if the earlier trip has the GUID: then it is the same trip under another trip id.
func (r *lostRun) freeRow(ctx context.Context, c *importer.Claim, guid string) (bool, error) {
	found, err := r.ledger.RowTrips(ctx, c.Account.Service, &importer.Mapped{Key: c.Key, Trips: []importer.Trip{*c.Trip}})
	if err != nil {
		return false, err
	}
	for _, rec := range []*importer.Record{found.Matched[0], found.Unclear[0]} {
		if rec == nil {
			continue
		}
		if importer.SameGUID(rec.GUID, guid) {
			return false, nil
		}
		if err := r.enterAnswer(ctx, ledger.Resolution{Attempt: rec.Attempt, Verdict: importer.CancelledThere}); err != nil {
			return false, err
		}
	}
	return true, nil
}
