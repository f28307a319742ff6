package importer

import (
	"context"
	"fmt"
	"runtime/debug"
)

// serve decides and sends a row's trips, in order. A panic on the way leaves
// the trips it had not decided Unknown: they may have been sent.
func (p *pass) serve(ctx context.Context, s *slot) {
	m := &s.mapped
	outcomes := make([]Outcome, len(m.Trips))
	defer func() {
		if v := recover(); v != nil {
			p.panicAt(v)
		}
		s.result = rowResult(m, outcomes)
		for _, l := range s.linked {
			l.decide(outcomes[l.trip].State)
		}
	}()
	// An interrupted run sends nothing more, but it still says of every row what
	// the ledger has of it.
	whole := context.WithoutCancel(ctx)
	switch {
	case m.LeftOut != "":
		p.leftOut(whole, m, outcomes)
	case p.Service == nil:
		p.check(s, outcomes)
	default:
		p.book(ctx, s, outcomes)
	}
}

// panicAt ends the sending. The panic's own text may hold row content, so only
// where it happened is kept.
func (p *pass) panicAt(v any) {
	err := fmt.Errorf("a fault of the program itself (%T) at\n%s", v, debug.Stack())
	p.mu.Lock()
	if p.panic == nil {
		p.panic = err
	}
	p.mu.Unlock()
	p.stop(&Stop{Code: "internal", Reason: "a fault of the program itself", Fix: "report it; what was sent is recorded", Later: true})
}

// rowResult gathers a row's result from its trips' outcomes.
func rowResult(m *Mapped, outcomes []Outcome) RowResult {
	r := RowResult{Row: m.Row, State: Skipped, LeftOut: m.LeftOut, Problems: m.AllProblems()}
	if m.LeftOut == "" && len(m.Trips) == 0 {
		r.State = Invalid
	}
	booked, missing := false, false
	for i := range m.Trips {
		o := outcomes[i]
		r.Trips = append(r.Trips, TripResult{m.Trips[i], o})
		if i == 0 || o.State.Worse(r.State) {
			r.State = o.State
		}
		booked = booked || o.State.Booked()
		missing = missing || o.State.missing()
	}
	r.HalfBooked = booked && missing
	return r
}

// leftOut decides the trips of a row that the mapping leaves out: nothing is
// sent, but one that was cancelled after it was booked has to be cancelled by
// hand.
func (p *pass) leftOut(ctx context.Context, m *Mapped, outcomes []Outcome) {
	for i := range m.Trips {
		outcomes[i] = Outcome{State: Skipped, Reason: m.LeftOut}
		t := &m.Trips[i]
		if !m.Cancelled || p.Ledger == nil || t.ID == "" {
			continue
		}
		account, ok := p.Accounts.account(Pair{t.Provider, t.FundingSource})
		if !ok {
			continue
		}
		rec, found, err := p.Ledger.Find(ctx, account, t)
		if err != nil {
			p.ledgerFailed(err)
			outcomes[i] = Outcome{State: NotSent, Reason: "the ledger could not be asked whether it was booked before it was cancelled"}
			continue
		}
		if found && (rec.State == Created || rec.State == Unknown) {
			outcomes[i] = fromRecord(rec)
			if rec.State == Created {
				outcomes[i].State = CancelledCreated
			}
			outcomes[i].Reason = m.LeftOut
		}
	}
}

// check decides the trips of a row that is not to be sent.
func (p *pass) check(s *slot, outcomes []Outcome) {
	m := &s.mapped
	if p.Accounts != nil {
		for i := range m.Trips {
			p.Accounts.prove(&m.Trips[i])
		}
	}
	faulty := m.Faulty()
	for i := range m.Trips {
		switch {
		case m.Trips[i].Faulty() || Faulty(m.Problems):
			outcomes[i] = Outcome{State: Invalid}
		case faulty:
			outcomes[i] = Outcome{State: Held, Reason: heldByFault}
		case s.heldTogether(i):
			outcomes[i] = Outcome{State: Held, Reason: heldByJourney}
		default:
			outcomes[i] = Outcome{State: Ready}
		}
	}
}

// Reasons for holding a trip back.
const (
	heldByFault   = "the other leg of this row has to be mended first"
	heldByJourney = "a leg of this journey on another row has to be mended first"
	heldByLeg     = "the leg before it is not booked"
)

// heldTogether reports whether the trip must wait until a leg on another row is
// mended.
func (s *slot) heldTogether(trip int) bool {
	if !s.mapped.Trips[trip].Together {
		return false
	}
	for _, l := range s.linked {
		if l.trip == trip && l.invalid {
			return true
		}
	}
	return false
}

