package importer

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"
)

// An Arrival is one reading of one schedule by a run that may send. A check or a rehearsal
// makes none.
type Arrival struct {
	// Number is given by the ledger when the arrival is recorded, and grows. It is 0
	// before that.
	Number int64
	Broker string
	// Input is the SHA-256 of the file's bytes in hex. It does not identify the arrival: a
	// broker who takes a change back sends the bytes of an earlier day again. Name is the
	// file's name without its folder.
	Input, Name string
	// Stamp is when the schedule was made: the time in its name, where the mapping says so,
	// otherwise the file's modification time. Read is when the file was read.
	Stamp, Read time.Time
	// Ahead is the stamp that the file had when it was read, if that was too late to count; zero otherwise.
	Ahead time.Time `json:",omitzero"`
	// Scopes are the days of its trips with their providers and funding sources.
	Scopes []Scope
	// Whole reports that the file has all trips of its Scopes. It is false for half an
	// export. Cut reports that the file's last line is not whole.
	Whole, Cut bool
}

// A Scope is a day with a provider and a funding source, as far as an Arrival covers it.
type Scope struct {
	Day  Date
	Pair Pair // canonical
	// Live is the number of the arrival's rows to be booked.
	Live int
	// Partial reports that the arrival may not have all rows of the scope, although it is
	// Whole: it is of another day than the one that was exported.
	Partial bool
	// From is the time from which the arrival tells what is gone. It is zero for the whole
	// day. An export of the afternoon need not have the trips of the morning.
	From DateTime
}

// StampTolerance is how far a stamp may be ahead of the time of reading. A later one counts
// as the time of reading, because a wrong clock must not make a schedule the newest for
// days.
const StampTolerance = 5 * time.Minute

// Settle sets the stamp to the time of reading if it is later than StampTolerance allows,
// or zero. It reports whether it was too late.
func (a *Arrival) Settle() (early bool) {
	a.Stamp = a.Stamp.Truncate(time.Microsecond) // as precisely as ledgers keep it: two readings of one stamp are equal
	early = a.Stamp.After(a.Read.Add(StampTolerance))
	if early {
		a.Ahead = a.Stamp
	}
	if early || a.Stamp.IsZero() {
		a.Stamp = a.Read
	}
	return early
}

// Newer reports whether a is newer than b: it has a later stamp, or the same one and a
// greater number. An arrival that is not recorded yet is newer than a recorded one with its
// stamp. No other place compares two arrivals.
func (a *Arrival) Newer(b *Arrival) bool {
	return cmp.Or(a.Stamp.Compare(b.Stamp), cmp.Compare(cmp.Or(a.Number, math.MaxInt64), cmp.Or(b.Number, math.MaxInt64))) > 0
}

// SameReading reports whether a, which is not recorded yet, is no new arrival beside the
// newest one b: it has the same bytes and no later stamp, and is whole for no scope for which
// b is not. What is still open of it is judged as of b. An earlier stamp is that of a file
// that a person said is the newest.
func (a *Arrival) SameReading(b *Arrival) bool {
	return a.Broker == b.Broker && a.Input == b.Input && !a.Stamp.After(b.Stamp) && !slices.ContainsFunc(a.Scopes, func(s Scope) bool {
		return a.covers(s) && !b.covers(s)
	})
}

// A Reading is an Arrival with what it says of its rows.
type Reading struct {
	Arrival

	Rows iter.Seq2[*Mapped, error]
	// Proof reports that the rows are those of results, where a person may have fixed cells:
	// they say nothing of an arrival that is known.
	Proof bool
}

// covers reports whether the arrival has all rows of a scope that another one has too.
func (a *Arrival) covers(s Scope) bool {
	own, has := a.Scope(s.Day, s.Pair)
	return has && a.Whole && !own.Partial
}

// AddScope adds a row of the arrival to its scopes.
func (a *Arrival) AddScope(m *Mapped) {
	if m.Key.Date.IsZero() {
		return
	}
	s := a.scope(m.Key.Date, m.Pair())
	if s == nil {
		a.Scopes = append(a.Scopes, Scope{Day: m.Key.Date, Pair: m.Pair()})
		s = &a.Scopes[len(a.Scopes)-1]
	}
	s.Live += One(m.LeftOut == "")
}

