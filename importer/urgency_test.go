package importer_test

import (
	"testing"

	"tripimport/importer"
)

// What is urgent is so once, and stays on the list, or to be sent, as long as it is open.
func TestRaised(t *testing.T) {
	for _, c := range []struct {
		outcome importer.Outcome
		want    importer.Urgency
	}{
		{importer.Outcome{State: importer.Unknown, Due: importer.ActNow}, importer.ActNow},
		{importer.Outcome{State: importer.Unknown, Due: importer.ActNow, Raised: true}, importer.Listed},
		{importer.Outcome{State: importer.Refused, Due: importer.ActNow, Raised: true}, importer.ToSend},
		{importer.Outcome{State: importer.CancelByHand, Due: importer.Listed, Raised: true}, importer.Listed},
		{importer.Outcome{State: importer.Booked, Raised: true}, importer.NoAction},
	} {
		if got := c.outcome.Urgency(); got != c.want {
			t.Errorf("%s, raised %v: %d, want %d", c.outcome.State.Code(), c.outcome.Raised, got, c.want)
		}
	}
}

// A trip has the same item as long as it is open for the same reason. A trip that no ledger has is
// none.
func TestItem(t *testing.T) {
	trip := func(o importer.Outcome) *importer.TripResult { return &importer.TripResult{Outcome: o} }
	at := func(o importer.Outcome, street string) *importer.TripResult {
		return &importer.TripResult{Trip: importer.Trip{Pickup: importer.Event{Address1: street}}, Outcome: o}
	}
	fix := importer.Outcome{State: importer.Fix, RowNumber: 7}
	fixAgain := importer.Outcome{State: importer.Fix, RowNumber: 7, Attempt: 3, HalfBooked: true, Saw: 9}
	other := importer.Outcome{State: importer.Fix, RowNumber: 8}
	unknown := importer.Outcome{State: importer.Unknown, RowNumber: 7, Attempt: 7, Attempts: 1}
	later := importer.Outcome{State: importer.Unknown, RowNumber: 7, Attempt: 7, Saw: 5}
	again := importer.Outcome{State: importer.Unknown, RowNumber: 7, Attempt: 9}
	change := importer.Outcome{State: importer.ChangeByHand, RowNumber: 7, Attempt: 7, Changed: []string{"pickup.address"}}
	for _, c := range []struct {
		what string
		a, b *importer.TripResult
		same bool
	}{
		{"to fix, and half booked since", trip(fix), trip(fixAgain), true},
		{"to fix, two rows", trip(fix), trip(other), false},
		{"may be booked, in a later run", trip(unknown), trip(later), true},
		{"may be booked, another trip", trip(unknown), trip(again), false},
		{"changed, in a later run", at(change, "1 Alder Ct"), at(change, "1 Alder Ct"), true},
		{"changed once more", at(change, "1 Alder Ct"), at(change, "2 Alder Ct"), false},
	} {
		a, ok := c.a.Item()
		b, okB := c.b.Item()
		if !ok || !okB || (a == b) != c.same {
			t.Errorf("%s: %v, %v", c.what, a, b)
		}
	}
	if item, ok := trip(importer.Outcome{State: importer.Fix}).Item(); ok {
		t.Errorf("a trip that no ledger has is %v", item)
	}
}
