package ledger

import (
	"time"

	"tripimport/importer"
)

// A Search selects trips: those that fit all of its fields that are set.
type Search struct {
	// Trip is a trip id in any spelling, or the trip's GUID. Rider is a
	// rider's id.
	Trip, Rider string
	// Run selects the trips that a run claimed.
	Run string
	// From and To are days of service, both inclusive.
	From, To importer.Date
	// FundingSources are the names among which Found.FundingSource is found, because ledgers
	// do not have names. They do not select trips.
	FundingSources []string
}

// A Found is a trip that a search selected.
type Found struct {
	importer.Standing
	// FundingSource is the one of Search.FundingSources that Sent has, as it is written there;
	// empty if Sent has none of them.
	FundingSource string
}

// The kinds of the events of trips and rows. Ledgers store them, so they never change.
const (
	// EventClaimed: the trip was about to be sent. EventSettled is what came of it: What is
	// the TripState.Code of Settled.State.
	EventClaimed = "claimed"
	EventSettled = "settled"
	// EventEntered stands in place of EventSettled: nothing was sent, because a person entered
	// the trip in the service.
	EventEntered = "entered"
	// EventChanging: a change of the trip was about to be sent. EventChanged is what came of
	// it, as for EventSettled.
	EventChanging = "changing"
	EventChanged  = "changed"
	// EventAnswered: a person answered. What is Verdict.String. EventContradicted: the answer
	// contradicts another one, and neither counts. EventNotTaken: what a person wrote can't be
	// taken.
	EventAnswered     = "answered"
	EventContradicted = "contradicted"
	EventNotTaken     = "not_taken"
	// EventHeld and EventReleased: a person put the trip on hold, or took it off.
	EventHeld     = "held"
	EventReleased = "released"
	// EventWord: the row got another version of its word. What is Says.Code.
	EventWord = "word"
)

// An Event is one thing that happened to a trip or a row. Events are never changed.
type Event struct {
	Number    int64
	Trip, Row int64
	At        time.Time
	// Kind is the kind of event, and What one of its details in clear.
	Kind, What string
	// Run is the run that made the event; empty for one that a person made.
	Run string
	EventDetail
}

// An EventDetail is what only some events have. Ledgers encrypt it.
type EventDetail struct {
	// Who and Host are those of a person's answer, Leg is the leg that it is about, and Note is
	// their text.
	Who, Host, Note string       `json:",omitempty"`
	Leg             importer.Leg `json:",omitzero"`
	// GUID is the GUID that the event gave the trip, and Code is Settled.Code.
	GUID, Code string `json:",omitempty"`
	// Keys are the keys of the properties that were sent to be changed.
	Keys []string `json:",omitempty"`
}

// A Fact is something that the ledger keeps by kind and subject: a setting, a decision, an
// approval, an event of a slot. Subject is stored as a keyed hash and Value encrypted.
type Fact struct {
	Kind, Subject, Value string
	Who, Host            string
	At                   time.Time
	Event                int64
}

// InputLost is how a run ended whose input could not be read to its end again. The rows
// from there on have no outcome, so its control total need not balance.
const InputLost = "failed: the input could not be read to its end again"

// Entered is how a run ended that was broken off, and of which its results proved the rest.
const Entered = "entered from its results"

// A Run is a run as the ledger has it.
type Run struct {
	importer.RunInfo
	// Ended is when the run ended, and How says how; both are empty for a run that was
	// broken off or still goes on.
	Ended  time.Time
	How    string
	Totals importer.Totals // empty without an end
	// BrokenOffAt is the ledger's Number when the run was found to be broken off. It is 0
	// for other runs, and for those that an earlier version of the program found.
	BrokenOffAt int64
	// Live reports that a process is still running it.
	Live bool
}

// A Verification is the result of reading a whole ledger: the numbers of what it has, and
// what is wrong.
type Verification struct {
	Runs, Trips int
	// Open are the trips that wait for a person's answer.
	Open int
	// Wrong has a sentence for everything that is wrong; none for a sound ledger.
	Wrong []string
}
