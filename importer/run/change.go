package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
)

// mappingChanged is the reason for not changing a booked trip whose mapping was edited:
// the difference may come from the mapping and not from the schedule.
const mappingChanged = "the mapping has changed since"

// decideChange decides a booked trip that differs from the schedule or has an open
// change. Changes that may be sent are left to changeBooked.
func (s *runState) decideChange(row *rowTask, t *tripTask, rec importer.Record) {
	changes := s.Changes
	if changes == nil {
		if rec.Change != nil && t.outcome.State != importer.ChangeByHand {
			t.change.send = openKeys(&rec, t.trip)
			t.close(changeState(&rec, &t.change), rec)
			t.explainChange(&rec)
			t.change = changePlan{}
		}
		return
	}

	t.booked = &rec
	t.change = changes.planChange(&rec, t.trip, s.Clock.Wall(row.rules.Location))
	state := changeState(&rec, &t.change)
	t.close(state, rec)
	t.outcome.Reason = t.change.why
	if state == importer.AlreadyCreated || state == importer.ChangeRefused {
		t.change.send = nil
	}
	t.explainChange(&rec)
}

// explainChange sets in the outcome what is to be changed, and what came of an open
// change.
func (t *tripTask) explainChange(rec *importer.Record) {
	if t.outcome.State == importer.Changed || t.outcome.State == importer.ChangeUnknown {
		t.outcome.Changed = slices.Concat(t.change.send, t.change.byHand)
	}
	switch c := rec.Change; {
	case c == nil:
	case t.outcome.State == importer.ChangeUnknown && c.InFlight:
		t.outcome.Reason = "it is being changed now"
	case t.outcome.State == importer.ChangeUnknown:
		t.outcome.Reason = "it was sent on " + c.ClaimedAt.Local().Format("2006-01-02 15:04 MST") + " and no proof came back"
	case t.outcome.State == importer.ChangeRefused:
		t.outcome.Reason = "the service refused this change before"
	}
}

// changeBooked sends the changes of a booked trip, unless whyUnchanged has a reason
// against it.
func (s *runState) changeBooked(ctx context.Context, row *rowTask, t *tripTask, rowFaulty bool) {
	if reason := s.whyUnchanged(row, t, rowFaulty); reason != "" {
		t.outcome.Reason = reason
		return
	}
	before := t.outcome
	t.outcome.State, t.outcome.Reason = importer.ChangeUnknown, "the program failed while it was being changed"
	t.outcome = s.sendChange(ctx, row, t, before)
	row.countSent(t)
}

// whyUnchanged returns the reason for which nothing of a booked trip is changed now, or
// "".
func (s *runState) whyUnchanged(row *rowTask, t *tripTask, rowFaulty bool) string {
	if reason := s.whyNotPlanned(row, t); reason != "" {
		return reason
	}
	switch {
	case rowFaulty || t.trip.Faulty():
		return "the row has to be fixed first"
	case t.booked.GUID == "":
		return "its GUID is missing"
	case s.Service == nil:
		t.listChanges()
		return "`tripimport update` sends it"
	case !s.limit.admits(row):
		return "left for the next run, because this run may send only a limited number of rows"
	}
	return ""
}

// whyNotPlanned returns the reason for which this run does not change a booked trip,
// whatever the state of its row: an earlier change is open, or nobody has confirmed this
// one. It returns "" if there is none.
func (s *runState) whyNotPlanned(row *rowTask, t *tripTask) string {
	switch {
	case t.booked.Change != nil && t.booked.Change.InFlight:
		return t.outcome.Reason
	case isLost(t.booked) && s.Clock.Now().Sub(t.booked.Change.ClaimedAt) < importer.UnderWay: // the earlier change could arrive after this one
		return "a change of it may still arrive: a later run sends it again"
	case t.outcome.Question == importer.AskWord:
		return "the row has a word that nobody has approved"
	case s.Changes.Withheld != "":
		return s.Changes.Withheld
	case s.Changes.Plan != nil && !s.Changes.Plan.has(t.booked, t.trip):
		return "it was not in the plan: run the same command again"
	case !s.Changes.Confirmed && !row.input.sameMapping(t.booked):
		return mappingChanged
	}
	return ""
}

