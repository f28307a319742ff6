package importer_test

import (
	"testing"

	"tripimport/importer"
)

// An urgent trip is ActNow once, and again shortly before it begins, and not any more
// when it is past. A trip that is not booked stays ToSend.
func TestUrgency(t *testing.T) {
	type o = importer.Outcome
	for _, c := range []struct {
		what    string
		outcome o
		want    importer.Urgency
	}{
		{"new", o{State: importer.Unknown, Attempt: 1, Attempts: 1}, importer.ActNow},
		{"of a run that was broken off", o{State: importer.Unknown, Attempt: 1}, importer.ActNow},
		{"raised", o{State: importer.Unknown, Attempt: 1, Raised: true}, importer.Listed},
		{"raised, now soon", o{State: importer.Unknown, Attempt: 1, Soon: true}, importer.ActNow},
		{"raised since it is soon", o{State: importer.Unknown, Attempt: 1, Raised: true, Soon: true}, importer.Listed},
		{"raised, past", o{State: importer.Unknown, Attempt: 1, Raised: true, Past: true}, importer.NoAction},
		{"past while it was sent", o{State: importer.Unknown, Attempt: 1, Attempts: 1, Past: true}, importer.ActNow},
		{"past, the ledger was not asked", o{State: importer.Unknown, Past: true}, importer.ActNow},
		{"said too early not to be there", o{State: importer.Unknown, Answered: true, Attempt: 1}, importer.ToSend},
		{"cancel", o{State: importer.CancelledCreated, Attempt: 1}, importer.Listed},
		{"cancel, soon", o{State: importer.CancelledCreated, Attempt: 1, Soon: true}, importer.ActNow},
		{"cancel, raised since it is soon", o{State: importer.CancelledCreated, Attempt: 1, Soon: true, Raised: true}, importer.Listed},
		{"cancel, past", o{State: importer.CancelledCreated, Attempt: 1, Past: true}, importer.NoAction},
		{"change, soon", o{State: importer.Changed, Attempt: 1, Soon: true}, importer.ActNow},
		{"reinstate, raised", o{State: importer.Reinstate, Attempt: 1, Raised: true}, importer.Listed},
		{"no GUID, raised", o{State: importer.AlreadyCreated, GUIDMissing: true, Attempt: 1, Raised: true}, importer.Listed},
		{"half booked", o{State: importer.Refused, HalfBooked: true}, importer.ActNow},
		{"half booked, raised", o{State: importer.Refused, HalfBooked: true, Raised: true}, importer.ToSend},
		{"replaced, raised", o{State: importer.Waiting, Question: importer.AskReplaced, Raised: true}, importer.ToSend},
		{"to fix", o{State: importer.Invalid}, importer.ToSend},
		{"to fix, soon", o{State: importer.Invalid, Soon: true}, importer.ActNow},
		{"to fix, raised since it is soon", o{State: importer.Invalid, Soon: true, Raised: true}, importer.ToSend},
		{"half booked, raised since it is soon", o{State: importer.Refused, HalfBooked: true, Soon: true, Raised: true}, importer.ToSend},
		{"to fix, past", o{State: importer.Invalid, Past: true}, importer.ToSend},
		{"booked, soon", o{State: importer.AlreadyCreated, Attempt: 1, Soon: true}, importer.NoAction},
		{"booked, past", o{State: importer.Created, Attempt: 1, Attempts: 1, Past: true}, importer.NoAction},
		{"left out, soon", o{State: importer.Skipped, Soon: true}, importer.NoAction},
	} {
		if got := c.outcome.Urgency(); got != c.want {
			t.Errorf("%s: %d, want %d", c.what, got, c.want)
		}
	}
}

// A trip has the same item as long as it is open for the same reason. A trip without an
// id has no item.
func TestItem(t *testing.T) {
	trip := func(id string, o importer.Outcome) importer.TripResult {
		return importer.TripResult{Trip: importer.Trip{ID: id, Provider: "Lakeshore Transit"}, Outcome: o}
	}
	refused := importer.Outcome{State: importer.Refused, HalfBooked: true, Attempt: 7, Attempts: 1}
	later := importer.Outcome{State: importer.Invalid, HalfBooked: true}
	tooLate := importer.Outcome{State: importer.NotSent, HalfBooked: true, TooLate: true}
	unknown := importer.Outcome{State: importer.Unknown, Attempt: 7, Attempts: 1}
	renamed := importer.Outcome{State: importer.Unknown, Attempt: 7}
	again := importer.Outcome{State: importer.Unknown, Attempt: 9}
	for _, c := range []struct {
		what string
		a, b importer.TripResult
		same bool
	}{
		{"half booked, refused and then to fix", trip("T-1", refused), trip("T-1", later), true},
		{"half booked, two trips", trip("T-1", later), trip("T-2", later), false},
		{"half booked, and too late", trip("T-1", later), trip("T-1", tooLate), false},
		{"unknown under another id", trip("T-1", unknown), trip("T-2", renamed), true},
		{"unknown, sent again", trip("T-1", unknown), trip("T-1", again), false},
	} {
		a, ok := c.a.Item()
		b, okB := c.b.Item()
		if !ok || !okB || (a == b) != c.same {
			t.Errorf("%s: %v, %v", c.what, a, b)
		}
	}
	nameless := trip("", later)
	if item, ok := nameless.Item(); ok {
		t.Errorf("a trip without an id is %v", item)
	}
}
