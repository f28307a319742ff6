package importer

import "time"

// A State is what became of a trip (design, section 4). The zero State is
// Unknown: an outcome that nobody set must not pass for a success.
type State uint8

// States in the order in which a row shows them: its worst comes first.
const (
	// Unknown: the request left and no proof came back. Never sent again by
	// itself.
	Unknown State = iota
	// CancelledCreated: the mapping leaves the row out as cancelled, and the
	// ledger has it created.
	CancelledCreated
	// Changed: the ledger has it, with other content. Never posted.
	Changed
	// Refused: the service proved that it did not create it.
	Refused
	// Invalid: a local rule failed; nothing was sent.
	Invalid
	// NotSent: never left.
	NotSent
	// Held: waits for its other leg.
	Held
	// Created: answered with a GUID, or proved created without one.
	Created
	// AlreadyCreated: the ledger has it from an earlier run, same content.
	AlreadyCreated
	// Skipped: the mapping leaves it out.
	Skipped
	// Ready: a check found nothing wrong. Only checks give it.
	Ready

	// StateCount is how many states there are.
	StateCount = int(Ready) + 1
)

// Code is the state for machines.
func (s State) Code() string {
	switch s {
	case Unknown:
		return "unknown"
	case CancelledCreated:
		return "cancelled_created"
	case Changed:
		return "changed"
	case Refused:
		return "refused"
	case Invalid:
		return "invalid"
	case NotSent:
		return "not_sent"
	case Held:
		return "held"
	case Created:
		return "created"
	case AlreadyCreated:
		return "already_created"
	case Skipped:
		return "skipped"
	case Ready:
		return "ready"
	}
	return "unknown"
}

// String is the state in the words that results use.
func (s State) String() string {
	switch s {
	case CancelledCreated:
		return "cancel by hand"
	case Changed:
		return "changed since booked"
	case Refused:
		return "refused by the service"
	case Invalid:
		return "fix this row"
	case NotSent:
		return "not sent"
	case Held:
		return "waits for its other leg"
	case Created:
		return "booked"
	case AlreadyCreated:
		return "booked earlier"
	case Skipped:
		return "left out"
	case Ready:
		return "ready"
	}
	return "may be booked: look first"
}

// Booked reports whether the trip is known to be in the service.
func (s State) Booked() bool {
	return s == Created || s == AlreadyCreated || s == Changed || s == CancelledCreated
}

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
