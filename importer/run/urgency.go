package run

import (
	"slices"

	"tripimport/importer"
)

// collectUrgent sets the fields of a row's outcomes on which their urgency depends, and returns
// the items of the urgent ones.
func (s *runState) collectUrgent(row *rowTask) (urgent []importer.Item) {
	trips := row.result.Trips
	missing := slices.ContainsFunc(trips, func(t importer.TripResult) bool { return t.Outcome.State.Missing() })
	for i := range trips {
		t := &trips[i]
		o := &t.Outcome
		// The missing one of linked trips may be on another row.
		o.HalfBooked = row.result.HalfBooked && (o.State.Missing() || !missing && o.State.Booked())
		if o.Urgency() == importer.NoAction {
			continue
		}

		s.setTimes(row.input.Mapper.Rules(), t)
		urgent = append(urgent, s.raise(t)...)
	}
	return urgent
}

// raise returns the items of a trip that is urgent if no earlier run raised it: the item
// of the trip as it is now, and the one that it has while it is not Soon.
func (s *runState) raise(t *importer.TripResult) []importer.Item {
	if t.Outcome.Urgency() < importer.ActNow {
		return nil
	}
	item, ok := t.Item()
	if ok && s.Raised != nil {
		t.Outcome.Raised = s.Raised(item)
	}
	if !ok || t.Outcome.Raised {
		return nil
	}
	first := *t
	first.Outcome.Soon = false // so that a later run does not raise this item once the trip has begun
	before, _ := first.Item()
	return []importer.Item{item, before}
}

// setTimes sets Soon and Past. It takes into account the time at which the trip begins by
// the schedule and the time for which it was booked.
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
