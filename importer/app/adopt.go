package app

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// AdoptLedger takes a copy of a ledger into use: a backup, an older copy, or the ledger of
// another machine. Before that, it enters the trips that the results workbooks show as
// booked or maybe booked. What the copy has as open, and was not sent, waits until a person
// answers about it. It returns the ledger's location in words and the number of trips entered.
// Other trips that were booked after the copy was made would be booked again, so only a person
// may decide to adopt a copy.
func (a *App) AdoptLedger(ctx context.Context, workbooks ...string) (location string, entered int, err error) {
	path, o, err := a.ledgerToWrite("ledger adopt")
	if err != nil {
		return "", 0, err
	}

	inOrder, err := byRun(workbooks)
	if err != nil {
		return "", 0, err
	}

	var accounts *run.AccountResolver
	if len(workbooks) > 0 { // results name providers without their keys
		access, err := a.Access(ctx)
		if err != nil {
			return "", 0, err
		}
		address, _ := a.Settings.address() // where it was asked
		accounts = &run.AccountResolver{Service: address, Access: access}
	}

	l, err := a.store(path).Adopt(ctx, path, o, func(l ledger.Ledger) (seen int64, err error) {
		for _, workbook := range inOrder {
			n, number, err := a.enterLost(ctx, l, accounts, workbook.Path)
			if err != nil {
				return 0, err
			}
			entered, seen = entered+n, max(seen, number)
		}
		// What was answered after the copy was made, in a list or at a terminal, is lost.
		return seen, a.noteUnsent(ctx, l, "", importer.AfterCopy, "the ledger")
	})
	if err != nil {
		return "", 0, err
	}
	return l.Location(), entered, l.Close()
}

// byRun returns the workbooks in the order of their runs, because a later run may have
// cancelled what an earlier one booked. Runs of the same second are ordered by the ledger's
// number. Other runs are not, because results that are written again get a later number.
func byRun(workbooks []string) ([]returned.Trace, error) {
	var traces []returned.Trace
	for _, path := range workbooks {
		trace, ours := returned.TraceOf(path)
		switch {
		case trace.Unreadable != nil:
			return nil, trace.Unreadable
		case !ours || trace.Morning:
			return nil, Usage("name results of a run", "%s is no workbook with the results of a run, and proves nothing", filepath.Base(path))
		}
		traces = append(traces, trace)
	}
	slices.SortStableFunc(traces, func(x, y returned.Trace) int {
		return cmp.Or(cmp.Compare(startOf(x.Run), startOf(y.Run)), cmp.Compare(x.Number, y.Number))
	})
	return traces, nil
}

// startOf returns the part of a run's id that says when it began.
func startOf(run string) string { return run[:min(len(run), len(runTime))] }

// A lostRun is a run whose results show trips that the ledger lacks.
type lostRun struct {
	importer.RunInfo
	ledger   ledger.Ledger
	address  string // of the service, as the ledger's records have it
	accounts *run.AccountResolver
	by       ledger.Person
	arrival  importer.Arrival // of its schedule, as the ledger has it
	trips    importer.Totals
}

// enterLost enters the trips that a workbook shows as booked or maybe booked and that the
// ledger does not have as such. It returns how many trips it entered, and the number that
// the ledger had after the workbook's run.
func (a *App) enterLost(ctx context.Context, l ledger.Ledger, accounts *run.AccountResolver, path string) (_ int, number int64, err error) {
	edited, err := returned.Open(path, keyOf(l, path))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, edited.Close()) }()
	switch known, _ := l.Run(ctx, edited.Run); { // zero if it does not know it
	case !known.Ended.IsZero():
		return 0, edited.Number, nil // the ledger has the whole run
	case edited.Lacks() != "":
		return 0, 0, Usage("name results that have all rows of the run; if there are none, look in the service what the run booked, then move this file elsewhere",
			"%s does not prove all that its run booked: %s", filepath.Base(path), edited.Lacks())
	}

	j := &job{App: a, events: Silent{}, path: path, command: "ledger adopt"}
	if err := j.bindEdited(edited, j.mappingOf(edited)); err != nil {
		return 0, 0, err
	}
	r := lostRun{RunInfo: j.runInfo(), ledger: l, accounts: accounts, by: a.thisPerson()}
	r.ID = edited.Run // the ledger may have the first part of the run
	if r.Started, err = runBegan(r.ID); err != nil {
		return 0, 0, err
	}
	if r.address, err = l.Service(ctx, accounts.Service); err != nil {
		return 0, 0, err
	}
	if err := l.Begin(ctx, r.RunInfo); err != nil {
		return 0, 0, err
	}
	rows, err := r.arrive(ctx, &j.input)
	if err != nil {
		return 0, 0, err
	}
	for i := range edited.Sent {
		sent := &edited.Sent[i]
		if err := r.enter(ctx, &sentRow{mapped: rows[sent.Row]}, sent); err != nil {
			return 0, 0, err
		}
	}
	return r.trips.TripsRead, edited.Number, l.End(ctx, r.ID, r.trips, a.env.Clock.Now(), ledger.Entered)
}

