package run

import (
	"context"
	"slices"

	"tripimport/importer"
)

// rateRow sets in a row's outcomes what decides how urgent they are, and returns the
// items of those that are.
func (s *runState) rateRow(ctx context.Context, row *rowTask) (urgent []importer.Item) {
	trips := row.result.Trips
	missing := slices.ContainsFunc(trips, func(t importer.TripResult) bool { return t.Outcome.State.Missing() })
	for i := range trips {
		t := &trips[i]
		o := &t.Outcome
		// Of linked trips the missing one may be on another row.
		o.HalfBooked = row.result.HalfBooked && (o.State.Missing() || !missing && o.State.Booked())
		if o.Urgency() == importer.NoAction {
			continue
		}

		s.setTimes(row.rules, t)
		urgent = append(urgent, s.raise(ctx, t)...)
	}
	return urgent
}

// raise returns the items of a trip if it is urgent and no earlier run raised it: as it
// is now, and as it was before it began soon.
func (s *runState) raise(ctx context.Context, t *importer.TripResult) []importer.Item {
	if t.Outcome.Urgency() < importer.ActNow {
		return nil
	}
	item, ok := t.Item()
	if ok && s.Ledger != nil {
		raised, err := s.Ledger.Raised(ctx, item)
		s.stopOnError(err)
		t.Outcome.Raised = raised
	}
	if !ok || t.Outcome.Raised {
		return nil
	}
	first := *t
	first.Outcome.Soon = false // once the trip has begun, it was raised before
	before, _ := first.Item()
	return []importer.Item{item, before}
}

// setTimes sets whether the trip begins soon and whether it is past, as the schedule
// has it and as it was booked.
func (s *runState) setTimes(rules *importer.Rules, t *importer.TripResult) {
	now := s.Clock.Wall(rules.Location)
	o := &t.Outcome
	times := []importer.DateTime{o.Begins}
	if !t.OffRow { // otherwise the row gives no time
		times = append(times, t.Trip.Time())
	}

	times = slices.DeleteFunc(times, importer.DateTime.IsZero)
	past := func(at importer.DateTime) bool { return at.Compare(now) < 0 }
	soon := func(at importer.DateTime) bool { return !past(at) && now.MinutesUntil(at) <= importer.SoonMinutes }
	o.Soon = slices.ContainsFunc(times, soon)
	o.Past = len(times) > 0 && !slices.ContainsFunc(times, func(at importer.DateTime) bool { return !past(at) })
}
