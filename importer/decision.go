package importer

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Decision says what a person decided about, where that is no attempt to book a
// trip. What is not needed for the question is not set.
type Decision struct {
	// Question is the question that was answered; NoQuestion for a row that is to
	// be left. An AskDoubleBooking is about the rider and the two places of Trip,
	// with their units, on any day. An AskWord is about Column and Word of the
	// broker. Any other question is about the row and the leg of Trip on its day,
	// and about the attempt Other. A row that is left is about the row, the leg and
	// the values of Trip, and about those with which the trip was tried before: they may
	// have been changed in results since, while the schedule still has them. Without a
	// Trip, the booked trip of the attempt Other is left.
	Question Question
	Key      RowKey
	Trip     *Trip
	// Other is Outcome.Attempt: the attempt of the booked trip that the question
	// names; of a row that is left, the attempt of its own trip. The answer closes what
	// is urgent of it.
	Other int64
	// Column and Word are the header and the content of a cell.
	Column, Word string
	// Places are compared in place of Trip.Places; nil for those.
	Places *Identity
	// From names results out of which the answer was taken. The decision then says only
	// that it was: results may be given again after something else was answered.
	From string
}

// Subject returns in texts what the decision is about. Two decisions are about one thing
// if their texts are equal. It reports false for a decision that nothing identifies:
// nothing can be decided about it. The texts are row content, so what is stored is a
// keyed hash.
func (d *Decision) Subject() ([]string, bool) {
	subject, ok := d.about()
	if d.From != "" {
		subject = slices.Concat([]string{"from", d.From}, subject)
	}
	return subject, ok
}

// about is Subject for an answer from anywhere.
func (d *Decision) about() ([]string, bool) {
	if d.Question == AskWord {
		return []string{d.Question.Code(), d.Key.Broker, wordText(d.Column), wordText(d.Word)}, d.Column != "" && d.Word != ""
	}
	if d.Trip == nil { // a booked trip that no row makes
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

// LeftTrip returns in texts which trip of which row is left, whatever its values, and on
// whatever day. It reports false where the decision is not that a row is left.
func (d *Decision) LeftTrip() ([]string, bool) {
	if d.Question != NoQuestion || d.Trip == nil || d.From != "" {
		return nil, false
	}
	return d.tripOfRow("left")
}

// tripOfRow returns in texts a trip of a row, behind what is asked about it. It reports
// false for a row without an id.
func (d *Decision) tripOfRow(asked string) ([]string, bool) {
	row := cmp.Or(d.Key.ID, d.Key.TripID)
	return []string{asked, d.Key.Broker, row, d.Trip.Leg.Code()}, row != ""
}

// wordText returns the form in which words are compared: without case and spaces.
func wordText(word string) string { return strings.ToLower(strings.Join(strings.Fields(word), "")) }
