package importer

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// An Outcome is what became of one trip.
type Outcome struct {
	State State
	Why   Why `json:",omitzero"`
	// GUID is the GUID that the service gave a booked trip; empty if not known.
	GUID string `json:",omitzero"`
	// GUIDMissing reports that the service created the trip and did not give its
	// GUID. A person has to look it up.
	GUIDMissing bool `json:",omitzero"`
	// TooLate reports that the trip was not sent because its pickup time has
	// passed, or that its row has a fault and the time passed in the last three hours.
	TooLate bool `json:",omitzero"`
	// Changed are the keys of the properties (Property.Key) that differ from what
	// was booked. Updated are those that this run changed in the service; they are
	// not among Changed.
	Changed, Updated []string `json:",omitzero"`
	// Guarded reports that the change is one of many that are not sent before a person has looked at
	// them, for the same Reason.
	Guarded bool `json:",omitzero"`
	// Edited reports that the row comes from results, in which people may have changed
	// it. An import reads the schedule, which may not have what differs.
	Edited bool `json:",omitzero"`
	// Misplaced reports that the service placed a changed address more than 300 m
	// from where the schedule has it.
	Misplaced bool `json:",omitzero"`
	// BookedAt is when an earlier run booked the trip; zero if none did. Begins is when
	// the trip, as it was booked, begins.
	BookedAt time.Time `json:",omitzero"`
	Begins   DateTime  `json:",omitzero"`
	// Question is what a person is asked about a Held trip, or, if it is AskWord,
	// about a booked one.
	Question Question `json:",omitzero"`
	// Answered reports that a person, not the service, said that the trip is booked.
	Answered bool `json:",omitzero"`
	// Attempt is the ledger's number of the attempt that a person's answer is
	// about: the trip's own, or that of the booked trip that Question names. It is
	// 0 if there is none.
	Attempt int64 `json:",omitzero"`
	// RowNumber is the ledger's number of the trip's row, and Saw the number of the last
	// event of the trip, of its row and of the trip that Question names. An answer refers to
	// them. Both are 0 without a ledger.
	RowNumber, Saw int64 `json:",omitzero"`
	// Reason explains the state in words where problems do not: why the trip was
	// left out or was not sent.
	Reason string `json:",omitzero"`
	// HTTPStatus and Message are from the service's last answer; 0 and empty
	// without one. Message may have row content, so it is for results only.
	HTTPStatus int    `json:",omitzero"`
	Message    string `json:",omitzero"`
	// Attempts is how often this run sent the trip or tried to.
	Attempts int `json:",omitzero"`
	// SentAt and AnsweredAt are the times of the last attempt.
	SentAt, AnsweredAt time.Time `json:",omitzero"`
	// HalfBooked reports that the trip is missing while another leg or a linked trip
	// is booked.
	HalfBooked bool `json:",omitzero"`
	// DueAt is when the trip begins, for people who have to act before: by the schedule, or as
	// it was booked if that is earlier. A will call is due with its other leg, or at noon. Due
	// is how soon they have to act, and Raised reports that an earlier run raised the trip's
	// Item. The judge sets DueAt and Due.
	DueAt  DateTime `json:",omitzero"`
	Due    Urgency  `json:",omitzero"`
	Raised bool     `json:",omitzero"`
	// Contradicted reports that answers about the trip contradict each other. Back reports that
	// it was listed to be cancelled and is wanted again: perhaps somebody has cancelled it.
	Contradicted, Back bool `json:",omitzero"`
	// Moved reports that a person wants the trip left, and that its rider, time or place is another
	// one since.
	Moved bool `json:",omitzero"`
	// Superseded reports that the trip is held because a newer schedule says something else of
	// its row.
	Superseded bool `json:",omitzero"`
	// Unwanted reports that a newer schedule does not want the trip.
	Unwanted bool `json:",omitzero"`
	// Remarks are the keys of the properties that are otherwise in the schedule now and that the service can't
	// change, such as phones.
	Remarks []string `json:",omitzero"`
	// Older reports that the row is not the last word: what is open about it is known from the newer one.
	Older bool `json:",omitzero"`
	// Limited reports that the trip was not sent because a person limited the run to so
	// many rows.
	Limited bool `json:",omitzero"`
}

// Left reports that a person answered to leave the trip, which is not booked.
func (o *Outcome) Left() bool { return o.State == LeftOut && o.Answered && o.Attempt == 0 }

// Asked reports whether the trip is held until a person answers a question.
func (o *Outcome) Asked() bool { return o.State == Held && o.Question != NoQuestion }

// Worse reports whether an outcome is worse than another one, so that a row with both has its
// state. A question comes before what is to be fixed or sent again.
func (o *Outcome) Worse(p *Outcome) bool {
	if o.State.Missing() && p.State.Missing() && o.Asked() != p.Asked() {
		return o.Asked()
	}
	return o.State.Worse(p.State)
}

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

// FixedAlike reports whether a fault is in a column, so that its cell may be fixed together with those that say the same. One that
// tells the rider or the trip may not: the others are of other ones.
func (r *RowResult) FixedAlike(col int) bool {
	return slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Severity == Fault && p.Names(col) }) &&
		!slices.ContainsFunc(r.Trips[0].Trip.Cells(FieldRiderID, FieldTripID), func(at Ref) bool { return at.Col == col })
}

// Summarize sets State and HalfBooked from the outcomes of the row's trips. It is
// the only place that decides a row's state. HalfBooked stays set if it was set before,
// because of linked trips on other rows.
func (r *RowResult) Summarize() {
	worst, booked, missing := 0, false, false
	for i := range r.Trips {
		o := &r.Trips[i].Outcome
		if o.Worse(&r.Trips[worst].Outcome) {
			worst = i
		}
		booked = booked || o.State.Booked()
		missing = missing || o.State.Missing()
	}

	r.State, r.HalfBooked = r.Trips[worst].Outcome.State, r.HalfBooked || booked && missing
}

// Listed returns a text about the row as it is shown everywhere except in results:
// without trip ids that tell who the rider is.
func (r *RowResult) Listed(text string) string {
	for i := range r.Trips {
		text = r.Trips[i].Trip.Listed(text)
	}
	return text
}

// Urgency returns the urgency of the outcome in this run: Due, unless an earlier run raised it.
func (o *Outcome) Urgency() Urgency {
	switch {
	case o.Due != ActNow || !o.Raised:
		return o.Due
	case o.State.Missing():
		return ToSend
	}
	return Listed
}

// An Item identifies something urgent, so that it is raised once. Subject is the leg, and Detail
// what is urgent about it: another Detail is raised again. Both may be row content.
type Item struct{ Subject, Detail string }

// Item returns the item of a trip. It reports false for a trip that no ledger has: each run
// raises it.
func (t *TripResult) Item() (Item, bool) {
	o := &t.Outcome
	detail := []string{o.State.Code(), o.Question.Code(), fmt.Sprint(o.Contradicted)}
	if !o.State.Missing() {
		detail = append(detail, fmt.Sprint(o.Attempt))
	}
	if o.State.Booked() && len(o.Changed) > 0 {
		detail = append(detail, t.Trip.Time().String(), t.Trip.Pickup.Address(), t.Trip.Dropoff.Address())
		detail = append(detail, slices.Sorted(slices.Values(o.Changed))...)
	}
	return Item{fmt.Sprint("row ", o.RowNumber, " ", t.Trip.Leg.Code(), t.OffRow), strings.Join(detail, "\n")}, o.RowNumber != 0
}
