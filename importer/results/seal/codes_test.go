package seal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// A program that lists the states in another order reads the same keys: a key has a state's code,
// also that of the first, and never its number.
func TestStatesInAnotherOrder(t *testing.T) {
	for s := range importer.State(importer.StateCount) {
		text := NewSealer(testSecret(), "r-0001").Encode(&RowKey{Trips: []TripKey{{Leg: importer.ReturnLeg, Outcome: importer.Outcome{State: s, Question: importer.AskWord}}}})
		for _, code := range []string{importer.ReturnLeg.Code(), s.Code(), importer.AskWord.Code()} {
			if !strings.Contains(text, `:"`+code+`"`) {
				t.Errorf("%s: %q is not in %s", s, code, text)
			}
		}
	}
}

// Keys that the first program with this format has written are read for as long
// as results of it may come back, whatever is reordered or added since.
func TestKeysOfThisFormat(t *testing.T) {
	const written = `{"Source":true,"Row":17,"Width":20,"C":[{"D":0},{"T":"text","D":1,"F":1},{"T":"number","D":2,"F":2},{"T":"bool","D":3,"F":4},` +
		`{"T":"date","D":4,"F":8,"O":"\u0001"},{"T":"time","D":5},{"T":"datetime","D":6},{"T":"duration","D":7},{"T":"error","D":8}],"Texts":[11,12,13],` +
		`"Trips":[{"State":"unknown"},{"State":"cancel_by_hand"},{"State":"change_by_hand"},{"State":"refused"},{"State":"fix"},{"State":"not_sent"},` +
		`{"State":"held"},{"Leg":"outbound","State":"changed"},{"Leg":"return","State":"booked","GUIDMissing":true},{"State":"booked_earlier"},` +
		`{"State":"left_out"},{"State":"ready"}]}.3ow7q/4ZtaA`
	want := RowKey{Source: true, Row: 17, Width: 20}
	for i, c := range []CellKey{
		{Type: importer.Empty},
		{Type: importer.Text, Flags: MayChange},
		{Type: importer.Number, Flags: TripID},
		{Type: importer.Bool, Flags: RiderID},
		{Type: importer.DateCell, Flags: Suspect, Original: "\x01"},
		{Type: importer.TimeCell},
		{Type: importer.DateTimeCell},
		{Type: importer.Duration},
		{Type: importer.ErrorCell},
	} {
		c.Digest = Digest(i)
		want.Cells = append(want.Cells, c)
	}
	for _, s := range []importer.State{
		importer.Unknown, importer.CancelByHand, importer.ChangeByHand, importer.Refused, importer.Fix,
		importer.NotSent, importer.Held, importer.Changed, importer.Booked, importer.BookedEarlier, importer.LeftOut, importer.Ready,
	} {
		want.Trips = append(want.Trips, TripKey{Outcome: importer.Outcome{State: s}})
	}
	want.Texts = []Digest{11, 12, 13}
	want.Trips[7].Leg = importer.OutboundLeg
	want.Trips[8].Leg, want.Trips[8].GUIDMissing = importer.ReturnLeg, true

	got, err := NewSealer(testSecret(), "r-0001").Decode(written)
	if err != nil {
		t.Fatalf("%v; we write %s", err, NewSealer(testSecret(), "r-0001").Encode(&want))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := NewSealer(testSecret(), "r-0001").Cell(3, text("12 Elm St")); got != 0x2286b6d3 {
		t.Errorf("the digest of a cell is %#x now", got)
	}
}
