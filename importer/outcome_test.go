package importer_test

import (
	"testing"

	"tripimport/importer"
)

// Every state has a code of its own, by which it is found again.
func TestStateCodes(t *testing.T) {
	for i := range importer.StateCount {
		s := importer.State(i)
		switch parsed, ok := importer.ParseState(s.Code()); {
		case s.Code() == "":
			t.Errorf("state %d (%q) has no code", i, s)
		case !ok || parsed != s:
			t.Errorf("state %d (%q) has the code %q, which is the code of %q", i, s, s.Code(), parsed)
		}
	}
	for _, code := range []string{"", "Created", "12", "booked"} {
		if s, ok := importer.ParseState(code); ok || s != importer.Unknown {
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
