package seal

import (
	"testing"

	"tripimport/importer"
)

func text(s string) importer.Cell { return importer.Cell{Type: importer.Text, Text: s} }

// What spreadsheet programs change when they save is no change.
func TestDigestDisregards(t *testing.T) {
	s := NewSealer(testSecret(), "r")
	same := [][2]importer.Cell{
		{text("12  Elm\r\nSt "), text("12 Elm St")},
		{{Type: importer.Number, Text: "42.33142712345678"}, {Type: importer.Number, Text: "42.3314271234568"}},
		{{Type: importer.Empty}, {Type: importer.Empty, Text: ""}},
		{text("70411"), {Type: importer.Number, Text: "70411"}},
	}
	for _, c := range same {
		if s.Cell(3, c[0]) != s.Cell(3, c[1]) {
			t.Errorf("%q and %q differ", c[0].Text, c[1].Text)
		}
	}
	if s.Cell(3, text("70411")) == s.Cell(3, text("070411")) || s.Cell(3, text("x")) == s.Cell(4, text("x")) {
		t.Error("cells that differ are alike")
	}
}