// scope returns the scope of the day and the canonical pair, or nil.
func (a *Arrival) scope(day Date, pair Pair) *Scope {
	return First(a.Scopes, func(s *Scope) bool { return s.Day == day && s.Pair == pair })
}

// Scope returns the scope of the day and the pair, and false if the arrival does not cover
// it.
func (a *Arrival) Scope(day Date, pair Pair) (Scope, bool) {
	s := a.scope(day, pair.Canonical())
	return *cmp.Or(s, &Scope{}), s != nil
}

// HasLive reports whether the arrival has rows of a provider, whose name is canonical, that are to be booked.
func (a *Arrival) HasLive(provider string) bool {
	return slices.ContainsFunc(a.Scopes, func(s Scope) bool { return s.Live > 0 && s.Pair.Provider == provider })
}

// Tells reports whether a row of the day and the pair that begins at the time is gone if
// the arrival does not have it. A time that is zero is one that can't be read.
func (a *Arrival) Tells(day Date, pair Pair, begins DateTime) bool {
	scope, covered := a.Scope(day, pair)
	if !a.Whole || !covered || scope.Partial {
		return false
	}
	return scope.From.IsZero() || !begins.IsZero() && begins.Compare(scope.From) >= 0
}

// Days returns the days of the arrival's scopes, each once, in order.
func (a *Arrival) Days() []Date {
	days := Each(a.Scopes, func(s Scope) Date { return s.Day })
	slices.SortFunc(days, Date.Compare)
	return slices.Compact(days)
}

// A RowAnswer is a verdict about a leg of a row. About a leg that is not booked it stands for
// the row, the way and the day until another answer takes it back, whatever else of the row
// changes. About a booked trip that the row does not make it stands until the row's word
// changes.
type RowAnswer struct {
	StandingAnswer

	Leg Leg
	Day Date
	// Given is the day of the leg as a workbook had it, where a person may have given it; zero if it is not known.
	Given Date `json:",omitzero"`
	// Pickup and Dropoff are the places of the leg, as Own.Pickup and Own.Dropoff, by which
	// its way is told.
	Pickup, Dropoff string
	// Other is the number of the trip that the question named; 0 if it named none.
	Other int64
	// Saw is the number of the last event that the person saw.
	Saw int64
	// Apart are the values of the leg of which it was said, if another row of the file had the row's id
	// too: it holds for no other leg. It is nil otherwise.
	Apart Values `json:",omitzero"`
}

// IsOf reports whether the arrival is a schedule of the day, and does not only have stray rows of it.
func (a *Arrival) IsOf(day Date) bool {
	rows, most := map[Date]int{}, 0
	for _, s := range a.Scopes {
		rows[s.Day] += s.Live
		most = max(most, rows[s.Day])
	}
	of, has := rows[day]
	return has && !IsStray(of, most)
}

// A Word is the last word about a row of a broker: what the newest arrival says of it.
type Word struct {
	// Row is the ledger's number of the row; 0 for a row that no arrival had so far.
	Row int64
	// ID is the keyed hash of RowKey.Text: of the broker and the row id, without the day.
	ID string
	// Broker is the row's broker, Day the day of its first trip, and Pair the provider and
	// funding source of it, canonical.
	Broker string
	Day    Date
	Pair   Pair
	// Arrival is the number and Stamp the stamp of the arrival that said it.
	Arrival int64
	Stamp   time.Time
	Says    Says
	// Legs are the row's trips. Those of a row that is gone are as they were when it was
	// last there.
	Legs []LegWord
	// Said is the number of the event by which the word got its version: it grows only if
	// something in the word changes. Event is the number of the last event of the row.
	Said, Event int64
	// Off is the row's last version that was not live; nil if it always was.
	Off *OffWord
	// Digest is a keyed digest of what the word says of the row: of a live row the provider, the
	// funding source and the values of all legs, of any other that it is not live. Earlier are
	// earlier versions, the latest first; not all of them are kept.
	Digest  uint64
	Earlier []WordVersion
	// Answers are what persons said about legs of the row that are not booked.
	Answers []RowAnswer
	// Became is the number of the row that this one is, or may be, since its id came, or it had none and a cell was
	// edited; 0 for none.
	Became int64 `json:",omitzero"`
}

