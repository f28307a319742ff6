package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// checkLedger decides the trips of a row by the ledger's records of them. A trip that the
// ledger allows to be sent stays open. Faults that only the ledger can show are added to
// the trips.
//
// A row is identified by its broker and its row id, so that it is found again with
// another trip id, another provider, and another number of trips.
func (s *runState) checkLedger(ctx context.Context, row *rowTask) {
	if row.isNew = s.isNew(ctx, row); row.isNew {
		for i := range row.trips {
			s.checkFree(ctx, row, &row.trips[i])
		}
		return
	}

	found, err := rowTrips(ctx, s.Ledger, s.Address, &row.mapped)
	for i := range row.trips {
		if err != nil {
			s.ledgerUnavailable(row, &row.trips[i], err)
		} else {
			s.checkBooked(ctx, row, i, found)
		}
	}

	for _, rec := range found.Dropped {
		made := slices.ContainsFunc(row.trips, func(t tripTask) bool { return t.trip.ID == rec.TripID })
		if s.isOfRow(row, rec) && !rec.Cancelled && !made && !s.isLeft(ctx, rec) {
			row.dropped = append(row.dropped, droppedTrip(row, rec))
		}
	}
}

// isNew reports that the ledger has nothing of a row, and no trip that may be one of the
// row's. It asks the ledger only if the ledger had nothing when the run was planned: one
// query then replaces five or more. If another run adds such a trip before the claim, the
// ledger refuses the claim.
func (s *runState) isNew(ctx context.Context, row *rowTask) bool {
	if !s.Plan.recorded[row.index].hadNothing(len(row.trips)) {
		return false
	}
	accounts := make([]importer.Account, 0, len(row.trips))
	for i := range row.trips {
		t := &row.trips[i]
		if t.account.Provider == "" || t.trip.ID == "" {
			return false
		}
		accounts = append(accounts, t.account)
	}
	lacks, err := s.Ledger.Lacks(ctx, &row.mapped, accounts, row.rules.DoubleBookingMinutes)
	return err == nil && lacks // after an error the next query fails too, and reports it
}

// rowTrips asks the ledger about a row. A row without an id is in no ledger.
func rowTrips(ctx context.Context, l importer.Ledger, address string, m *importer.Mapped) (importer.RowTrips, error) {
	if m.Key.ID == "" && m.Key.TripID == "" {
		none := make([]*importer.Record, len(m.Trips))
		return importer.RowTrips{Matched: none, Unclear: none}, nil
	}
	return l.RowTrips(ctx, address, m)
}

// notAsked is the reason of a trip that is Unknown because the ledger could not be asked.
const notAsked = "the ledger could not be asked whether it is booked"

// checkBooked decides trip i of a row by the ledger's records of the row.
func (s *runState) checkBooked(ctx context.Context, row *rowTask, i int, found importer.RowTrips) {
	t := &row.trips[i]
	switch {
	case found.Matched[i] != nil:
		s.decideRecorded(ctx, row, t, *found.Matched[i])
	case found.Unclear[i] != nil && live(*found.Unclear[i]) && row.isMoved(t, *found.Unclear[i]):
		s.decideRecorded(ctx, row, t, *found.Unclear[i])
	case found.Unclear[i] != nil && live(*found.Unclear[i]) && !s.decided(ctx, row, t, importer.AskWay, *found.Unclear[i]):
		t.ask(importer.AskWay, *found.Unclear[i], "this row made a different number of trips when it was booked: "+
			strings.Join(s.bookedTrips(ctx, row, importer.Date{}), " and ")+"; its places do not show whether this trip is "+found.Unclear[i].ListedID())
	case t.account.Provider != "" && t.trip.ID != "": // if one is missing, the trip has a fault
		s.checkTrip(ctx, row, t)
	}
}

