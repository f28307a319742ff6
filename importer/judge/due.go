package judge

import (
	"slices"

	"tripimport/importer"
)

// soon is how many minutes a list that somebody reads at a terminal is ahead of the next pickups.
// As long after its pickup a trip is still worth a call.
const soon = 3 * 60

// Due says of each trip of a row when it is due (Outcome.DueAt), and how soon people have to act
// on it (Outcome.Due). now is the wall clock. seenBy is when people will have seen the list; zero
// for three hours from now. day is that of the row, for trips whose time can't be read.
//
// A person has to act at once on what may go wrong whoever looks first: a trip that may be booked,
// answers that contradict each other, a trip to be reinstated, a possible second car. And on a
// trip with a pickup, the old one or the new one, before people will have seen the list, if it is
// not in the service, or if its new time or place could not be sent. Nothing else is urgent.
func Due(trips []importer.TripResult, day importer.Date, now, seenBy importer.DateTime) {
	for i := range trips {
		t := &trips[i]
		o := &t.Outcome
		o.DueAt = dueAt(trips, i, day, now)
		switch {
		case Past(t, now) && o.Attempt != 0 && o.Attempts == 0 && !o.State.Missing():
			o.Due = importer.NoAction
		case isUrgent(o), isAtRisk(o) && isBefore(o.DueAt, now, seenBy):
			o.Due = importer.ActNow
		default:
			o.Due = listed(o)
		}
	}
}

// Asks reports whether an outcome needs a person, whatever the time.
func Asks(o *importer.Outcome) bool { return isUrgent(o) || listed(o) != importer.NoAction }

// isUrgent reports whether a person has to act, whenever the trip begins.
func isUrgent(o *importer.Outcome) bool {
	switch {
	case o.Contradicted, o.State == importer.ReinstateByHand, o.State == importer.Unknown && !o.Answered:
		return true
	case o.State != importer.Held:
		return false
	}
	other := o.Attempt != 0 // one of two rows of a file, of which neither is booked, makes no second car
	return o.Question == importer.AskAgain || o.Question == importer.AskReplaced || o.Question == importer.AskDoubleBooking && other
}

// isAtRisk reports whether a passenger may be left standing if nobody acts before the trip begins.
func isAtRisk(o *importer.Outcome) bool {
	switch {
	case o.Limited || o.Unwanted:
		return false
	case o.Back, o.State.Missing(), o.State == importer.Unknown:
		return true
	case o.State != importer.ChangeByHand && o.State != importer.ChangeUnknown:
		return false
	}
	return hasGroup(o.Changed, groupTimes) || hasGroup(o.Changed, groupPickup) || hasGroup(o.Changed, groupDropoff)
}

// isBefore reports whether a trip is due before people will have seen the list.
func isBefore(at, now, seenBy importer.DateTime) bool {
	in := now.MinutesUntil(at)
	switch {
	case at.IsZero() || in < -soon:
		return false
	case seenBy.IsZero():
		return in <= soon
	}
	return at.Compare(seenBy) < 0
}

// listed returns the urgency of an outcome that is not urgent.
func listed(o *importer.Outcome) importer.Urgency {
	switch {
	case o.State == importer.Changed && o.Misplaced, o.Moved, o.Superseded, o.GUIDMissing, o.State.Booked() && o.Question == importer.AskWord:
		return importer.Listed
	case o.State == importer.Unknown && o.Answered: // not there: a later run sends it
		return importer.ToSend
	}
	return min(o.State.Urgency(), importer.Listed)
}

// Past reports whether the trip has begun, by the schedule and as it was booked. Without a time
// it has not.
func Past(t *importer.TripResult, now importer.DateTime) bool {
	times := timesOf(t)
	return len(times) > 0 && !slices.ContainsFunc(times, func(at importer.DateTime) bool { return at.Compare(now) >= 0 })
}

// timesOf returns when the trip begins by the schedule, and as it was booked.
func timesOf(t *importer.TripResult) []importer.DateTime {
	times := []importer.DateTime{t.Outcome.Begins, t.Trip.Time()}
	if t.OffRow { // no row gives a time
		times = times[:1]
	}
	return slices.DeleteFunc(times, importer.DateTime.IsZero)
}

// dueAt returns when the trip with the index begins: the earlier one of its old and its new time
// that is not long past. A will call is due with its other leg, or at noon. A trip whose time
// can't be read may be the first one of its day.
func dueAt(trips []importer.TripResult, i int, day importer.Date, now importer.DateTime) importer.DateTime {
	times := timesOf(&trips[i])
	for k, at := range times {
		if at == importer.WillCallOn(at.Date) {
			times[k] = withOther(trips, i, at.Date)
		}
	}
	slices.SortFunc(times, importer.DateTime.Compare)
	switch ahead := slices.IndexFunc(times, func(at importer.DateTime) bool { return now.MinutesUntil(at) >= -soon }); {
	case ahead >= 0:
		return times[ahead]
	case len(times) > 0:
		return times[len(times)-1]
	case day == now.Date:
		return now
	}
	return importer.DateTime{Date: day}
}

// withOther returns when a will call is due: with the row's other leg of that day, or at noon.
func withOther(trips []importer.TripResult, i int, day importer.Date) importer.DateTime {
	at := importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 12}}
	if known := trips[i].Outcome.DueAt; known.Date == day {
		at = known
	}
	var others []importer.DateTime
	for k := range trips {
		if k != i {
			others = append(others, timesOf(&trips[k])...)
		}
	}
	others = slices.DeleteFunc(others, func(o importer.DateTime) bool { return o.Date != day || o == importer.WillCallOn(day) })
	if len(others) > 0 {
		return slices.MinFunc(others, importer.DateTime.Compare)
	}
	return at
}
