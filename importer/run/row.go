package run

import (
	"cmp"
	"context"
	"slices"

	"tripimport/importer"
)

// Reasons for holding a trip back.
const (
	heldByFault    = "the other leg of this row has to be fixed first"
	heldByQuestion = "the other leg of this row waits for an answer"
	heldByLinked   = "a linked trip on another row has to be fixed first"
	heldByLeg      = "the leg before it is not booked"
)

// A rowTask is one row on its way through the run.
type rowTask struct {
	index  int // counted over all inputs
	mapped importer.Mapped
	rules  *importer.Rules
	input  Input
	trips  []tripTask // one for each trip of mapped
	// admitted reports that the limit lets the row be sent, and sent that it was.
	admitted, sent bool
	// left reports that the run was interrupted before the row, and that the ledger had
	// nothing of the row when the run was planned. The ledger is not asked again.
	left bool
	// isNew reports that the ledger had nothing of the row, and no answer about it, when
	// it was asked last.
	isNew bool
	// dropped are booked trips that the row does not make any more.
	dropped []importer.TripResult
	result  importer.RowResult
	done    chan struct{} // closed once result is set
}

// A tripTask is one trip on its way through the run.
type tripTask struct {
	trip *importer.Trip
	// link ties the trip to trips on other rows; nil for most.
	link    *link
	account importer.Account
	// within is Claim.Within: 0 if a person or the mapping allows a second trip of the
	// rider between the same places at about the same time.
	within int
	// look is what the ledger had beside the trip when it was asked last.
	look importer.Look
	// repeated reports that a person answered that the row's id came again on the day of
	// the trip. The day is then part of the trip's identity.
	repeated bool
	// open reports that the ledger does not have the trip: nothing but a fault
	// keeps it from being sent.
	open bool
	// booked is the ledger's record of a booked trip, and change says what is to be done
	// about the properties that differ.
	booked *importer.Record
	change changePlan
	// denials counts the answers 401 and 403.
	denials int
	outcome importer.Outcome
}

// indexOf returns the index of one of the row's trips.
func (row *rowTask) indexOf(t *tripTask) int {
	return slices.IndexFunc(row.trips, func(other tripTask) bool { return other.trip == t.trip })
}

func (s *runState) newRowTask(index int, in Input, row importer.Row) *rowTask {
	r, ok := s.freeTasks.Get().(*rowTask)
	if !ok {
		r = &rowTask{}
	}
	*r = rowTask{
		index: index, mapped: in.Mapper.Map(row.Clone(), r.mapped.Trips), rules: in.Mapper.Rules(), input: in,
		trips: r.trips[:0], done: make(chan struct{}),
	}
	for i := range r.mapped.Trips {
		r.trips = append(r.trips, tripTask{trip: &r.mapped.Trips[i], outcome: s.undecided()})
		t := &r.trips[i]
		if r.mapped.LeftOut == "" {
			t.link = s.linked.of(t.trip.Link)
		}
	}
	return r
}

// undecided returns the outcome that a trip has until it is decided. It is reported if
// the program panics before that. The trip may have been booked by an earlier run, so it
// is Unknown until the ledger was asked.
func (s *runState) undecided() importer.Outcome {
	if s.Service == nil {
		return importer.Outcome{State: importer.NotSent, Reason: "the program failed at this row"}
	}
	return importer.Outcome{State: importer.Unknown, Reason: "the program failed before the ledger was asked whether it is booked"}
}

// processRow checks, decides and sends a row's trips, in order. After a panic
// the row still has its outcomes: a trip that was being sent is Unknown, those
// behind it are not sent, and nor is the rest of the run.
func (s *runState) processRow(ctx context.Context, row *rowTask) {
	err := guarded(func() error {
		// An interrupted run sends nothing more, but it still reports for every row what
		// the ledger has of it, or had when the run was planned.
		uncancelled := context.WithoutCancel(ctx)
		row.left = ctx.Err() != nil && s.Service != nil && s.ByHand == nil && s.Plan.recorded[row.index].hadNothing(len(row.trips))
		s.examine(uncancelled, row)
		if row.mapped.LeftOut != "" {
			s.leaveOut(uncancelled, row)
		} else {
			s.decide(ctx, row)
		}
		return nil
	})
	if err != nil {
		s.abort(err)
	}
	s.limit.leave(row)

	row.result = row.gatherResult()
	for i := range row.trips {
		if t := &row.trips[i]; t.link != nil {
			s.linked.decide(t.link, t.outcome.State)
		}
	}
}

