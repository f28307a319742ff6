package importer

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Successor is a row that arrivals have for the first time, or again, and that is one which they do not want any more,
// or may be: a row without an id is another one once its id came, or a cell of it was edited.
type Successor struct {
	Of, Is *Word
	// same reports that the two say the same of all trips but ids, remarks and coordinates. answers are what persons
	// said of Of, about the trips of Is.
	same    bool
	answers []RowAnswer
}

// keptDayless is how long a row whose day could not be read may be another one.
const keptDayless = 72 * time.Hour

// MayBecome reports whether an earlier row is compared with new ones: one that has no id, or of which persons said that
// it is not sent, and that an arrival may not want any more. present reports that it has the row. A file without rows
// of its day, provider and funding source lacks no row that has an id.
func MayBecome(w *Word, withoutID, present bool, a *Arrival) bool {
	switch {
	case w.Became != 0 || w.Day.IsZero() && a.Read.Sub(w.Stamp) >= keptDayless:
		return false
	case !withoutID && len(InDoubt(w.Answers)) == 0:
		return false
	case w.Says != SaysLive:
		return true
	}
	_, covers := a.Scope(w.Day, w.Pair)
	return !present && (withoutID || w.Day.IsZero() || covers)
}

// NewSuccessor compares an earlier row with a new one, which makes the trips. withoutID reports that the earlier row
// has no id, values returns the values of one of the trips, bound to the earlier row, and own what it has of its own.
func NewSuccessor(of, is *Word, withoutID bool, trips []Trip, values func(*Trip) Values, own func(*Trip) Own) Successor {
	s := Successor{Of: of, Is: is, same: withoutID && len(of.Legs) == len(trips) && of.Pair == is.Pair}
	now := make([]Values, len(trips))
	for i := range trips {
		now[i] = values(&trips[i])
	}
	for _, leg := range of.Legs {
		like, at := otherTrip, 0
		for i := range trips {
			if l := likens(leg.Values, now[i]); l > like {
				like, at = l, i
			}
		}
		if s.same = s.same && like == sameTrip; like == otherTrip {
			continue
		}
		t := &trips[at]
		places := own(t)
		for _, a := range of.Answers {
			if a.Leg == leg.Leg {
				a.Leg, a.Day, a.Pickup, a.Dropoff = t.Leg, t.Date(), places.Pickup, places.Dropoff
				s.answers = append(s.answers, a)
			}
		}
	}
	return s
}

// Succeed gives what was said of earlier rows to those that they are now, or may be, and returns these. Where it is not
// certain which row one is, or where another id came, the new row waits for a person.
func Succeed(all []Successor) (changed []*Word) {
	for _, s := range all {
		of, is, versions := s.Of, s.Is, s.Of.Versions()
		other := slices.ContainsFunc(all, func(o Successor) bool { return o.same && (o.Of == of) != (o.Is == is) })
		certain := s.same && !other
		if !certain {
			s.answers = InDoubt(s.answers)
		}
		switch {
		case !s.same && other, !certain && len(s.answers) == 0: // another row is it, or nothing was said
			continue
		case certain && is.Says == SaysLive:
			is.Said = versions[len(versions)-1].Said // it has said the same since then
		}
		is.Answers, of.Became = append(is.Answers, s.answers...), cmp.Or(of.Became, is.Row)
		of.Answers = slices.DeleteFunc(of.Answers, func(b RowAnswer) bool {
			return slices.ContainsFunc(s.answers, func(a RowAnswer) bool { return a.Event == b.Event })
		})
		changed = append(changed, is)
	}
	return changed
}

// InDoubt returns the answers for which a trip is not sent, and what is in doubt already, as doubts about a row that may
// be the one of which they were given.
func InDoubt(answers []RowAnswer) (doubts []RowAnswer) {
	for _, a := range answers {
		if a.Verdict != NoVerdict {
			a.Doubt = Doubt{Sides: []Side{{Who: a.Who, Verdict: a.Verdict, GUID: a.GUID, At: a.At}}}
		}
		if a.Other == 0 && (a.Verdict.KeepsUnsent() || a.Verdict == NoVerdict) {
			a.Verdict, a.GUID = NoVerdict, ""
			if len(a.Doubt.Sides) > 0 {
				a.Doubt.Note = OfEarlierRow
			}
			doubts = append(doubts, a)
		}
	}
	return doubts
}

// A likeness says whether a trip of a row without an id is one of another row.
type likeness uint8

// The likenesses, from the least.
const (
	otherTrip likeness = iota
	perhapsSame
	sameTrip
)

// likens compares what two rows say of a trip, in Values that are bound to one of them. All but the id, remarks and
// coordinates is equal in the same trip. One of the same rider is perhaps the same if its times or its places are
// equal; if one of the rows has no rider, if both are.
func likens(was, now Values) likeness {
	const rider = "rider_id"
	differs := slices.DeleteFunc(now.Differs(was), func(key string) bool {
		return key == "trip_id" || IsCoordinate(key) || Informational([]string{key})
	})
	times := !slices.ContainsFunc(differs, func(key string) bool { return key == "trip_type" || strings.HasSuffix(key, "_time") })
	places := !slices.ContainsFunc(differs, func(key string) bool { _, ofPlace := PlaceOf(key); return ofPlace })
	switch known := was.Has(rider) && now.Has(rider); {
	case len(differs) == 0:
		return sameTrip
	case known && was.Same(now, rider) && (times || places), !known && times && places:
		return perhapsSame
	}
	return otherTrip
}
