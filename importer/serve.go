package importer

import "context"

// Reasons for holding a trip back.
const (
	heldByFault   = "the other leg of this row has to be mended first"
	heldByJourney = "a leg of this journey on another row has to be mended first"
	heldByLeg     = "the leg before it is not booked"
)

// serve proves, decides and sends a row's trips, in order. After a panic on the
// way the row still has its outcomes: a trip that was being sent is Unknown,
// those behind it are not sent, and so is the rest of the run.
func (p *pass) serve(ctx context.Context, s *slot) {
	err := guarded(func() error {
		// An interrupted run sends nothing more, but it still says of every row
		// what the ledger has of it.
		whole := context.WithoutCancel(ctx)
		p.prove(whole, s)
		if s.mapped.LeftOut != "" {
			p.leaveOut(whole, s)
		} else {
			p.decide(ctx, s)
		}
		return nil
	})
	if err != nil {
		p.broke(err)
	}
	s.result = s.rowResult()
	for i := range s.bookings {
		if b := &s.bookings[i]; b.journey != nil {
			p.journeys.decide(b.journey, b.outcome.State)
		}
	}
}

// broke ends the sending after a panic.
func (p *pass) broke(err error) {
	p.mu.Lock()
	if p.fault == nil {
		p.fault = err
	}
	p.mu.Unlock()
	p.stop(&Stop{
		Code: "internal", Reason: "a fault of the program itself",
		Fix: "report it; what was sent is recorded", Later: true,
	})
}

// prove holds a row against everything that can be known without sending it.
// What the ledger has comes before what the checks say: a trip that is booked
// is booked, whatever is wrong with the row today.
func (p *pass) prove(ctx context.Context, s *slot) {
	m := &s.mapped
	if m.LeftOut != "" {
		return
	}
	if p.Placer != nil {
		for i := range m.Trips {
			p.Placer.Place(&m.Trips[i])
		}
	}
	p.Checker.Check(m, s.rules)
	if m.LeftOut != "" {
		return
	}
	for i := range s.bookings {
		b := &s.bookings[i]
		if p.Accounts != nil {
			b.account = p.Accounts.prove(b.trip)
		}
		b.open = true
		if p.Service != nil {
			p.known(ctx, s, b)
		}
	}
}

// faulty reports whether a fault keeps any trip of the row from being sent, and
// with it all others that are not booked yet.
func (s *slot) faulty() bool {
	if Faulty(s.mapped.Problems) {
		return true
	}
	for i := range s.bookings {
		if b := &s.bookings[i]; b.open && b.trip.Faulty() {
			return true
		}
	}
	return false
}

// decide gives each trip of a row its outcome, and sends those that may be
// sent: the outbound first, the next leg once the one before it is booked.
func (p *pass) decide(ctx context.Context, s *slot) {
	rowFaulty, anyFaulty := Faulty(s.mapped.Problems), s.faulty()
	for i := range s.bookings {
		b := &s.bookings[i]
		switch {
		case !b.open:
		case rowFaulty || b.trip.Faulty():
			b.outcome = Outcome{State: Invalid}
		case anyFaulty:
			b.outcome = Outcome{State: Held, Reason: heldByFault}
		case b.trip.Together && b.journey != nil && b.journey.invalid:
			b.outcome = Outcome{State: Held, Reason: heldByJourney}
		case p.Service == nil:
			b.outcome = Outcome{State: Ready}
		case i > 0 && !s.bookings[i-1].outcome.State.frees():
			b.outcome = Outcome{State: Held, Reason: heldByLeg}
		case p.spent(s):
			b.outcome = p.unsent(s, b, Outcome{}, "left for the next run: this one was limited in how many rows it sends")
		default:
			b.outcome = Outcome{State: Unknown, Reason: "the program failed while it was being sent"}
			b.outcome = p.send(ctx, s, b)
			p.spend(s, b)
		}
	}
	s.forgive()
}

// frees reports whether the leg behind a trip in this state may be sent.
func (s State) frees() bool { return s == Created || s == AlreadyCreated }

// spent reports whether no further row may be sent. The legs of a row that was
// begun are finished.
func (p *pass) spent(s *slot) bool { return p.Limit > 0 && p.sent >= p.Limit && !s.sent }

// spend counts a row for the limit, once a trip of it was really sent.
func (p *pass) spend(s *slot, b *booking) {
	if p.Limit > 0 && !s.sent && b.outcome.Attempts > 0 {
		s.sent = true
		p.sent++
	}
}

// forgive takes away the faults of what was booked by an earlier run: there is
// nothing left to mend.
func (s *slot) forgive() {
	all := len(s.bookings) > 0
	for i := range s.bookings {
		b := &s.bookings[i]
		if b.outcome.State == AlreadyCreated {
			b.trip.Problems = notices(b.trip.Problems)
		} else {
			all = false
		}
	}
	if all {
		s.mapped.Problems = notices(s.mapped.Problems)
	}
}

func notices(ps []Problem) []Problem {
	var kept []Problem
	for _, p := range ps {
		if p.Severity == Notice {
			kept = append(kept, p)
		}
	}
	return kept
}

// rowResult gathers a row's result from its trips' outcomes.
func (s *slot) rowResult() RowResult {
	m := &s.mapped
	r := RowResult{Row: m.Row, State: Skipped, LeftOut: m.LeftOut, Problems: m.AllProblems()}
	if m.LeftOut == "" && len(m.Trips) == 0 {
		r.State = Invalid
	}
	booked, missing := false, false
	for i := range s.bookings {
		o := s.bookings[i].outcome
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
