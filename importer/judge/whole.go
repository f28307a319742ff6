package judge

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"tripimport/importer"
)

// Half an export has fewer than wholePercent of the rows that were wanted before, if at least
// enoughToJudge were.
const (
	wholePercent  = 70
	enoughToJudge = 10
)

// IsHalf reports whether a file that has that many of the wanted rows looks like half an export.
func IsHalf(has, wanted int) bool {
	return wanted >= enoughToJudge && 100*has < wholePercent*wanted
}

// Scheduled is what Whole compares an arrival with.
type Scheduled struct {
	Rows  []importer.Known          // the rows of its broker and days as the ledger has them
	Known []importer.Arrival        // the broker's other arrivals
	Has   func(*importer.Word) bool // reports whether the file has a row
	Now   importer.DateTime         // the wall clock in the zone of the schedule
	Zone  *time.Location            // nil for the one of this computer
}

// Whole decides whether an arrival that is said to be whole really is.
//
// It sets Arrival.Whole (false for half an export), and Scope.From of days whose first trip has begun: an export of the
// afternoon need not have the morning, and still tells what is gone from the afternoon. A scope
// of which a newer arrival is known tells of nothing that is gone. A pair that the schedule before had
// beside those of this one, and of which the file has no row, becomes a scope of it too. It returns a sentence for each
// day of which the arrival has half an export, and for each other reason for which it does not
// tell what is gone.
func Whole(a *importer.Arrival, s *Scheduled) (half, why []string) {
	switch {
	case a.Cut:
		a.Whole = false
		return []string{"the last line of the schedule is not whole, like half an export"}, nil
	case !a.Whole:
		return nil, nil
	}
	own, lost := len(a.Scopes), lose(a, s)
	for i := range a.Scopes {
		scope := &a.Scopes[i]
		if scope.Partial {
			continue
		}
		if text := s.halfOf(a, scope); text != "" {
			a.Whole = false
			half = append(half, text)
		}
	}
	if !a.Whole {
		a.Scopes = a.Scopes[:own]
	}
	why = append(s.lacking(a), lost...)
	for i := range a.Scopes {
		scope := &a.Scopes[i]
		switch {
		case !a.Whole:
			scope.From = importer.DateTime{}
		case (&importer.Known{Arrivals: s.Known}).Newer(a, scope.Day, scope.Pair, false) != nil:
			scope.From = importer.DateTime{Date: scope.Day.AddDays(farAhead)}
			why = append(why, "a later schedule of "+scope.Day.Spoken()+" was imported: what this one does not have is not listed as gone")
		}
	}
	slices.Sort(why)
	return half, slices.Compact(why)
}

// arrivalOf returns the known arrival of a word, or nil.
func (s *Scheduled) arrivalOf(word *importer.Word) *importer.Arrival {
	return importer.First(s.Known, func(e *importer.Arrival) bool { return e.Number == word.Arrival })
}

// lacking returns a sentence for each day that the arrival is not whole for and of which it does
// not have a booked trip.
func (s *Scheduled) lacking(a *importer.Arrival) (why []string) {
	lacks := map[importer.Date]int{}
	for i := range s.Rows {
		word := s.Rows[i].Word()
		if word == nil || word.Says != importer.SaysLive || s.Has(word) || !slices.Contains(a.Days(), word.Day) {
			continue
		}
		for n := range s.Rows[i].Trips {
			if t := &s.Rows[i].Trips[n]; t.Row == word.Row && t.State.Taken() {
				lacks[t.Day]++
			}
		}
	}
	for i := range a.Scopes {
		day := a.Scopes[i].Day
		if n := lacks[day]; n > 0 && a.Scopes[i].Partial {
			verb := map[bool]string{true: "is", false: "are"}[n == 1]
			why = append(why, fmt.Sprintf("%s booked for %s %s not in the file, and not listed as gone, because the file is compared for another day", importer.Counted(n, "trip", "trips"), day.Spoken(), verb))
			delete(lacks, day)
		}
	}
	return why
}

// farAhead is a number of days after its day in which no trip of a day begins any more.
const farAhead = 7

// liveRows returns the rows of the scope that are live, and when the first of them begins.
func (s *Scheduled) liveRows(scope *importer.Scope) (rows []*importer.Word, first importer.DateTime) {
	for i := range s.Rows {
		word := s.Rows[i].Word()
		if word == nil || word.Says != importer.SaysLive || word.Day != scope.Day || word.Pair != scope.Pair.Canonical() {
			continue
		}
		rows = append(rows, word)
		if at := word.Begins(); !at.IsZero() && (first.IsZero() || at.Compare(first) < 0) {
			first = at
		}
	}
	return rows, first
}

// halfOf returns the sentence that says that an arrival has half an export of the scope; empty if
// it has not. It sets Scope.From if the day has begun.
func (s *Scheduled) halfOf(a *importer.Arrival, scope *importer.Scope) string {
	rows, first := s.liveRows(scope)
	stamp := importer.DateTimeOf(a.Stamp.In(cmp.Or(s.Zone, time.Local)))
	if !first.IsZero() && first.Compare(stamp) < 0 && first.Compare(s.Now) < 0 {
		scope.From = stamp
	}
	wanted, present := 0, 0
	for _, word := range rows {
		if scope.From.IsZero() || word.Begins().Compare(scope.From) >= 0 {
			wanted++
			present += importer.One(s.Has(word))
		}
	}
	if !IsHalf(present, wanted) && scope.From.IsZero() {
		present, wanted = max(scope.Live, present), mostLive(a, scope, s.Known)
	}
	if !IsHalf(present, wanted) {
		return ""
	}
	of := ""
	if slices.ContainsFunc(a.Scopes, func(s importer.Scope) bool { return s.Day == scope.Day && s.Pair != scope.Pair }) {
		of = " with one of its providers and funding sources"
	}
	return fmt.Sprintf("the file has only %d of the %d rows known for %s%s, so it may be half an export", present, wanted, scope.Day.Spoken(), of)
}

