package importer

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// maxAttempts is how often one trip is tried within a run. Only attempts
	// that provably created nothing are followed by another.
	maxAttempts = 3

	// staleAfter is how long the service may go unused before its connections
	// are dropped: a request on one that died meanwhile would be unknown.
	staleAfter = 2 * time.Second

	tooLate = "too late: its pickup time has passed, phone the transportation provider now"
)

// send tries to book a trip: wait at the gate, claim, send, settle. The claim
// is durable before the request leaves, and whatever comes back is durable
// before this returns.
func (p *pass) send(ctx context.Context, s *slot, b *booking) Outcome {
	// What is in flight is finished and recorded, also when the run is being
	// interrupted: an abandoned request would be an unknown trip.
	whole := context.WithoutCancel(ctx)
	var last Outcome
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		if reason := p.ready(ctx, s, b); reason != "" {
			return p.unsent(s, b, last, reason)
		}
		p.freshen()
		asked := p.denials.asked()
		claimed, err := p.Ledger.Claim(whole, p.claim(s, b))
		if errors.Is(err, ErrClaimed) {
			return p.alreadyClaimed(whole, s, b)
		}
		if err != nil {
			p.ledgerFailed(err)
			return p.unsent(s, b, last, "the ledger could not record that it was about to be sent")
		}
		o, again := p.attempt(whole, b, claimed, asked)
		o.Attempts = attempt
		if !again {
			return o
		}
		last = o
	}
	return p.unsent(s, b, last, last.Reason)
}

// ready waits until the trip may be sent, or says why it may not. What may
// have changed during the wait is looked at again after it.
func (p *pass) ready(ctx context.Context, s *slot, b *booking) string {
	if reason := p.barred(s, b); reason != "" {
		return reason
	}
	err := p.Gate.Wait(ctx)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return whyWaitEnded(err)
	}
	return p.barred(s, b)
}

// whyWaitEnded says in words why the gate let nothing more through.
func whyWaitEnded(err error) string {
	var stop *Stop
	if errors.As(err, &stop) {
		return "the run stopped before it: " + stop.Reason
	}
	return "the run was interrupted before it"
}

// barred says why the trip must not be sent any more, if so.
func (p *pass) barred(s *slot, b *booking) string {
	switch {
	case p.denials.closed(b.pair()):
		return "the service refused this provider and funding source in this run"
	case p.passed(s, b):
		return tooLate
	}
	return ""
}

// passed reports whether the trip's time has come and gone. A mapping that
// books trips afterwards has none that are too late.
func (p *pass) passed(s *slot, b *booking) bool {
	at := b.trip.Time()
	return !s.rules.AllowPast && !at.IsZero() && at.Compare(p.Clock.Wall(s.rules.Location)) < 0
}

// unsent is the outcome of a trip that does not leave, or not once more: what
// an earlier attempt was answered is kept. Whatever the reason, once its time
// has passed that is what matters.
func (p *pass) unsent(s *slot, b *booking, last Outcome, reason string) Outcome {
	last.State, last.Reason = NotSent, reason
	if p.passed(s, b) {
		last.TooLate, last.Reason = true, tooLate
	}
	return last
}

// freshen drops the connections to the service after a pause, and those from
// before the run. The time is compared as a clock on the wall shows it: the one
// that counts on its own stands still while a laptop sleeps.
func (p *pass) freshen() {
	now := p.Clock.Now().UnixNano()
	if last := p.used.Swap(now); now-last > int64(staleAfter) {
		p.Service.CloseIdle()
	}
}

func (p *pass) claim(s *slot, b *booking) Claim {
	return Claim{
		Run: p.Info.ID, Account: b.account, Trip: b.trip,
		Input: s.input.Source.Hash(), Row: s.mapped.Row.Num,
		MappingHash: s.input.MappingHash, At: p.Clock.Now(),
	}
}

// alreadyClaimed tells of a trip that was free a moment ago: another run of
// the same ledger has it, or its row was booked under another trip id.
func (p *pass) alreadyClaimed(ctx context.Context, s *slot, b *booking) Outcome {
	rec, found, err := p.Ledger.Find(ctx, b.account, b.trip)
	switch {
	case err != nil:
		p.unasked(b, err, "the ledger could not be asked whether it is booked")
		return b.outcome
	case found && rec.shut():
		if p.recorded(s, b, rec); !b.open {
			return b.outcome
		}
	case found && rec.Run != p.Info.ID && rec.ClaimedAt.After(p.Info.Started):
		return p.unsent(s, b, Outcome{}, "another run tried to send it at the same moment")
	default:
		b.trip.Fault("row-booked-before", "this row was booked before under another trip id",
			"if the trip id was changed by mistake, put the old one back; if a second trip is meant, give it a row of its own", FieldTripID)
	}
	return Outcome{State: Invalid}
}

// attempt makes one request for a claimed trip and settles it. It reports
// whether another attempt may be made.
func (p *pass) attempt(ctx context.Context, b *booking, claimed Claimed, asked int) (Outcome, bool) {
	sent := p.Clock.Now()
	answer := p.Service.Insert(ctx, b.account.Key, b.trip)
	answered := p.Clock.Now()
	p.used.Store(answered.UnixNano())

	o, again := p.judge(ctx, b, answer, asked)
	o.SentAt, o.AnsweredAt = sent, answered
	o.HTTPStatus, o.Message = answer.Status, answer.Message
	if !p.settle(ctx, claimed, &o, &answer) {
		again = false
	}
	p.Gate.Report(answer)
	return o, again
}

// judge says what an answer means for the trip (design, section 4, reply to
// outcome), and whether another attempt may be made.
func (p *pass) judge(ctx context.Context, b *booking, a Answer, asked int) (Outcome, bool) {
	switch a.Kind {
	case AnswerCreated:
		return Outcome{State: Created, GUID: a.GUID}, false
	case AnswerCreatedNoGUID:
		return Outcome{State: Created, GUIDMissing: true, Reason: "the service booked it without telling its GUID"}, false
	case AnswerRefused:
		return Outcome{State: Refused}, false
	case AnswerDenied:
		return p.denied(ctx, b, asked)
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

// settle records what came of an attempt. It reports false where that could
// not be recorded as it was answered: then the trip is Unknown.
func (p *pass) settle(ctx context.Context, claimed Claimed, o *Outcome, a *Answer) bool {
	err := p.Ledger.Settle(ctx, claimed, settlement(*o, *a))
	if err == nil {
		return true
	}
	guid := o.GUID
	o.State, o.GUID, o.GUIDMissing = Unknown, "", false
	if errors.Is(err, ErrGUIDTaken) {
		a.Kind = AnswerUnclear
		o.Reason = fmt.Sprintf("the service answered with the GUID of another trip (%s)", guid)
		err = p.Ledger.Settle(ctx, claimed, settlement(*o, *a))
		if err == nil {
			return false
		}
	}
	p.ledgerFailed(err)
	o.Reason = "what came of it could not be recorded in the ledger"
	if guid != "" {
		o.Reason += "; the service gave it the GUID " + guid
	}
	return false
}

// settlement is what the ledger keeps of an outcome.
func settlement(o Outcome, a Answer) Settlement {
	return Settlement{
		State: o.State, GUID: o.GUID, GUIDMissing: o.GUIDMissing,
		HTTPStatus: a.Status, Code: a.Code(), At: o.AnsweredAt,
	}
}
