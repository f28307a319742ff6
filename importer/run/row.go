package run

import (
	"context"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// A rowTask is one row on its way through the run.
type rowTask struct {
	mapped *importer.Mapped
	trips  []tripTask // one for each trip of mapped
	// known is what the ledger had when it was asked last.
	known importer.Known
	// version is the version of the row's word, if the row says the same.
	version int64
	// notAsked is the error for which the ledger could not be asked; nil for none.
	notAsked error
	// underWay reports that a trip of the row was sent: its other legs are sent too, even if the
	// run is interrupted.
	underWay bool
	// offRow are booked trips that the row does not make.
	offRow []importer.TripResult
	result importer.RowResult
	done   chan struct{} // closed once result is set
	// after is the channel done of the row before it of the same rider and day; nil if there is none.
	after <-chan struct{}
}

// A tripTask is one trip on its way through the run.
type tripTask struct {
	trip    *importer.Trip
	account importer.Account
	// decision is what the judge decided last; nil before that.
	decision *judge.Decision
	// denials counts the answers 401 and 403.
	denials int
	outcome importer.Outcome
}

// keep sets the outcome of a trip that is not sent, or not sent again. A booked trip stays as it
// is. A trip whose time has passed is too late, whatever the reason.
func (t *tripTask) keep(reason string, past bool) {
	switch t.decision.Do {
	case judge.Enter:
		t.outcome = importer.Outcome{State: importer.Unknown, RowNumber: t.outcome.RowNumber, Reason: "a person said that it is `booked by hand`, and that could not be recorded in the ledger"}
		return
	case judge.Change:
		attempts := t.outcome.Attempts
		t.outcome = t.decision.Outcome
		t.outcome.Reason, t.outcome.Attempts = reason, attempts
		return
	}
	t.outcome.State, t.outcome.Reason = importer.NotSent, reason
	if past {
		t.outcome.TooLate, t.outcome.Reason = true, judge.TooLate
	}
}

// beginTask makes a task of a row. It uses the memory of the slices that the task had.
func (s *runState) beginTask(row *rowTask, m *importer.Mapped) {
	*row = rowTask{
		mapped: m, trips: slices.Grow(row.trips[:0], len(m.Trips))[:len(m.Trips)], done: make(chan struct{}),
		result: importer.RowResult{Trips: row.result.Trips[:0]},
	}
	// The outcome that a trip has until it is decided is reported if the program panics before that.
	undecided := importer.Outcome{State: importer.Unknown, Reason: "the program failed before the ledger was asked whether it is booked"}
	if s.Service == nil {
		undecided = importer.Outcome{State: importer.NotSent, Reason: "the program failed at this row"}
	}
	for i := range row.trips {
		row.trips[i] = tripTask{trip: &m.Trips[i], outcome: undecided}
	}
}

// processRow checks, decides and sends a row's trips, in order. After a panic the row still has
// its outcomes: a trip that was being sent is Unknown, and nothing more of the run is sent.
func (s *runState) processRow(ctx context.Context, row *rowTask) {
	if err := guarded(func() error { s.decide(ctx, row); return nil }); err != nil {
		s.abort(err)
	}
	if s.Limit > 0 && row.underWay { // with one worker
		s.sent++
	}
	row.result = row.gatherResult()
}

// examine places and checks a row, and judges it.
func (s *runState) examine(row *rowTask) {
	m := row.mapped
	if m.LeftOut == "" {
		if s.Placer != nil && !m.Shifted() {
			for i := range m.Trips {
				s.Placer.Place(&m.Trips[i])
			}
		}
		s.Checker.Check(m, s.Input.Mapper.Rules())
	}
	for i := range row.trips {
		t := &row.trips[i]
		switch {
		case m.LeftOut != "", m.Shifted(): // names in shifted cells mean nothing
		case s.Accounts != nil:
			t.account = s.Accounts.resolve(t.trip)
		case s.Ledger != nil:
			t.account = importer.Account{Service: s.Address, Provider: t.trip.Provider}
		}
	}
	s.judge(row)
	for i := range row.trips {
		if t := &row.trips[i]; t.decision.Problem.Code != "" {
			t.trip.Problems = append(t.trip.Problems, t.decision.Problem)
		}
	}
}

// judge takes the judge's decisions about the row.
func (s *runState) judge(row *rowTask) {
	if s.Service == nil && s.Ledger != nil { // the file is not recorded: what it says is a proposal
		judge.Propose(&row.known, &s.arrival, s.Plan.present.Of)
	}
	w := &judge.Wanted{Row: row.mapped, Arrival: &s.arrival, Version: row.mapped.Row.Version, Workbook: s.Input.Edited, Mapping: s.Input.MappingHash}
	row.offRow, row.version = nil, judge.Version(w, &row.known)
	decisions := judge.Row(w, &row.known, s.Options())
	for i := range decisions {
		d := &decisions[i]
		if d.Leg < 0 {
			row.offRow = append(row.offRow, OffRow(d.Trip, d.Outcome, row.mapped.Row.Ref(0)))
			continue
		}
		t := &row.trips[d.Leg]
		t.decision = d
		// The day in the trip's id keeps the service from taking two days for one trip.
		if d.AddDay {
			day := "-" + strings.ReplaceAll(t.trip.Date().String(), "-", "")
			t.trip.ID = strings.TrimSuffix(t.trip.ID, day) + day
		}
	}
}

// Another run that shares the ledger has the reply to what it sends well within othersWithin.
const othersWithin = 75 * time.Second

// judgeAgain asks the ledger again about a row of which a claim was refused, and judges it again, until no other run is
// sending one of its trips: the row tells what came of it. Trips that have their outcome keep it.
func (s *runState) judgeAgain(ctx context.Context, row *rowTask) error {
	for began := time.Now(); ; time.Sleep(200 * time.Millisecond) {
		known, err := s.Ledger.Look(ctx, s.Address, []*importer.Mapped{row.mapped})
		if err != nil {
			return err
		}
		row.known = known[0]
		s.judge(row)
		if waits := s.isSentByOther(row) && s.Abandon.Err() == nil && time.Since(began) < othersWithin; !waits {
			return nil
		}
	}
}

// isSentByOther reports whether another run is sending one of the row's trips.
func (s *runState) isSentByOther(row *rowTask) bool {
	return slices.ContainsFunc(row.trips, func(t tripTask) bool {
		of := t.decision.Trip
		return of != nil && of.State == importer.TripSending && of.Run != s.Info.ID
	})
}

// decide gives each trip of a row its outcome, and sends those that are to be sent: the outbound
// first, each next leg once the one before it is booked.
func (s *runState) decide(ctx context.Context, row *rowTask) {
	s.examine(row)
	if s.Service != nil && ctx.Err() == nil && s.isSentByOther(row) {
		if err := s.judgeAgain(context.WithoutCancel(ctx), row); err != nil {
			s.gate.ledgerFailed(err)
		}
	}
	for i := range row.mapped.NewWords {
		row.mapped.Problems = append(row.mapped.Problems, row.mapped.NewWords[i].Problem())
	}
	for i := range row.trips {
		s.decideTrip(ctx, row, i)
	}
	row.dropFaults()
}

// decideTrip gives a trip its outcome. It sends what is to be sent.
func (s *runState) decideTrip(ctx context.Context, row *rowTask, i int) {
	t := &row.trips[i]
	if i > 0 && row.underWay && t.decision.Do != judge.Nothing {
		if err := s.judgeAgain(context.WithoutCancel(ctx), row); err != nil { // the leg before it was sent since
			s.gate.ledgerFailed(err)
			t.keep("the ledger could not be asked again before it was to be sent", false)
			return
		}
	}
	t.outcome = t.decision.Outcome
	if row.notAsked != nil && row.mapped.LeftOut == "" {
		t.outcome = importer.Outcome{State: importer.Unknown, Reason: "the ledger could not be asked whether it is booked"}
		return
	}
	switch t.decision.Do {
	case judge.Nothing:
	case judge.Enter:
		t.outcome.State, t.outcome.Reason = importer.BookedEarlier, "a person booked it by hand"
		if s.Service != nil {
			s.gate.pass(ctx, row, i)
		}
	case judge.Change:
		s.decideChange(ctx, row, i)
	case judge.Send:
		s.decideSend(ctx, row, i)
	}
}

// decideChange decides a booked trip that is to be changed.
func (s *runState) decideChange(ctx context.Context, row *rowTask, i int) {
	t := &row.trips[i]
	switch {
	case s.Service == nil:
		t.listChanges()
	case !s.Plan.Changes.Has(t.decision, t.trip):
		t.outcome.Reason = "it was not in the plan: do the same again"
	default:
		s.admit(ctx, row, i)
	}
}

// decideSend decides a trip that is to be booked.
func (s *runState) decideSend(ctx context.Context, row *rowTask, i int) {
	t := &row.trips[i]
	switch {
	case i > 0 && !row.trips[i-1].freesNextLeg():
		before := &row.trips[i-1].outcome
		t.outcome.State, t.outcome.Reason, t.outcome.Limited = importer.Held, "the leg before it is not booked", before.Limited
		if before.State.Booked() {
			t.outcome.Reason += " as the row has it"
		}
	case s.Service == nil && s.Unsent != "":
		t.keep(s.Unsent, s.gate.isPast(t))
	case s.Service == nil:
		t.outcome.State = importer.Ready
	default:
		s.admit(ctx, row, i)
	}
}

// admit sends what is to be sent of a trip, if the limit lets its row be sent.
func (s *runState) admit(ctx context.Context, row *rowTask, i int) {
	if s.Limit <= 0 || s.sent < s.Limit {
		s.gate.pass(ctx, row, i)
		return
	}
	t := &row.trips[i]
	t.keep("left for the next run, because this run may send only a limited number of rows", s.gate.isPast(t))
	t.outcome.Limited = true
}

// listChanges adds a notice for each property that would be changed.
func (t *tripTask) listChanges() {
	t.outcome.Reason = "an import that sends changes sends it"
	for _, v := range t.trip.Properties() {
		if slices.Contains(t.decision.Send, v.Key) && !importer.IsCoordinate(v.Key) {
			t.trip.Report("change-planned", "trip "+t.trip.ID+": "+importer.PropertyName(v.Key)+" would be changed to "+v.Value,
				"an import that sends changes sends it", importer.PropertyField(v.Key))
		}
	}
}

// freesNextLeg reports whether the leg after the trip may be sent: the trip is booked, or it is
// Ready in a check, or a person wants it left out.
func (t *tripTask) freesNextLeg() bool {
	switch o := &t.outcome; o.State {
	case importer.ChangeUnknown, importer.Changed, importer.Booked, importer.BookedEarlier, importer.LeftOut, importer.Ready:
		return true
	case importer.ChangeByHand:
		return o.Why != importer.NoWhy || t.decision.Trip != nil && t.decision.Trip.Day == t.trip.Date() && !importer.Identifying(o.Changed)
	}
	return false
}

// dropFaults removes the faults of trips that an earlier run booked or that are left out, because
// there is nothing left to fix, and the possible double bookings of all that are booked.
func (row *rowTask) dropFaults() {
	all := len(row.trips) > 0
	for i := range row.trips {
		t := &row.trips[i]
		if t.outcome.State == importer.BookedEarlier || t.outcome.State == importer.LeftOut {
			t.trip.Problems = notices(t.trip.Problems)
		} else {
			all = false
		}
		if t.outcome.State.Booked() && t.outcome.State != importer.ReinstateByHand {
			t.trip.Problems = slices.DeleteFunc(slices.Clone(t.trip.Problems), func(p importer.Problem) bool {
				return p.Code == importer.CodeDoubleBooking || p.Code == importer.CodeTripIDCancelled && t.outcome.State == importer.Booked
			})
		}
	}
	if all {
		row.mapped.Problems = notices(row.mapped.Problems)
	}
}

// notices returns the problems that are no faults, in a list of their own.
func notices(problems []importer.Problem) []importer.Problem {
	return slices.DeleteFunc(slices.Clone(problems), func(p importer.Problem) bool { return p.Severity != importer.Notice })
}

// gatherResult gathers a row's result from its trips' outcomes.
func (row *rowTask) gatherResult() importer.RowResult {
	m := row.mapped
	r := importer.RowResult{Row: m.Row, LeftOut: m.LeftOut, Problems: m.AllProblems(), NewWords: m.NewWords, Version: row.version}
	r.Trips = slices.Grow(row.result.Trips, len(row.trips)+len(row.offRow))
	for i := range row.trips {
		o := row.trips[i].outcome
		if o.RowNumber == 0 {
			o.RowNumber = row.known.Row
		}
		r.Trips = append(r.Trips, importer.TripResult{Trip: m.Trips[i], Outcome: o})
	}
	r.Trips = append(r.Trips, row.offRow...)
	r.Summarize()
	return r
}

// OffRow returns the result of a booked trip that no row makes.
func OffRow(s *importer.Standing, o importer.Outcome, at importer.Ref) importer.TripResult {
	return importer.TripResult{
		Trip: importer.Trip{
			Leg: s.Leg, ID: s.TripID, Alias: s.Alias, Provider: s.Account.Provider, Row: at,
			Pickup: importer.Event{PickupTime: s.Begins},
		},
		Outcome: o, OffRow: true,
	}
}
