package usps_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer/usps"
)

// TestComparable compares addresses of one street in several spellings, and addresses of
// different streets.
func TestComparable(t *testing.T) {
	same := [][]string{
		{"12 Alder Court", "12 Alder Ct", "12 alder ct.", "12 ALDER CRT"},
		{"12 North Alder Street", "12 N Alder St", "12 N. Alder Str"},
		{"12 Alder Street Northeast", "12 Alder St NE", "12 Alder St. N.E."},
		{"700 Saint James Avenue", "700 St James Ave", "700 St. James Av"},
		{"700 First Street", "700 1st St"},
		{"5 Mount Hope Drive", "5 Mt Hope Dr"},
		{"5 Fort Wayne Boulevard", "5 Ft. Wayne Blvd"},
		{"100 County Road 7", "100 County Rd 7"},
		{"100 Highway 9", "100 Hwy 9"},
		{"12 North Court Street", "12 N Court St"},
		{"12 Alder Ct Apartment 4", "12 Alder Court Apt 4", "12 Alder Ct #4", "12 Alder Ct, Unit 4"},
	}
	for i, spellings := range same {
		for _, end := range []string{"", ", Saint Ignace, MI 49781"} {
			want := usps.Comparable(spellings[0] + end)
			for _, spelling := range spellings {
				if got := usps.Comparable(spelling + end); got != want {
					t.Errorf("%q is %q, and %q is %q", spelling+end, got, spellings[0]+end, want)
				}
			}
			for _, others := range same[:i] {
				if usps.Comparable(others[0]+end) == want {
					t.Errorf("%q and %q are one place", spellings[0], others[0])
				}
			}
		}
	}
	if a, b := usps.Comparable("12 Elm St, St. Ignace, MI 49781-1234"), usps.Comparable("12 Elm Street, Saint Ignace 49781"); a != b {
		t.Errorf("%q, %q", a, b)
	}

	for _, streets := range [][2]string{
		{"12 Court St", "12 St Court"},
		{"12 Alder Ct", "12 Alder St"},
		{"12 N Alder St", "12 S Alder St"},
		{"12 N Alder St", "12 Alder St"},
		{"12 N Alder St", "12 Alder St N"},
		{"12 S St", "12 South St"},
		{"12 Avenue E", "12 Avenue East"},
		{"12 Alder Ct", "12 Alder Cts"},
		{"12 State Road 7", "12 County Road 7"},
		{"12 Alder Ct", "14 Alder Ct"},
		{"12 1st St", "12 2nd St"},
		{"12 Alder Dr", "12 Alder Rd"},
		{"12 Alder Ct (front door)", "12 Alder Ct (back door)"},
		{"12 Alder Ct c/o Dana", "12 Alder Ct"},
	} {
		if a, b := usps.Comparable(streets[0]+" Westfield"), usps.Comparable(streets[1]+" Westfield"); a == b {
			t.Errorf("%q and %q are one place: %s", streets[0], streets[1], a)
		}
	}
}

// TestComparableUnits compares units in several spellings, and units that differ.
func TestComparableUnits(t *testing.T) {
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
	forms := map[string]func(units string) string{
		"line":   func(units string) string { return usps.Comparable("12 Alder Ct " + units + ", Westfield, MI 48111") },
		"street": func(units string) string { return usps.Comparable("12 Alder Ct " + units) },
		"second": usps.Comparable,
	}
	for i, spellings := range same {
		for how, form := range forms {
			want := form(spellings[0])
			for _, spelling := range spellings {
				if got := form(spelling); got != want {
					t.Errorf("%s of %q is %q, and %q is %q", how, spelling, got, spellings[0], want)
				}
			}
			for _, others := range same[:i] {
				if form(others[0]) == want {
					t.Errorf("%s: %q and %q are one", how, spellings[0], others[0])
				}
			}
		}
	}
	for _, pair := range [][2]string{{"4B", "Apt 4-B"}, {"04", "#4"}, {"rear", "Rear"}, {"", " "}} {
		if a, b := usps.Comparable(pair[0]), usps.Comparable(pair[1]); a != b {
			t.Errorf("%q is %q, %q is %q", pair[0], a, pair[1], b)
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
		want := usps.Comparable(one[0])
		for _, address := range one[1:] {
			if got := usps.Comparable(address); got != want {
				t.Errorf("%q is %q, %q is %q", address, got, one[0], want)
			}
		}
	}
}

// TestComparableOfAnySpelling draws streets, and spells each of their words in any way:
// the places are equal exactly where the streets are.
func TestComparableOfAnySpelling(t *testing.T) {
	words := map[string][]string{
		"n": {"N", "north", "North", "N."}, "sw": {"SW", "Southwest", "S.W."}, "st": {"St", "Street", "STR"}, "ct": {"Ct", "Court", "crt."},
		"ave": {"Ave", "Avenue", "av"}, "dr": {"Dr", "Drive"}, "alder": {"Alder", "ALDER"}, "birch": {"Birch", "birch,"}, "mt": {"Mt", "Mount", "mt."}, "3rd": {"3rd", "Third"},
	}
	street := rapid.Custom(func(t *rapid.T) []string {
		return slices.Concat(
			rapid.SampledFrom([][]string{{}, {"n"}, {"sw"}}).Draw(t, "before"),
			rapid.SampledFrom([][]string{{"alder"}, {"birch"}, {"mt", "alder"}, {"3rd"}, {"ct"}, {"alder", "ct"}}).Draw(t, "name"),
			rapid.SampledFrom([][]string{{"st"}, {"ct"}, {"ave"}, {"dr"}}).Draw(t, "suffix"),
			rapid.SampledFrom([][]string{{}, {"n"}, {"sw"}}).Draw(t, "after"))
	})
	rapid.Check(t, func(t *rapid.T) {
		place := func(street []string) string {
			text := "12"
			for _, word := range street {
				text += " " + rapid.SampledFrom(words[word]).Draw(t, "spelling")
			}
			return usps.Comparable(text + ", Westfield, MI 48111")
		}
		a, b := street.Draw(t, "one street"), street.Draw(t, "another")
		one, again, other := place(a), place(a), place(b)
		if one != again || (one == other) != slices.Equal(a, b) {
			t.Errorf("%q is at %q and %q, %q at %q", a, one, again, b, other)
		}
	})
}