// arrive enters what the schedule of an input said of its rows, and returns the rows by their numbers. A row that a person has
// fixed since is not entered, because its cells do not say it any more; so the arrival is not whole.
func (r *lostRun) arrive(ctx context.Context, in *run.Input) (rows map[int]*importer.Mapped, err error) {
	stamp := cmp.Or(in.Arrival.Stamp, r.Started)
	arrival := importer.Arrival{
		Broker: in.Mapper.RowIDs().Broker, Input: in.Source.Hash(), Name: in.Source.Name(), Stamp: stamp.Truncate(time.Microsecond), Read: r.Started,
	}
	rows = map[int]*importer.Mapped{}
	var said []*importer.Mapped
	for row, err := range in.Source.Rows() {
		if err != nil {
			return nil, err
		}
		mapped := in.Mapper.Map(row.Clone(), nil)
		run.Identify(&mapped)
		rows[row.Num] = &mapped
		if !row.Edited {
			arrival.AddScope(&mapped)
			said = append(said, &mapped)
		}
	}
	r.arrival, err = r.ledger.Arrive(ctx, r.ID, importer.Reading{Arrival: arrival, Proof: true, Rows: func(yield func(*importer.Mapped, error) bool) {
		for _, row := range said {
			if !yield(row, nil) {
				return
			}
		}
	}})
	return rows, err
}

// enter enters what the results show of one trip: what a person said of it, that it is booked or maybe booked, and what was
// changed of it. What the ledger already has is not entered again.
func (r *lostRun) enter(ctx context.Context, row *sentRow, sent *returned.SentTrip) error {
	if err := errors.Join(r.look(ctx, row), r.enterDecision(ctx, row, sent)); err != nil || sent.Left() {
		return err
	}
	stands, err := r.find(ctx, row, sent)
	if err != nil {
		return err
	}
	if said, ok := r.saidOf(stands, sent); ok {
		if err := r.enterAnswer(ctx, said); err != nil {
			return err
		}
		if stands, err = r.find(ctx, row, sent); err != nil {
			return err
		}
	}
	switch {
	case sent.State.Missing():
		return nil
	case isOfSent(stands, sent):
		return r.enterChange(ctx, row, stands, sent)
	case sent.Cancelled():
		return nil
	}
	return r.enterNew(ctx, row, stands, sent)
}

// isSent reports whether the trip is, may be, or was in the service.
func isSent(s *importer.Standing) bool { return s.State.Taken() || s.State == importer.TripCancelled }

// isOfSent reports whether the results do not name another trip than one that was sent.
func isOfSent(s *importer.Standing, sent *returned.SentTrip) bool {
	return s != nil && isSent(s) && (sent.GUID == "" || s.GUID == "" || importer.SameGUID(s.GUID, sent.GUID))
}

// look asks the ledger about the row: what was entered before may share a key with it.
func (r *lostRun) look(ctx context.Context, row *sentRow) error {
	known, err := r.ledger.Look(ctx, r.address, []*importer.Mapped{row.mapped})
	if err == nil {
		row.known = known[0]
	}
	return err
}

// find looks, and finds the trip in the ledger.
func (r *lostRun) find(ctx context.Context, row *sentRow, sent *returned.SentTrip) (*importer.Standing, error) {
	if err := r.look(ctx, row); err != nil {
		return nil, err
	}
	return row.find(ctx, r.ledger, sent)
}

// enterDecision records whether a person wanted a trip left when the run began: if it was sent, they answered `book` before. A decision
// that the ledger has from a later time stays, because a person made it after the run was lost.
func (r *lostRun) enterDecision(ctx context.Context, row *sentRow, sent *returned.SentTrip) error {
	word := row.known.Word()
	if word == nil {
		return nil // a person has fixed it since, and its own results say what they want
	}
	said := judge.LastSaid(word, sent.Leg)
	was := said != nil && said.Verdict == importer.LeaveIt
	tells := sent.Left() || sent.State.Missing() || sent.State == importer.Booked || sent.State == importer.Unknown
	if !tells || was == sent.Left() || said != nil && r.isLater(said.At) {
		return nil
	}
	answer := importer.Answer{Row: row.known.Row, Leg: sent.Leg, Verdict: importer.Book, At: r.Started}
	if sent.Left() {
		answer.Verdict = importer.LeaveIt
	}
	for _, saw := range row.known.Saw() { // the answer is about what the ledger has
		answer.Saw = max(answer.Saw, saw.Event)
	}
	if i := row.mapped.TripOf(sent.Leg); i >= 0 {
		answer.Pickup, answer.Dropoff = row.known.Own[i].Pickup, row.known.Own[i].Dropoff
	}
	return r.enterAnswer(ctx, answer)
}

// isLater reports whether something was answered after the run began. The run's id has whole
// seconds only.
func (r *lostRun) isLater(at time.Time) bool { return !at.Before(r.Started.Add(time.Second)) }

