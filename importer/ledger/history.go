package ledger

import (
	"time"

	"tripimport/importer"
)

// A Search says of which trips the histories are asked for: of those that fit all of
// its fields that are set.
type Search struct {
	// Trip is a trip id, in any case, also without what follows a hyphen of it, such
	// as a leg's letter; or a GUID that the trip has or had.
	Trip string
	// Rider is a rider's id, as it stood in a row that was sent.
	Rider string
	// From and To are the first and the last day of service.
	From, To importer.Date
	// FundingSources are names among which a trip's funding source is looked for,
	// as the service writes them: ledgers hold no names. They narrow nothing down.
	FundingSources []string
}

// A History is what a ledger knows of one trip: how it stands, by the attempt that
// counts, and what happened to it, in that order.
type History struct {
	Entry
	// FundingSource is the one of Search.FundingSources that was sent; empty for none.
	FundingSource string
	Events        []Event
}

// An EventKind is what happened to a trip.
type EventKind uint8

// The kinds of events.
const (
	// EventSent is an attempt to book the trip.
	EventSent EventKind = iota
	// EventChanged is an attempt to change the booked trip.
	EventChanged
	// EventAnswered is a person's answer.
	EventAnswered
	// EventHeld is a person's word that nothing of the trip is to be changed.
	EventHeld
	// EventReleased is a person's word that the trip may be changed again.
	EventReleased
)

// Code returns the kind's name in documents for programs.
func (k EventKind) Code() string {
	return [...]string{"sent", "change_sent", "answered", "held", "released"}[k]
}

// An Event is one thing that happened to a trip.
type Event struct {
	Kind EventKind
	// At is when it began, and Settled when its answer was recorded; zero for an
	// attempt without one.
	At, Settled time.Time
	// Attempt is the attempt to book the trip that it is about.
	Attempt int64
	// Run is the run that sent it, and Input and Row are where its row was: the
	// SHA-256 of the file. They are empty where a person did it.
	Run, Input string
	Row        int
	// Who did it, and at which machine, as far as that is known.
	Who, Host string
	// State is what came of an attempt: Unknown for one without an answer.
	State      importer.State
	GUID, Code string
	HTTPStatus int
	// Keys are the properties that were sent to be changed.
	Keys []string
	// Verdict is what a person answered, and Note what the person wrote beside it.
	Verdict importer.Verdict
	Note    string
}

// A Verification is what a ledger that was read through holds.
type Verification struct {
	Runs, Trips, Attempts, Changes, Booked int
	// Open are the trips that wait for a person's answer.
	Open int
	// Wrong says what is not as it must be, one sentence each; none in a sound ledger.
	Wrong []string
}
