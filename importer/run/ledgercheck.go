package run

import (
	"context"
	"fmt"

	"tripimport/importer"
)

// checkLedger decides a trip by what the ledger has of it. A trip that the
// ledger lets be sent stays open; a fault that only the ledger can tell is
// added to it.
func (s *runState) checkLedger(ctx context.Context, row *rowTask, t *tripTask) {
	trip := t.trip
	if t.account.Provider == "" || trip.ID == "" {
		return // a fault of the trip says so
	}

	rec, found, err := s.Ledger.Find(ctx, t.account, trip)
	switch {
	case err != nil:
		s.ledgerUnavailable(t, err, "the ledger could not be asked whether it is booked")
		return
	case found && rec.Taken():
		s.decideRecorded(row, t, rec)
		return
	}

	t.outcome = importer.Outcome{State: importer.NotSent, Reason: "the program failed before it was sent"}
	if err := s.checkSimilar(ctx, row.rules, t); err != nil {
		s.ledgerFailed(err)
		t.open = false
		t.outcome.Reason = "the ledger could not be asked for similar trips"
	}
}

// decideRecorded decides a trip that the ledger has as booked or unknown. Where
// the record is of another trip with the same id, it stays open, with a fault.
func (s *runState) decideRecorded(row *rowTask, t *tripTask, rec importer.Record) {
	if rec.State == importer.Created && rec.OtherTrip {
		t.trip.Fault("trip-id-reused", fmt.Sprintf("the trip id %q is booked already, for another rider, date or funding source", t.trip.ID),
			"if ids repeat from day to day, add the date to trip_id in the mapping; if this trip was moved, or the rider is new, change it by hand in the service", importer.FieldTripID)
		return
	}

	t.open = false
	t.outcome = RecordedOutcome(rec)
	t.outcome.Changed = rec.Differs
	if rec.State == importer.Created && len(rec.Differs) > 0 {
		t.outcome.State = importer.Changed
		if rec.MappingHash != row.input.MappingHash {
			t.outcome.Reason = "the mapping has changed since"
		}
	}
}

// checkSimilar adds a problem where the ledger has a trip under another id or
// provider that may be this one.
func (s *runState) checkSimilar(ctx context.Context, rules *importer.Rules, t *tripTask) error {
	trip := t.trip
	if trip.RiderID == "" || trip.Date().IsZero() || rules.DoubleBookingMinutes <= 0 {
		return nil
	}

	recs, err := s.Ledger.Similar(ctx, t.account, trip, rules.DoubleBookingMinutes)
	if err != nil || len(recs) == 0 {
		return err
	}

	message := fmt.Sprintf("possible double booking: trip %s of %s (%s) has the same rider, places and time",
		recs[0].TripID, recs[0].Date, recs[0].Account.Provider)
	fix := "look in the service whether it is the same trip; if both are meant, set double-booking to notice under rules in the mapping"
	report := trip.Fault
	if severity, set := rules.Severities[importer.CodeDoubleBooking]; set && severity == importer.Notice {
		report = trip.Notice
	}

	report(importer.CodeDoubleBooking, message, fix, importer.FieldRiderID)
	return nil
}

// leaveOut decides the trips of a row that is not to be booked: nothing is
// sent, but one that was cancelled after it was booked has to be cancelled by
// hand.
func (s *runState) leaveOut(ctx context.Context, row *rowTask) {
	for i := range row.trips {
		t := &row.trips[i]
		t.outcome = importer.Outcome{State: importer.Skipped, Reason: row.mapped.LeftOut}
		if row.mapped.Cancelled && s.Service != nil && t.trip.ID != "" {
			s.checkCancelled(ctx, t)
		}
	}
}

// checkCancelled looks up whether a trip that is now cancelled was booked
// before.
func (s *runState) checkCancelled(ctx context.Context, t *tripTask) {
	account, ok := s.Accounts.account(Pair{t.trip.Provider, t.trip.FundingSource})
	if !ok {
		return
	}

	rec, found, err := s.Ledger.Find(ctx, account, t.trip)
	switch {
	case err != nil:
		s.ledgerUnavailable(t, err, "the ledger could not be asked whether it was booked before it was cancelled")
	case found && rec.State == importer.Unknown:
		t.outcome = RecordedOutcome(rec)
	case found && rec.State == importer.Created:
		reason := t.outcome.Reason
		t.outcome = RecordedOutcome(rec)
		t.outcome.State, t.outcome.Reason = importer.CancelledCreated, reason
		if rec.OtherTrip { // a cancelled row may also have lost its fields
			t.outcome.Reason += "; the trip booked under its id differs in rider, date or funding source: make sure that it is the same one before you cancel it"
		}
	}
}

// ledgerUnavailable decides a trip about which the ledger could not be asked. An
// earlier run may have booked it: to call it not sent would bring a second car.
func (s *runState) ledgerUnavailable(t *tripTask, err error, reason string) {
	s.ledgerFailed(err)
	t.open = false
	t.outcome = importer.Outcome{State: importer.Unknown, Reason: reason}
}

// ledgerFailed ends the sending: without a ledger nothing may be sent.
func (s *runState) ledgerFailed(err error) {
	s.stop(&importer.Stop{
		Code:   "ledger-failed",
		Reason: "the ledger can't be read or written: " + err.Error(),
		Fix:    "make room on its disk and see that it can be written, then run the same command again",
		Later:  true,
	})
}
