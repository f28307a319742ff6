package importer

import (
	"errors"
	"time"
)

// A GUIDTaken is the error of a ledger for a GUID that another trip has, the one with the number Trip; 0 if
// two trips were to get it at once.
type GUIDTaken struct{ Trip int64 }

// Error tells it without the GUID, which a log may not have.
func (GUIDTaken) Error() string { return "another trip has this GUID" }

// ErrMeanwhile is returned by a ledger that refuses to write because a row or a trip has
// another last event than the one that was seen, or because a trip that was not seen shares
// a key.
var ErrMeanwhile = errors.New("something changed meanwhile")

// A Step is what the gate lets leave: one booking or one change of one trip.
type Step struct {
	Run string
	// Row is the row, and Leg the index of the trip in Row.Trips. RowID is Known.ID, and RowNumber
	// the ledger's number of the row; 0 for a row that no arrival had.
	Row       *Mapped
	Leg       int
	RowID     string
	RowNumber int64
	// Own are the keyed hashes of the trip, from Known, and Seen the values that the row's
	// last word has for it: those of the schedule, whatever a person fixed. It is nil if the
	// row has no word; then Own.Values stand for it.
	Own  Own
	Seen Values
	// Account is where the trip is booked.
	Account Account
	// Trip is the number of the trip, or 0 for one that the ledger does not have.
	Trip int64
	// Change are the keys of the properties to change. It is nil for a booking.
	Change []string
	// Saw is what the judge saw when it decided the step.
	Saw []LastEvent
	// Mapping identifies the mapping.
	Mapping string
	// At is when the step is made.
	At time.Time
}

// Step returns the step about the trip with the index of a row, as far as it is known.
func (k *Known) Step(row *Mapped, trip int) Step {
	s := Step{Row: row, Leg: trip, RowID: k.ID, RowNumber: k.Row, Saw: k.Saw()}
	if trip < len(k.Own) {
		s.Own = k.Own[trip]
	}
	if word := k.Word(); word != nil {
		if leg := word.Leg(row.Trips[trip].Leg); leg != nil {
			s.Seen = leg.Values
		}
	}
	return s
}

// A Ticket is a granted Step. It is settled once.
type Ticket struct {
	// Trip is the number of the trip, and Event that of the claim.
	Trip, Event int64
}

// A Settled is what came of a Ticket.
type Settled struct {
	// State is TripBooked, TripRefused, TripUnclear or TripNotSent. For a change TripBooked
	// means that the service took it.
	State TripState
	// GUID is the trip's, if it was created. GUIDMissing reports that it was created and
	// the service did not give its GUID.
	GUID        string
	GUIDMissing bool
	// HTTPStatus is the status of the reply, 0 without one.
	HTTPStatus int
	// Code is Reply.Code, which has no row content.
	Code string
	At   time.Time
}

// CodeBookedByHand is the Settled.Code of a trip that a person entered in the
// service: it was never sent, and nobody asks for its GUID.
const CodeBookedByHand = "booked_by_hand"
