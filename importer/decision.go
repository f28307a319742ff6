package importer

import (
	"cmp"
	"slices"
	"strconv"
)

// A Decision is the subject of a person's answer that is not about an attempt to book a
// trip. Only the fields that the question needs are set.
type Decision struct {
	// Question is the question that was answered, or NoQuestion if a trip is to be left.
	// An AskDoubleBooking is about the rider and the two places of Trip, with their
	// units, on any day. An AskWord is about Column and Word of the broker. Any other
	// question is about the row and the leg of Trip on its day, and about the attempt
	// Other. NoQuestion with a Trip is about the row, the leg and the values of Trip, and
	// about the values with which the trip was tried before, because a person may have
	// changed them in results since, while the schedule still has the old ones.
	// NoQuestion without a Trip leaves the booked trip of the attempt Other.
	Question Question
	Key      RowKey
	Trip     *Trip
	// Other is Outcome.Attempt: the attempt of the booked trip that the question names,
	// or for NoQuestion the attempt of the trip that is left. The answer closes the
	// urgent items of that attempt.
	Other int64
	// Column and Word are the header and the content of a cell.
	Column, Word string
	// Places are compared in place of Trip.Places if they are set.
	Places *Identity
	// From names the results file from which the answer was taken. If it is set, the
	// decision records only that this file's answer was taken, because the file may be
	// given again after a later answer to the same question.
	From string
}

// Subject returns texts that identify what the decision is about: two decisions with
// equal texts are about the same thing. It reports false if the fields that identify the
// subject are empty; nothing can be decided then. The texts are row content, so ledgers
// store a keyed hash of them.
func (d *Decision) Subject() ([]string, bool) {
	subject, ok := d.about()
	if d.From != "" {
		subject = slices.Concat([]string{"from", d.From}, subject)
	}
	return subject, ok
}

// about returns the Subject without regard to From.
func (d *Decision) about() ([]string, bool) {
	if d.Question == AskWord {
		return []string{d.Question.Code(), d.Key.Broker, WordKey(d.Column), WordKey(d.Word)}, d.Column != "" && d.Word != ""
	}
	if d.Trip == nil { // the booked trip of an attempt, which no row makes any more
		return []string{d.Question.Code(), "attempt", strconv.FormatInt(d.Other, 10)}, d.Other != 0
	}
	if d.Question == AskDoubleBooking {
		id, ok := d.Trip.Places()
		if d.Places != nil {
			id = *d.Places
		}
		return []string{d.Question.Code(), id.Rider, id.Pickup, id.PickupUnit, id.Dropoff, id.DropoffUnit}, ok
	}

	subject, ok := d.tripOfRow(d.Question.Code())
	subject = append(subject, d.Trip.Date().String())
	if d.Question != NoQuestion {
		return append(subject, strconv.FormatInt(d.Other, 10)), ok
	}
	for _, p := range d.Trip.Properties() {
		subject = append(subject, p.Key, p.Value)
	}
	return subject, ok
}

// LeftTrip returns texts that identify the row and the leg of a trip that is left,
// whatever its values and its day. It reports false if the decision is not to leave a
// trip.
func (d *Decision) LeftTrip() ([]string, bool) {
	if d.Question != NoQuestion || d.Trip == nil || d.From != "" {
		return nil, false
	}
	return d.tripOfRow("left")
}

// tripOfRow returns texts that identify a trip by its row and leg, beginning with what is
// asked about it. It reports false for a row without an id.
func (d *Decision) tripOfRow(asked string) ([]string, bool) {
	row := cmp.Or(d.Key.ID, d.Key.TripID)
	return []string{asked, d.Key.Broker, row, d.Trip.Leg.Code()}, row != ""
}
