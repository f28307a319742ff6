package seal

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// Every type of cell has a letter of its own.
func TestTypeLetters(t *testing.T) {
	for c := importer.Empty; c.String() != ""; c++ {
		if !slices.Contains(cellTypes, c) {
			t.Errorf("cells of type %q have no letter", c)
		}
	}
	for i := range typeLetters {
		if strings.IndexByte(typeLetters, typeLetters[i]) != i || len(typeLetters) != len(cellTypes) {
			t.Errorf("two types have the letter %c, or a type has none", typeLetters[i])
		}
	}
}

// A program that lists the states in another order writes the same keys, and
// reads those of this one: no key holds the number of a state.
func TestStatesInAnotherOrder(t *testing.T) {
	last := importer.State(importer.StateCount - 1)
	theirCode := func(s importer.State) string { return (last - s).Code() }
	theirParse := func(code string) (importer.State, bool) {
		s, ok := importer.ParseState(code)
		return last - s, ok
	}
	for s := range importer.State(importer.StateCount) {
		ours := TripKey{Leg: importer.ReturnLeg, State: s}
		theirs := TripKey{Leg: importer.ReturnLeg, State: last - s}
		text := ours.encode(importer.State.Code)
		if other := theirs.encode(theirCode); text != other {
			t.Errorf("%s: they write %s, we write %s", s, other, text)
		}
		if got, ok := decodeTrip(text, theirParse); !ok || got != theirs {
			t.Errorf("%s: they read %s as %v", s, text, got)
		}
	}
}

// Keys that the first program with this format has written are read for as long
// as results of it may come back, whatever is reordered or added since.
func TestKeysOfThisFormat(t *testing.T) {
	const written = "k5.2.17.20.0...e0t1n2b4d8h0D0u0x0.AAAAAAEAAAACAAAAAwAAAAQAAAAFAAAABgAAAAcAAAAIAAAACwAAAAwAAAANAAAA." +
		".only:unknown::::::::,only:cancel_by_hand::::::::,only:change_by_hand::::::::,only:refused::::::::,only:fix::::::::,only:not_sent::::::::,only:held::::::::" +
		",outbound:changed::::::::,return:booked:::y:::::,only:booked_earlier::::::::,only:left_out::::::::,only:ready::::::::.-aETlXZ3gl4"
	want := RowKey{Input: 2, Row: 17, Width: 20}
	for i, c := range []CellKey{
		{Type: importer.Empty},
		{Type: importer.Text, Flags: MayChange},
		{Type: importer.Number, Flags: TripID},
		{Type: importer.Bool, Flags: RiderID},
		{Type: importer.DateCell, Flags: HasOriginal},
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
		want.Trips = append(want.Trips, TripKey{State: s})
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
