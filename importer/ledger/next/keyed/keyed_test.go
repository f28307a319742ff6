package keyed

import (
	"slices"
	"testing"

	"tripimport/importer"
	"tripimport/importer/triptest"
)

func newHashes(t *testing.T, key byte) *Hashes {
	t.Helper()
	h, err := New(slices.Repeat([]byte{key}, 32))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Every property of a trip but the account's has a hash of its own, which depends on the
// key, the row and the value.
func TestValues(t *testing.T) {
	h, other := newHashes(t, 1), newHashes(t, 2)
	trip := triptest.Full()
	trip.Origin = nil
	row := &importer.Mapped{Key: importer.RowKey{Broker: "b", ID: "1"}, Trips: []importer.Trip{trip}}
	own := h.Row(&row.Key)
	values := own.Values(row, &trip)
	if len(values) != len(importer.TripProperties())-1 {
		t.Errorf("%d values of %d properties", len(values), len(importer.TripProperties()))
	}
	hashes := map[uint64]bool{}
	for i, v := range values {
		if hashes[v.Hash] || v.Hash == 0 || i > 0 && v.Property <= values[i-1].Property {
			t.Errorf("the value %d is %+v", i, v)
		}
		hashes[v.Hash] = true
	}
	second, byOther := h.Row(&importer.RowKey{Broker: "b", ID: "2"}), other.Row(&row.Key)
	for what, same := range map[string]importer.Values{"another row": second.Values(row, &trip), "another key": byOther.Values(row, &trip)} {
		for _, v := range same {
			if hashes[v.Hash] {
				t.Errorf("%s has the same hash of property %d", what, v.Property)
			}
		}
	}
	if spelled := h.Row(&importer.RowKey{Broker: "B ", ID: "01"}); !own.Values(row, &trip).Equal(spelled.Values(row, &trip)) || spelled.ID() != own.ID() || NumberOf(own.ID()) != own.Number {
		t.Error("another spelling of the row's id is another row")
	}
	live := own.Digest(importer.SaysLive, []importer.LegWord{{Values: values}})
	if live == own.Digest(importer.SaysCancelled, []importer.LegWord{{Values: values}}) || live == own.Digest(importer.SaysLive, []importer.LegWord{{Values: values[1:]}}) || live == h.Gone(live) {
		t.Error("two words have one digest")
	}
}

// Lists of parts with the same text have different hashes, and kinds of hashes are apart.
func TestKinds(t *testing.T) {
	h := newHashes(t, 1)
	if h.Subject("a", "bc") == h.Subject("ab", "c") || h.GUID("x") == h.Subject("guid", "x") {
		t.Error("two subjects have one hash")
	}
	day := importer.Date{Year: 2026, Month: 12, Day: 2}
	if h.RiderDay("R-1", day) == h.RiderDay("R-1", day.AddDays(1)) || h.RiderDay("R-1", day) != h.RiderDay("r 1", day) {
		t.Error("the hash of a rider is not bound to the day alone")
	}
}

func TestSeal(t *testing.T) {
	h, other := newHashes(t, 1), newHashes(t, 2)
	sealed := h.Seal("Ottoline.csv")
	if text, err := h.Open(sealed); text != "Ottoline.csv" || err != nil {
		t.Errorf("it came back as %q, %v", text, err)
	}
	if string(sealed) == string(h.Seal("Ottoline.csv")) {
		t.Error("one text was sealed twice to the same bytes")
	}
	if _, err := other.Open(sealed); err == nil {
		t.Error("another key opened it")
	}
}
