package judge_test

import (
	"testing"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// A person has to act at once on four things, and otherwise only on a trip that is not as the
// schedule has it in the service, with a pickup before people have seen the list.
func TestDue(t *testing.T) {
	type o = importer.Outcome
	at := func(day, hour, minute int) importer.DateTime {
		return importer.DateTime{Date: importer.Date{Year: 2026, Month: 12, Day: day}, TimeOfDay: importer.TimeOfDay{Hour: hour, Minute: minute}}
	}
	night, ten := at(1, 21, 30), at(2, 10, 0)
	soon, late := at(2, 9, 59), at(2, 10, 0)
	times, comment := []string{"pickup.pickup_time"}, []string{"pickup.comment"}
	for _, c := range []struct {
		name           string
		outcome        importer.Outcome
		pickup, booked importer.DateTime
		want           importer.Urgency
	}{
		{"may be booked, far ahead", o{State: importer.Unknown, Attempt: 1, Attempts: 1}, at(9, 12, 0), at(9, 12, 0), importer.ActNow},
		{"may be booked, past, of an earlier run", o{State: importer.Unknown, Attempt: 1}, at(1, 12, 0), at(1, 12, 0), importer.NoAction},
		{"may be booked, past, of this run", o{State: importer.Unknown, Attempt: 1, Attempts: 1}, at(1, 12, 0), at(1, 12, 0), importer.ActNow},
		{"not there, a person says", o{State: importer.Unknown, Answered: true}, late, late, importer.ToSend},
		{"reinstate", o{State: importer.ReinstateByHand, Attempt: 1}, at(9, 12, 0), at(9, 12, 0), importer.ActNow},
		{"a contradiction", o{State: importer.ChangeByHand, Attempt: 1, Contradicted: true}, at(9, 12, 0), at(9, 12, 0), importer.ActNow},
		{"a possible second car", o{State: importer.Held, Question: importer.AskDoubleBooking, Attempt: 1}, at(9, 12, 0), importer.DateTime{}, importer.ActNow},
		{"two rows of a file, neither booked", o{State: importer.Held, Question: importer.AskDoubleBooking}, late, importer.DateTime{}, importer.ToSend},
		{"another question", o{State: importer.Held, Question: importer.AskRider}, late, importer.DateTime{}, importer.ToSend},
		{"another question, before", o{State: importer.Held, Question: importer.AskRider}, soon, importer.DateTime{}, importer.ActNow},
		{"to fix", o{State: importer.Fix}, late, importer.DateTime{}, importer.ToSend},
		{"to fix, before", o{State: importer.Fix}, soon, importer.DateTime{}, importer.ActNow},
		{"half booked", o{State: importer.Refused, HalfBooked: true}, late, importer.DateTime{}, importer.ToSend},
		{"half booked, before", o{State: importer.Refused, HalfBooked: true}, soon, importer.DateTime{}, importer.ActNow},
		{"limited by a person, before", o{State: importer.NotSent, Limited: true}, soon, importer.DateTime{}, importer.ToSend},
		{"too late", o{State: importer.NotSent, TooLate: true}, at(1, 20, 0), importer.DateTime{}, importer.ActNow},
		{"too late since the morning", o{State: importer.NotSent, TooLate: true}, at(1, 8, 0), importer.DateTime{}, importer.ToSend},
		{"no time can be read", o{State: importer.Fix}, importer.DateTime{}, importer.DateTime{}, importer.ActNow},
		{"cancel, before", o{State: importer.CancelByHand, Attempt: 1}, soon, soon, importer.Listed},
		{"gone, before", o{State: importer.CancelByHand, Attempt: 1}, soon, soon, importer.Listed},
		{"no GUID, before", o{State: importer.Booked, GUIDMissing: true}, soon, soon, importer.Listed},
		{"a comment, before", o{State: importer.ChangeByHand, Changed: comment, Attempt: 1}, soon, soon, importer.Listed},
		{"another time", o{State: importer.ChangeByHand, Changed: times, Attempt: 1}, late, late, importer.Listed},
		{"another time, the new one before", o{State: importer.ChangeByHand, Changed: times, Attempt: 1}, soon, late, importer.ActNow},
		{"another time, the old one before", o{State: importer.ChangeByHand, Changed: times, Attempt: 1}, late, soon, importer.ActNow},
		{"another place, before", o{State: importer.ChangeUnknown, Changed: []string{"dropoff.event_location.city"}, Attempt: 1}, soon, soon, importer.ActNow},
		{"back in the schedule, before", o{State: importer.ChangeByHand, Back: true, Attempt: 1}, soon, soon, importer.ActNow},
		{"back in the schedule", o{State: importer.ChangeByHand, Back: true, Attempt: 1}, late, late, importer.Listed},
		{"of a newer schedule that has it", o{State: importer.Held, Superseded: true}, soon, importer.DateTime{}, importer.ActNow},
		{"of a newer schedule that does not", o{State: importer.Held, Superseded: true, Unwanted: true}, soon, importer.DateTime{}, importer.Listed},
		{"a will call alone", o{State: importer.Fix}, at(2, 23, 59), importer.DateTime{}, importer.ToSend},
		{"booked", o{State: importer.Booked}, soon, soon, importer.NoAction},
		{"left out", o{State: importer.LeftOut}, soon, importer.DateTime{}, importer.NoAction},
	} {
		c.outcome.Begins = c.booked
		trips := []importer.TripResult{{Trip: importer.Trip{Pickup: importer.Event{PickupTime: c.pickup}}, Outcome: c.outcome}}
		if judge.Due(trips, late.Date, night, ten); trips[0].Outcome.Due != c.want {
			t.Errorf("%s: %d, want %d", c.name, trips[0].Outcome.Due, c.want)
		}
	}

	both := []importer.TripResult{
		{Trip: importer.Trip{Leg: importer.OutboundLeg, Pickup: importer.Event{PickupTime: soon}}, Outcome: o{State: importer.Booked}},
		{Trip: importer.Trip{Leg: importer.ReturnLeg, Type: importer.WillCall, Pickup: importer.Event{PickupTime: at(2, 23, 59)}}, Outcome: o{State: importer.Refused, HalfBooked: true}},
	}
	if judge.Due(both, late.Date, night, ten); both[1].Outcome.Due != importer.ActNow || both[1].Outcome.DueAt != soon {
		t.Errorf("a will call is due with its other leg: %d, %s", both[1].Outcome.Due, both[1].Outcome.DueAt)
	}
	terminal := []importer.TripResult{
		{Trip: importer.Trip{Pickup: importer.Event{PickupTime: at(2, 0, 30)}}, Outcome: o{State: importer.Fix}},
		{Trip: importer.Trip{Pickup: importer.Event{PickupTime: at(2, 0, 31)}}, Outcome: o{State: importer.Fix}},
	}
	if judge.Due(terminal, late.Date, night, importer.DateTime{}); terminal[0].Outcome.Due != importer.ActNow || terminal[1].Outcome.Due != importer.ToSend {
		t.Error("somebody at a terminal sees to the next three hours")
	}
}
