package seal

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
)

// The vectors are those of SipHash's own reference implementation.
func TestSipHashVectors(t *testing.T) {
	key := make([]byte, 16)
	for i := range key {
		key[i] = byte(i)
	}
	k := sipKey{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:])}
	data := make([]byte, 15)
	for i := range data {
		data[i] = byte(i)
	}
	for n, want := range map[int]uint64{0: 0x726fdb47dd0e0e31, 1: 0x74f839c593dc67fd, 8: 0x93f5f5799a932462, 15: 0xa129ca6149be45e5} {
		if got := k.sum(data[:n]); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
}

func testSecret() []byte { return []byte("a key for tests, thirty-two long") }

func TestKeySurvives(t *testing.T) {
	key := NewSealer(testSecret(), "r-0001")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "cells")
		k := RowKey{
			Input: rapid.IntRange(1, 99).Draw(t, "input"), Row: rapid.IntRange(1, importer.MaxRows).Draw(t, "row"),
			Width: rapid.IntRange(0, 50).Draw(t, "width"), Sum: rapid.Uint64().Draw(t, "sum"),
			Types: make([]importer.CellType, n), Digests: make([]uint16, n),
		}
		for i := range n {
			k.Types[i] = importer.CellType(rapid.IntRange(0, int(importer.ErrorCell)).Draw(t, "type"))
			k.Digests[i] = rapid.Uint16().Draw(t, "digest")
			if rapid.Bool().Draw(t, "marked") {
				k.Marked = k.Marked.With(i)
			}
			if rapid.Bool().Draw(t, "rider") {
				k.Rider = k.Rider.With(i)
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "legs") {
			k.Legs = append(k.Legs, LegState{
				importer.Leg(rapid.IntRange(0, 3).Draw(t, "leg")),
				importer.State(rapid.IntRange(0, importer.StateCount-1).Draw(t, "state")), rapid.Bool().Draw(t, "missing"),
			})
		}
		text := key.Encode(&k)
		got, err := key.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if key.Encode(&got) != text {
			t.Fatalf("%s came back as %s", text, key.Encode(&got))
		}
		if diff := cmp.Diff(k.Legs, got.Legs); diff != "" {
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
	k := RowKey{Input: 1, Row: 7, Types: []importer.CellType{importer.Text}, Digests: []uint16{9}, Legs: []LegState{{1, 3, true}}}
	f.Add(key.Encode(&k))
	f.Add("k1.1.6.0")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if k, err := key.Decode(text); err == nil && key.Encode(&k) != text {
			t.Errorf("%q was taken for %q", text, key.Encode(&k))
		}
	})
}
