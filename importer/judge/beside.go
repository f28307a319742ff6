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
		d.Do, d.Outcome.State = Nothing, importer.Fix
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
	if a := r.byHandOnOtherDay(i); a != nil {
		d.Do, d.Outcome.State, d.Outcome.Question = Nothing, importer.Held, importer.AskAgain
		d.Outcome.Reason = fmt.Sprintf("a person booked its id by hand for %s: either the trip was moved, or the id came again", a.Day.Spoken())
		return *d, true
	}
	if s := r.unclear[i]; s != nil && !r.meant(i, s.Number) {
		return r.ask(i, importer.AskWay, s, fmt.Sprintf("this row made a different number of trips when it was booked: trip %s%s; its places do not show whether this trip is it", s.ListedID(), guidOf(s))), true
	}
	for n := range r.known.Trips {
		s := &r.known.Trips[n]
		if q := r.questionAbout(i, s); q != importer.NoQuestion {
			what := fmt.Sprintf("trip %s of %s (%s) has the same rider and places", s.ListedID(), s.Begins.Listed(), s.Account.Provider)
			if q == importer.AskReplaced {
				return r.ask(i, q, s, what+" and is not in the schedule any more: this one may replace it"), true
			}
			return r.ask(i, q, s, "possible double booking: "+what), true
		}
	}
	return Decision{}, false
}

// questionAbout returns the question whether the booked trip of another row is the same as the
// trip with the index. Two trips of one rider on one day between the same places, in the same
// direction, may be the same. If the other's row is live beside this one, they are asked about
// only if they are at about the same time, because a broker who lists both means both. If the
// other's row is not in the schedule any more, or is of another provider and not in the same file,
// they are asked about at any time of the day.
func (r *rowJudge) questionAbout(i int, s *importer.Standing) importer.Question {
	own := &r.known.Own[i].Identity
	if s.RowID == r.known.ID || s == r.own[i] || s == r.otherDay[i] || !r.samePlaces(i, s) || r.meant(i, s.Number) {
		return importer.NoQuestion
	}
	live := isLive(r.Wanted, r.known, s) && !r.isOfEarlier(i, s)
	given := s.Broker == r.Row.Key.Broker && !importer.SameName(s.Account.Provider, r.Row.Trips[i].Provider) && !saidLive(r.Wanted, r.known, s)
	newest := newestOf(r.Wanted, r.known, s.Broker, s.Day, r.pairOf(s))
	switch {
	case !live && newest != nil && newest.Whole:
		return importer.AskReplaced
	case r.meansSeveral(i, s.Number), live && !given && !own.MayBe(s.Identity):
		return importer.NoQuestion
	}
	return importer.AskDoubleBooking
}

// isOfEarlier reports whether the row is of an earlier schedule than the newest of the scope of its trip with the
// index, which has the row of a booked trip: no schedule lists the two beside each other.
func (r *rowJudge) isOfEarlier(i int, s *importer.Standing) bool {
	t, own, other := &r.Row.Trips[i], r.Arrival, r.known.WordOf(s.Row)
	if word := r.known.Word(); word != nil && (own == nil || word.Of().Newer(own)) {
		own = word.Of()
	}
	newest := newestOf(r.Wanted, r.known, r.Row.Key.Broker, t.Date(), t.Pair())
	return own != nil && newest != nil && newest.Newer(own) && other != nil && other.Arrival == newest.Number && !saidLive(r.Wanted, r.known, s)
}

// isLive reports whether the row of a booked trip stands live in the newest schedule of its
// scope and makes the trip. A row of another broker is live until a schedule of that broker says
// something else. A row that makes fewer trips than are booked of it stands for none of them.
func isLive(w *Wanted, k *importer.Known, s *importer.Standing) bool {
	word := k.WordOf(s.Row)
	if word == nil || word.Says != importer.SaysLive {
		return false
	}
	booked := 0
	for i := range k.Trips {
		booked += importer.One(k.Trips[i].Row == word.Row && k.Trips[i].State.Taken())
	}
	if len(word.Legs) < booked {
		return false
	}
	newest := newestOf(w, k, word.Broker, word.Day, word.Pair)
	return newest == nil || !newest.Newer(word.Of()) || saidLive(w, k, s)
}

// newestOf returns the newest arrival of a broker that covers the day and the pair. The arrival of
// the row itself counts, recorded or not. It is nil if none is known.
func newestOf(w *Wanted, k *importer.Known, broker string, day importer.Date, pair importer.Pair) *importer.Arrival {
	newest := k.Newest(broker, day, pair, false)
	if w.Arrival == nil || w.Arrival.Broker != broker || newest != nil && newest.Newer(w.Arrival) {
		return newest
	}
	if _, covers := w.Arrival.Scope(day, pair); covers {
		return w.Arrival
	}
	return newest
}

// pairOf returns the provider and funding source of a booked trip's row.
func (r *rowJudge) pairOf(s *importer.Standing) importer.Pair {
	if word := r.known.WordOf(s.Row); word != nil {
		return word.Pair
	}
	return importer.Pair{Provider: s.Account.Provider}
}

// fault returns a fault of the trip at the cells of a field.
func fault(t *importer.Trip, code, message, fix string, field importer.Field) importer.Problem {
	return importer.Problem{Code: code, Leg: t.Leg, Field: field, Cells: t.Cells(field), Message: message, Fix: fix}
}

// samePlaces reports whether a booked trip takes the rider of the trip with the index, on its day,
// between the same places.
func (r *rowJudge) samePlaces(i int, s *importer.Standing) bool {
	own := &r.known.Own[i].Identity
	return own.IsKnown() && s.State.Taken() && s.Day == r.Row.Trips[i].Date() && own.SamePlaces(s.Identity)
}