// saidOf returns what a person said of a trip that the ledger has, according to the results: that it was cancelled by hand, that one that
// may be booked is there, or, where the ledger has only a person's word from before the run began that it is booked, and the results
// show it as missing or maybe booked, that this was corrected since. One that was reinstated is listed to be reinstated again.
func (r *lostRun) saidOf(s *importer.Standing, sent *returned.SentTrip) (answer importer.Answer, ok bool) {
	// One that is held may wait for a person because two of them contradict each other: then neither answer is taken back.
	again := sent.State.Missing() && sent.State != importer.Held || sent.State == importer.Unknown
	switch {
	case s == nil:
		return answer, false
	case again && s.State == importer.TripBooked && !s.Proved && s.Said != nil && !r.isLater(s.Said.At):
		answer.Verdict = importer.NotThere
	case !isOfSent(s, sent):
		return answer, false
	case sent.Cancelled() && s.State != importer.TripCancelled:
		answer.Verdict, answer.Shown = importer.DoneByHand, importer.CancelByHand
	case sent.Proved() && s.State == importer.TripUnclear:
		answer.Verdict, answer.GUID = importer.There, sent.GUID
	default:
		return answer, false
	}
	answer.Trip, answer.Row, answer.Leg, answer.Saw, answer.At = s.Number, s.Row, s.Leg, s.Event, r.by.When
	return answer, true
}

// enterChange enters what the run changed of a booked trip, or may have changed. A later change, and what a person said
// later, stays.
func (r *lostRun) enterChange(ctx context.Context, row *sentRow, s *importer.Standing, sent *returned.SentTrip) error {
	i := row.mapped.TripOf(sent.Leg)
	if i < 0 || len(sent.Changed) == 0 || s.State != importer.TripBooked || startOf(s.Run) > startOf(r.ID) ||
		s.Said != nil && s.Said.Verdict != importer.There && r.isLater(s.Said.At) {
		return nil
	}
	step := r.step(row, i)
	step.Account, step.Trip, step.Change = s.Account, s.Number, sent.Changed
	settled := importer.Settled{State: importer.TripBooked, Code: fromResults, At: r.Started}
	if sent.State == importer.ChangeUnknown || row.mapped.Row.Edited { // its cells may not be those that were sent
		settled.State = importer.TripUnclear
	}
	ticket, err := r.ledger.Claim(ctx, step)
	if err != nil {
		return err
	}
	return r.ledger.Settle(ctx, ticket, settled)
}

// step returns the step of the run for the row's trip with the index. What a newer schedule says of the row was not seen when
// the run sent it.
func (r *lostRun) step(row *sentRow, i int) importer.Step {
	step := row.known.Step(row.mapped, i)
	if word := row.known.Word(); word != nil && word.Of().Newer(&r.arrival) {
		step.Seen = step.Own.Values
	}
	step.Run, step.Mapping, step.At = r.ID, r.MappingHash, r.Started
	return step
}

// enterNew enters a trip that the ledger does not have as booked or maybe booked. It may have it as one that was not sent.
func (r *lostRun) enterNew(ctx context.Context, row *sentRow, stands *importer.Standing, sent *returned.SentTrip) error {
	i := row.mapped.TripOf(sent.Leg)
	var account importer.Account
	listed := false
	if i >= 0 && row.mapped.Trips[i].ID != "" {
		account, listed = r.accounts.Of(&row.mapped.Trips[i])
	}
	if !listed {
		return Usage("name the mapping that the run used with -m, and use the token of that time",
			"row %d: its trip is booked, but can't be read any more, or the service does not list its provider", sent.Row)
	}
	account.Service = r.address
	step := r.step(row, i)
	step.Account = account
	if stands != nil && !isSent(stands) {
		step.Trip = stands.Number
	}
	ticket, err := r.ledger.Claim(ctx, step)
	if err != nil {
		return err
	}
	s := importer.Settled{State: importer.TripUnclear, Code: fromResults, At: r.Started}
	if sent.Proved() { // any other trip stays unclear, and a person is asked again
		s.State, s.GUID, s.GUIDMissing = importer.TripBooked, sent.GUID, sent.GUID == ""
	}
	err = r.ledger.Settle(ctx, ticket, s)
	if taken, ok := errors.AsType[importer.GUIDTaken](err); ok { // a person gave the GUID to another trip: somebody has to look at both
		_, err = run.DoubtGUID(ctx, r.ledger, importer.Answer{Who: r.by.Who, Host: r.by.Host, At: r.by.When, Where: "results"}, taken.Trip)
		s = importer.Settled{State: importer.TripUnclear, Code: s.Code, At: s.At}
		err = errors.Join(err, r.ledger.Settle(ctx, ticket, s))
	}
	r.trips.TripsRead++
	r.trips.Trips[s.State.Sent()]++
	return err
}

// fromResults marks what was entered in the ledger from results.
const fromResults = "entered from results"

// enterAnswer records an answer that a person gave according to the results. An answer that
// does not hold is dropped.
func (r *lostRun) enterAnswer(ctx context.Context, answer importer.Answer) error {
	answer.Note, answer.Who, answer.Host, answer.Where = fromResults, r.by.Who, r.by.Host, "results"
	_, _, err := recordAnswer(ctx, r.ledger, answer)
	return err
}
