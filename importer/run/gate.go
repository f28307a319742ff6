package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// maxAttempts is how often one trip is tried within a run. Only attempts that provably created
// nothing are followed by another. maxJudged is how often a trip is judged again because
// something that this run wrote itself changed what is known of it.
const (
	maxAttempts = 3
	maxJudged   = 16
)

// A gate is the only place that sends: nothing leaves for the service except through pass. It is
// safe for concurrent use.
//
// For each attempt it waits for its turn at the pace, claims the step in the ledger (which refuses
// if anything that the judge saw has changed), sends it, and settles it there. Both are durable
// when they return: the intent before the first byte leaves, the reply before the next trip is
// taken.
type gate struct {
	*Run

	auth *auth
	// judgeAgain judges a row again, after the ledger has refused a claim.
	judgeAgain func(context.Context, *rowTask) error
	// pausedUntil is the end of the last pause of which people were told, in seconds.
	pausedUntil atomic.Int64
	// twice has the GUIDs that the service gave to several trips.
	twice sync.Map
}

// pass sends the step that was decided for the trip with the index, and sets the trip's outcome.
// Once a trip of a row is sent, the row is under way: its other legs are sent too although ctx has ended, but not
// after Run.Abandon has ended.
func (g *gate) pass(ctx context.Context, row *rowTask, i int) {
	t := &row.trips[i]
	if row.underWay {
		ctx = g.Abandon
	}
	uncancelled := context.WithoutCancel(ctx)
	judged := 0
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		if attempt > 1 && judged == 0 && !g.decideAgain(uncancelled, row, i, 1) { // the last attempt is known now
			return
		}
		reason := g.waitForTurn(ctx, row, t)
		if reason != "" {
			t.keep(reason, g.isPast(t))
			return
		}
		round := g.auth.round()
		step := g.step(row, i)
		ticket, err := g.Ledger.Claim(uncancelled, step)
		switch {
		case errors.Is(err, importer.ErrMeanwhile):
			if judged++; !g.decideAgain(uncancelled, row, i, judged) {
				return
			}
			attempt--
			continue
		case err != nil:
			g.ledgerFailed(err)
			t.keep("the ledger could not record that it was about to be sent", g.isPast(t))
			return
		case t.decision.Do == judge.Enter:
			g.enter(uncancelled, t, ticket, step.At)
			return
		}

		row.underWay = true
		again := g.attempt(uncancelled, t, ticket, &step, round)
		t.outcome.Attempts = attempt
		if !again {
			return
		}
	}
	if t.outcome.State == importer.NotSent {
		t.keep(t.outcome.Reason, g.isPast(t))
	}
}

// decideAgain judges the row again after a refused claim. It reports whether the trip is still to
// be sent as before: if what changed was written by this run, as often as needed, otherwise once.
func (g *gate) decideAgain(ctx context.Context, row *rowTask, i, judged int) bool {
	t := &row.trips[i]
	before := t.decision.Do
	if err := g.judgeAgain(ctx, row); err != nil {
		g.ledgerFailed(err)
		t.keep("the ledger could not be asked again before it was to be sent", false)
		return false
	}
	if t.decision.Do != before {
		last := t.outcome
		t.outcome = t.decision.Outcome
		if last.Attempts > 0 {
			t.outcome.Attempts, t.outcome.SentAt, t.outcome.AnsweredAt = last.Attempts, last.SentAt, last.AnsweredAt
			t.outcome.HTTPStatus, t.outcome.Message = last.HTTPStatus, last.Message
		}
		return false
	}
	byUs := func(s *importer.Standing) bool { return s.Run == g.Info.ID } // this run wrote something of what is known of the row
	if judged == 1 || judged < maxJudged && row.known.Trip(byUs) != nil {
		return true
	}
	t.outcome.State, t.outcome.Reason = importer.Held, "something changed meanwhile: do the same again"
	if t.decision.Do == judge.Change {
		t.outcome.State, t.outcome.Why = importer.ChangeByHand, importer.WhyUnsent
	}
	return false
}

// step returns the step that was decided for the trip with the index.
func (g *gate) step(row *rowTask, i int) importer.Step {
	t := &row.trips[i]
	s := row.known.Step(row.mapped, i)
	s.Run, s.Account, s.Mapping, s.At = g.Info.ID, t.account, g.Input.MappingHash, g.Clock.Now()
	if t.decision.Trip != nil {
		s.Trip = t.decision.Trip.Number
	}
	if t.decision.Do == judge.Change {
		s.Change = t.decision.Send
	}
	return s
}

