package ledger

import (
	"time"

	"tripimport/importer"
)

// A Search selects trips: those that fit all of its fields that are set.
type Search struct {
	// Trip is a trip id, in any case, or the part of one before a hyphen, such as the id
	// without a leg's letter; or a GUID that the trip has or had.
	Trip string
	// Rider is a rider's id as a row had it that was sent.
	Rider string
	// From and To are the first and the last day of service.
	From, To importer.Date
	// FundingSources are the names, as the service writes them, among which the name of a
	// trip's funding source is found, because ledgers have no names. They do not select
	// trips.
	FundingSources []string
}

// A History is what a ledger has about one trip: its state, by the attempt that counts,
// and the events in their order.
type History struct {
	Entry
	// FundingSource is the one of Search.FundingSources that was sent; empty if none was.
	FundingSource string
	Events        []Event
}

// An EventKind is a kind of event in the history of a trip.
type EventKind uint8

// The kinds of events.
const (
	// EventSent is an attempt to book the trip.
	EventSent EventKind = iota
	// EventChanged is an attempt to change the booked trip.
	EventChanged
	// EventAnswered is a person's answer.
	EventAnswered
	// EventHeld is a person's order not to change the trip.
	EventHeld
	// EventReleased is a person's permission to change the trip again.
	EventReleased
)

// Code returns the kind's name for documents that programs read.
func (k EventKind) Code() string {
	return [...]string{"sent", "change_sent", "answered", "held", "released"}[k]
}

// An Event is one thing that happened to a trip.
type Event struct {
	Kind EventKind
	// At is when the event began, and Settled when its answer was recorded; zero for an
	// attempt without an answer.
	At, Settled time.Time
	// Attempt is the attempt to book the trip to which the event belongs.
	Attempt int64
	// Run is the run that sent the attempt, Input the SHA-256 of the file with its row,
	// and Row the row's number. They are empty for what a person did.
	Run, Input string
	Row        int
	// Who is the person, and Host the machine, if they are known.
	Who, Host string
	// State is what came of an attempt: Unknown for one without an answer.
	State      importer.State
	GUID, Code string
	HTTPStatus int
	// Keys are the properties that were sent to be changed.
	Keys []string
	// Verdict is a person's answer, and Note what the person wrote beside it.
	Verdict importer.Verdict
	Note    string
}

// A Verification is the result of reading a whole ledger: the numbers of what it has, and
// what is wrong.
type Verification struct {
	Runs, Trips, Attempts, Changes, Booked int
	// Open are the trips that wait for a person's answer.
	Open int
	// Wrong has a sentence for everything that is wrong; none for a sound ledger.
	Wrong []string
}
