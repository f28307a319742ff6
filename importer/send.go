package importer

import (
	"context"
	"errors"
	"fmt"
)

// maxAttempts is how often one trip is tried within a run. Only attempts that
// provably created nothing are followed by another.
const maxAttempts = 3

// send tries to book a trip: wait at the gate, claim, send, settle. The claim
// is durable before the request leaves, and whatever comes back is durable
// before this returns.
func (p *pass) send(ctx context.Context, s *slot, t *Trip, account Account) Outcome {
	var last Outcome
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		asked := p.denials.asked()
		if reason, closed := p.denials.closed(account, t.FundingSource); closed {
			return notSent(last, reason)
		}
		if err := p.Gate.Wait(ctx); err != nil {
			return notSent(last, whyWaitEnded(err))
		}
		if passed := p.passed(s.rules, t); passed {
			o := notSent(last, "too late: its pickup time has passed, phone the transportation provider now")
			o.TooLate = true
			return o
		}
		claimed, err := p.Ledger.Claim(context.WithoutCancel(ctx), Claim{
			Run: p.Info.ID, Account: account, Trip: t,
			Input: s.input.Source.Hash(), Row: s.mapped.Row.Num,
			MappingHash: s.input.MappingHash, At: p.Clock.Now(),
		})
		if errors.Is(err, ErrClaimed) {
			return p.alreadyClaimed(ctx, t, account)
		}
		if err != nil {
			p.ledgerFailed(err)
			return notSent(last, "the ledger could not record that it was about to be sent")
		}
		o, again := p.attempt(ctx, t, account, claimed, asked)
		o.Attempts = attempt
		if !again {
			return o
		}
		last = o
	}
	return last
}

// attempt makes one request for a claimed trip and settles it. It reports
// whether another attempt may be made.
func (p *pass) attempt(ctx context.Context, t *Trip, account Account, claimed Claimed, asked int) (Outcome, bool) {
	sent := p.Clock.Now()
	// What is in flight is finished and recorded, also when the run is being
	// interrupted: an abandoned request would be an unknown trip.
	whole := context.WithoutCancel(ctx)
	answer := p.Service.Insert(whole, account.Key, t)
	o, again := p.judge(whole, t, account, answer, asked)
	o.SentAt, o.AnsweredAt = sent, p.Clock.Now()
	o.HTTPStatus, o.Message = answer.Status, answer.Message

	err := p.Ledger.Settle(whole, claimed, settlement(o, answer))
	if errors.Is(err, ErrGUIDTaken) {
		answer.Kind = AnswerUnclear
		o.State, o.GUID, again = Unknown, "", false
		o.Reason = fmt.Sprintf("the service answered with the GUID of another trip (%s)", answer.GUID)
		err = p.Ledger.Settle(whole, claimed, settlement(o, answer))
	}
	p.Gate.Report(answer)
	if err != nil {
		p.ledgerFailed(err)
		o.State, again = Unknown, false
		o.Reason = "what came of it could not be recorded in the ledger"
		if o.GUID != "" {
			o.Reason += "; the service gave it the GUID " + o.GUID
		}
	}
	return o, again
}

// settlement is what the ledger keeps of an outcome.
func settlement(o Outcome, a Answer) Settlement {
	return Settlement{
		State: o.State, GUID: o.GUID, GUIDMissing: o.GUIDMissing,
		HTTPStatus: a.Status, Code: a.Code(), At: o.AnsweredAt,
	}
}

// judge says what an answer means for the trip (design, section 4, reply to
// outcome), and whether another attempt may be made.
func (p *pass) judge(ctx context.Context, t *Trip, account Account, a Answer, asked int) (Outcome, bool) {
	switch a.Kind {
	case AnswerCreated:
		return Outcome{State: Created, GUID: a.GUID}, false
	case AnswerCreatedNoGUID:
		return Outcome{State: Created, GUIDMissing: true, Reason: "the service booked it without telling its GUID"}, false
	case AnswerRefused:
		return Outcome{State: Refused}, false
	case AnswerDenied:
		return p.denied(ctx, t, account, asked)
	case AnswerThrottled:
		return Outcome{State: NotSent, Reason: "the service asked to send more slowly, again and again"}, true
	case AnswerMisdirected:
		return Outcome{State: Refused, Reason: "the service's address does not take trips"}, false
	case AnswerNotSent:
		return Outcome{State: NotSent, Reason: "no connection to the service"}, true
	case AnswerBadCertificate:
		return Outcome{State: NotSent, Reason: "the service's certificate was not accepted"}, false
	case AnswerUnclear, AnswerRedirected, AnswerPage:
	}
	return Outcome{State: Unknown, Reason: "it was sent and no proof came back"}, false
}

// alreadyClaimed tells of a trip that was free a moment ago: another run of
// the same ledger has it, or its row was booked under another trip id.
func (p *pass) alreadyClaimed(ctx context.Context, t *Trip, account Account) Outcome {
	rec, found, err := p.Ledger.Find(context.WithoutCancel(ctx), account, t)
	if err != nil {
		p.ledgerFailed(err)
		return Outcome{State: NotSent, Reason: "the ledger could not be asked whether it is booked"}
	}
	if found && (rec.State == Created || rec.State == Unknown) {
		return fromRecord(rec)
	}
	t.Fault("row-booked-before", "this row was booked before under another trip id",
		"if the trip id was changed by mistake, put the old one back; if a second trip is meant, give it a row of its own", FieldTripID)
	return Outcome{State: Invalid}
}

// passed reports whether the trip's time has come and gone.
func (p *pass) passed(rules *Rules, t *Trip) bool {
	at := t.Time()
	return !at.IsZero() && at.Compare(p.Clock.Wall(rules.Location)) <= 0
}

// notSent is the outcome of a trip that does not leave, or not once more:
// what an earlier attempt was answered is kept.
func notSent(last Outcome, reason string) Outcome {
	last.State, last.Reason = NotSent, reason
	return last
}

// whyWaitEnded says in words why the gate let nothing more through.
func whyWaitEnded(err error) string {
	var stop *Stop
	if errors.As(err, &stop) {
		return "the run stopped before it: " + stop.Reason
	}
	return "the run was interrupted before it"
}
