package run

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// A Whole names the days for which the inputs have all trips of their transportation
// providers and funding sources. Booked trips of these days that the inputs do not have
// are gone from the schedule.
type Whole struct {
	Days []importer.Date
	// Others are the other days for which the inputs have trips, perhaps not all.
	Others []importer.Date
	// Older reports that a later schedule of one of the days was imported.
	Older bool
}

// A file with fewer than wholePercent of a day's booked trips is taken for half an
// export, if at least enoughToJudge trips are booked.
const (
	wholePercent  = 70
	enoughToJudge = 10
)

// IsHalf reports whether a file that has that many of a day's booked trips looks like
// half an export.
func IsHalf(has, booked int) bool {
	return booked >= enoughToJudge && 100*has < wholePercent*booked
}

// findGone returns the booked trips that the inputs do not have any more. partial says
// for which days they are not listed, and why.
func (s *runState) findGone(ctx context.Context) (gone []importer.TripResult, partial string, err error) {
	if s.Whole == nil || s.Ledger == nil || len(s.Inputs) == 0 {
		return nil, "", nil
	}

	var notAsked []string
	rules := s.Inputs[0].Mapper.Rules()
	for _, day := range slices.Concat(s.Whole.Days, s.Whole.Others) {
		missing, why, err := s.missingOn(ctx, day)
		if err != nil && s.Gate != nil {
			s.ledgerFailed(err)
			return gone, "the ledger could not be asked which booked trips the files do not have any more", nil
		}
		if err != nil {
			return gone, "", err
		}
		if why != "" {
			notAsked = append(notAsked, why)
		}
		for _, rec := range missing {
			gone = append(gone, s.goneTrip(rules, rec))
		}
	}
	return gone, strings.Join(notAsked, "; "), nil
}

// missingOn returns the booked trips of a day that the inputs do not have any more,
// without those that a person answered to leave. If they are not to be listed, it returns
// the reason in why.
func (s *runState) missingOn(ctx context.Context, day importer.Date) (missing []importer.Record, why string, err error) {
	broker := s.Inputs[0].Mapper.RowIDs().Broker
	booked, err := s.Ledger.TripsOfDay(ctx, s.Address, broker, day, s.Accounts.withServiceNames(s.Plan.Pairs))
	if err != nil {
		return nil, "", err
	}
	missing, total, begun := s.missingOf(booked, s.Clock.Wall(s.Inputs[0].Mapper.Rules().Location))
	has, whole := total-len(missing), slices.Contains(s.Whole.Days, day)
	missing = slices.DeleteFunc(missing, func(rec importer.Record) bool { return s.isLeft(ctx, rec) })
	switch {
	case len(missing) == 0:
		return nil, "", nil
	case whole && s.Whole.Older:
		why = "a later schedule of the same day was imported: booked trips that this one does not have are not listed"
	case whole && IsHalf(has, total):
		why = fmt.Sprintf("the files have only %d of the %d trips booked for %s, so they may be half an export: the others are not listed as gone", has, total, day.Spoken())
	case whole && begun:
		why = fmt.Sprintf("the first trips of %s have begun: booked trips that the files do not have are not listed", day.Spoken())
	case !whole && !s.Whole.Older && !IsHalf(has, total) && !begun:
		on := " booked for " + day.Spoken()
		why = importer.Counted(len(missing), "trip"+on+" is", "trips"+on+" are") +
			" not in the files, which may not have all trips of that day: use `--for " + day.String() + "` to list those that are gone"
	}
	if !whole || why != "" {
		return nil, why, nil
	}
	return missing, "", nil
}

// missingOf returns those of the booked trips that the inputs do not have. total is the
// number of booked trips that are not cancelled, and begun reports whether one of these
// has begun.
func (s *runState) missingOf(booked []importer.Record, now importer.DateTime) (missing []importer.Record, total int, begun bool) {
	for _, rec := range booked {
		if rec.Cancelled {
			continue
		}
		total++
		begun = begun || rec.Time.Compare(now) < 0
		if rec.RowMark != "" && !s.Plan.mayHave(rec) && !s.reportedAttempts[rec.Attempt] {
			missing = append(missing, rec)
		}
	}
	return missing, total, begun
}

// goneTrip returns the result of a booked trip that the inputs do not have.
func (s *runState) goneTrip(rules *importer.Rules, rec importer.Record) importer.TripResult {
	o := RecordedOutcome(rec)
	if o.State == importer.AlreadyCreated {
		o.State = importer.Gone
	}
	t := offRow(rec, o)
	s.setTimes(rules, &t)
	return t
}

// offRow returns the result of a booked trip that no row makes any more.
func offRow(rec importer.Record, o importer.Outcome) importer.TripResult {
	return importer.TripResult{
		Trip: importer.Trip{
			Leg: rec.Leg, ID: rec.TripID, Alias: rec.Alias, Provider: rec.Account.Provider,
			Pickup: importer.Event{PickupTime: rec.Time},
		},
		Outcome: o, OffRow: true,
	}
}

// isLeft reports whether a person answered to leave a booked trip that no row makes.
func (s *runState) isLeft(ctx context.Context, rec importer.Record) bool {
	verdict, err := s.Ledger.Decided(ctx, importer.Decision{Other: rec.Attempt})
	s.stopOnError(err)
	return verdict == importer.LeaveIt
}

// forgetLeft withdraws a person's answer to leave a booked trip, because the schedule has
// the trip again: it is then listed when it is cancelled or gone the next time. It does
// nothing for rows that come from results, which are not the schedule.
func (s *runState) forgetLeft(ctx context.Context, rec importer.Record) {
	if s.Service != nil && !s.Info.Edited() && s.isLeft(ctx, rec) {
		s.stopOnError(s.Ledger.ForgetLeft(ctx, rec.Attempt))
	}
}
