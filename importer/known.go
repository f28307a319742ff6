package importer

import "slices"

// Known is everything that a ledger has that shares a key with one row: the broker and row
// id, the broker and a trip id, or the service, the rider and the day of one of its trips.
type Known struct {
	// ID is Word.ID of the row itself. It is empty without a ledger.
	ID string
	// Row is the number of the row itself, by PickWord. It is 0 for a row that no arrival
	// had so far.
	Row int64
	// Own has the keyed hashes of each of the row's trips, in their order, and Digest is the
	// Word.Digest that the row as it is would have. Digest is 0 if Own has no Values.
	Own    []Own
	Digest uint64
	// Words are the last words of rows with the row's ID, on whatever day, and of the rows
	// of Trips.
	Words []Word
	// Trips are the trips that share a key with the row, in the order of their numbers.
	Trips []Standing
	// Arrivals are those with a scope on the first of the days of the row's trips or later, and perhaps others.
	Arrivals []Arrival
}

// An Own has the keyed hashes of a trip of the row that is looked for. They can be compared
// with those of the Words and Trips.
type Own struct {
	// Values are those of the row as it is. They are nil if Known has no Words and no
	// Trips.
	Values   Values
	Identity Identity
	// Pickup and Dropoff are as in Standing.
	Pickup, Dropoff string
	// Meant reports that a person answered that the rider has several trips a day between
	// these two places.
	Meant bool
}

// Word returns the last word about the row itself, or nil if there is none.
func (k *Known) Word() *Word { return k.WordOf(k.Row) }

// WordOf returns the last word about the row with the number, or nil.
func (k *Known) WordOf(row int64) *Word {
	return First(k.Words, func(w *Word) bool { return w.Row == row && row != 0 })
}

// Trip returns the first of the trips that is the one that is looked for, or nil.
func (k *Known) Trip(is func(*Standing) bool) *Standing { return First(k.Trips, is) }

// Newest returns the newest of the arrivals of the broker that cover the day and the pair,
// only whole ones if whole is set. It returns nil if there is none.
func (k *Known) Newest(broker string, day Date, pair Pair, whole bool) *Arrival {
	var newest *Arrival
	for i := range k.Arrivals {
		a := &k.Arrivals[i]
		scope, covers := a.Scope(day, pair)
		if covers && a.Broker == broker && (a.Whole && !scope.Partial || !whole) && (newest == nil || a.Newer(newest)) {
			newest = a
		}
	}
	return newest
}

// SpeaksOf reports whether what an arrival, not recorded yet, says of a row is about the trip that the row's word has. A
// file of one provider in which the row is cancelled or left out says nothing of a trip that the newest file of another
// one has live, unless the newest file of a provider and funding source of this one is the one that has it live. A
// bare row, which may have nothing but its id, is about whatever trip has that id.
func (k *Known) SpeaksOf(a *Arrival, word *Word, says Says, bare bool) bool {
	if says == SaysLive || bare || word.Says != SaysLive || word.Pair.Provider == "" || len(a.Scopes) == 0 {
		return true
	}
	return slices.ContainsFunc(a.Scopes, func(s Scope) bool {
		before := k.Newest(a.Broker, s.Day, s.Pair, false)
		return s.Pair.Provider == word.Pair.Provider || before != nil && before.Number == word.Arrival
	})
}

// Newer returns Newest, if it is newer than a and not of the same file; nil otherwise.
func (k *Known) Newer(a *Arrival, day Date, pair Pair, whole bool) *Arrival {
	if newest := k.Newest(a.Broker, day, pair, whole); newest != nil && newest.Newer(a) && newest.Input != a.Input {
		return newest
	}
	return nil
}

// Dropped returns the newest whole arrival of the scope, if it tells that a row of a is gone that it does not have; nil
// if there is none.
func (k *Known) Dropped(a *Arrival, day Date, pair Pair, begins DateTime) *Arrival {
	if whole := k.Newer(a, day, pair, true); whole != nil && whole.Tells(day, pair, begins) {
		return whole
	}
	return nil
}

// Saw returns the last events of all rows and trips that k has.
func (k *Known) Saw() []LastEvent {
	all := make([]LastEvent, 0, len(k.Words)+len(k.Trips))
	for i := range k.Words {
		if w := &k.Words[i]; w.Row != 0 {
			all = append(all, LastEvent{Row: w.Row, Event: w.Event})
		}
	}
	for i := range k.Trips {
		all = append(all, LastEvent{Trip: k.Trips[i].Number, Event: k.Trips[i].Event})
	}
	return all
}