// listChanges adds a notice for each property that would be changed.
func (t *tripTask) listChanges() {
	for _, v := range t.trip.Properties() {
		if !slices.Contains(t.change.send, v.Key) || importer.IsCoordinate(v.Key) && !slices.Contains(t.booked.Differs, v.Key) {
			continue
		}
		t.trip.Notice("change-planned", fmt.Sprintf("trip %s: %s would be changed to %s", t.trip.ID, importer.PropertyName(v.Key), v.Value),
			"`tripimport update` sends it", importer.PropertyField(v.Key))
	}
}

// sendChange changes properties of a booked trip: it waits at the gate, claims, sends and
// settles, as for a booking. before is the outcome if nothing is sent.
func (s *runState) sendChange(ctx context.Context, row *rowTask, t *tripTask, before importer.Outcome) importer.Outcome {
	uncancelled := context.WithoutCancel(ctx)
	unsent := func(reason string) importer.Outcome {
		before.Reason = reason
		return before
	}
	for attempt := 1; attempt <= maxAttempts; attempt++ {
		if reason := s.waitForTurn(ctx, row, t); reason != "" {
			return unsent(reason)
		}
		round := s.auth.round()
		claim := importer.ChangeClaim{
			Run: s.Info.ID, Attempt: t.booked.Attempt, Trip: t.trip, Keys: t.change.ofRow(t.trip),
			Input: row.input.Source.Hash(), Row: row.mapped.Row.Num, MappingHash: row.input.MappingHash,
			Seen: &t.booked.Revision, At: s.Clock.Now(),
		}
		claimed, err := s.Ledger.ClaimChange(uncancelled, claim)
		if errors.Is(err, importer.ErrClaimed) {
			s.Gate.Unused()
			return unsent("another run changed or cancelled it at the same time: run the same command again")
		}
		if err != nil {
			s.ledgerFailed(err)
			return unsent("the ledger could not record that it was about to be changed")
		}

		o, again := s.attemptChange(uncancelled, t, claimed, claim.At, before, round)
		before.Attempts = attempt
		o.Attempts = attempt
		if !again {
			return o
		}
		before.Reason, before.HTTPStatus, before.Message = o.Reason, o.HTTPStatus, o.Message
	}
	return before
}

// attemptChange makes one request for a change that was claimed at the time at, and
// settles it. It reports whether another attempt may be made.
func (s *runState) attemptChange(ctx context.Context, t *tripTask, claimed importer.ClaimedChange, at time.Time, before importer.Outcome, round int) (importer.Outcome, bool) {
	sent := s.Clock.Now()
	answer := importer.NotInTime()
	if inTime(at, sent) {
		answer = s.Service.Change(ctx, t.account.Key, importer.TripChange{GUID: t.booked.GUID, Trip: t.trip, Keys: t.change.send})
	}
	answered := s.Clock.Now()

	state, reason, again := s.judgeChange(ctx, t, answer, round)
	o := before
	o.State, o.Reason = state, reason
	o.SentAt, o.AnsweredAt, o.HTTPStatus, o.Message = sent, answered, answer.Status, answer.Message
	if state == importer.Updated || answer.Kind == importer.ReplyRefused {
		s.auth.accepted(t.pair())
	}
	if state == importer.Updated {
		o.Updated, o.Changed = t.change.send, t.change.byHand
		judgePlaces(&o, answer, t)
	}

	settled := importer.Settlement{State: state, HTTPStatus: answer.Status, Code: answer.Code(), At: answered}
	if err := s.Ledger.SettleChange(ctx, claimed, settled); err != nil {
		s.ledgerFailed(err)
		o.State, o.Reason = importer.ChangeUnknown, "what came of it could not be recorded in the ledger"
		o.Updated, o.Changed, again = nil, before.Changed, false
	}
	switch {
	case before.State == importer.ChangeUnknown && (o.State == importer.NotSent || o.State == importer.ChangeRefused):
		o.State, o.Reason = importer.ChangeUnknown, strings.TrimSuffix("an earlier change of it may have arrived; "+o.Reason, "; ")
	case o.State == importer.NotSent:
		o.State = importer.Changed
	case o.State == importer.Updated && len(t.change.byHand) > 0:
		o.State, o.Reason = importer.ChangeByHand, strings.Trim(t.change.why+"; "+o.Reason, "; ")
	}

	s.Gate.Report(answer)
	return o, again
}

