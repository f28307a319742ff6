package importer

import "time"

// A State is what became of a trip. The zero State is Unknown: an outcome that
// nobody set must not pass for a success. Outside of the process a state is
// known by its Code, never by its number.
type State uint8

// States in the order in which a row shows them: its worst comes first.
const (
	// Unknown: the request left and no proof came back. It is never sent again
	// by itself.
	Unknown State = iota
	// CancelledCreated: the mapping leaves the row out as cancelled, and the
	// ledger has the trip as created.
	CancelledCreated
	// Changed: the ledger has the trip, with other content. It is never posted.
	Changed
	// Refused: the service proved that it did not create the trip.
	Refused
	// Invalid: a local rule failed; nothing was sent.
	Invalid
	// NotSent: the request never left.
	NotSent
	// Held: the trip waits for its other leg.
	Held
	// Created: the service answered with a GUID, or proved without one that it
	// created the trip.
	Created
	// AlreadyCreated: the ledger has the trip from an earlier run, with the same
	// content.
	AlreadyCreated
	// Skipped: the mapping leaves the row out.
	Skipped
	// Ready: a check found nothing wrong. Only checks give it.
	Ready

	// StateCount is how many states there are.
	StateCount = int(Ready) + 1
)

// A stateInfo is everything that is said of a state. Codes are stored in
// ledgers and in workbooks: they never change.
type stateInfo struct {
	code  string
	words string
	// booked: the trip is known to be in the service.
	booked bool
	// missing: the trip is known not to be there although it should be.
	missing bool
	// freesNextLeg: the leg after this one may be sent.
	freesNextLeg bool
	// needsPerson: somebody must act before the trip's time, whatever the next
	// run does.
	needsPerson bool
}

// states is the one list of states; nothing writes to it.
var states = [StateCount]stateInfo{
	Unknown:          {code: "unknown", words: "may be booked: look first", needsPerson: true},
	CancelledCreated: {code: "cancelled_created", words: "cancel by hand", booked: true, needsPerson: true},
	Changed:          {code: "changed", words: "changed since booked", booked: true, needsPerson: true},
	Refused:          {code: "refused", words: "refused by the service", missing: true},
	Invalid:          {code: "invalid", words: "fix this row", missing: true},
	NotSent:          {code: "not_sent", words: "not sent", missing: true},
	Held:             {code: "held", words: "waits for its other leg", missing: true},
	Created:          {code: "created", words: "booked", booked: true, freesNextLeg: true},
	AlreadyCreated:   {code: "already_created", words: "booked earlier", booked: true, freesNextLeg: true},
	Skipped:          {code: "skipped", words: "left out"},
	Ready:            {code: "ready", words: "ready"},
}

func (s State) info() *stateInfo {
	if int(s) >= StateCount {
		return &states[Unknown]
	}
	return &states[s]
}

// Code is the state for machines.
func (s State) Code() string { return s.info().code }

// ParseState is the inverse of Code. It reports false for a code that no state
// has.
func ParseState(code string) (State, bool) {
	for s := range StateCount {
		if states[s].code == code {
			return State(s), true
		}
	}
	return Unknown, false
}

// String is the state in the words that results use.
func (s State) String() string { return s.info().words }

// Booked reports whether the trip is known to be in the service.
func (s State) Booked() bool { return s.info().booked }

// Missing reports whether the trip is known not to be in the service although
// it should be. An Unknown trip may be there, so it is not missing.
func (s State) Missing() bool { return s.info().missing }

// FreesNextLeg reports whether the leg after a trip in this state may be sent.
func (s State) FreesNextLeg() bool { return s.info().freesNextLeg }

// NeedsPerson reports whether somebody must act before the trip's time,
// whatever the next run does.
func (s State) NeedsPerson() bool { return s.info().needsPerson }

// Worse reports whether s comes before t in a row.
func (s State) Worse(t State) bool { return s < t }

// An Outcome is what became of one trip.
type Outcome struct {
	State State
	// GUID is the service's, for a booked trip; empty where it is not known.
	GUID string
	// GUIDMissing reports a trip that the service created without telling its
	// GUID: a person fills it in.
	GUIDMissing bool
	// TooLate reports a trip not sent because its pickup time has passed.
	TooLate bool
	// Changed are the contract keys that differ from what was booked.
	Changed []string
	// BookedAt is when an earlier run booked it.
	BookedAt time.Time
	// Reason says in words what is behind the state, where problems do not:
	// why it was left out, why it was not sent.
	Reason string
	// HTTPStatus and Message are the service's last answer; 0 and empty where
	// there was none. Message may hold row content: for results only.
	HTTPStatus int
	Message    string
	// Attempts is how many times this run sent, or tried to send, the trip.
	Attempts int
	// SentAt and AnsweredAt are those of the last attempt.
	SentAt, AnsweredAt time.Time
}

// A TripResult is a trip with its outcome.
type TripResult struct {
	Trip    Trip
	Outcome Outcome
}

// A RowResult is a row with what became of its trips.
type RowResult struct {
	Row Row
	// State is the worst of its trips'.
	State State
	// HalfBooked reports a journey of which one leg is booked and another is
	// neither booked nor left out: someone is stranded unless a person acts.
	HalfBooked bool
	// LeftOut says why the mapping leaves the row out.
	LeftOut string
	Trips   []TripResult
	// Problems are all that were found, those of the trips included; a fault
	// that legs share is there once.
	Problems []Problem
}

// Summarize sets State and HalfBooked from the outcomes of the row's trips. It
// is the only place where a row's state is decided. A row that is left out and
// has no trips is Skipped; one that should have trips and has none is Invalid.
// HalfBooked stays set where trips on other rows are the reason.
func (r *RowResult) Summarize() {
	r.State = Skipped
	if r.LeftOut == "" && len(r.Trips) == 0 {
		r.State = Invalid
	}
	booked, missing := false, false
	for i := range r.Trips {
		s := r.Trips[i].Outcome.State
		if i == 0 || s.Worse(r.State) {
			r.State = s
		}
		booked = booked || s.Booked()
		missing = missing || s.Missing()
	}
	r.HalfBooked = r.HalfBooked || booked && missing
}

// A Totals counts outcomes.
type Totals struct {
	// RowsRead and TripsRead are what the first pass counted; Rows and Trips
	// what the second one gave an outcome.
	RowsRead, TripsRead int
	Rows, Trips         [StateCount]int
	HalfBooked          int // rows of half-booked journeys
	TooLate             int // trips
	GUIDMissing         int // trips
}

// Add counts a row.
func (t *Totals) Add(r RowResult) {
	t.Rows[r.State]++
	if r.HalfBooked {
		t.HalfBooked++
	}
	for _, trip := range r.Trips {
		t.Trips[trip.Outcome.State]++
		if trip.Outcome.TooLate {
			t.TooLate++
		}
		if trip.Outcome.GUIDMissing {
			t.GUIDMissing++
		}
	}
}

// Sum adds up the outcomes of rows and of trips.
func (t Totals) Sum() (rows, trips int) {
	for s := range StateCount {
		rows += t.Rows[s]
		trips += t.Trips[s]
	}
	return rows, trips
}

// Balanced reports whether every row and every trip that was read has exactly
// one outcome: the control total.
func (t Totals) Balanced() bool {
	rows, trips := t.Sum()
	return rows == t.RowsRead && trips == t.TripsRead
}
