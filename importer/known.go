package importer

import (
	"errors"
	"slices"
	"time"
)

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
	// Arrivals are, for each scope of the row's trips, the newest arrival and the newest
	// whole one, each once.
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
	i := slices.IndexFunc(k.Words, func(w Word) bool { return w.Row == row && row != 0 })
	if i < 0 {
		return nil
	}
	return &k.Words[i]
}

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

// Saw returns the last events of all rows and trips that k has.
func (k *Known) Saw() []Saw {
	all := make([]Saw, 0, len(k.Words)+len(k.Trips))
	for i := range k.Words {
		if w := &k.Words[i]; w.Row != 0 {
			all = append(all, Saw{Row: w.Row, Event: w.Event})
		}
	}
	for i := range k.Trips {
		all = append(all, Saw{Trip: k.Trips[i].Number, Event: k.Trips[i].Event})
	}
	return all
}

// A Saw is the last event of a row or a trip at the time when it was looked at. Exactly one
// of Row and Trip is set.
type Saw struct{ Row, Trip, Event int64 }

// ErrMeanwhile is returned by a ledger that refuses to write because a row or a trip has
// another last event than the one that was seen, or because a trip that was not seen shares
// a key.
var ErrMeanwhile = errors.New("something changed meanwhile")

// A Step is what the gate lets leave: one booking or one change of one trip.
type Step struct {
	Run string
	// Row is the row, and Leg the index of the trip in Row.Trips. RowNumber is the ledger's
	// number of the row; 0 for a row that no arrival had.
	Row       *Mapped
	Leg       int
	RowNumber int64
	// Own are the keyed hashes of the trip, from Known, and Seen the values that the row's
	// last word has for it: those of the schedule, whatever a person fixed. It is nil if the
	// row has no word; then Own.Values stand for it.
	Own  Own
	Seen Values
	// Account is where the trip is booked.
	Account Account
	// Trip is the number of the trip, or 0 for one that the ledger does not have.
	Trip int64
	// Change are the keys of the properties to change. It is nil for a booking.
	Change []string
	// Saw is what the judge saw when it decided the step.
	Saw []Saw
	// Mapping identifies the mapping.
	Mapping string
	// At is when the step is made.
	At time.Time
}

// A Ticket is a granted Step. It is settled once.
type Ticket struct {
	// Trip is the number of the trip, and Event that of the claim.
	Trip, Event int64
}

// A Settled is what came of a Ticket.
type Settled struct {
	// State is TripBooked, TripRefused, TripUnclear or TripNotSent. For a change TripBooked
	// means that the service took it.
	State TripState
	// GUID is the trip's, if it was created. GUIDMissing reports that it was created and
	// the service did not give its GUID.
	GUID        string
	GUIDMissing bool
	// HTTPStatus is the status of the reply, 0 without one.
	HTTPStatus int
	// Code is Reply.Code, which has no row content.
	Code string
	At   time.Time
}

// An Answer is what a person said about a trip or about a leg of a row that is not booked.
// It is the same in workbooks, in the list of the morning, at the terminal and on the page.
type Answer struct {
	// Trip is the number of the trip that the answer is about. If it is 0, the answer is
	// about the leg of the row with the number Row.
	Trip, Row int64
	Leg       Leg
	// Other is the trip that the question named, and Question the question; 0 and
	// NoQuestion if nothing was asked.
	Other    int64
	Question Question
	// Saw is the number of the last event in what the person was looking at, and Shown the
	// state in which the trip was shown.
	Saw     int64
	Shown   State
	Verdict Verdict
	// GUID is given with some verdicts; empty if it was not.
	GUID string
	// Pickup and Dropoff are as in Own, if the way of the leg is known. Places is the trip
	// of the leg if it is at hand, for an answer about its rider and places.
	Pickup, Dropoff string
	Places          *Trip
	// Own has the hashes of the leg as the workbook has it now, for an answer in a workbook; nil
	// for one given elsewhere.
	Own *Own
	// Note is any text of the person; empty for none. Ledgers keep it encrypted.
	Note string
	// Who and Host are the person and the machine, At is when the answer was given, and
	// Where names the place: a file, or "terminal".
	Who, Host, Where string
	At               time.Time
}

// An Effect is what an Answer, or a proof from results, does to its subject. It is decided
// by the judge, and a ledger records it as an event.
type Effect struct {
	Answer Answer
	// Saw is compared with the ledger before anything is written: ErrMeanwhile.
	Saw []Saw
	// State is the trip's new state. Keep reports that it stays as it is. The GUID of the
	// answer, if it has one, becomes the trip's.
	State TripState
	Keep  bool
	// LookAfter, Seen and Sent are the trip's new ones, and Begins is its new day and time; they
	// stay if they are zero. Hold puts the trip on hold, and Release takes it off.
	LookAfter     time.Time
	Seen, Sent    Values
	Begins        DateTime
	Hold, Release bool
	// ChangeDone reports that the trip's open change is settled by the answer.
	ChangeDone bool
	// Meant reports that the rider of the row's leg has several trips a day between its two
	// places: Own.Meant.
	Meant bool
	// ForRow reports that the answer is kept as a RowAnswer of the row with the number
	// Answer.Row, with the verdict Answer.Verdict.
	ForRow bool
	// Contradicts reports that the answer contradicts an earlier one about the same state, so
	// that neither counts. A RowAnswer of the row is then kept without a verdict.
	Contradicts bool
}
