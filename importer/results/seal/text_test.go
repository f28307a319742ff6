package seal

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer"
)

func TestEscapeAndBack(t *testing.T) {
	for text, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+13135550100": "'+13135550100", "@x": "'@x", "\tx": "'\tx", "\rx": "'\rx",
		"-83.0458": "-83.0458", "-7": "-7", "-": "'-", "-1+2": "'-1+2", "-.5": "'-.5", "'Twas": "''Twas", "Elm": "Elm", "": "",
		"--1": "'--1", "-1e5": "'-1e5",
	} {
		if got := Escape(text); got != want {
			t.Errorf("Escape(%q) = %q, want %q", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("=+-@'\t\r\n09.eA "))).Draw(t, "text")
		if got := Unescape(Escape(text)); got != text {
			t.Fatalf("%q came back as %q", text, got)
		}
		if s := Escape(text); s != "" && strings.ContainsRune("=+@\t\r", rune(s[0])) {
			t.Fatalf("%q is not inert", s)
		}
	})
}

// LibreOffice once read _x1_ in a row's key as a control character.
func TestCellKeepsKeys(t *testing.T) {
	escape := regexp.MustCompile(`_x[0-9A-Fa-f]+_`)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("_x1fA-g."))).Draw(t, "text")
		key := NewSealer(testSecret(), "r-0001")
		k := RowKey{Rider: text, Cells: []CellKey{{Original: text}}, Trips: []TripKey{{Outcome: importer.Outcome{State: importer.ChangeUnknown, GUID: text}}}}
		record := testRecord()
		record.Fresh = text
		sealed, err := record.Encode(key)
		if err != nil {
			t.Fatal(err)
		}
		for _, kept := range []string{key.Encode(&k), sealed} {
			if escape.MatchString(kept) {
				t.Fatalf("%q has an escape", kept)
			}
		}
	})
}
