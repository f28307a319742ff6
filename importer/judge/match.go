package judge

import (
	"slices"

	"tripimport/importer"
)

// A matching says which booked trips a row's trips are.
type matching struct {
	// own has, for each trip of the row, the trip as it stands, or nil. unclear has the
	// booked trip that it may be, and otherDay the one that the row's id has on another day;
	// both are nil for most.
	own, unclear, otherDay []*importer.Standing
	// dropped are the booked trips of the row that it does not make, and tried those that were tried
	// before and are not booked.
	dropped, tried []*importer.Standing
	// again reports that a person cancelled a trip that had the row's id on another day.
	again bool
	// foreign is a booked trip of another broker with the id of one of the row's trips.
	foreign []*importer.Standing
}

// match finds the row's own trips. A trip is the row's own if it has the row's id or one of its
// trip ids. Where ids repeat, it must be of the row's day too; where nobody has said whether
// they do, a trip of another day is only perhaps the row's. So is one whose day is past,
// because it cannot be moved any more.
func match(w *Wanted, k *importer.Known, o *Options) matching {
	n := len(w.Row.Trips)
	m := matching{
		own: make([]*importer.Standing, n), unclear: make([]*importer.Standing, n),
		otherDay: make([]*importer.Standing, n), foreign: make([]*importer.Standing, n),
	}
	var booked []*importer.Standing
	for i := range k.Trips {
		s := &k.Trips[i]
		leg := slices.IndexFunc(w.Row.Trips, func(t importer.Trip) bool { return t.ID != "" && importer.SameID(t.ID, s.TripID) })
		switch {
		case s.RowID != k.ID && leg < 0:
		case s.RowID != k.ID && s.Broker != w.Row.Key.Broker:
			m.noteForeign(w.Row, leg, s)
		case !ofDay(w.Row, k, s) && !sameTimes(w.Row, k, s) && (w.Row.Key.IDs != importer.UniqueIDs || isPast(s, o)):
			m.noteOtherDay(w, k, s, o)
		case s.State.Taken() || s.State == importer.TripCancelled:
			booked = append(booked, s)
		default:
			m.tried = append(m.tried, s)
		}
	}
	m.matchLegs(w.Row, k, booked)
	for i := range w.Row.Trips {
		if m.own[i] == nil {
			m.own[i] = lastOf(m.tried, w.Row.Trips[i].Leg)
		}
	}
	return m
}

// noteForeign notes a booked trip of another broker with the id of one of the row's trips.
func (m *matching) noteForeign(row *importer.Mapped, leg int, s *importer.Standing) {
	if s.State.Taken() && s.Day == row.Trips[leg].Date() {
		m.foreign[leg] = s
	}
}

// ofDay reports whether the trip is of the row's day, or of the day of one of its trips. One of another row with its id
// is only that of its own way: it may be that row's return after midnight.
func ofDay(row *importer.Mapped, k *importer.Known, s *importer.Standing) bool {
	word := k.WordOf(s.Row)
	own := s.Row == k.Row || word == nil
	if own && word != nil && row.Key.IDs != importer.UniqueIDs && word.Day == row.Key.Date { // it made the trip, and may not any more
		return true
	}
	return own && s.Day == row.Key.Date || !isMade(k, s) && slices.ContainsFunc(row.Trips, func(t importer.Trip) bool {
		return t.Date() == s.Day && (own || t.Leg == s.Leg || t.Leg == importer.OnlyLeg || s.Leg == importer.OnlyLeg)
	})
}

// isMade reports whether another row with the row's id stands live and makes the trip on its day.
func isMade(k *importer.Known, s *importer.Standing) bool {
	word := k.WordOf(s.Row)
	return s.Row != k.Row && s.RowID == k.ID && word != nil && word.Says == importer.SaysLive && hasLegOn(word.Legs, s)
}

// hasLegOn reports whether a row has the leg of a trip on the trip's day.
func hasLegOn(legs []importer.LegWord, s *importer.Standing) bool {
	return slices.ContainsFunc(legs, func(l importer.LegWord) bool { return l.Leg == s.Leg && l.Begins.Date == s.Day })
}

// sameTimes reports whether the row has the times that it had when the trip was booked: a person
// fixed its day in a workbook, and the schedule still has the wrong one.
func sameTimes(row *importer.Mapped, k *importer.Known, s *importer.Standing) bool {
	i := row.TripOf(s.Leg)
	return i >= 0 && len(s.Seen) > 0 && !slices.ContainsFunc(k.Own[i].Values.Differs(s.Seen), isTime)
}

