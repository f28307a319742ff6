package importer_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// Every state has a code of its own, by which it is found again.
func TestStateCodes(t *testing.T) {
	for i := range importer.StateCount {
		s := importer.State(i)
		var parsed importer.State
		switch err := parsed.UnmarshalText([]byte(s.Code())); {
		case s.Code() == "":
			t.Errorf("state %d (%q) has no code", i, s)
		case err != nil || parsed != s:
			t.Errorf("state %d (%q) has the code %q, which is the code of %q", i, s, s.Code(), parsed)
		}
	}
	for _, code := range []string{"", "Booked", "12", "created"} {
		var s importer.State
		if err := s.UnmarshalText([]byte(code)); err == nil || s != importer.Unknown {
			t.Errorf("%q was taken for the code of %q", code, s)
		}
	}
}

// A type of cell is stored by its name, by which it is found again.
func TestCellTypeNames(t *testing.T) {
	for kind := importer.Empty; kind <= importer.ErrorCell; kind++ {
		name, err := kind.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		var back importer.CellType
		if err := back.UnmarshalText(name); err != nil || back != kind {
			t.Errorf("%s came back as %s: %v", kind, back, err)
		}
	}
	var kind importer.CellType
	if err := kind.UnmarshalText([]byte("1")); err == nil {
		t.Error("a number was taken for the name of a type of cell")
	}
}

// What each state means for a run and for its results.
func TestStateProperties(t *testing.T) {
	type properties struct{ booked, missing, needsPerson bool }
	for state, want := range map[importer.State]properties{
		importer.Unknown:         {needsPerson: true},
		importer.ReinstateByHand: {booked: true, needsPerson: true},
		importer.ChangeUnknown:   {booked: true, needsPerson: true},
		importer.CancelByHand:    {booked: true, needsPerson: true},
		importer.ChangeByHand:    {booked: true, needsPerson: true},
		importer.Refused:         {missing: true},
		importer.Fix:             {missing: true},
		importer.NotSent:         {missing: true},
		importer.Held:            {missing: true},
		importer.Changed:         {booked: true},
		importer.Booked:          {booked: true},
		importer.BookedEarlier:   {booked: true},
		importer.LeftOut:         {},
		importer.Ready:           {},

		importer.State(importer.StateCount): {needsPerson: true}, // as Unknown
	} {
		if got := (properties{state.Booked(), state.Missing(), state.NeedsPerson()}); got != want {
			t.Errorf("%s: %+v, want %+v", state.Code(), got, want)
		}
	}
	if importer.Unknown.Worse(importer.Unknown) || !importer.Unknown.Worse(importer.Booked) || importer.Booked.Worse(importer.Unknown) {
		t.Error("a state is worse than those after it, and no others")
	}
}

// A row has the worst state of its trips, and is half booked if one is booked and
// another is missing.
func TestSummarize(t *testing.T) {
	for _, tt := range []struct {
		name   string
		row    importer.RowResult
		states []importer.State
		want   importer.State
		half   bool
	}{
		{name: "left out", row: importer.RowResult{LeftOut: "turned back"}, states: []importer.State{importer.LeftOut}, want: importer.LeftOut},
		{name: "left out, and cancelled after it was booked", row: importer.RowResult{LeftOut: "cancelled"}, states: []importer.State{importer.CancelByHand}, want: importer.CancelByHand},
		{name: "a check", states: []importer.State{importer.Ready}, want: importer.Ready},
		{name: "both booked", states: []importer.State{importer.Booked, importer.BookedEarlier}, want: importer.Booked},
		{name: "the return missing", states: []importer.State{importer.Booked, importer.NotSent}, want: importer.NotSent, half: true},
		{name: "the outbound missing", states: []importer.State{importer.Fix, importer.BookedEarlier}, want: importer.Fix, half: true},
		{name: "both missing", states: []importer.State{importer.Refused, importer.Held}, want: importer.Refused},
		{name: "the return may be booked", states: []importer.State{importer.Booked, importer.Unknown}, want: importer.Unknown},
		{name: "linked with another row", row: importer.RowResult{HalfBooked: true}, states: []importer.State{importer.Booked}, want: importer.Booked, half: true},
	} {
		row := tt.row
		for _, s := range tt.states {
			row.Trips = append(row.Trips, importer.TripResult{Outcome: importer.Outcome{State: s}})
		}
		row.Summarize()
		if row.State != tt.want || row.HalfBooked != tt.half {
			t.Errorf("%s: %s, half booked %v; want %s, %v", tt.name, row.State.Code(), row.HalfBooked, tt.want.Code(), tt.half)
		}
	}
}

// Every row and every trip is counted once, and the control total balances only if
// as many have an outcome as were read.
func TestTotals(t *testing.T) {
	row := importer.RowResult{HalfBooked: true, Trips: []importer.TripResult{
		{Outcome: importer.Outcome{State: importer.Booked, GUIDMissing: true, Due: importer.Listed}},
		{Outcome: importer.Outcome{State: importer.NotSent, TooLate: true, Due: importer.ActNow}},
	}}
	row.Summarize()
	got := importer.Totals{RowsRead: 2, TripsRead: 2}
	got.Add(&row)
	got.Add(&importer.RowResult{State: importer.LeftOut})

	want := importer.Totals{RowsRead: 2, TripsRead: 2, HalfBooked: 1, TooLate: 1, GUIDMissing: 1}
	want.Rows[importer.NotSent], want.Rows[importer.LeftOut] = 1, 1
	want.Trips[importer.Booked], want.Trips[importer.NotSent] = 1, 1
	want.Urgencies[importer.ActNow], want.Urgencies[importer.Listed] = 1, 1
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}

	if !got.Balanced() {
		t.Error("the totals do not balance")
	}
	for _, wrong := range []importer.Totals{{RowsRead: 3, TripsRead: 2}, {RowsRead: 2, TripsRead: 3}} {
		wrong.Rows, wrong.Trips = got.Rows, got.Trips
		if wrong.Balanced() {
			t.Errorf("%d rows and %d trips balance with 2 and 2", wrong.RowsRead, wrong.TripsRead)
		}
	}
}
