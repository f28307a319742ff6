package importer

import "time"

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
	ChangeUnknown:    {code: "change_unknown", words: "change may not have arrived", booked: true, freesNextLeg: true, urgency: ActNow},
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

// Urgency returns what a trip in this state asks for, if nothing else of its
// outcome asks for more. Outcome.Urgency takes the whole outcome into account.
func (s State) Urgency() Urgency { return s.info().urgency }

// NeedsPerson reports whether somebody has to act in the service, whatever the
// next run does.
func (s State) NeedsPerson() bool { return s.Urgency() >= Listed }

// Worse reports whether s is worse than t, so that a row with both has s.
func (s State) Worse(t State) bool { return s < t }

// An Outcome is what became of one trip.
type Outcome struct {
	State State
	// GUID is the GUID that the service gave a booked trip; empty if not known.
	GUID string
	// GUIDMissing reports that the service created the trip and did not give its
	// GUID. A person has to look it up.
	GUIDMissing bool
	// TooLate reports that the trip was not sent because its pickup time has
	// passed.
	TooLate bool
	// Changed are the keys of the properties (Property.Key) that differ from what
	// was booked. Updated are those that this run changed in the service; they are
	// not among Changed.
	Changed, Updated []string
	// Fixed are the keys of the properties in which the schedule still has the values
	// from before a person fixed them in results. The trip is booked with the fixed ones.
	Fixed []string
	// Edited reports that the row comes from results, in which people may have changed
	// it. An import reads the schedule, which may not have what differs.
	Edited bool
	// Misplaced reports that the service placed a changed address more than 300 m
	// from where the schedule has it.
	Misplaced bool
	// BookedAt is when an earlier run booked the trip; zero if none did. Begins is when
	// the trip, as it was booked, begins.
	BookedAt time.Time
	Begins   DateTime
	// Question is what a person is asked about a Waiting trip, or, if it is AskWord,
	// about a booked one.
	Question Question
	// Answered reports that a person, not the service, said that the trip is booked.
	Answered bool
	// Attempt is the ledger's number of the attempt that a person's answer is
	// about: the trip's own, or that of the booked trip that Question names. It is
	// 0 if there is none.
	Attempt int64
	// RowNumber is the ledger's number of the trip's row, and Saw the number of the last
	// event of the trip, of its row and of the trip that Question names. An answer refers to
	// them. Both are 0 without a ledger.
	RowNumber, Saw int64
	// Reason explains the state in words where problems do not: why the trip was
	// left out or was not sent.
	Reason string
	// HTTPStatus and Message are from the service's last answer; 0 and empty
	// without one. Message may have row content, so it is for results only.
	HTTPStatus int
	Message    string
	// Attempts is how often this run sent the trip or tried to.
	Attempts int
	// SentAt and AnsweredAt are the times of the last attempt.
	SentAt, AnsweredAt time.Time
	// HalfBooked reports that the trip is missing while another leg or a linked trip
	// is booked.
	HalfBooked bool
	// Soon reports that the trip begins within the next three hours, and Past that it has
	// begun. Raised reports that an earlier run raised the trip's Item; if the trip is
	// Soon, the item of a trip that is Soon.
	Soon, Past, Raised bool
	// Moved reports that a person wants the trip left, and that its time or place is another
	// one since.
	Moved bool
	// Superseded reports that the trip is held because a newer schedule says something else of
	// its row.
	Superseded bool
	// Limited reports that the trip was not sent because a person limited the run to so
	// many rows.
	Limited bool
}

// Left reports that a person answered to leave the trip, which is not booked.
func (o *Outcome) Left() bool { return o.State == Skipped && o.Answered && o.Attempt == 0 }

// A TripResult is a trip with its outcome.
type TripResult struct {
	Trip    Trip
	Outcome Outcome
	// OffRow reports that the trip comes from the ledger: an earlier run booked it, and
	// its row does not make it any more. It is counted in Totals.OffRow, not among the
	// trips that were read.
	OffRow bool
}

// A RowResult is a row with what became of its trips.
type RowResult struct {
	Row Row
	// State is the worst state of its trips.
	State State
	// HalfBooked reports that one leg of a round trip, or one of several linked
	// trips, is booked and another one is missing: the rider is stranded unless a
	// person acts.
	HalfBooked bool
	// LeftOut says why the row is left out; empty if it is not.
	LeftOut string
	// Trips are the row's trips in the order of their legs.
	Trips []TripResult
	// Problems are the problems of the row and its trips, as Mapped.AllProblems
	// returns them.
	Problems []Problem
	// NewWords are the words of the row about which a person is asked.
	NewWords []NewWord
	// Version is Word.Version of the row's last word; 0 without one.
	Version int64
}

// Day returns the last day of service of the row's trips, without those whose day cannot
// be read. It is zero if no day is known.
func (r *RowResult) Day() (day Date) {
	for i := range r.Trips {
		if d := r.Trips[i].Trip.Date(); !d.IsZero() && (day.IsZero() || d.Compare(day) > 0) {
			day = d
		}
	}
	return day
}

// Summarize sets State and HalfBooked from the outcomes of the row's trips. It is
// the only place that decides a row's state. Without trips, a row is Skipped if it
// is left out and otherwise Invalid. HalfBooked stays set if it was set before,
// because of linked trips on other rows.
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

// Listed returns a text about the row as it is shown everywhere except in results:
// without trip ids that tell who the rider is.
func (r *RowResult) Listed(text string) string {
	for i := range r.Trips {
		text = r.Trips[i].Trip.Listed(text)
	}
	return text
}

// A Totals counts the rows and trips of a run. The zero value is ready to use.
type Totals struct {
	// RowsRead and TripsRead are the numbers of rows and trips that the first pass read.
	RowsRead, TripsRead int
	// Rows and Trips are the numbers of rows and trips to which the second pass gave an
	// outcome, by State.
	Rows, Trips [StateCount]int
	HalfBooked  int // rows with RowResult.HalfBooked
	TooLate     int // trips with Outcome.TooLate
	GUIDMissing int // trips with Outcome.GUIDMissing
	OffRow      int // trips with TripResult.OffRow
	// Urgencies counts the trips by Outcome.Urgency. Limited counts those ToSend that
	// have Outcome.Limited: nothing is wrong with them.
	Urgencies [int(ActNow) + 1]int
	Limited   int
}

// Add counts a row and its trips.
func (t *Totals) Add(r *RowResult) {
	t.Rows[r.State]++
	if r.HalfBooked {
		t.HalfBooked++
	}

	for i := range r.Trips {
		t.AddTrip(&r.Trips[i])
	}
}

// AddTrip counts a trip that is in no row's result.
func (t *Totals) AddTrip(trip *TripResult) {
	t.Trips[trip.Outcome.State]++
	if trip.Outcome.TooLate {
		t.TooLate++
	}
	if trip.Outcome.GUIDMissing {
		t.GUIDMissing++
	}
	if trip.OffRow {
		t.OffRow++
	}
	urgency := trip.Outcome.Urgency()
	t.Urgencies[urgency]++
	if trip.Outcome.Limited && urgency == ToSend {
		t.Limited++
	}
}

// Sum returns the numbers of rows and trips that have an outcome.
func (t Totals) Sum() (rows, trips int) {
	for s := range StateCount {
		rows += t.Rows[s]
		trips += t.Trips[s]
	}
	return rows, trips
}

// Balanced reports whether as many rows and trips have an outcome as were read,
// apart from the trips that no row makes any more.
func (t Totals) Balanced() bool {
	rows, trips := t.Sum()
	return rows == t.RowsRead && trips == t.TripsRead+t.OffRow
}