// bookedTrips names the booked trips of a row on a day, or on all days if day is zero.
func (s *runState) bookedTrips(ctx context.Context, row *rowTask, day importer.Date) []string {
	booked, err := bookedByRow(ctx, s.Ledger, s.Address, &row.mapped)
	s.stopOnError(err)
	var names []string
	for _, rec := range booked {
		if name := "trip " + rec.ListedID() + guidOf(rec); live(rec) && (day.IsZero() || rec.Date == day) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// isOfRow reports whether a booked trip that its row does not make any more has the day
// of the row as it is now, and is not past. A cancelled row may have lost its date.
func (s *runState) isOfRow(row *rowTask, rec importer.Record) bool {
	key := &row.mapped.Key
	sameDay := rec.Date == key.Date || key.IDs == importer.UniqueIDs || row.mapped.Cancelled && key.Date.IsZero()
	return sameDay && (row.rules.AllowPast || s.Unsent != "" || rec.Date.Compare(s.Clock.Wall(row.rules.Location).Date) >= 0)
}

// droppedTrip returns the result of a booked trip that its row does not make any more.
func droppedTrip(row *rowTask, rec importer.Record) importer.TripResult {
	o := RecordedOutcome(rec)
	if o.State == importer.AlreadyCreated {
		o.State, o.Reason = importer.CancelledCreated, "the row does not make this trip any more"
	}
	t := offRow(rec, o)
	t.Trip.Row = row.mapped.Row.Ref(0)
	return t
}

// ask makes the trip wait for the answer to a question about a booked trip.
func (t *tripTask) ask(q importer.Question, about importer.Record, reason string) {
	t.open = false
	t.outcome = importer.Outcome{State: importer.Waiting, Question: q, Attempt: about.Attempt, Reason: reason + guidOf(about), BookedAt: about.SettledAt}
}

// guidOf names the GUID of a booked trip, for the end of a sentence.
func guidOf(rec importer.Record) string {
	if rec.GUID == "" {
		return ""
	}
	return fmt.Sprintf(" (GUID %s)", rec.GUID)
}

// checkTrip decides a trip for which the ledger has no record of its row.
func (s *runState) checkTrip(ctx context.Context, row *rowTask, t *tripTask) {
	rec, found, err := s.Ledger.Find(ctx, t.account, t.trip)
	switch {
	case err != nil:
		s.ledgerUnavailable(row, t, err)
		return
	case found && rec.Cancelled && row.isMoved(t, rec) && t.addDay(): // the trip of the other day was cancelled
		s.checkTrip(ctx, row, t)
		return
	case found && rec.Taken():
		s.decideRecorded(ctx, row, t, rec)
		return
	}
	s.checkFree(ctx, row, t)
}

// checkFree decides a trip that the ledger does not have, by the booked trips of other
// rows.
func (s *runState) checkFree(ctx context.Context, row *rowTask, t *tripTask) {
	if s.Service != nil {
		t.outcome = importer.Outcome{State: importer.NotSent, Reason: "the program failed before it was sent"}
	}
	if err := s.checkOthers(ctx, row, t); err != nil {
		s.ledgerFailed(err)
		t.open = false
		t.outcome.Reason = "the ledger could not be asked for similar trips"
		s.leaveIfDecidedBefore(row, t)
	}
}

// decideRecorded decides a trip that the ledger has as booked or unknown. If the record
// belongs to another broker's trip with the same id, the trip stays open and gets a
// fault.
func (s *runState) decideRecorded(ctx context.Context, row *rowTask, t *tripTask, rec importer.Record) {
	key := &row.mapped.Key
	switch {
	case rec.OtherTrip && otherBroker(rec, s.Ledger.RowMarks(*key)):
		t.trip.Fault("trip-id-reused", fmt.Sprintf("the trip id %q is booked already, for a trip of another broker%s", t.trip.ID, guidOf(rec)),
			"make trip_id of something more in the mapping of one of the two brokers, such as the broker's name", importer.FieldTripID)
		return
	case row.isMoved(t, rec):
		if s.decided(ctx, row, t, importer.AskOtherDay, rec) {
			t.addDay()
			t.repeated = true // so that the claim has the day too
			s.checkTrip(ctx, row, t)
			return
		}
		what := "its id is"
		if all := s.bookedTrips(ctx, row, rec.Date); len(all) > 1 {
			what = strings.Join(all, " and ") + " are"
		}
		t.ask(importer.AskOtherDay, rec, fmt.Sprintf("%s booked on %s: either the trip was moved, or the id came again", what, rec.Date.Spoken()))
		return
	case rec.Cancelled:
		t.close(importer.Reinstate, rec)
		return
	case rec.State == importer.Created && t.account.Provider != "" && !importer.SameName(rec.Account.Provider, t.account.Provider):
		if s.decided(ctx, row, t, importer.AskReassigned, rec) {
			s.checkTrip(ctx, row, t)
			return
		}
		t.ask(importer.AskReassigned, rec, fmt.Sprintf("it is booked with %s, and the schedule gives it to %s", rec.Account.Provider, t.account.Provider))
		return
	}

	s.forgetLeft(ctx, rec)
	state := recordedState(rec)
	t.close(state, rec)
	t.outcome.Edited = s.Info.Edited()
	if state == importer.Changed && !row.input.sameMapping(&rec) {
		t.outcome.Reason = mappingChanged
	}
	if state != importer.Unknown {
		s.decideChange(row, t, rec)
	}
}

// isMoved reports whether a trip was moved from the day of the record, or its row's id
// came again on another day. The mapping does not say which.
func (row *rowTask) isMoved(t *tripTask, rec importer.Record) bool {
	return isOtherDay(&row.mapped, t.trip, &rec) && !t.trip.Date().IsZero()
}

// isOtherDay reports whether a record of the row has another day than the trip, and the
// mapping does not say whether ids come again. It reports false if a person fixed the day
// in results.
func isOtherDay(m *importer.Mapped, t *importer.Trip, rec *importer.Record) bool {
	return m.Key.IDs == importer.UnsaidIDs && rec.Date != t.Date() && rec.OtherTrip
}

// addDay appends the day to a trip's id, so that the service does not take two days for
// one trip. It reports false if the id ends with the day already.
func (t *tripTask) addDay() bool {
	day := "-" + strings.ReplaceAll(t.trip.Date().String(), "-", "")
	if strings.HasSuffix(t.trip.ID, day) {
		return false
	}
	t.trip.ID += day
	return true
}

// recordedState returns the state of a recorded trip of the schedule, by the properties
// that differ.
func recordedState(rec importer.Record) importer.State {
	switch {
	case rec.State != importer.Created:
		return importer.Unknown
	case rec.OtherTrip:
		return importer.ChangeByHand
	case !importer.Informational(rec.Differs):
		return importer.Changed
	}
	return importer.AlreadyCreated
}

// close decides the trip: it gets the state, and the rest of its outcome from the record.
func (t *tripTask) close(state importer.State, rec importer.Record) {
	t.open = false
	t.outcome = RecordedOutcome(rec)
	t.outcome.State, t.outcome.Changed, t.outcome.Fixed = state, rec.Differs, rec.Fixed
}

// checkOthers adds a problem, or makes the trip wait for an answer, if the ledger has a
// trip from another row that may be this one.
func (s *runState) checkOthers(ctx context.Context, row *rowTask, t *tripTask) error {
	t.look = importer.Look{}
	if found, err := s.checkRespelt(ctx, row, t); err != nil || found {
		return err
	}
	if t.trip.RiderID == "" || t.trip.Date().IsZero() {
		return nil
	}
	if row.rules.DoubleBookingMinutes > 0 {
		if err := s.checkSimilar(ctx, row, t); err != nil {
			return err
		}
	}
	if t.look.SameDay = row.rules.Complete; t.look.SameDay && !row.isNew && !t.trip.Faulty() {
		return s.askReplaced(ctx, row, t)
	}
	return nil
}

// addToLook adds booked trips of other rows to the look. If this trip is sent, the checks
// have decided by then that they are different trips.
func (t *tripTask) addToLook(beside []importer.Record) {
	for i := range beside {
		t.look.Found = append(t.look.Found, beside[i].Attempt)
	}
}

// checkRespelt adds a problem if a trip is booked from a row whose id differs only in its
// spelling. It reports whether there is one.
func (s *runState) checkRespelt(ctx context.Context, row *rowTask, t *tripTask) (found bool, err error) {
	if row.isNew {
		return false, nil
	}
	respelt, err := s.Ledger.Respelt(ctx, s.Address, row.mapped.Key, t.trip)
	if err != nil {
		return false, err
	}
	t.addToLook(respelt)
	i := slices.IndexFunc(respelt, func(rec importer.Record) bool { return live(rec) && !s.Plan.has(rec) })
	if i < 0 {
		return false, nil
	}
	same := map[bool]string{false: "rider", true: "places"}[slices.Contains(respelt[i].Differs, "rider_id")] + " and day is booked"
	if respelt[i].Date != t.trip.Date() {
		same = "rider is booked for " + respelt[i].Date.String()
	}
	t.report(row.rules, importer.CodeTripIDRespelt, fmt.Sprintf("trip %s of the same %s%s: the two ids differ only in case, zeros, spaces or punctuation",
		respelt[i].ListedID(), same, guidOf(respelt[i])), "write the id as it was when the trip was booked", importer.FieldTripID)
	return true, nil
}

// checkSimilar adds a problem if a trip of the same rider between the same places is
// booked at about the same time, unless a person has answered that both are meant.
func (s *runState) checkSimilar(ctx context.Context, row *rowTask, t *tripTask) error {
	var similar []importer.Record
	var err error
	if !row.isNew {
		similar, err = s.Ledger.Similar(ctx, t.account, t.trip, row.rules.DoubleBookingMinutes)
	}
	if err != nil {
		return err
	}

	severity, set := row.rules.Severities[importer.CodeDoubleBooking]
	i, other := slices.IndexFunc(similar, live), importer.Record{}
	if i >= 0 {
		other = similar[i]
	}
	inFile := slices.ContainsFunc(t.trip.Problems, isDoubleBooking)
	switch {
	case (i >= 0 || inFile) && s.decided(ctx, row, t, importer.AskDoubleBooking, other):
		t.trip.Problems = slices.DeleteFunc(t.trip.Problems, isDoubleBooking)
	case i >= 0:
		reportDoubleBooking(row.rules, t, other)
	case !set || severity == importer.Fault:
		t.within = row.rules.DoubleBookingMinutes
	}
	return nil
}

func isDoubleBooking(p importer.Problem) bool { return p.Code == importer.CodeDoubleBooking }

// live reports whether no person has cancelled the booked trip.
func live(rec importer.Record) bool { return !rec.Cancelled }

// reportDoubleBooking adds a problem about a booked trip that may be this one.
func reportDoubleBooking(rules *importer.Rules, t *tripTask, rec importer.Record) {
	t.report(rules, importer.CodeDoubleBooking, fmt.Sprintf("possible double booking: trip %s of %s (%s) has the same rider, places and time%s",
		rec.ListedID(), rec.Date, rec.Account.Provider, guidOf(rec)),
		"look in the service whether it is the same trip; "+importer.AdviceMeant, importer.FieldRiderID)
	t.outcome.Attempt = rec.Attempt
}

// report adds a fault to the trip, or a notice if the mapping turns the fault into one.
func (t *tripTask) report(rules *importer.Rules, code, message, fix string, field importer.Field) {
	if severity, turned := rules.Severities[code]; turned && severity == importer.Notice {
		t.trip.Notice(code, message, fix, field)
		return
	}
	t.trip.Fault(code, message, fix, field)
}

// askReplaced makes the trip wait if a booked trip of the same rider, places and day is
// not in the schedule any more, although the schedule has all trips of the day: this trip
// may replace the booked one.
func (s *runState) askReplaced(ctx context.Context, row *rowTask, t *tripTask) error {
	booked, err := s.Ledger.SameDay(ctx, t.account, t.trip)
	if err != nil {
		return err
	}
	t.addToLook(booked)
	for _, rec := range booked {
		if live(rec) && !s.Plan.has(rec) && !s.decided(ctx, row, t, importer.AskReplaced, rec) {
			t.ask(importer.AskReplaced, rec, fmt.Sprintf("trip %s of the same rider, places and day is booked and not in the schedule any more: this one may replace it", rec.ListedID()))
			return nil
		}
	}
	return nil
}

// decided reports whether a person has answered that the trip is meant beside the booked
// one of the question, or that the booked one was cancelled in the service.
func (s *runState) decided(ctx context.Context, row *rowTask, t *tripTask, q importer.Question, rec importer.Record) bool {
	verdict, err := s.Ledger.Decided(ctx, importer.Decision{Question: q, Key: row.mapped.Key, Trip: t.trip, Other: rec.Attempt})
	s.stopOnError(err)
	return verdict == importer.Meant || verdict == importer.CancelledThere
}

// ledgerUnavailable decides a trip that this run did not send because the ledger could
// not be asked about it. The ledger's records from the plan still hold: if another run
// has claimed the trip since, the ledger refuses the next claim. A trip without such a
// record is Unknown, because an earlier run may have booked it.
func (s *runState) ledgerUnavailable(row *rowTask, t *tripTask, err error) {
	s.ledgerFailed(err)
	t.open = false
	bit := uint8(1) << row.indexOf(t)
	switch had := s.Plan.recorded[row.index]; {
	case had.lacked&bit != 0:
		t.outcome = s.unsent(row, t, importer.Outcome{}, "the ledger could not be asked again before it was to be sent")
		s.leaveIfDecidedBefore(row, t)
	case had.booked&bit != 0:
		t.outcome = importer.Outcome{State: importer.AlreadyCreated, Reason: "it was booked when the run began; the ledger could not be asked again"}
	case had.changed&bit != 0:
		t.outcome = importer.Outcome{State: importer.Changed, Reason: "the ledger could not be asked again what differs"}
	default:
		t.outcome = importer.Outcome{State: importer.Unknown, Reason: notAsked}
	}
}

// stopOnError calls ledgerFailed if err is not nil.
func (s *runState) stopOnError(err error) {
	if err != nil {
		s.ledgerFailed(err)
	}
}

// ledgerFailed ends the sending, because nothing may be sent without a ledger.
func (s *runState) ledgerFailed(err error) {
	stop := &importer.Stop{
		Code:   "ledger-failed",
		Reason: "the ledger can't be read or written: " + err.Error(),
		Fix:    "make room on its disk and see that it can be written, then run the same command again",
		Later:  true,
	}
	var said importer.Advised
	if errors.As(err, &said) {
		stop.Reason, stop.Fix = err.Error(), said.Advice()
	}
	s.stop(stop)
}