// examine collects everything that can be known about a row without sending it.
// The ledger is asked about faulty trips too: a trip that is booked is booked,
// even if its row has a fault today.
func (s *runState) examine(ctx context.Context, row *rowTask) {
	m := &row.mapped
	if m.LeftOut != "" {
		return
	}

	if s.Placer != nil && !m.Shifted() {
		for i := range m.Trips {
			s.Placer.Place(&m.Trips[i])
		}
	}

	s.Checker.Check(m, row.rules)
	if m.LeftOut != "" {
		return
	}

	for i := range row.trips {
		t := &row.trips[i]
		switch {
		case s.Accounts != nil:
			t.account = s.Accounts.resolve(t.trip)
		case s.Ledger != nil:
			t.account = importer.Account{Service: s.Address, Provider: t.trip.Provider}
		}
		t.open = true
	}
	if s.Ledger != nil && !row.left {
		s.checkLedger(ctx, row)
	}
	row.askAboutWords()
}

// askAboutWords makes the trips of a row with a word that nobody has approved wait for an
// answer. A booked trip stays booked and gets the question too, because the word may mean
// that it is cancelled.
func (row *rowTask) askAboutWords() {
	for _, w := range row.mapped.NewWords {
		row.mapped.Problems = append(row.mapped.Problems, w.Problem())
		for i := range row.trips {
			switch t := &row.trips[i]; {
			case t.open:
				t.open = false
				t.outcome = importer.Outcome{State: importer.Waiting, Question: importer.AskWord, Reason: w.Why()}
			case t.outcome.State.Booked():
				t.outcome.Question = importer.AskWord
				t.outcome.Reason = cmp.Or(t.outcome.Reason, w.Why())
			}
		}
	}
}

// faulty reports whether a fault stops any trip of the row, and with it all
// others that are not booked yet.
func (row *rowTask) faulty() bool {
	if importer.Faulty(row.mapped.Problems) {
		return true
	}
	for i := range row.trips {
		if t := &row.trips[i]; t.open && t.trip.Faulty() {
			return true
		}
	}
	return false
}

// decide gives each trip of a row its outcome, and sends those that may be
// sent: the outbound first, each next leg once the one before it is booked.
func (s *runState) decide(ctx context.Context, row *rowTask) {
	s.takeDecisions(context.WithoutCancel(ctx), row)
	rowFaulty, held := importer.Faulty(row.mapped.Problems), ""
	switch {
	case row.faulty():
		held = heldByFault
	case slices.ContainsFunc(row.trips, func(t tripTask) bool { return t.outcome.State == importer.Waiting }):
		held = heldByQuestion
	}

	for i := range row.trips {
		switch t := &row.trips[i]; {
		case len(t.change.send) > 0:
			s.changeBooked(ctx, row, t, rowFaulty)
		case t.open:
			s.decideOpen(ctx, row, i, rowFaulty, held)
		}
	}
	row.dropFaults()
	s.noteSchedule(context.WithoutCancel(ctx), row)
}

// decideOpen decides trip i of a row, which is open. held says why the row's trips are
// held back; it is empty if they are not.
func (s *runState) decideOpen(ctx context.Context, row *rowTask, i int, rowFaulty bool, held string) {
	t := &row.trips[i]
	why := s.whyUnsent(t)
	switch {
	case !rowFaulty && t.onlyDoubleBooking():
		t.outcome = t.askDoubleBooking()
	case rowFaulty || t.trip.Faulty():
		t.outcome = importer.Outcome{State: importer.Invalid}
	case held != "":
		t.outcome = importer.Outcome{State: importer.Held, Reason: held}
	case t.isHeldByLink():
		t.outcome = importer.Outcome{State: importer.Held, Reason: heldByLinked}
	case i > 0 && !row.trips[i-1].freesNextLeg():
		t.outcome = importer.Outcome{State: importer.Held, Reason: heldByLeg, Limited: row.trips[i-1].outcome.Limited}
	case why != "":
		t.outcome = s.unsent(row, t, importer.Outcome{}, why)
	case s.Service == nil:
		t.outcome = importer.Outcome{State: importer.Ready}
	case !s.limit.admits(row):
		t.outcome = s.unsent(row, t, importer.Outcome{}, "left for the next run, because this run may send only a limited number of rows")
		t.outcome.Limited = true
	default:
		t.outcome = importer.Outcome{State: importer.Unknown, Reason: "the program failed while it was being sent"}
		t.outcome = s.send(ctx, row, t)
		row.countSent(t)
	}
}

// whyUnsent says why the run does not send a trip that is free to be sent; empty if it does.
func (s *runState) whyUnsent(t *tripTask) string {
	if s.Changes != nil && s.Changes.Only {
		return "it is not booked yet: `tripimport import` books it"
	}
	if s.HeldBack != nil {
		return cmp.Or(s.HeldBack(t.trip), s.Unsent)
	}
	return s.Unsent
}