// judgeChange returns what an answer means for the change: Updated, ChangeRefused,
// ChangeUnknown or NotSent, with the reason. It reports whether another attempt may be
// made.
func (s *runState) judgeChange(ctx context.Context, t *tripTask, a importer.Reply, round int) (state importer.State, reason string, again bool) {
	switch a.Kind {
	case importer.ReplyChanged:
		return importer.Updated, "", false
	case importer.ReplyRefused:
		return importer.ChangeRefused, "", false
	case importer.ReplyDenied:
		o, again := s.denied(ctx, t, round)
		if again && t.denials > 1 { // the key may have lost only this trip, which is no reason to close the pair
			return importer.ChangeRefused, "the service does not let this provider change the trip", false
		}
		return importer.NotSent, o.Reason, again
	case importer.ReplyForeign:
		s.Service.CloseIdle()
		return importer.ChangeUnknown, "it was sent, and the answer is about another trip", false
	case importer.ReplyThrottled, importer.ReplyMisdirected, importer.ReplyNotSent, importer.ReplyBadCertificate:
		o, again := s.judge(ctx, t, a, round)
		return importer.NotSent, o.Reason, again
	}
	return importer.ChangeUnknown, "it was sent and no proof came back", false
}

// misplacedMetres is the distance between the service's position of an address and the
// schedule's above which a person has to look.
const (
	misplacedMetres = 300
	metresAMile     = 1609.344
)

// judgePlaces compares the positions that the service gave to changed addresses with
// those of the schedule.
func judgePlaces(o *importer.Outcome, a importer.Reply, t *tripTask) {
	for _, place := range []struct {
		group       string
		ours, their importer.Position
	}{{groupPickup, t.trip.Pickup.Position, a.Pickup}, {groupDropoff, t.trip.Dropoff.Position, a.Dropoff}} {
		if !slices.ContainsFunc(t.change.send, func(key string) bool { return groupOf(key) == place.group }) {
			continue
		}
		switch {
		case !place.their.Known():
			o.Reason = "the service did not say where it placed the address: its place is not verified"
		case place.ours.MilesTo(place.their)*metresAMile > misplacedMetres:
			o.Misplaced = true
			o.Reason = fmt.Sprintf("the service placed the %s %.1f miles from where the schedule has it: look at it there", place.group, place.ours.MilesTo(place.their))
			return
		}
	}
}

// noteSchedule records in the ledger the schedule's values of trips that are not booked,
// or may not be, because a person may fix them in the results before they are booked. It
// does so also for trips that a stopped or interrupted run did not reach. It records the
// values of booked trips that differ as well, because a person may answer that a trip was
// changed to something else.
func (s *runState) noteSchedule(ctx context.Context, row *rowTask) {
	if s.Service == nil || s.Info.Edited() || row.mapped.Key.ID == "" {
		return
	}
	for i := range row.trips {
		t := &row.trips[i]
		switch state := t.outcome.State; {
		case state.Missing(), state == importer.Unknown:
			s.stopOnError(s.Ledger.NoteSchedule(ctx, row.mapped.Key, t.trip))
		case slices.Contains([]importer.State{importer.Changed, importer.ChangeByHand, importer.ChangeRefused, importer.ChangeUnknown}, state):
			s.stopOnError(s.Ledger.NoteChange(ctx, row.mapped.Key, t.trip))
		}
	}
}
