package seal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
)

func testSecret() []byte { return []byte("a key for tests, thirty-two long") }

func TestKeySurvives(t *testing.T) {
	key := NewSealer(testSecret(), "r-0001")
	rapid.Check(t, func(t *rapid.T) {
		k := RowKey{
			Source: true, Row: rapid.IntRange(1, importer.MaxRows).Draw(t, "row"),
			Width: rapid.IntRange(0, 50).Draw(t, "width"),
		}
		for range rapid.IntRange(0, 40).Draw(t, "cells") {
			k.Cells = append(k.Cells, CellKey{
				Type:   importer.CellType(rapid.IntRange(0, int(importer.ErrorCell)).Draw(t, "type")),
				Digest: Digest(rapid.Uint32().Draw(t, "digest")),
				Flags:  Flags(rapid.IntRange(0, 15).Draw(t, "flags")),
			})
		}
		for range rapid.IntRange(0, 3).Draw(t, "trips") {
			k.Trips = append(k.Trips, TripKey{
				Leg:    importer.Leg(rapid.IntRange(0, int(importer.ReturnLeg)).Draw(t, "leg")),
				OffRow: rapid.Bool().Draw(t, "off row"),
				Outcome: importer.Outcome{
					State:    importer.State(rapid.IntRange(0, importer.StateCount-1).Draw(t, "state")),
					Answered: rapid.Bool().Draw(t, "answered"), Question: importer.Question(rapid.IntRange(0, int(importer.AskWord)).Draw(t, "question")),
					Attempt: rapid.Int64Min(0).Draw(t, "attempt"),
				},
			})
			switch trip := &k.Trips[len(k.Trips)-1]; {
			case rapid.Bool().Draw(t, "missing"):
				trip.GUIDMissing = true
			default:
				trip.GUID = rapid.String().Draw(t, "guid") // whatever the service calls a GUID
			}
		}
		k.Unbooked, k.Rider = rapid.Bool().Draw(t, "unbooked"), rapid.String().Draw(t, "rider")
		text := key.Encode(&k)
		got, err := key.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(k, got); diff != "" {
			t.Fatal(diff)
		}
		if _, err := NewSealer(testSecret(), "r-0002").Decode(text); err == nil {
			t.Fatal("another run's key was taken")
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		if damaged := text[:at] + "~" + text[at+1:]; damaged != text {
			if _, err := key.Decode(damaged); err == nil {
				t.Fatalf("damaged key %q was taken", damaged)
			}
		}
	})
}

func FuzzKey(f *testing.F) {
	key := NewSealer(testSecret(), "r-0001")
	k := RowKey{Source: true, Row: 7, Cells: []CellKey{{Type: importer.Text, Digest: 9}}, Trips: []TripKey{{Leg: 1, Outcome: importer.Outcome{State: 3, GUIDMissing: true}}}}
	f.Add(key.Encode(&k))
	f.Add("k3.1.6.0")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := key.Decode(text); err == nil && key.Encode(&k) != text {
			t.Errorf("%q was taken for %q", text, key.Encode(&k))
		}
	})
}

// TestProved holds that the service's own answer is a proof, also one that the ledger could not record.
func TestProved(t *testing.T) {
	for name, c := range map[string]struct {
		key  TripKey
		want bool
	}{
		"booked":                       {TripKey{Outcome: importer.Outcome{State: importer.Booked, GUID: "G"}}, true},
		"booked without a GUID":        {TripKey{Outcome: importer.Outcome{State: importer.BookedEarlier, GUIDMissing: true}}, true},
		"a person said so":             {TripKey{Outcome: importer.Outcome{State: importer.BookedEarlier, GUID: "G", Answered: true}}, false},
		"may be booked":                {TripKey{Outcome: importer.Outcome{State: importer.Unknown}}, false},
		"may be booked, the GUID came": {TripKey{Outcome: importer.Outcome{State: importer.Unknown, GUID: "G"}}, true},
		"refused":                      {TripKey{Outcome: importer.Outcome{State: importer.Refused}}, false},
	} {
		if got := c.key.Proved(); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
