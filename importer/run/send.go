package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tripimport/importer"
)

const (
	// maxAttempts is how often one trip is tried within a run. Only attempts
	// that provably created nothing are followed by another.
	maxAttempts = 3

	tooLate = "too late: its pickup time has passed, phone the transportation provider now"
)

// send tries to book a trip: wait at the gate, claim, send, settle. The claim
// is durable before the request leaves, and the answer is durable before send
// returns.
func (s *runState) send(ctx context.Context, row *rowTask, t *tripTask) importer.Outcome {
	// A request that was sent is answered and recorded, also when the run is
	// being interrupted: an abandoned request would be an unknown trip.
	uncancelled := context.WithoutCancel(ctx)
	var last importer.Outcome
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		if reason := s.waitForTurn(ctx, row, t); reason != "" {
			return s.unsent(row, t, last, reason)
		}
		round := s.auth.round()
		claim := s.claim(row, t)
		claimed, err := s.Ledger.Claim(uncancelled, claim)
		if errors.Is(err, importer.ErrClaimed) {
			s.Gate.Unused()
			return s.alreadyClaimed(uncancelled, row, t)
		}
		if errors.Is(err, importer.ErrOutdated) {
			s.Gate.Unused()
			o, free, err := s.lookAgain(uncancelled, row, t)
			if err == nil && !free {
				return o
			}
			last.Reason = "other runs book trips that may be this one at the same time: run the same command again"
			continue // after an error the gate is closed and gives the reason
		}
		if err != nil {
			s.ledgerFailed(err)
			return s.unsent(row, t, last, "the ledger could not record that it was about to be sent")
		}

		o, again := s.attempt(uncancelled, t, claimed, claim.At, round)
		o.Attempts = attempt
		if !again {
			return o
		}
		last = o
	}
	return s.unsent(row, t, last, last.Reason)
}

// waitForTurn waits at the gate until the trip may be sent. It returns the reason if the
// trip must not be sent, or "". It checks before the wait and again after it.
func (s *runState) waitForTurn(ctx context.Context, row *rowTask, t *tripTask) string {
	if reason := s.barred(row, t); reason != "" {
		return reason
	}
	err := s.Gate.Wait(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return whyWaitEnded(err)
	}
	reason := s.barred(row, t)
	if reason != "" {
		s.Gate.Unused()
	}
	return reason
}

// whyWaitEnded says in words why the gate did not let the trip through.
func whyWaitEnded(err error) string {
	var stop *importer.Stop
	if errors.As(err, &stop) {
		return "the run stopped before it: " + stop.Reason
	}
	return "the run was interrupted before it"
}

// barred returns the reason for which the trip must not be sent any more, or "".
func (s *runState) barred(row *rowTask, t *tripTask) string {
	switch {
	case s.auth.isClosed(t.pair()):
		return "the service refused this provider and funding source in this run"
	case s.isPast(row, t):
		return tooLate
	}
	return ""
}

// isPast reports whether the trip's time has passed. With a mapping that allows past
// trips, no trip is too late.
func (s *runState) isPast(row *rowTask, t *tripTask) bool {
	at := t.trip.Time()
	return !row.rules.AllowPast && !at.IsZero() && at.Compare(s.Clock.Wall(row.rules.Location)) < 0
}

// unsent returns the outcome of a trip that is not sent, or not sent again. It keeps the
// answer to the last attempt. If the trip's time has passed, the trip is TooLate,
// whatever the reason.
func (s *runState) unsent(row *rowTask, t *tripTask, last importer.Outcome, reason string) importer.Outcome {
	last.State, last.Reason = importer.NotSent, reason
	if s.isPast(row, t) {
		last.TooLate, last.Reason = true, tooLate
	}
	return last
}

func (s *runState) claim(row *rowTask, t *tripTask) importer.Claim {
	key := row.mapped.Key
	if t.repeated {
		key.IDs = importer.RepeatedIDs
	}
	return importer.Claim{
		Run: s.Info.ID, Account: t.account, Trip: t.trip, Key: key, Within: t.within,
		Input: row.input.Source.Hash(), Row: row.mapped.Row.Num,
		MappingHash: row.input.MappingHash, Look: &t.look, At: s.Clock.Now(),
	}
}

// lookAgain asks the ledger again about a trip whose claim it refused. free reports that
// nothing in the ledger keeps the trip from being sent.
func (s *runState) lookAgain(ctx context.Context, row *rowTask, t *tripTask) (o importer.Outcome, free bool, err error) {
	row.isNew = false
	problems := slices.Clone(t.trip.Problems)
	found, err := rowTrips(ctx, s.Ledger, s.Address, &row.mapped)
	if err != nil {
		s.ledgerFailed(err)
		return importer.Outcome{}, false, err
	}
	s.checkBooked(ctx, row, row.indexOf(t), found)
	if t.open {
		s.takeDecision(ctx, row, t)
	}
	switch {
	case !t.open:
		return t.outcome, false, nil
	case t.onlyDoubleBooking():
		return t.askDoubleBooking(), false, nil
	case t.trip.Faulty():
		return importer.Outcome{State: importer.Invalid}, false, nil
	}
	t.trip.Problems = problems // checkBooked has added its notices a second time
	return importer.Outcome{}, true, nil
}

