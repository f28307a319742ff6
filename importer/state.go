package importer

// A State says what became of a trip. The zero State is Unknown, so that an outcome
// without a state is not taken for a success. Files and ledgers have the state's Code,
// never its number. Outcome.Why and Outcome.Reason say which of several ways led to it.
type State uint8

// The states, from the worst to the best. A row has the worst state of its trips.
const (
	// Unknown is a trip that was sent, and the answer does not prove whether it
	// was created. It is never sent again automatically.
	Unknown State = iota
	// ReinstateByHand is a booked trip that a person cancelled in the service and that
	// is back in the schedule. It is not sent.
	ReinstateByHand
	// ChangeUnknown is a booked trip whose changed properties were sent, and the answer
	// does not prove whether the service took them.
	ChangeUnknown
	// CancelByHand is a booked trip that the schedule cancels now, that it does not have
	// any more, or that its row does not make.
	CancelByHand
	// ChangeByHand is a booked trip that the schedule has otherwise now: the difference
	// can't or may not be sent, was refused, or nobody asked to send it.
	ChangeByHand
	// Refused is a trip whose answer proves that the service did not create it.
	Refused
	// Fix is a trip with a fault. It was not sent.
	Fix
	// NotSent is a trip that did not reach the service.
	NotSent
	// Held is a trip that is not sent because something has to come first: a person's
	// answer to Outcome.Question, another leg or a linked trip, or a newer schedule says
	// something else.
	Held
	// Changed is a booked trip that this run changed in the service.
	Changed
	// Booked is a trip that the service created in this run.
	Booked
	// BookedEarlier is a trip that an earlier run booked with the same content.
	BookedEarlier
	// LeftOut is a trip of a row that is left out.
	LeftOut
	// Ready is a trip that a check found nothing wrong with. Only checks use it.
	Ready

	// StateCount is the number of states.
	StateCount = int(Ready) + 1
)

// A Why says which of several ways led to a state, where people do something else about
// it. Most states have NoWhy.
type Why uint8

// The ways.
const (
	NoWhy Why = iota
	// WhyUnsent is why a trip is to be changed by hand although the change can be sent.
	WhyUnsent
	// WhyRefused is why a trip is to be changed by hand whose change the service refused. It
	// is as it was.
	WhyRefused
	// WhyGone is why a trip is to be cancelled by hand that is not in a schedule which has
	// all trips of its day.
	WhyGone
)

// A stateInfo has the properties of a state. Codes are stored in ledgers and in
// workbooks, so they never change.
type stateInfo struct {
	code  string
	words string
	// means describes the state, and next says what the next run does with such a trip.
	means, next string
	// booked means that the trip is known to be in the service.
	booked bool
	// missing means that the trip should be in the service and is known not to
	// be there.
	missing bool
	// urgency says who has to act, and how soon.
	urgency Urgency
}

// states is the only list of the states' properties. It is never written to.
var states = [StateCount]stateInfo{
	Unknown: {
		code: "unknown", words: "may be booked: look first", urgency: ActNow,
		means: "it was sent, and no answer proves what came of it", next: "never sends it: a person looks, and answers",
	},
	ReinstateByHand: {
		code: "reinstate_by_hand", words: "reinstate by hand", booked: true, urgency: ActNow,
		means: "a person cancelled it in the service, and the schedule has it again", next: "never sends it: reinstate it in the service",
	},
	ChangeUnknown: {
		code: "change_unknown", words: "change may not have arrived", booked: true, urgency: Listed,
		means: "the answer to a change was lost", next: "sends the change again before the trip's day",
	},
	CancelByHand: {
		code: "cancel_by_hand", words: "cancel by hand", booked: true, urgency: Listed,
		means: "it is booked, and is cancelled, left out or gone in the schedule now", next: "never sends it: cancel it in the service",
	},
	ChangeByHand: {
		code: "change_by_hand", words: "change by hand", booked: true, urgency: Listed,
		means: "it is booked, and what differs now can't or may not be sent, was refused, or nobody asked to send it; the changed fields are named",
		next:  "sends what can be sent, if a person or the setting changes says so",
	},
	Refused: {
		code: "refused", words: "refused by the service", missing: true, urgency: ToSend,
		means: "the service's answer proves that it was not created", next: "sends it",
	},
	Fix: {
		code: "fix", words: "fix this row", missing: true, urgency: ToSend,
		means: "a rule failed; nothing was sent", next: "sends it, once fixed",
	},
	NotSent: {
		code: "not_sent", words: "not sent", missing: true, urgency: ToSend,
		means: "it never left: no connection, a stopped run, or its time has passed", next: "sends it, unless its time has passed",
	},
	Held: {
		code: "held", words: "held", missing: true, urgency: ToSend,
		means: "it waits for an answer, for another leg, or because a newer schedule says something else; its reason says which",
		next:  "sends it once that is so",
	},
	Changed: {
		code: "changed", words: "changed", booked: true,
		means: "it was changed in the service to what the row says", next: "skips it",
	},
	Booked: {
		code: "booked", words: "booked", booked: true,
		means: "the service gave a GUID", next: "skips it",
	},
	BookedEarlier: {
		code: "booked_earlier", words: "booked earlier", booked: true,
		means: "the ledger has it from an earlier run, unchanged", next: "skips it",
	},
	LeftOut: {
		code: "left_out", words: "left out",
		means: "the mapping leaves it out, or a person did; its reason says why", next: "skips it",
	},
	Ready: {
		code: "ready", words: "ready",
		means: "a check found nothing wrong with it; nothing was sent", next: "sends it",
	},
}

func (s State) info() *stateInfo {
	if int(s) >= StateCount {
		return &states[Unknown]
	}
	return &states[s]
}

// Code returns the state's code, which never changes: "booked_earlier".
func (s State) Code() string { return s.info().code }

// MarshalText returns the state's code, and UnmarshalText reads it.
func (s State) MarshalText() ([]byte, error) { return []byte(s.Code()), nil }

// UnmarshalText is the inverse of MarshalText.
func (s *State) UnmarshalText(text []byte) error {
	return parseCode(s, text, Each(states[:], func(s stateInfo) string { return s.code }))
}

// String returns the state in the words of the results: "booked earlier".
func (s State) String() string { return s.info().words }

// Meaning describes the state, and says what the next run does with such a trip.
func (s State) Meaning() (means, next string) { return s.info().means, s.info().next }

// Booked reports whether the trip is known to be in the service.
func (s State) Booked() bool { return s.info().booked }

// Missing reports whether the trip is known not to be in the service although
// it should be. An Unknown trip may be there, so it is not missing.
func (s State) Missing() bool { return s.info().missing }

// Urgency returns what a trip in this state asks for at most. Outcome.Due takes the whole
// outcome into account, and the time.
func (s State) Urgency() Urgency { return s.info().urgency }

// NeedsPerson reports whether somebody has to act in the service, whatever the
// next run does.
func (s State) NeedsPerson() bool { return s.Urgency() >= Listed }

// Worse reports whether s is worse than t, so that a row with both has s.
func (s State) Worse(t State) bool { return s < t }