// book decides the trips of a row to be booked, and sends those that are free
// to be sent. What the ledger has comes before what the checks say: a trip that
// is booked is booked, whatever is wrong with the row today.
func (p *pass) book(ctx context.Context, s *slot, outcomes []Outcome) {
	m := &s.mapped
	accounts := make([]Account, len(m.Trips))
	open := make([]bool, len(m.Trips))
	for i := range m.Trips {
		accounts[i] = p.Accounts.prove(&m.Trips[i])
		outcomes[i], open[i] = p.known(context.WithoutCancel(ctx), s, &m.Trips[i], accounts[i])
	}
	faulty := Faulty(m.Problems)
	for i := range m.Trips {
		faulty = faulty || open[i] && m.Trips[i].Faulty()
	}
	granted := false
	for i := range m.Trips {
		t := &m.Trips[i]
		switch {
		case !open[i]:
		case t.Faulty() || Faulty(m.Problems):
			outcomes[i] = Outcome{State: Invalid}
		case faulty:
			outcomes[i] = Outcome{State: Held, Reason: heldByFault}
		case s.heldTogether(i):
			outcomes[i] = Outcome{State: Held, Reason: heldByJourney}
		case i > 0 && outcomes[i-1].State != Created && outcomes[i-1].State != AlreadyCreated:
			outcomes[i] = Outcome{State: Held, Reason: heldByLeg}
		case !granted && !p.grant():
			outcomes[i] = Outcome{State: NotSent, Reason: fmt.Sprintf("left for the next run: this one was limited to %d rows", p.Limit)}
		default:
			granted = true
			outcomes[i] = p.send(ctx, s, t, accounts[i])
		}
	}
	for i := range m.Trips {
		if outcomes[i].State == AlreadyCreated {
			m.Trips[i].Problems = notices(m.Trips[i].Problems)
		}
	}
}

// notices gives what of the problems is still worth saying of a trip that is
// booked.
func notices(ps []Problem) []Problem {
	var kept []Problem
	for _, p := range ps {
		if p.Severity == Notice {
			kept = append(kept, p)
		}
	}
	return kept
}

// grant reports whether one more row may be sent.
func (p *pass) grant() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.Limit > 0 && p.sent >= p.Limit {
		return false
	}
	p.sent++
	return true
}

// known decides the trip by what the ledger has of it. It reports true for a
// trip that is free to be sent, as far as the ledger goes; a fault that only
// the ledger can tell is added to the trip.
func (p *pass) known(ctx context.Context, s *slot, t *Trip, account Account) (Outcome, bool) {
	if account.Provider == "" || t.ID == "" {
		return Outcome{}, true // a fault of the trip says so
	}
	rec, found, err := p.Ledger.Find(ctx, account, t)
	if err != nil {
		p.ledgerFailed(err)
		return Outcome{State: NotSent, Reason: "the ledger could not be asked whether it is booked"}, false
	}
	switch {
	case found && rec.State == Unknown:
		return fromRecord(rec), false
	case found && rec.State == Created && rec.OtherTrip:
		t.Fault("trip-id-reused", fmt.Sprintf("the trip id %q is booked already, for another rider, date or funding source", t.ID),
			"if ids repeat from day to day, add the date to trip_id in the mapping; if this trip was moved, or the rider is new, change it by hand in the service", FieldTripID)
		return Outcome{}, true
	case found && rec.State == Created && len(rec.Differs) > 0:
		o := fromRecord(rec)
		o.State, o.Changed = Changed, rec.Differs
		if rec.MappingHash != s.input.MappingHash {
			o.Reason = "the mapping has changed since"
		}
		return o, false
	case found && rec.State == Created:
		return fromRecord(rec), false
	}
	if err := p.similar(ctx, s.rules, t, account); err != nil {
		p.ledgerFailed(err)
		return Outcome{State: NotSent, Reason: "the ledger could not be asked for similar trips"}, false
	}
	return Outcome{}, true
}

// fromRecord tells what the ledger has of a trip.
func fromRecord(rec Record) Outcome {
	o := Outcome{
		State: AlreadyCreated, GUID: rec.GUID, GUIDMissing: rec.GUIDMissing,
		BookedAt: rec.SettledAt, SentAt: rec.ClaimedAt, AnsweredAt: rec.SettledAt,
		HTTPStatus: rec.HTTPStatus,
	}
	if rec.State == Unknown {
		o.State, o.BookedAt = Unknown, rec.SettledAt
		o.Reason = "it was sent on " + rec.ClaimedAt.Format("2006-01-02 15:04 MST") + " and no proof came back"
		if rec.InFlight {
			o.Reason = "it is being sent at this moment"
		}
	}
	return o
}

// similar adds a problem where the ledger has the same journey under another
// id or provider.
func (p *pass) similar(ctx context.Context, rules *Rules, t *Trip, account Account) error {
	if t.RiderID == "" || t.Date().IsZero() || rules.DoubleBookingMinutes <= 0 {
		return nil
	}
	recs, err := p.Ledger.Similar(ctx, account, t, rules.DoubleBookingMinutes)
	if err != nil || len(recs) == 0 {
		return err
	}
	rec := recs[0]
	message := fmt.Sprintf("possible double booking: trip %s of %s (%s) has the same rider, places and time", rec.TripID, rec.Date, rec.Account.Provider)
	fix := "look in the service whether it is the same trip; if both are meant, set possible-double-booking to notice under rules in the mapping"
	if rules.Severities[CodeDoubleBooking] == Notice && hasSeverity(rules, CodeDoubleBooking) {
		t.Notice(CodeDoubleBooking, message, fix, FieldRiderID)
	} else {
		t.Fault(CodeDoubleBooking, message, fix, FieldRiderID)
	}
	return nil
}

// CodeDoubleBooking marks a trip that seems to be booked, or to stand in the
// file, under another id.
const CodeDoubleBooking = "possible-double-booking"

func hasSeverity(rules *Rules, code string) bool {
	_, set := rules.Severities[code]
	return set
}

// ledgerFailed ends the sending: without a ledger nothing may be sent.
func (p *pass) ledgerFailed(err error) {
	p.stop(&Stop{
		Code:   "ledger-failed",
		Reason: "the ledger can't be read or written: " + err.Error(),
		Fix:    "make room on its disk and see that it can be written, then run the same command again",
		Later:  true,
	})
}
