package app

import (
	"errors"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// A run whose end could not be recorded in the ledger never has the status of a run that sent
// nothing.
func TestUnrecordedEnd(t *testing.T) {
	full := &ledger.Error{Code: "ledger-full", Reason: "the disk is full", Fix: "make room"}
	for _, test := range []struct {
		result importer.RunResult
		want   Status
	}{
		{importer.RunResult{}, Later},
		{importer.RunResult{Stop: &importer.Stop{Later: true}}, Later},
		{importer.RunResult{Stop: &importer.Stop{}}, Blocked},
		{importer.RunResult{Interrupted: true}, Interrupted},
	} {
		test.result.Totals.Trips[importer.Booked] = 1
		if got := StatusOf(afterSending(errors.Join(nil, full), test.result)); got != test.want {
			t.Errorf("%+v: status %d, want %d", test.result, got, test.want)
		}
	}

	if got := StatusOf(afterSending(full, importer.RunResult{})); got != NotSetUp {
		t.Errorf("nothing was sent: status %d, want %d", got, NotSetUp)
	}
}

// The status of a finished run, one state of a trip at a time: what needs a
// person comes before what is to be fixed.
func TestStatusOfRun(t *testing.T) {
	want := map[importer.State]Status{
		importer.Unknown: NeedsPerson, importer.ReinstateByHand: NeedsPerson,
		importer.ChangeUnknown: Listed, importer.CancelByHand: Listed, importer.ChangeByHand: Listed, importer.Changed: Done,
		importer.Refused: FixRows, importer.Fix: FixRows, importer.NotSent: FixRows, importer.Held: FixRows,
		importer.Booked: Done, importer.BookedEarlier: Done, importer.LeftOut: Done, importer.Ready: Done,
	}

	for i := range importer.StateCount {
		s := importer.State(i)
		status, listed := want[s]
		if !listed {
			t.Errorf("%s has no status: say here which one a run with such a trip ends with", s.Code())
			continue
		}
		var totals importer.Totals
		totals.Add(&importer.RowResult{State: s, Trips: []importer.TripResult{{Outcome: importer.Outcome{State: s, Due: s.Urgency()}}}})
		if got := statusOfRun(importer.RunResult{Totals: totals}); got != status {
			t.Errorf("%s: status %d, want %d", s.Code(), got, status)
		}
	}

	var totals importer.Totals
	totals.Add(&importer.RowResult{Trips: []importer.TripResult{{Outcome: importer.Outcome{State: importer.Fix, Due: importer.ActNow}}}})
	if got := statusOfRun(importer.RunResult{Totals: totals}); got != NeedsPerson {
		t.Errorf("an urgent trip: status %d, want %d", got, NeedsPerson)
	}

	allLeftOut := importer.Totals{RowsRead: 1}
	allLeftOut.Add(&importer.RowResult{State: importer.LeftOut})
	someLeftOut := importer.Totals{RowsRead: 2}
	someLeftOut.Add(&importer.RowResult{State: importer.LeftOut})
	someLeftOut.Add(&importer.RowResult{State: importer.Booked})
	if statusOfRun(importer.RunResult{Totals: allLeftOut}) != Listed || statusOfRun(importer.RunResult{Totals: someLeftOut}) != Done {
		t.Error("a file of which everything is left out is for a person to look at, and no other")
	}
}