// Of returns the word's arrival, for Arrival.Newer.
func (w *Word) Of() *Arrival { return &Arrival{Number: w.Arrival, Stamp: w.Stamp, Broker: w.Broker} }

// Begins returns the time at which the first of the row's trips begins; zero if none can be read.
func (w *Word) Begins() (first DateTime) {
	for _, leg := range w.Legs {
		if !leg.Begins.IsZero() && (first.IsZero() || leg.Begins.Compare(first) < 0) {
			first = leg.Begins
		}
	}
	return first
}

// Versions returns the versions of the word that are known, the present one first. A nil Word has none.
func (w *Word) Versions() []WordVersion {
	if w == nil {
		return nil
	}
	return append([]WordVersion{{Said: w.Said, Digest: w.Digest, Pair: w.Pair, Legs: w.Legs}}, w.Earlier...)
}

// Had reports whether the word has or had the version.
func (w *Word) Had(version int64) bool {
	return slices.ContainsFunc(w.Versions(), func(v WordVersion) bool { return v.Said == version })
}

// SaysAsAt reports whether the word has the version, or says the same again as it did then.
func (w *Word) SaysAsAt(version int64) bool {
	return slices.ContainsFunc(w.Versions(), func(v WordVersion) bool { return v.Said == version && v.Digest == w.Digest })
}

// Leg returns what the word has of a leg, or nil.
func (w *Word) Leg(leg Leg) *LegWord { return findLeg(w.Legs, leg) }

// LegAt returns what the word had of a leg at an event, or nil if that is not known.
func (w *Word) LegAt(event int64, leg Leg) *LegWord { return findLeg(w.at(event).Legs, leg) }

// PairAt returns the provider and funding source that the word had at an event; zero if that is not
// known.
func (w *Word) PairAt(event int64) Pair { return w.at(event).Pair }

// at returns the version that the word had at an event; zero if it is not known.
func (w *Word) at(event int64) WordVersion {
	return *cmp.Or(First(w.Versions(), func(v *WordVersion) bool { return v.Said <= event }), &WordVersion{})
}

// findLeg returns the leg, or the only one that there is.
func findLeg(legs []LegWord, leg Leg) *LegWord {
	return First(legs, func(l *LegWord) bool { return l.Leg == leg || len(legs) == 1 })
}

// A LegWord is what a word says of one of the row's trips.
type LegWord struct {
	Leg Leg
	// Begins is the trip's time; zero if it can't be read.
	Begins DateTime
	Values Values
}

// A WordVersion is an earlier version of a word. Said, Digest, Pair and Legs are those of the word
// then.
type WordVersion struct {
	Said   int64
	Digest uint64
	Pair   Pair
	Legs   []LegWord
}

// An OffWord is a version of a word that was cancelled, left out or gone.
type OffWord struct {
	Says  Says
	Stamp time.Time // of the arrival that said it
	Event int64
}

// PickWord returns the index of the word about the row with the key among words about rows
// with its ID, or -1 if the row has none. A row of a workbook is the one that had the version
// from which the workbook was made, whatever day a person gave it; the version of any other row
// is 0. If each id is used once, the row is the one with the id, on whatever day. Otherwise it is
// the one of the key's day; unless ids repeat, it is also the only one whose day could not be read.
func PickWord(key *RowKey, version int64, words []Word) int {
	best := slices.IndexFunc(words, func(w Word) bool { return version != 0 && w.Had(version) })
	if best >= 0 {
		return best
	}
	if key.Date.IsZero() && len(words) == 1 { // its day can't be read
		return 0
	}
	for i := range words {
		if key.IDs != UniqueIDs && words[i].Day != key.Date {
			continue
		}
		if best < 0 || words[i].Of().Newer(words[best].Of()) {
			best = i
		}
	}
	if best < 0 && key.IDs == UnsaidIDs {
		dayless := func(w Word) bool { return w.Day.IsZero() }
		if best = slices.IndexFunc(words, dayless); best >= 0 && slices.ContainsFunc(words[best+1:], dayless) {
			return -1
		}
	}
	return best
}
