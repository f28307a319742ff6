package judge

import (
	"fmt"
	"slices"

	"tripimport/importer"
)

// A lostPair is a provider with a funding source of which an arrival has no row on a day,
// although the schedule before it had them beside those that it has, or it has most of their rows
// under another name. What it says of their rows, it says of the trips that are booked with them.
type lostPair struct {
	scope        importer.Scope
	rows, others int  // live rows that are known: those that the arrival lacks, and those that it has for another pair
	beside       bool // the schedule before had them beside pairs that the arrival has
}

// lostPairs returns the pairs that a whole arrival lost. Two files of a broker with a provider
// each lose none: no arrival has both.
func lostPairs(a *importer.Arrival, s *Scheduled) (lost []lostPair) {
	for i := range s.Rows {
		word := s.Rows[i].Word()
		if word == nil || word.Says != importer.SaysLive || word.Pair == (importer.Pair{}) {
			continue
		}
		if _, has := a.Scope(word.Day, word.Pair); has {
			continue
		}
		l := importer.First(lost, func(l *lostPair) bool { return l.scope.Day == word.Day && l.scope.Pair == word.Pair })
		if l == nil {
			lost = append(lost, lostPair{scope: importer.Scope{Day: word.Day, Pair: word.Pair}})
			l = &lost[len(lost)-1]
		}
		if s.Has(word) {
			l.others++
		} else {
			l.rows++
		}
		before := s.arrivalOf(word)
		l.beside = l.beside || before != nil && sharesPair(a, before, word.Day)
	}
	return slices.DeleteFunc(lost, func(l lostPair) bool { return !l.beside && !s.isRenamed(a, &l) })
}

// isRenamed reports whether the file has most rows of a pair, or so few of many that they may be half an export, for
// pairs that no whole arrival had on the day before. A single row may be in the file of another provider.
func (s *Scheduled) isRenamed(a *importer.Arrival, l *lostPair) bool {
	tells := slices.ContainsFunc(a.Scopes, func(s importer.Scope) bool { return s.Day == l.scope.Day && !s.Partial })
	named := l.others > max(l.rows, 1) || l.others > 0 && IsHalf(l.others, l.rows+l.others)
	return tells && named && !slices.ContainsFunc(s.Known, func(e importer.Arrival) bool {
		return e.Whole && sharesPair(a, &e, l.scope.Day)
	})
}

// sharesPair reports whether two arrivals have rows of one pair on the day, of which the first one tells.
func sharesPair(a, b *importer.Arrival, day importer.Date) bool {
	return a.Broker == b.Broker && slices.ContainsFunc(a.Scopes, func(s importer.Scope) bool {
		if s.Day != day || s.Partial {
			return false
		}
		other, has := b.Scope(day, s.Pair)
		return has && other.Live > 0 // not a pair that b lost
	})
}

// lose gives the arrival the scopes of pairs that it lost, so that their trips are gone. Where
// so many are gone at once, it is rather a schedule of fewer providers: a sentence says so.
func lose(a *importer.Arrival, s *Scheduled) (why []string) {
	for _, l := range lostPairs(a, s) {
		wanted := max(l.rows+l.others, mostLive(a, &l.scope, s.Known))
		if l.rows == 0 || wanted < enoughToJudge || l.others > 0 && !IsHalf(l.others, wanted) {
			a.Scopes = append(a.Scopes, l.scope)
			continue
		}
		why = append(why, fmt.Sprintf("the schedule before this one also had %s for %s, of a provider or funding source that this one does not have: they are not listed as gone; ask the broker for them",
			importer.Counted(l.rows, "trip", "trips"), l.scope.Day.Spoken()))
	}
	return why
}