// mostLive returns the most rows that an earlier whole arrival had in the scope.
func mostLive(a *importer.Arrival, scope *importer.Scope, known []importer.Arrival) (most int) {
	for i := range known {
		if e := &known[i]; e.Whole && e.Broker == a.Broker {
			if other, ok := e.Scope(scope.Day, scope.Pair); ok && !other.Partial {
				most = max(most, other.Live)
			}
		}
	}
	return most
}

// Propose replaces what words say of rows by what the rows of an arrival say that is not recorded
// yet: of rows that it has, and of rows that are gone from it. Words of newer arrivals stay.
// of returns what the arrival says of a row, and false for a row that it does not have: importer.Proposals.Of.
func Propose(k *importer.Known, a *importer.Arrival, of func(*importer.Word) (importer.Proposal, bool)) {
	for i := range k.Words {
		word := &k.Words[i]
		if word.Broker != a.Broker || word.Of().Newer(a) {
			continue
		}
		said, has := of(word)
		switch {
		case has && !k.SpeaksOf(a, word, said.Says, said.Bare):
		case has:
			word.Says, word.Arrival, word.Stamp = said.Says, a.Number, a.Stamp
			word.Legs = word.Legs[:min(len(word.Legs), int(said.Trips))]
		case !has && word.Says == importer.SaysLive && a.Tells(word.Day, word.Pair, word.Begins()):
			word.Says, word.Arrival, word.Stamp = importer.SaysGone, a.Number, a.Stamp
		}
	}
}

// CountsAs returns the stamp as of which an arrival counts: its own, or that with which the same file was recorded when
// its stamp was ahead of the time.
func CountsAs(a *importer.Arrival, known []importer.Arrival) time.Time {
	same := func(b *importer.Arrival) bool {
		return b.Input == a.Input && !b.Ahead.IsZero() && b.Ahead.Equal(a.Stamp)
	}
	return cmp.Or(importer.First(known, same), a).Stamp
}

// Older returns the newest arrival that is newer than a in one of its scopes, or nil if a is the
// newest in all of them. A person is asked which of the two is the newest.
func Older(a *importer.Arrival, known []importer.Arrival) *importer.Arrival {
	var newest *importer.Arrival
	k := importer.Known{Arrivals: known}
	for _, s := range a.Scopes {
		if n := k.Newer(a, s.Day, s.Pair, false); n != nil && (newest == nil || n.Newer(newest)) {
			newest = n
		}
	}
	return newest
}

// Replaced reports whether newer arrivals that are whole have all scopes of a: what they do not have
// of it is gone.
func Replaced(a *importer.Arrival, known []importer.Arrival) bool {
	k := importer.Known{Arrivals: known}
	return len(a.Scopes) > 0 && !slices.ContainsFunc(a.Scopes, func(s importer.Scope) bool {
		n := k.Newer(a, s.Day, s.Pair, false)
		return n == nil || !n.Whole
	})
}

// Supersedes reports whether a newer file that came with a file takes its place, so that the older
// one is not imported: it has so many of its rows. Otherwise one of the two is half an export.
func Supersedes(has, of int) bool { return !IsHalf(has, of) && (has > 0 || of == 0) }

// A TakenBack counts the rows in which a file differs from their last words, and those of them that
// it has again as an earlier arrival had them.
type TakenBack struct {
	Differ, Back int
}

// Add counts a row.
func (t *TakenBack) Add(k *importer.Known) {
	word := k.Word()
	if word == nil {
		t.Differ++
		return
	}
	if k.Digest != 0 && k.Digest != word.Digest {
		t.Differ++
		t.Back += importer.One(slices.ContainsFunc(word.Earlier, func(v importer.WordVersion) bool { return v.Digest == k.Digest }))
	}
}

// Gone counts a row that the file does not have and that is gone as of it. An earlier arrival did not
// have it either if the row was gone before, or came only with a later one.
func (t *TakenBack) Gone(word *importer.Word, a *importer.Arrival, known []importer.Arrival) {
	if word.Says != importer.SaysLive || !a.Tells(word.Day, word.Pair, word.Begins()) {
		return
	}
	t.Differ++
	versions := word.Versions()
	first := versions[len(versions)-1].Said
	var with int64 // the arrival that had it first
	for i := range known {
		if known[i].Number < first {
			with = max(with, known[i].Number)
		}
	}
	t.Back += importer.One(word.Off != nil && word.Off.Says == importer.SaysGone || slices.ContainsFunc(known, func(e importer.Arrival) bool {
		return e.Number < with && e.Tells(word.Day, word.Pair, word.Begins())
	}))
}

// All reports whether the file only takes rows back: an old export that somebody opened and saved
// has a new modification time.
func (t *TakenBack) All() bool { return t.Differ > 0 && t.Back == t.Differ }
