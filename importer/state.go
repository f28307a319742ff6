package importer

// A State says what became of a trip. The zero State is Unknown, so that an outcome
// without a state is not taken for a success. Files and ledgers have the state's Code,
// never its number.
type State uint8

// The states, from the worst to the best. A row has the worst state of its trips.
const (
	// Unknown is a trip that was sent, and the answer does not prove whether it
	// was created. It is never sent again automatically.
	Unknown State = iota
	// Reinstate is a booked trip that a person cancelled in the service and that
	// is back in the schedule. It is not sent.
	Reinstate
	// ChangeUnknown is a booked trip whose changed properties were sent, and the answer
	// does not prove whether the service took them.
	ChangeUnknown
	// CancelledCreated is a trip that an earlier run booked and that the schedule cancels
	// now, or that its row does not make any more.
	CancelledCreated
	// Gone is a booked trip that is not in a schedule which has all trips of its
	// day.
	Gone
	// ChangeByHand is a booked trip that now differs in a property that cannot or may not
	// be sent, such as its rider.
	ChangeByHand
	// ChangeRefused is a booked trip that the service refused to change. It is as it was.
	ChangeRefused
	// Changed is a trip that an earlier run booked with different content. The change was
	// not sent.
	Changed
	// Waiting is a trip that is not sent before a person answers a question about
	// it: Outcome.Question.
	Waiting
	// Refused is a trip whose answer proves that the service did not create it.
	Refused
	// Invalid is a trip with a fault. It was not sent.
	Invalid
	// NotSent is a trip that did not reach the service.
	NotSent
	// Held is a trip that is not sent because something has to come first: another leg or a
	// linked trip is to be fixed or booked, or a newer schedule says something else.
	Held
	// Updated is a booked trip that this run changed in the service.
	Updated
	// Created is a trip that the service created in this run.
	Created
	// AlreadyCreated is a trip that an earlier run booked with the same content.
	AlreadyCreated
	// Skipped is a trip of a row that is left out.
	Skipped
	// Ready is a trip that a check found nothing wrong with. Only checks use it.
	Ready

	// StateCount is the number of states.
	StateCount = int(Ready) + 1
)

// A stateInfo has the properties of a state. Codes are stored in ledgers and in
// workbooks, so they never change.
type stateInfo struct {
	code  string
	words string
	// booked means that the trip is known to be in the service.
	booked bool
	// missing means that the trip should be in the service and is known not to
	// be there.
	missing bool
	// freesNextLeg means that the leg after this one may be sent.
	freesNextLeg bool
	// urgency says who has to act, and how soon.
	urgency Urgency
}

// states is the only list of the states' properties. It is never written to.
var states = [StateCount]stateInfo{
	Unknown:          {code: "unknown", words: "may be booked: look first", urgency: ActNow},
	Reinstate:        {code: "reinstate", words: "back in the schedule: reinstate it", booked: true, urgency: ActNow},
	ChangeUnknown:    {code: "change_unknown", words: "change may not have arrived", booked: true, freesNextLeg: true, urgency: Listed},
	CancelledCreated: {code: "cancelled_created", words: "cancel by hand", booked: true, urgency: Listed},
	Gone:             {code: "gone", words: "booked, not in the schedule any more", booked: true, urgency: Listed},
	ChangeByHand:     {code: "change_by_hand", words: "change by hand", booked: true, urgency: Listed},
	ChangeRefused:    {code: "change_refused", words: "change refused", booked: true, freesNextLeg: true, urgency: Listed},
	Changed:          {code: "changed", words: "changed since booked", booked: true, freesNextLeg: true, urgency: Listed},
	Waiting:          {code: "waiting", words: "waits for an answer", missing: true, urgency: ToSend},
	Refused:          {code: "refused", words: "refused by the service", missing: true, urgency: ToSend},
	Invalid:          {code: "invalid", words: "fix this row", missing: true, urgency: ToSend},
	NotSent:          {code: "not_sent", words: "not sent", missing: true, urgency: ToSend},
	Held:             {code: "held", words: "held", missing: true, urgency: ToSend},
	Updated:          {code: "updated", words: "changed", booked: true, freesNextLeg: true},
	Created:          {code: "created", words: "booked", booked: true, freesNextLeg: true},
	AlreadyCreated:   {code: "already_created", words: "booked earlier", booked: true, freesNextLeg: true},
	Skipped:          {code: "skipped", words: "left out"},
	Ready:            {code: "ready", words: "ready"},
}

// meanings describes the states, and says what the next run does with such a trip. It is
// never written to.
var meanings = [StateCount]struct{ means, next string }{
	Unknown:          {"it was sent, and no answer proves what came of it", "never sends it: a person looks, and answers"},
	Reinstate:        {"a person cancelled it in the service, and the schedule has it again", "never sends it: reinstate it in the service"},
	ChangeUnknown:    {"the answer to a change was lost", "sends the change again before the trip's day"},
	CancelledCreated: {"it was booked, and is cancelled in the schedule now", "never sends it: cancel it in the service"},
	Gone:             {"the export has all trips of its day, but not this one", "never sends it: look whether it is still wanted"},
	ChangeByHand:     {"it differs in a property that can't or may not be sent", "never sends it: change it in the service"},
	ChangeRefused:    {"the service refused the change; the trip is as it was", "sends the change once it differs"},
	Changed:          {"the ledger has it with other content; the changed fields are named", "sends the change, if `--changes send` or a person says so"},
	Waiting:          {"a question stands in What we found", "sends it if the answer says so"},
	Refused:          {"the service's answer proves that it was not created", "sends it"},
	Invalid:          {"a rule failed; nothing was sent", "sends it, once fixed"},
	NotSent:          {"it was not sent", "sends it, unless its time has passed"},
	Held:             {"another leg or a newer schedule has to come first; its reason says which", "sends it once that is so"},
	Updated:          {"it was changed in the service to what the row says", "skips it"},
	Created:          {"the service gave a GUID", "skips it"},
	AlreadyCreated:   {"the ledger has it from an earlier run, unchanged", "skips it"},
	Skipped:          {"the mapping leaves it out, and says why", "skips it"},
	Ready:            {"a check found nothing wrong with it; nothing was sent", "sends it"},
}

func (s State) info() *stateInfo {
	if int(s) >= StateCount {
		return &states[Unknown]
	}
	return &states[s]
}

// Code returns the state's code, which never changes: "already_created".
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

// String returns the state in the words of the results: "booked earlier".
func (s State) String() string { return s.info().words }

// Meaning describes the state, and says what the next run does with such a trip.
func (s State) Meaning() (means, next string) {
	if int(s) >= StateCount {
		s = Unknown
	}
	return meanings[s].means, meanings[s].next
}

// Booked reports whether the trip is known to be in the service.
func (s State) Booked() bool { return s.info().booked }

// Missing reports whether the trip is known not to be in the service although
// it should be. An Unknown trip may be there, so it is not missing.
func (s State) Missing() bool { return s.info().missing }

// FreesNextLeg reports whether the leg after a trip in this state may be sent.
func (s State) FreesNextLeg() bool { return s.info().freesNextLeg }

// Urgency returns what a trip in this state asks for at most. Outcome.Due takes the whole
// outcome into account, and the time.
func (s State) Urgency() Urgency { return s.info().urgency }

// NeedsPerson reports whether somebody has to act in the service, whatever the
// next run does.
func (s State) NeedsPerson() bool { return s.Urgency() >= Listed }

// Worse reports whether s is worse than t, so that a row with both has s.
func (s State) Worse(t State) bool { return s < t }