// waitForTurn waits at the pace until the trip may be sent. It returns the reason if it must not
// be sent, or "". It checks before the wait and again after it.
func (g *gate) waitForTurn(ctx context.Context, row *rowTask, t *tripTask) string {
	if t.decision.Do == judge.Enter { // nothing leaves
		return ""
	}
	if reason := g.barred(t); reason != "" {
		return reason
	}
	g.tellPause()
	err := cmp.Or(g.Pace.Wait(ctx), ctx.Err())
	if stop, ok := errors.AsType[*importer.Stop](err); ok {
		return "the run stopped before it: " + stop.Reason
	} else if err != nil {
		return interrupted
	}
	return g.barred(t)
}

// toldPause is how long a pause of the whole run is that people are told of.
const toldPause = 4 * time.Second

// tellPause tells people how long the whole run pauses, once for all workers.
func (g *gate) tellPause() {
	left := g.Pace.Pause().Round(time.Second)
	if g.Paused == nil || left < toldPause {
		return
	}
	until := g.Clock.Now().Add(left).Unix()
	if g.pausedUntil.Swap(until) < until-1 { // each worker sees a little less of the second
		g.Paused(left)
	}
}

const interrupted = "the run was interrupted before it"

// barred returns the reason for which the trip must not be sent in this run, or "".
func (g *gate) barred(t *tripTask) string {
	switch {
	case g.auth.isClosed(t.pair()):
		return "the service refused this provider and funding source in this run"
	case g.isPast(t):
		return judge.TooLate
	}
	return ""
}

// isPast reports whether the time of a trip that is not booked has passed.
func (g *gate) isPast(t *tripTask) bool {
	at := t.trip.Time()
	rules := g.Input.Mapper.Rules()
	return t.decision.Do != judge.Change && !at.IsZero() && at.Compare(g.Clock.Wall(rules.Location)) < 0
}

// attempt makes one request for a step that was claimed, and settles it. It sets the trip's outcome,
// and reports whether another attempt may be made.
func (g *gate) attempt(ctx context.Context, t *tripTask, ticket importer.Ticket, step *importer.Step, round int) bool {
	sent := g.Clock.Now()
	reply := importer.NotInTime()
	change := t.decision.Do == judge.Change
	came := t.booked
	if change {
		came = t.changed
	}
	came(verdict{reason: "the program failed while it was sent"}, &reply, &importer.Settled{}) // if it panics
	switch {
	case sent.Round(0).Sub(step.At.Round(0)) > importer.StartWithin: // by the wall clock: the monotonic one stops while the computer sleeps
	case change:
		reply = g.Service.Change(ctx, t.account.Key, changeOf(t, step))
	default:
		reply = g.Service.Insert(ctx, t.account.Key, t.trip)
	}
	answered := g.Clock.Now()

	v, again := g.verdictOf(ctx, t, reply, round)
	if v.state == importer.TripBooked || reply.Kind == importer.ReplyRefused {
		g.auth.accepted(t.pair())
	}
	settled := importer.Settled{
		State: v.state, GUID: reply.GUID, GUIDMissing: reply.Kind == importer.ReplyCreatedNoGUID, HTTPStatus: reply.Status, Code: reply.Code(), At: answered,
	}
	if v.state != importer.TripBooked || change {
		settled.GUID, settled.GUIDMissing = "", false
	}
	if !g.settle(ctx, ticket, &settled, &v, &reply) {
		again = false
	}

	came(v, &reply, &settled)
	t.outcome.SentAt, t.outcome.AnsweredAt, t.outcome.Attempt, t.outcome.Saw = sent, answered, ticket.Trip, ticket.Event
	t.outcome.HTTPStatus, t.outcome.Message = reply.Status, reply.Message
	g.Pace.Report(reply)
	return again
}

// changeOf returns the change that a step is about.
func changeOf(t *tripTask, step *importer.Step) importer.TripChange {
	const rider = "rider_id"
	booked := t.decision.Trip
	c := importer.TripChange{GUID: booked.GUID, TripID: booked.TripID, RiderID: t.trip.RiderID, Trip: t.trip, Keys: t.decision.Send}
	if booked.Sent.Has(rider) && !step.Own.Values.Same(booked.Sent, rider) { // a person fixed it
		c.RiderID = ""
	}
	return c
}

