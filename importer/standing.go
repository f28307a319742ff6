package importer

import (
	"cmp"
	"time"
)

// A TripState says what stands at the service, as far as the ledger knows.
type TripState uint8

// The states of a trip.
const (
	// TripUnclear may be booked: its request left, and nothing proves what came of it. It
	// is the state of every trip about which nothing better is known.
	TripUnclear TripState = iota
	// TripNotSent was never created: no request of it left, or the service proved that it
	// created nothing, without refusing the trip itself.
	TripNotSent
	// TripSending is claimed by a run that is still working.
	TripSending
	// TripBooked is in the service.
	TripBooked
	// TripRefused was refused by the service.
	TripRefused
	// TripCancelled was booked, and a person cancelled it in the service.
	TripCancelled
)

// tripStateCodes are stored in ledgers, so they never change.
var tripStateCodes = []string{
	TripUnclear: "unclear", TripNotSent: "not_sent", TripSending: "sending", TripBooked: "booked",
	TripRefused: "refused", TripCancelled: "cancelled",
}

// Code returns the code that is stored.
func (s TripState) Code() string { return codeOf(tripStateCodes, s) }

// ParseTripState is the inverse of Code. It reports false for a code that no state has.
func ParseTripState(code string) (TripState, bool) { return ofCode[TripState](tripStateCodes, code) }

// MarshalText returns the code, and UnmarshalText reads it.
func (s TripState) MarshalText() ([]byte, error) { return []byte(s.Code()), nil }

// UnmarshalText is the inverse of MarshalText.
func (s *TripState) UnmarshalText(text []byte) error { return parseCode(s, text, tripStateCodes) }

// Taken reports whether the trip is in the service or may be, so that it must not be sent.
func (s TripState) Taken() bool { return s == TripBooked || s == TripUnclear || s == TripSending }

// String returns the state in words for people: "may be booked: look first".
func (s TripState) String() string {
	return cmp.Or(map[TripState]string{TripSending: "being sent now", TripCancelled: "cancelled"}[s], s.Sent().String())
}

// sentStates are the states of trips that a run sent, if anything is proved of them. It is never written to.
var sentStates = map[TripState]State{TripNotSent: NotSent, TripBooked: Booked, TripRefused: Refused}

// Sent returns the state of a trip that a run sent, by what stands at the service after it.
func (s TripState) Sent() State { return sentStates[s] }

// A Standing is a trip as it stands at the service, as far as the ledger knows. The ledger
// has one for each trip that was ever claimed.
type Standing struct {
	// Number is the ledger's number of the trip, and Row that of its row.
	Number, Row int64
	// RowID is Word.ID of the row.
	RowID   string
	Broker  string
	Account Account // without its Key
	Leg     Leg
	// TripID is the id under which the trip was sent. Alias is shown in place of it
	// everywhere except in results; it is empty unless the id tells who the rider is.
	TripID, Alias string
	// Day is the day of service. Begins is when the trip begins, as it was sent.
	Day    Date
	Begins DateTime
	// Identity has keyed hashes in place of the rider, the places and the units. They are
	// bound to the rider and the day, so that only trips of one rider and day can be
	// compared by them.
	Identity Identity
	// Pickup and Dropoff are keyed hashes of the two places that are bound to the row, so
	// that the ways of a row's trips can be compared whatever their day and rider.
	Pickup, Dropoff string
	// WillCall reports that the trip was sent as a will call.
	WillCall bool

	State TripState
	// GUID is the trip's GUID, as the service or a person wrote it. GUIDMissing reports that
	// the service created the trip and nobody has given its GUID.
	GUID        string
	GUIDMissing bool
	// Proved reports that the service itself said that it created the trip, and Answered
	// that a person said what State says.
	Proved, Answered bool
	// LookAfter is set if a person said too early that the trip is not there: the answer
	// does not count, and is asked again after that time.
	LookAfter time.Time

	// Sent are the values that the service has: those that it accepted and, where a person
	// changed them there, those of the row's word that the person saw. Seen are those that
	// the schedule had then. A change is a property of the row's last word that differs from Seen.
	Sent, Seen Values
	// Mapping identifies the mapping with which Seen was made.
	Mapping string
	// Held reports that a person put the trip on hold: no change of it is sent. Copied
	// reports that the ledger is an older copy that was adopted since the trip was booked,
	// so that a change of it needs a person.
	Held, Copied bool
	// Change is the trip's last change if it is being sent, was refused, or nothing proves
	// that it arrived; nil otherwise.
	Change *ChangeStanding

	// Event is the number of the trip's last event, Claimed that of its last claim, and Changed that of the claim of its
	// last change; 0 for none.
	Event, Claimed, Changed int64
	// Said is the last answer of a person about the trip; nil if there is none.
	Said *StandingAnswer
	// Run is the id of the run that claimed the trip last, and Attempts the number of claims
	// by all runs.
	Run                  string
	Attempts             int
	ClaimedAt, SettledAt time.Time
	HTTPStatus           int
	Code                 string
}

// InDoubt reports that what was said of the trip last does not count.
func (s *Standing) InDoubt() bool { return s.Said != nil && !s.Said.Doubt.IsZero() }

// ListedID returns the trip's id as it is shown everywhere except in results.
func (s *Standing) ListedID() string { return cmp.Or(s.Alias, s.TripID) }

// A ChangeState says what came of a change of a booked trip.
type ChangeState uint8

// The states of a change.
const (
	// ChangeUnclear: nothing proves whether the change arrived.
	ChangeUnclear ChangeState = iota
	// ChangeSending: a run that is still working is sending it.
	ChangeSending
	// ChangeRefusedByService: the service refused it, and the trip is as it was.
	ChangeRefusedByService
)

// A ChangeStanding is a change of a booked trip that did not come through.
type ChangeStanding struct {
	State ChangeState
	// Event is the number of its claim.
	Event int64
	// Keys are the keys of the properties that were sent, and Values what was sent.
	Keys   []string
	Values Values
	At     time.Time
}

// A StandingAnswer is the last answer of a person, about a trip or, in a RowAnswer, about a leg.
type StandingAnswer struct {
	Verdict Verdict
	GUID    string // the one that the answer gave; empty if it gave none
	Event   int64  // the number of the answer
	Who     string
	At      time.Time
	// Doubt is why nothing counts that was said; then there is no verdict.
	Doubt Doubt `json:",omitzero"`
}

// A LastEvent is the last event of a row or a trip at the time when it was looked at. Exactly one
// of Row and Trip is set.
type LastEvent struct{ Row, Trip, Event int64 }
