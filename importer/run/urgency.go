package run

import (
	"hash/maphash"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// collectUrgent says of a row's outcomes how urgent they are, and returns the items of the urgent
// ones.
func (s *runState) collectUrgent(row *rowTask) (urgent []importer.Item) {
	trips := row.result.Trips
	missing := slices.ContainsFunc(trips, func(t importer.TripResult) bool { return t.Outcome.State.Missing() })
	for i := range trips {
		o := &trips[i].Outcome
		// The missing one of linked trips may be on another row.
		o.HalfBooked = row.result.HalfBooked && (o.State.Missing() || !missing && o.State.Booked())
	}
	s.due(s.Input.Mapper.Rules(), trips, row.result.Day())
	for i := range trips {
		urgent = append(urgent, s.raise(&trips[i])...)
	}
	return urgent
}

// due has the judge say how urgent trips are.
func (s *runState) due(rules *importer.Rules, trips []importer.TripResult, day importer.Date) {
	judge.Due(trips, day, s.Clock.Wall(rules.Location), WallAt(s.SeenBy, rules.Location))
}

// WallAt returns the wall clock at an instant in a zone, or in its own without one; zero for the
// zero instant.
func WallAt(at time.Time, zone *time.Location) importer.DateTime {
	switch {
	case at.IsZero():
		return importer.DateTime{}
	case zone != nil:
		at = at.In(zone)
	}
	return importer.DateTimeOf(at)
}

// raise returns the item of a trip that is urgent if no earlier run raised it. What this run itself
// sent, and what nobody knows the end of, is new. A run that has no ledger raises nothing.
func (s *runState) raise(t *importer.TripResult) []importer.Item {
	o := &t.Outcome
	if s.Ledger == nil {
		o.Raised = true
		o.Due = o.Urgency()
		return nil
	}
	item, ok := t.Item()
	if o.Due != importer.ActNow || !ok {
		return nil
	}
	if o.Raised = s.Raised != nil && s.Raised(item) && (o.Attempts == 0 || o.State.Missing()); o.Raised {
		return nil
	}
	return []importer.Item{item}
}

// linkedTrips are what became of trips on different rows that the mapping's linked_by ties together, by
// digests of what links them, which may be row content.
type linkedTrips map[uint64]struct{ booked, missing bool }

// halfBooked takes note of the state of a trip that is being reported. It reports whether by now one trip with its link
// is booked and another is missing: what becomes of rows further down is reported with them.
func (l linkedTrips) halfBooked(seed maphash.Seed, link string, s importer.State) bool {
	if link == "" {
		return false
	}
	key := maphash.String(seed, link)
	of := l[key]
	of.booked = of.booked || s.Booked()
	of.missing = of.missing || s.Missing()
	l[key] = of
	return of.booked && of.missing
}