// settle records what came of an attempt. It reports false if that could not be recorded as it
// was; the trip is then unclear.
func (g *gate) settle(ctx context.Context, ticket importer.Ticket, s *importer.Settled, v *verdict, reply *importer.Reply) bool {
	guid := s.GUID
	err := g.Ledger.Settle(ctx, ticket, *s)
	if _, twice := g.twice.Load(importer.GUIDKey(guid)); twice && err == nil { // the trip that it was recorded for lost it
		err = importer.GUIDTaken{Trip: ticket.Trip}
	}
	if err == nil {
		return true
	}
	s.State, s.GUID, s.GUIDMissing = importer.TripUnclear, "", false
	v.state = importer.TripUnclear
	if taken, is := errors.AsType[importer.GUIDTaken](err); is {
		g.twice.Store(importer.GUIDKey(guid), true)
		reply.Kind = importer.ReplyForeign
		v.reason = fmt.Sprintf("the service answered with the GUID of another trip (%s)", guid)
		if err = g.doubt(ctx, ticket, s, importer.Answer{Who: "the service", Proof: true, Saw: ticket.Event, At: s.At}, taken); err == nil {
			return false
		}
	}
	g.ledgerFailed(err)
	v.reason = "what came of it could not be recorded in the ledger"
	if guid != "" && reply.Kind != importer.ReplyForeign { // the results prove it to the next run
		s.GUID = guid
		v.reason += "; the service gave it the GUID " + guid
	}
	return false
}

// enter records a trip as booked without sending it, because a person entered it in the service.
func (g *gate) enter(ctx context.Context, t *tripTask, ticket importer.Ticket, at time.Time) {
	by, o := t.decision.Enter, &t.outcome
	s := importer.Settled{State: importer.TripBooked, GUID: by.GUID, Code: importer.CodeBookedByHand, At: at}
	o.GUID, o.BookedAt, o.Answered, o.Attempt, o.Saw = s.GUID, at, true, ticket.Trip, ticket.Event
	err := g.Ledger.Settle(ctx, ticket, s)
	if taken, ok := errors.AsType[importer.GUIDTaken](err); ok {
		s.State, s.GUID = importer.TripNotSent, ""
		err = g.doubt(ctx, ticket, &s, importer.Answer{Who: by.Who, At: at}, taken)
		*o = importer.Outcome{State: importer.Held, Question: importer.AskAgain, RowNumber: o.RowNumber, Saw: o.Saw}
		o.Reason = "another trip has the GUID with which it is said to be `booked by hand`: write its own"
	}
	if err != nil {
		g.ledgerFailed(err)
		t.keep("", false)
	}
}

// doubt settles a step that is said to have the GUID of another trip, which waits for a person if need be.
func (g *gate) doubt(ctx context.Context, ticket importer.Ticket, s *importer.Settled, by importer.Answer, taken importer.GUIDTaken) error {
	_, err := DoubtGUID(ctx, g.Ledger, by, taken.Trip)
	return cmp.Or(g.Ledger.Settle(ctx, ticket, *s), err)
}

// DoubtGUID lets a trip wait that has a GUID by a person's word alone, or by an answer of the service that came while it was asked
// about another trip, because the GUID is said to be that one's too. It reports whether the trip waits.
func DoubtGUID(ctx context.Context, l Ledger, given importer.Answer, trip int64) (waits bool, err error) {
	known, _, err := l.Trip(ctx, trip)
	if err != nil {
		return false, err
	}
	effects := judge.DoubtGUID(given, trip, &known)
	if len(effects) == 0 {
		return false, nil
	}
	err = l.Record(ctx, effects...)
	if errors.Is(err, importer.ErrMeanwhile) { // whatever happened to it, its GUID is asked about when somebody answers again
		return false, nil
	}
	return err == nil, err
}

// stop ends the sending. A check has no pace and goes on.
func (g *gate) stop(reason *importer.Stop) {
	if g.Pace != nil {
		g.Pace.Stop(reason)
	}
}

// ledgerFailed ends the sending, because nothing may be sent without a ledger.
func (g *gate) ledgerFailed(err error) { g.stop(LedgerStop(err)) }

// codeLedgerFailed is the code of a stop because the ledger can't be read or written.
const codeLedgerFailed = "ledger-failed"

// LedgerStop returns the reason to stop for an error of the ledger.
func LedgerStop(err error) *importer.Stop {
	stop := &importer.Stop{Code: codeLedgerFailed, Reason: "the ledger can't be read or written", Fix: "make room on its disk and see that it can be written, then do the same again", Later: true}
	if said, ok := errors.AsType[importer.Advised](err); ok {
		stop.Reason, stop.Fix = err.Error(), importer.SayAll(said.Advice(), nil)
	}
	return stop
}
