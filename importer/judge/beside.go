package judge

import (
	"fmt"

	"tripimport/importer"
)

// sameTrip decides a trip that may be booked already: under its row on another day or in another
// shape, under the id of another broker, or under another row of the same rider. It reports
// false if the trip is booked by none of them.
func (r *rowJudge) sameTrip(i int, d *Decision) (Decision, bool) {
	t := &r.Row.Trips[i]
	if s := r.foreign[i]; s != nil {
		d.Do, d.Outcome.State = Nothing, importer.Invalid
		d.Problem = fault(t, "trip-id-reused", fmt.Sprintf("the trip id %q is booked already, for a trip of another broker%s", t.ID, guidOf(s)),
			"make trip_id of something more in the mapping of one of the two brokers, such as the broker's name", importer.FieldTripID)
		return *d, true
	}
	if s := r.otherDay[i]; s != nil {
		if !r.meant(i, s.Number) {
			return r.ask(i, importer.AskOtherDay, s, fmt.Sprintf("its id is booked on %s: either the trip was moved, or the id came again", s.Day.Spoken())), true
		}
		d.AddDay = true
	}
	if s := r.unclear[i]; s != nil && !r.meant(i, s.Number) {
		return r.ask(i, importer.AskWay, s, fmt.Sprintf("this row made a different number of trips when it was booked: trip %s%s; its places do not show whether this trip is it", s.ListedID(), guidOf(s))), true
	}
	for n := range r.known.Trips {
		s := &r.known.Trips[n]
		if q := r.questionAbout(i, s); q != importer.NoQuestion {
			if asked, waits := r.besideOther(i, d, s, q); waits {
				return asked, true
			}
		}
	}
	return Decision{}, false
}

// questionAbout returns the question whether the booked trip of another row is the same as the
// trip with the index. Two trips of one rider on one day between the same places, in the same
// direction, may be the same. If the other's row is live beside this one, they are asked about
// only if they are at about the same time, because a broker who lists both means both. If the
// other's row is not in the schedule any more, they are asked about at any time of the day.
func (r *rowJudge) questionAbout(i int, s *importer.Standing) importer.Question {
	own := &r.known.Own[i].Identity
	switch {
	case !s.State.Taken() || s.RowID == r.known.ID || s == r.own[i] || s == r.otherDay[i]:
		return importer.NoQuestion
	case own.Rider == "" || own.Pickup == "" || own.Dropoff == "" || s.Day != r.Row.Trips[i].Date() || !own.SamePlaces(s.Identity):
		return importer.NoQuestion
	case r.meant(i, s.Number):
		return importer.NoQuestion
	case r.isLive(s):
		if within := r.options.Rules.DoubleBookingMinutes; within > 0 && own.MayBe(s.Identity, within) {
			return importer.AskDoubleBooking
		}
		return importer.NoQuestion
	}
	if whole := r.known.Newest(s.Broker, s.Day, r.pairOf(s), true); whole != nil {
		return importer.AskReplaced
	}
	return importer.AskDoubleBooking
}

// isLive reports whether the row of a booked trip stands live in the newest schedule of its
// scope. A row of another broker, or in a schedule that has not all rows, is live until a
// schedule says something else.
func (r *rowJudge) isLive(s *importer.Standing) bool {
	word := r.known.WordOf(s.Row)
	if word == nil || word.Says != importer.SaysLive {
		return false
	}
	if word.Broker != r.Row.Key.Broker {
		return true
	}
	newest := r.known.Newest(word.Broker, word.Day, word.Pair, false)
	if r.Arrival != nil && (newest == nil || !newest.Newer(r.Arrival)) {
		if _, covers := r.Arrival.Scope(word.Day, word.Pair); covers {
			newest = r.Arrival
		}
	}
	return newest == nil || !newest.Newer(word.Of()) || newest.Number == word.Arrival
}

// pairOf returns the provider and funding source of a booked trip's row.
func (r *rowJudge) pairOf(s *importer.Standing) importer.Pair {
	if word := r.known.WordOf(s.Row); word != nil {
		return word.Pair
	}
	return importer.Pair{Provider: s.Account.Provider}
}

// besideOther decides a trip that may be the booked trip of another row. A mapping may turn the
// question about trips at the same time into a notice.
func (r *rowJudge) besideOther(i int, d *Decision, s *importer.Standing, q importer.Question) (Decision, bool) {
	t := &r.Row.Trips[i]
	what := fmt.Sprintf("trip %s of %s (%s) has the same rider and places", s.ListedID(), s.Begins, s.Account.Provider)
	severity, turned := r.options.Rules.Severities[importer.CodeDoubleBooking]
	switch {
	case q == importer.AskReplaced:
		return r.ask(i, q, s, what+" and is not in the schedule any more: this one may replace it"), true
	case turned && severity == importer.Notice:
		d.Problem = fault(t, importer.CodeDoubleBooking, "possible double booking: "+what+guidOf(s), "look in the service whether it is the same trip; "+importer.AdviceMeant, importer.FieldRiderID)
		d.Problem.Severity = importer.Notice
		return Decision{}, false
	}
	return r.ask(i, q, s, "possible double booking: "+what), true
}

// fault returns a fault of the trip at the cells of a field.
func fault(t *importer.Trip, code, message, fix string, field importer.Field) importer.Problem {
	return importer.Problem{Code: code, Leg: t.Leg, Field: field, Cells: t.Cells(field), Message: message, Fix: fix}
}