// isPast reports whether the day of a booked trip is past.
func isPast(s *importer.Standing, o *Options) bool {
	return s.Day.Compare(o.Now.Date) < 0
}

// noteOtherDay notes a booked trip of another day. Where ids are said to repeat, it notes only one to which a person gave its day.
func (m *matching) noteOtherDay(w *Wanted, k *importer.Known, s *importer.Standing, o *Options) {
	row := w.Row
	if row.Key.IDs == importer.RepeatedIDs && (isPast(s, o) || !givenElsewhere(w, k, s)) || !s.State.Taken() {
		m.again = m.again || row.Key.IDs != importer.RepeatedIDs && s.State == importer.TripCancelled
		return
	}
	for i := range row.Trips {
		if t := &row.Trips[i]; !t.Date().IsZero() && (t.Leg == s.Leg || t.Leg == importer.OnlyLeg || s.Leg == importer.OnlyLeg) {
			m.otherDay[i] = s
		}
	}
}

// givenElsewhere reports whether a person gave a booked trip its day, and no file has its row live.
func givenElsewhere(w *Wanted, k *importer.Known, s *importer.Standing) bool {
	return k.WordOf(s.Row) != nil && !saidLive(w, k, s) && dayGiven(k, s)
}

// matchLegs finds out which of the row's trips are booked, whatever shape the row had then: after it may have changed
// from one trip to several or back. Trips that are booked come before those that a person has cancelled, and of both
// those of the row's rider and provider. Of those that are equal in that, a trip is the one with the same leg,
// otherwise one that goes the same way.
func (m *matching) matchLegs(row *importer.Mapped, k *importer.Known, booked []*importer.Standing) {
	rank := func(s *importer.Standing) int {
		return 2*importer.One(s.State == importer.TripCancelled) + importer.One(!ownRider(k, s) || !ownProvider(row, s))
	}
	way := func(s *importer.Standing, i int) importer.Way {
		if importer.SameID(s.TripID, row.Trips[i].ID) {
			return importer.SameWay
		}
		return importer.CompareWays(s.Pickup, s.Dropoff, k.Own[i].Pickup, k.Own[i].Dropoff)
	}
	slices.SortStableFunc(booked, func(a, b *importer.Standing) int { return rank(a) - rank(b) })
	for _, first := range booked { // the others of its rank find nothing more
		m.take(booked, func(s *importer.Standing, i int) bool { return rank(s) == rank(first) && s.Leg == row.Trips[i].Leg })
		m.take(booked, func(s *importer.Standing, i int) bool { return rank(s) == rank(first) && way(s, i) == importer.SameWay })
	}

	for _, s := range booked {
		if slices.Contains(m.own, s) {
			continue
		}
		dropped := true
		for i := range row.Trips {
			if m.own[i] == nil && way(s, i) == importer.WayUnclear {
				dropped = false
				if m.unclear[i] == nil && s.State.Taken() {
					m.unclear[i] = s
				}
			}
		}
		if dropped {
			m.dropped = append(m.dropped, s)
		}
	}
}

// take gives each trip of the row that has none the first of the booked trips that fits and is no other's.
func (m *matching) take(booked []*importer.Standing, fits func(s *importer.Standing, i int) bool) {
	for i := range m.own {
		for _, s := range booked {
			if m.own[i] == nil && !slices.Contains(m.own, s) && fits(s, i) {
				m.own[i] = s
			}
		}
	}
}

// IsOfRow reports whether a trip is one of a row's, whichever of them: the row may have moved to another day,
// unless its id comes again.
func IsOfRow(m *importer.Mapped, k *importer.Known, s *importer.Standing) bool {
	return s.RowID == k.ID && (m.Key.IDs == importer.UniqueIDs || ofDay(m, k, s))
}

// ownProvider reports whether a trip is with the provider of one of the row's trips.
func ownProvider(row *importer.Mapped, s *importer.Standing) bool {
	return slices.ContainsFunc(row.Trips, func(t importer.Trip) bool { return importer.SameName(t.Provider, s.Account.Provider) })
}

// lastOf returns the last of the trips with the leg, or nil.
func lastOf(trips []*importer.Standing, leg importer.Leg) *importer.Standing {
	for _, s := range slices.Backward(trips) {
		if s.Leg == leg {
			return s
		}
	}
	return nil
}
