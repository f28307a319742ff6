package results

import (
	"encoding/binary"
	"strings"
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

func TestKeySurvives(t *testing.T) {
	key := deriveKey(nightKey(), "r-0001")
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 40).Draw(t, "cells")
		k := rowKey{
			Input: rapid.IntRange(1, 99).Draw(t, "input"), Row: rapid.IntRange(1, importer.MaxRows).Draw(t, "row"),
			Width: rapid.IntRange(0, 50).Draw(t, "width"), Sum: rapid.Uint64().Draw(t, "sum"),
			Types: make([]importer.CellType, n), Digests: make([]uint16, n),
		}
		for i := range n {
			k.Types[i] = importer.CellType(rapid.IntRange(0, int(importer.ErrorCell)).Draw(t, "type"))
			k.Digests[i] = rapid.Uint16().Draw(t, "digest")
			if rapid.Bool().Draw(t, "marked") {
				k.Marked = k.Marked.with(i)
			}
			if rapid.Bool().Draw(t, "rider") {
				k.Rider = k.Rider.with(i)
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "legs") {
			k.Legs = append(k.Legs, legState{
				importer.Leg(rapid.IntRange(0, 3).Draw(t, "leg")),
				importer.State(rapid.IntRange(0, importer.StateCount-1).Draw(t, "state")), rapid.Bool().Draw(t, "missing"),
			})
		}
		text := k.encode(key)
		got, err := decodeKey(text, key)
		if err != nil {
			t.Fatal(err)
		}
		if got.encode(key) != text {
			t.Fatalf("%s came back as %s", text, got.encode(key))
		}
		if diff := cmp.Diff(k.Legs, got.Legs); diff != "" {
			t.Fatal(diff)
		}
		if _, err := decodeKey(text, deriveKey(nightKey(), "r-0002")); err == nil {
			t.Fatal("another run's key was taken")
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		if damaged := text[:at] + "~" + text[at+1:]; damaged != text {
			if _, err := decodeKey(damaged, key); err == nil {
				t.Fatalf("damaged key %q was taken", damaged)
			}
		}
	})
}

// What spreadsheet programs change when they save is no change.
func TestDigestDisregards(t *testing.T) {
	d := digester{key: deriveKey(nightKey(), "r")}
	same := [][2]importer.Cell{
		{text("12  Elm\r\nSt "), text("12 Elm St")},
		{{Type: importer.Number, Text: "42.33142712345678"}, {Type: importer.Number, Text: "42.3314271234568"}},
		{{Type: importer.Empty}, {Type: importer.Empty, Text: ""}},
		{text("70411"), {Type: importer.Number, Text: "70411"}},
	}
	for _, c := range same {
		if d.cell(3, c[0]) != d.cell(3, c[1]) {
			t.Errorf("%q and %q differ", c[0].Text, c[1].Text)
		}
	}
	if d.cell(3, text("70411")) == d.cell(3, text("070411")) || d.cell(3, text("x")) == d.cell(4, text("x")) {
		t.Error("cells that differ are alike")
	}
}

func TestInertAndBack(t *testing.T) {
	for text, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+13135550100": "'+13135550100", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx",
		"-83.0458": "-83.0458", "-7": "-7", "-": "'-", "-1+2": "'-1+2", "-.5": "'-.5", "'Twas": "''Twas", "Elm": "Elm", "": "",
		"--1": "'--1", "-1e5": "'-1e5",
	} {
		if got := escaped(text); got != want {
			t.Errorf("escaped(%q) = %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("=+-@'\t\r\n09.eA "))).Draw(t, "text")
		if got := unescaped(escaped(text)); got != text {
			t.Fatalf("%q came back as %q", text, got)
		}
		if s := escaped(text); s != "" && strings.ContainsRune("=+@\t\r", rune(s[0])) {
			t.Fatalf("%q is not inert", s)
		}
	})
}