// alreadyClaimed decides a trip that was free when the ledger was first asked:
// another run of the same ledger has it, or another row of this run collides with
// it.
func (s *runState) alreadyClaimed(ctx context.Context, row *rowTask, t *tripTask) importer.Outcome {
	o, free, err := s.lookAgain(ctx, row, t)
	rec, found, findErr := s.Ledger.Find(ctx, t.account, t.trip)
	switch {
	case errors.Join(err, findErr) != nil:
		s.ledgerFailed(errors.Join(err, findErr))
		return importer.Outcome{State: importer.Unknown, Reason: notAsked}
	case !free:
		return o
	case found && rec.Run != s.Info.ID && rec.ClaimedAt.After(s.Info.Started):
		return s.unsent(row, t, importer.Outcome{}, "another run tried to send it at the same time")
	}
	t.trip.Fault("row-booked-before", "this row was booked before under another trip id",
		"if the trip id was changed by mistake, put the old one back; if a second trip is meant, give it a row of its own", importer.FieldTripID)
	return importer.Outcome{State: importer.Invalid}
}

// attempt makes one request for a trip that was claimed at the time at, and settles it.
// It reports whether another attempt may be made.
func (s *runState) attempt(ctx context.Context, t *tripTask, claimed importer.Claimed, at time.Time, round int) (importer.Outcome, bool) {
	sent := s.Clock.Now()
	answer := importer.NotInTime()
	if inTime(at, sent) {
		answer = s.Service.Insert(ctx, t.account.Key, t.trip)
	}
	answered := s.Clock.Now()

	o, again := s.judge(ctx, t, answer, round)
	if o.State == importer.Created || answer.Kind == importer.ReplyRefused {
		s.auth.accepted(t.pair())
	}
	o.SentAt, o.AnsweredAt, o.Attempt = sent, answered, claimed.Attempt
	o.HTTPStatus, o.Message = answer.Status, answer.Message
	if !s.settle(ctx, claimed, &o, &answer) {
		again = false
	}

	s.Gate.Report(answer)
	return o, again
}

// inTime reports whether a claim is recent enough to be sent. It uses the wall clock,
// because the monotonic clock stops while the computer sleeps.
func inTime(claimed, now time.Time) bool {
	return now.Round(0).Sub(claimed.Round(0)) <= importer.StartWithin
}

// judge returns what an answer means for the trip, and reports whether another attempt
// may be made. Only an answer that proves that nothing was created lets a trip be sent
// again. An answer that proves nothing makes the trip Unknown.
func (s *runState) judge(ctx context.Context, t *tripTask, a importer.Reply, round int) (importer.Outcome, bool) {
	switch a.Kind {
	case importer.ReplyCreated:
		return importer.Outcome{State: importer.Created, GUID: a.GUID}, false
	case importer.ReplyCreatedNoGUID:
		return importer.Outcome{State: importer.Created, GUIDMissing: true, Reason: "the service booked it without returning its GUID"}, false
	case importer.ReplyRefused:
		return importer.Outcome{State: importer.Refused}, false
	case importer.ReplyDenied:
		return s.denied(ctx, t, round)
	case importer.ReplyThrottled:
		return importer.Outcome{State: importer.NotSent, Reason: "the service asked to send more slowly, again and again"}, true
	case importer.ReplyMisdirected:
		return importer.Outcome{State: importer.Refused, Reason: "the service's address does not take trips"}, false
	case importer.ReplyNotSent:
		return importer.Outcome{State: importer.NotSent, Reason: "no connection to the service"}, true
	case importer.ReplyBadCertificate:
		return importer.Outcome{State: importer.NotSent, Reason: "the service's certificate was not accepted"}, false
	case importer.ReplyForeign:
		return importer.Outcome{State: importer.Unknown, Reason: "it was sent, and the answer is about another trip or another rider"}, false
	case importer.ReplyUnclear, importer.ReplyRedirected, importer.ReplyPage:
	}
	return importer.Outcome{State: importer.Unknown, Reason: "it was sent and no proof came back"}, false
}

// settle records what came of an attempt. It reports false if the answer could not be
// recorded as it was; the trip is then Unknown.
func (s *runState) settle(ctx context.Context, claimed importer.Claimed, o *importer.Outcome, a *importer.Reply) bool {
	err := s.Ledger.Settle(ctx, claimed, settlement(*o, *a))
	if err == nil {
		return true
	}

	guid := o.GUID
	o.State, o.GUID, o.GUIDMissing = importer.Unknown, "", false
	if errors.Is(err, importer.ErrGUIDTaken) {
		a.Kind = importer.ReplyForeign
		s.Service.CloseIdle()
		o.Reason = fmt.Sprintf("the service answered with the GUID of another trip (%s)", guid)
		err = s.Ledger.Settle(ctx, claimed, settlement(*o, *a))
		if err == nil {
			return false
		}
	}

	s.ledgerFailed(err)
	o.Reason = "what came of it could not be recorded in the ledger"
	if guid != "" {
		o.Reason += "; the service gave it the GUID " + guid
	}
	return false
}

// settlement returns what the ledger stores of an outcome.
func settlement(o importer.Outcome, a importer.Reply) importer.Settlement {
	return importer.Settlement{
		State: o.State, GUID: o.GUID, GUIDMissing: o.GUIDMissing,
		HTTPStatus: a.Status, Code: a.Code(), At: o.AnsweredAt,
	}
}
