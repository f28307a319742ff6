package results

import (
	"testing"

	"tripimport/importer"
)

// A row needs a person for everything that neither a run nor a fixed cell can correct
// before the trip's time.
func TestNeedOf(t *testing.T) {
	row := func(outcomes ...importer.Outcome) importer.RowResult {
		r := importer.RowResult{}
		for _, o := range outcomes {
			if o.Due == importer.NoAction && o.Attempt == 0 {
				o.Due = o.State.Urgency()
			}
			r.Trips = append(r.Trips, importer.TripResult{Outcome: o})
		}
		r.Summarize()
		return r
	}
	of := func(states ...importer.State) importer.RowResult {
		var outcomes []importer.Outcome
		for _, s := range states {
			outcomes = append(outcomes, importer.Outcome{State: s})
		}
		return row(outcomes...)
	}
	linked := of(importer.Booked)
	asked := importer.Outcome{State: importer.Held, Question: importer.AskRider, Due: importer.ToSend}
	linked.HalfBooked, linked.Trips[0].Outcome.HalfBooked = true, true

	for _, tt := range []struct {
		name string
		row  importer.RowResult
		want need
	}{
		{"too late", row(importer.Outcome{State: importer.NotSent, TooLate: true, Due: importer.ActNow}), needsPerson},
		{"a return that is too late", row(importer.Outcome{State: importer.NotSent}, importer.Outcome{State: importer.NotSent, TooLate: true, Due: importer.ActNow}), needsPerson},
		{"booked without a GUID", row(importer.Outcome{State: importer.Booked, GUIDMissing: true, Due: importer.Listed}), needsList},
		{"half booked", row(importer.Outcome{State: importer.Booked}, importer.Outcome{State: importer.Fix, HalfBooked: true, Due: importer.ActNow}), needsPerson},
		{"half booked, and raised before", of(importer.Booked, importer.Fix), needsList},
		{"half booked with another row", linked, needsList},
		{"may be booked", of(importer.Unknown), needsPerson},
		{"changed since it was booked", of(importer.ChangeByHand), needsList},
		{"cancelled after it was booked", of(importer.CancelByHand), needsList},
		{"cancelled, and soon", row(importer.Outcome{State: importer.CancelByHand, Due: importer.ActNow}), needsPerson},
		{"cancelled, and past", row(importer.Outcome{State: importer.CancelByHand, Attempt: 1}), needsNothing},
		{"may be booked, and raised before", row(importer.Outcome{State: importer.Unknown, Due: importer.ActNow, Raised: true}), needsPerson},
		{"may be booked, and a person says not there", row(importer.Outcome{State: importer.Unknown, Answered: true, Due: importer.ToSend}), needsRun},
		{"a question", row(asked), needsAnswer},
		{"a question, and soon", row(importer.Outcome{State: importer.Held, Question: importer.AskRider, Due: importer.ActNow}), needsPerson},
		{"a question, and a leg that waits for it", row(importer.Outcome{State: importer.Held}, asked), needsAnswer},
		{"a question, and another leg not sent", row(importer.Outcome{State: importer.NotSent}, asked), needsAnswer},
		{"a changed return behind one that may be booked", of(importer.Unknown, importer.ChangeByHand), needsPerson},
		{"a fault", of(importer.Fix), needsFixing},
		{"a fault, and a leg that waits for it", of(importer.Held, importer.Fix), needsFixing},
		{"refused", of(importer.Refused), needsFixing},
		{"not sent", of(importer.NotSent), needsRun},
		{"held", of(importer.Held), needsRun},
		{"booked", of(importer.Booked), needsNothing},
		{"booked earlier", of(importer.BookedEarlier, importer.Booked), needsNothing},
		{"left out", of(importer.LeftOut), needsNothing},
		{"ready", of(importer.Ready), needsNothing},
	} {
		if got := needOf(&tt.row); got != tt.want {
			t.Errorf("%s: it needs %q, want %q", tt.name, got, tt.want)
		}
	}
}
