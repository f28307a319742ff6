package importer_test

import (
	"testing"

	"tripimport/importer"
)

// TestUnits compares units in several spellings, and units that differ.
func TestUnits(t *testing.T) {
	same := [][]string{
		{"Apt 4", "apt. 04", "#4", "# 4", "Unit #4", "Apt No. 4", "Apartment4", "Apt#4", "APT-4"},
		{"Apt 4B", "Apt 4-B", "Apt 4 - B", "Apt 4 B", "#4B", "#4-B", "# 4 b", "apt4b", "Apt4-B", "Unit 04-B", "Apt 4/B", "Ste 4 B"},
		{"Apt B4", "Apt B-4", "Apt B 4", "#B-4"},
		{"Apt 4E", "Apt 4-E", "Apt 4 E"},
		{"Apt B"},
		{"Bldg 3 Apt 4B", "Apt 4-B, Bldg 3", "Building 3, #4B"},
		{"Ste 100", "Suite 0100", "STE100"},
		{"Ste 100-A", "Suite 100A"},
		{""},
	}
	event := func(units, how string) importer.Event {
		switch how {
		case "line":
			return importer.Event{CompleteAddress: "12 Alder Ct " + units + ", Westfield, MI 48111"}
		case "street":
			return importer.Event{Address1: "12 Alder Ct " + units, City: "Westfield", Zip: "48111"}
		}
		return importer.Event{Address1: "12 Alder Ct", Address2: units, City: "Westfield", Zip: "48111"}
	}
	for i, spellings := range same {
		for _, spelling := range spellings {
			for _, how := range []string{"line", "street", "second"} {
				want, e := event(spellings[0], "street"), event(spelling, how)
				location, unit := want.Location()
				if got, of := e.Location(); got != location || of != unit {
					t.Errorf("%s of %q is %q %q, and %q is %q %q", how, spelling, got, of, spellings[0], location, unit)
				}
				for k, others := range same {
					other := event(others[0], how)
					if got, of := other.Location(); k != i && got == location && of == unit {
						t.Errorf("%s: %q and %q are one", how, spelling, others[0])
					}
				}
			}
		}
	}

	// What comes after a unit is not the unit's.
	for _, one := range [][]string{
		{"12 Alder Ct Apt 4, E Lansing, MI 48823", "12 Alder Ct Apt 4 E Lansing MI 48823", "12 Alder Ct Apt 4, East Lansing, MI 48823"},
		{"Apt B 12 Alder Ct, Westfield", "Apt B, 12 Alder Ct, Westfield", "12 Alder Ct Apt B, Westfield"},
		{"12 Alder Ct Apt 4 c/o Smith, Westfield", "12 Alder Ct Apt 4, c/o Smith, Westfield"},
		{"12 Alder Ct Fl 2 N Tower, Westfield", "12 Alder Ct Floor 2, N Tower, Westfield"},
		{"12 Alder Ct Apt B 48111", "12 Alder Ct Apt B, 48111-1234"},
		{"12 Alder Ct, Westfield, FL33101", "12 Alder Ct, Westfield, FL33101"},
		{"4-B Alder Ct, Westfield", "4 B Alder Ct, Westfield"},
	} {
		first := importer.Event{CompleteAddress: one[0]}
		location, unit := first.Location()
		for _, address := range one[1:] {
			e := importer.Event{CompleteAddress: address}
			if got, of := e.Location(); got != location || of != unit {
				t.Errorf("%q is %q %q, %q is %q %q", address, got, of, one[0], location, unit)
			}
		}
	}
}