// takeDecisions decides those of a row's trips that are not booked and that a person
// booked by hand, or answered to leave while the row says the same. They are not sent.
func (s *runState) takeDecisions(ctx context.Context, row *rowTask) {
	for i := range row.trips {
		t := &row.trips[i]
		if s.Ledger != nil && (t.open || t.outcome.State == importer.Waiting || t.outcome.State == importer.Reinstate) {
			s.takeDecision(ctx, row, t)
		}
	}
}

// takeDecision is takeDecisions for one trip.
func (s *runState) takeDecision(ctx context.Context, row *rowTask, t *tripTask) {
	if row.left {
		s.leaveIfDecidedBefore(row, t)
		return
	}
	var decided importer.Verdict
	var err error
	if !row.isNew {
		decided, err = s.Ledger.Decided(ctx, row.decision(t))
	}
	switch {
	case err != nil && t.open:
		s.ledgerUnavailable(row, t, err)
		return
	case err != nil: // the trip keeps its question
		s.ledgerFailed(err)
		s.leaveIfDecidedBefore(row, t)
		return
	}
	o, byHand := importer.Outcome{}, false
	if s.ByHand != nil {
		c := s.claim(row, t)
		c.Look = nil
		o, byHand, err = s.ByHand(ctx, c)
	}
	switch {
	case err != nil:
		s.ledgerFailed(err)
		t.open, t.outcome = false, importer.Outcome{State: importer.Unknown, Reason: "a person said that it is booked by hand, and that could not be recorded in the ledger"}
	case byHand:
		t.open, t.outcome = false, o
	case decided == importer.LeaveIt:
		t.leave()
	}
}

// leaveIfDecidedBefore leaves a trip about which the ledger is not asked again, if a
// person had answered to leave it when the ledger was last asked. Results that showed the
// trip as still to be sent would prove the opposite when they are entered into a ledger
// that lost the run.
func (s *runState) leaveIfDecidedBefore(row *rowTask, t *tripTask) {
	if s.Ledger.DecidedBefore(row.decision(t)) == importer.LeaveIt {
		t.leave()
	}
}

// decision returns the decision to leave a trip of the row.
func (row *rowTask) decision(t *tripTask) importer.Decision {
	return importer.Decision{Key: row.mapped.Key, Trip: t.trip, Other: t.outcome.Attempt}
}

// leave decides that the trip is not sent, because a person answered to leave it.
func (t *tripTask) leave() {
	t.open, t.outcome = false, importer.Outcome{State: importer.Skipped, Answered: true, Reason: "left out: a person answered `leave it`; if it is to be sent after all, write `book` under What we found"}
}

// freesNextLeg reports whether the leg after the trip may be sent: the trip is booked, or
// it is Ready in a check, or a person wants it left out.
func (t *tripTask) freesNextLeg() bool {
	state := t.outcome.State
	sameTrip := state == importer.ChangeByHand && t.booked != nil && !t.booked.OtherTrip
	return state.FreesNextLeg() || sameTrip || state == importer.Skipped || state == importer.Ready
}

// isHeldByLink reports whether the trip has to be sent together with linked trips and one
// of them can't be sent.
func (t *tripTask) isHeldByLink() bool { return t.trip.Together && t.link != nil && t.link.invalid }

// onlyDoubleBooking reports whether the trip's only faults are possible double bookings.
// These are a question that a person can answer.
func (t *tripTask) onlyDoubleBooking() bool {
	found := false
	for _, p := range t.trip.Problems {
		if p.Severity == importer.Fault && p.Code != importer.CodeDoubleBooking {
			return false
		}
		found = found || p.Severity == importer.Fault
	}
	return found
}

// askDoubleBooking returns the outcome of a trip that waits because it may be booked
// under another id.
func (t *tripTask) askDoubleBooking() importer.Outcome {
	return importer.Outcome{State: importer.Waiting, Question: importer.AskDoubleBooking, Attempt: t.outcome.Attempt}
}

// countSent records for the limit whether a trip of the row was really sent.
func (row *rowTask) countSent(t *tripTask) { row.sent = row.sent || t.outcome.Attempts > 0 }

// dropFaults removes the faults of trips that an earlier run booked or that are left out,
// because there is nothing left to fix.
func (row *rowTask) dropFaults() {
	all := len(row.trips) > 0
	for i := range row.trips {
		t := &row.trips[i]
		if t.outcome.State == importer.AlreadyCreated || t.outcome.State == importer.Skipped {
			t.trip.Problems = notices(t.trip.Problems)
		} else {
			all = false
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
	m := &row.mapped
	r := importer.RowResult{Row: m.Row, LeftOut: m.LeftOut, Problems: m.AllProblems()}
	r.Trips = make([]importer.TripResult, 0, len(row.trips)+len(row.dropped))
	for i := range row.trips {
		r.Trips = append(r.Trips, importer.TripResult{Trip: m.Trips[i], Outcome: row.trips[i].outcome})
	}
	r.Trips = append(r.Trips, row.dropped...)
	r.Summarize()
	return r
}
