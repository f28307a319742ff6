package importer

import (
	"context"
	"fmt"
)

// CodeDoubleBooking marks a trip that seems to be booked, or to stand in the
// file, under another id.
const CodeDoubleBooking = "double-booking"

// known decides a trip by what the ledger has of it. One that is free to be
// sent, as far as the ledger goes, stays open; a fault that only the ledger can
// tell is added to it.
func (p *pass) known(ctx context.Context, s *slot, b *booking) {
	t := b.trip
	if b.account.Provider == "" || t.ID == "" {
		return // a fault of the trip says so
	}
	rec, found, err := p.Ledger.Find(ctx, b.account, t)
	switch {
	case err != nil:
		p.unasked(b, err, "the ledger could not be asked whether it is booked")
		return
	case found && rec.shut():
		p.recorded(s, b, rec)
		return
	}
	b.outcome = Outcome{State: NotSent, Reason: "the program failed before it was sent"}
	if err := p.similar(ctx, s.rules, b); err != nil {
		p.ledgerFailed(err)
		b.open = false
		b.outcome.Reason = "the ledger could not be asked for similar trips"
	}
}

// shut reports whether the record keeps its trip from being sent.
func (r Record) shut() bool { return r.State == Created || r.State == Unknown }

// recorded decides a trip that the ledger has as booked or unknown. Where that
// was another trip of the same id, it stays open, with a fault.
func (p *pass) recorded(s *slot, b *booking, rec Record) {
	if rec.State == Created && rec.OtherTrip {
		b.trip.Fault("trip-id-reused", fmt.Sprintf("the trip id %q is booked already, for another rider, date or funding source", b.trip.ID),
			"if ids repeat from day to day, add the date to trip_id in the mapping; if this trip was moved, or the rider is new, change it by hand in the service", FieldTripID)
		return
	}
	b.open = false
	b.outcome = fromRecord(rec)
	b.outcome.Changed = rec.Differs
	if rec.State == Created && len(rec.Differs) > 0 {
		b.outcome.State = Changed
		if rec.MappingHash != s.input.MappingHash {
			b.outcome.Reason = "the mapping has changed since"
		}
	}
}

// fromRecord tells what the ledger has of a trip that is booked or unknown.
func fromRecord(rec Record) Outcome {
	o := Outcome{
		GUID: rec.GUID, GUIDMissing: rec.GUIDMissing,
		SentAt: rec.ClaimedAt, AnsweredAt: rec.SettledAt, HTTPStatus: rec.HTTPStatus,
	}
	switch {
	case rec.State == Created:
		o.State, o.BookedAt = AlreadyCreated, rec.SettledAt
	case rec.InFlight:
		o.State, o.Reason = Unknown, "it is being sent at this moment"
	default:
		o.State, o.Reason = Unknown, "it was sent on "+rec.ClaimedAt.Format("2006-01-02 15:04 MST")+" and no proof came back"
	}
	return o
}

// similar adds a problem where the ledger has the same journey under another
// id or provider.
func (p *pass) similar(ctx context.Context, rules *Rules, b *booking) error {
	t := b.trip
	if t.RiderID == "" || t.Date().IsZero() || rules.DoubleBookingMinutes <= 0 {
		return nil
	}
	recs, err := p.Ledger.Similar(ctx, b.account, t, rules.DoubleBookingMinutes)
	if err != nil || len(recs) == 0 {
		return err
	}
	message := fmt.Sprintf("possible double booking: trip %s of %s (%s) has the same rider, places and time",
		recs[0].TripID, recs[0].Date, recs[0].Account.Provider)
	fix := "look in the service whether it is the same trip; if both are meant, set double-booking to notice under rules in the mapping"
	report := t.Fault
	if severity, set := rules.Severities[CodeDoubleBooking]; set && severity == Notice {
		report = t.Notice
	}
	report(CodeDoubleBooking, message, fix, FieldRiderID)
	return nil
}

// leaveOut decides the trips of a row that is not to be booked: nothing is
// sent, but one that was cancelled after it was booked has to be cancelled by
// hand.
func (p *pass) leaveOut(ctx context.Context, s *slot) {
	for i := range s.bookings {
		b := &s.bookings[i]
		b.outcome = Outcome{State: Skipped, Reason: s.mapped.LeftOut}
		if s.mapped.Cancelled && p.Service != nil && b.trip.ID != "" {
			p.cancelled(ctx, b)
		}
	}
}

// cancelled looks up whether a trip that is now cancelled was booked before.
func (p *pass) cancelled(ctx context.Context, b *booking) {
	account, ok := p.Accounts.account(Pair{b.trip.Provider, b.trip.FundingSource})
	if !ok {
		return
	}
	rec, found, err := p.Ledger.Find(ctx, account, b.trip)
	switch {
	case err != nil:
		p.unasked(b, err, "the ledger could not be asked whether it was booked before it was cancelled")
	case found && rec.State == Unknown:
		b.outcome = fromRecord(rec)
	case found && rec.State == Created:
		reason := b.outcome.Reason
		b.outcome = fromRecord(rec)
		b.outcome.State, b.outcome.Reason = CancelledCreated, reason
		if rec.OtherTrip { // a cancelled row may also have lost its fields
			b.outcome.Reason += "; the trip booked under its id differs in rider, date or funding source: make sure that it is the same one before you cancel it"
		}
	}
}

// unasked decides a trip about which the ledger could not be asked. An earlier
// run may have booked it: to call it not sent would bring a second car.
func (p *pass) unasked(b *booking, err error, reason string) {
	p.ledgerFailed(err)
	b.open = false
	b.outcome = Outcome{State: Unknown, Reason: reason}
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
