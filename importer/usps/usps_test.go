package usps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestTables reads every embedded file, and holds that each has the form that
// the code takes for granted.
func TestTables(t *testing.T) {
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := e.Name()
		for i, r := range table(name) {
			where := fmt.Sprintf("%s, record %d", name, i+1)
			if r[0] == "" {
				t.Errorf("%s: no key", where)
			}
			switch name {
			case "states.csv":
				state(t, where, r)
			case "zips.csv":
				zip(t, where, r)
			case "units.csv":
				for _, word := range append(split(r[1]), r[0]) {
					if u, ok := DesignatorOf(word); !ok || u.Part != Part(r[2]) {
						t.Errorf("%s: %q is not found", where, word)
					}
				}
				if !slices.Contains([]string{"door", "building", "floor"}, r[2]) || !slices.Contains([]string{"any", "number"}, r[3]) {
					t.Errorf("%s: %q", where, r)
				}
			case "suffixes.csv", "directions.csv", "names.csv":
			default:
				t.Errorf("%s is read by nothing", name)
			}
		}
	}
}

func state(t *testing.T, where string, r []string) {
	t.Helper()
	if strings.HasPrefix(r[1], "Armed Forces") {
		return
	}
	s, known := StateOf(r[0])
	for _, degrees := range r[2:] {
		if _, err := strconv.ParseFloat(degrees, 64); err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	if !known || !s.HasArea() || s.South >= s.North || s.West >= s.East {
		t.Errorf("%s: %+v", where, s)
	}
}

func zip(t *testing.T, where string, r []string) {
	t.Helper()
	if len(r[0]) != len(r[1]) || len(r[0]) != 3 && len(r[0]) != 5 || !isDigits(r[0]+r[1]) || r[0] > r[1] {
		t.Errorf("%s: %q", where, r)
	}
	if s, known := StateOf(r[2]); !known || s.Code != r[2] {
		t.Errorf("%s: no state %q", where, r[2])
	}
}

// TestSpellings holds that no spelling stands for two words, and that all are
// in the form in which they are looked up.
func TestSpellings(t *testing.T) {
	for _, name := range []string{"suffixes.csv", "directions.csv", "names.csv", "units.csv"} {
		seen := map[string]string{}
		for _, r := range table(name) {
			for _, s := range append(split(r[1]), r[0]) {
				if other, twice := seen[s]; twice {
					t.Errorf("%s: %q is %q and %q", name, s, other, r[0])
				}
				seen[s] = r[0]
				if s != strings.Join(strings.Fields(strings.ToLower(s)), " ") {
					t.Errorf("%s: %q", name, s)
				}
			}
		}
	}
}

func TestStates(t *testing.T) {
	if n := len(table("states.csv")); n != 50+1+5+3 {
		t.Errorf("%d states", n)
	}
	for _, tc := range []struct{ text, code string }{
		{"MI", "MI"},
		{"mi", "MI"},
		{"Mi", "MI"},
		{"michigan", "MI"},
		{"MICHIGAN", "MI"},
		{"N. Y.", ""},
		{"N.Y.", "NY"},
		{"D.C.", "DC"},
		{"district  of Columbia", "DC"},
		{" west virginia ", "WV"},
		{"Puerto Rico", "PR"},
		{"Armed Forces Europe", "AE"},
		{"Mich.", ""},
		{"XX", ""},
		{"FM", ""},
		{"", ""},
		{"Michigan MI", ""},
	} {
		if s, ok := StateOf(tc.text); s.Code != tc.code || ok != (tc.code != "") {
			t.Errorf("%q: %q, %v", tc.text, s.Code, ok)
		}
	}
	if s, _ := StateOf("AP"); s.HasArea() {
		t.Error("the armed forces have an area")
	}
}

func TestZIPState(t *testing.T) {
	for _, tc := range []struct{ zip, state string }{
		{"00501", "NY"},
		{"00601", "PR"},
		{"00802", "VI"},
		{"00901", "PR"},
		{"02139", "MA"},
		{"05501", "MA"},
		{"05701", "VT"},
		{"06389", "CT"},
		{"06390", "NY"},
		{"06391", "CT"},
		{"09012", "AE"},
		{"19701", "DE"},
		{"20001", "DC"},
		{"20101", "VA"},
		{"20588", "MD"},
		{"20598", "VA"},
		{"20599", "DC"},
		{"34002", "AA"},
		{"33901", "FL"},
		{"34101", "FL"},
		{"39901", "GA"},
		{"48124", "MI"},
		{"48124-1234", "MI"},
		{"481241234", "MI"},
		{"56901", "DC"},
		{"73301", "TX"},
		{"73949", "OK"},
		{"73960", "TX"},
		{"83414", "WY"},
		{"83415", "ID"},
		{"88510", "TX"},
		{"96201", "AP"},
		{"96701", "HI"},
		{"96799", "AS"},
		{"96813", "HI"},
		{"96910", "GU"},
		{"96932", "GU"},
		{"96950", "MP"},
		{"96960", ""},
		{"99950", "AK"},
		{"00001", ""},
		{"00401", ""},
		{"42999", ""},
		{"", ""},
		{"4812", ""},
		{"Dearborn", ""},
	} {
		if got := ZIPState(tc.zip); got != tc.state {
			t.Errorf("%s: %q, want %q", tc.zip, got, tc.state)
		}
	}

	// Every state has a ZIP code.
	have := map[string]bool{}
	for _, r := range table("zips.csv") {
		have[r[2]] = true
	}
	for _, r := range table("states.csv") {
		if !have[r[0]] {
			t.Errorf("%s has no ZIP code", r[0])
		}
	}
}

func TestIsZIP(t *testing.T) {
	for _, s := range []string{"48124", "48124-1234", "481241234", "00601"} {
		if !IsZIP(s) {
			t.Errorf("%q is none", s)
		}
	}
	for _, s := range []string{"", "4812", "481245", "48124-", "48124-123", "48124-12345", "48124 1234", "4812-41234", "48124-1234-1", "4812412345", "4812A", "48124-12a4", "٤٨١٢٤"} {
		if IsZIP(s) {
			t.Errorf("%q is one", s)
		}
	}
}

// TestNormalZIP holds the one rule for the zeros that spreadsheets drop.
func TestNormalZIP(t *testing.T) {
	for _, tc := range []struct {
		text, state string
		want        string // empty if it is no ZIP code
		restored    bool
	}{
		{"48124", "MI", "48124", false},
		{"48124", "", "48124", false},
		{" 48124 ", "MI", "48124", false},
		{"48124-1234", "MI", "48124-1234", false},
		{"481241234", "MI", "48124-1234", false},
		{"48124 1234", "MI", "48124-1234", false},
		{"00601", "PR", "00601", false},
		{"01234", "MI", "01234", false}, // of another state: not for this rule to say

		{"2139", "MA", "02139", true},
		{"2139", "ma", "02139", true},
		{"6390", "NY", "06390", true}, // Fishers Island
		{"2139", "Massachusetts", "02139", true},
		{"2139-1234", "MA", "02139-1234", true},
		{"21391234", "MA", "02139-1234", true},
		{"9012", "AE", "09012", true},

		{"601", "PR", "00601", true},
		{"601", "Puerto Rico", "00601", true},
		{"0601", "PR", "00601", true},
		{"802", "VI", "00802", true},
		{"6011234", "PR", "00601-1234", true},
		{"601-1234", "PR", "00601-1234", true},

		{"6011", "PR", "", false}, // 06011 is Connecticut's
		{"601", "CT", "", false},
		{"0139", "MA", "", false},
		{"139", "MA", "", false},
		{"60", "PR", "", false},
		{"601", "", "", false},
		{"4812", "MI", "", false},
		{"4124", "MA", "", false}, // of another state
		{"6390", "CT", "", false},
		{"2139", "XX", "", false},
		{"", "MA", "", false},
		{"", "", "", false},
		{"48124-", "MI", "", false},
		{"48124-123", "MI", "", false},
		{"481241", "MI", "", false},
		{"4812A", "MI", "", false},
		{"Dearborn", "MI", "", false},
		{"48124-1234-5", "MI", "", false},
		{"-1234", "MA", "", false},
	} {
		zip, restored, ok := NormalZIP(tc.text, tc.state)
		if zip != tc.want || ok != (tc.want != "") || restored != tc.restored {
			t.Errorf("%q in %q: %q, %v, %v", tc.text, tc.state, zip, restored, ok)
		}
		if ok && !IsZIP(zip) {
			t.Errorf("%q in %q: %q is no ZIP code", tc.text, tc.state, zip)
		}
	}
}

func TestWords(t *testing.T) {
	for _, tc := range []struct{ got, want string }{
		{Suffix("avenue"), "ave"},
		{Suffix("ave"), "ave"},
		{Suffix("hill"), "hl"},
		{Suffix("hills"), "hls"},
		{Suffix("path"), "path"},
		{Suffix("sumitt"), "smt"},
		{Suffix("tr"), ""},
		{Suffix("elm"), ""},
		{Suffix(""), ""},
		{Direction("northeast"), "ne"},
		{Direction("n"), "n"},
		{Direction("up"), ""},
		{Direction(""), ""},
	} {
		if tc.got != tc.want {
			t.Errorf("%q, want %q", tc.got, tc.want)
		}
	}
}

func TestDesignators(t *testing.T) {
	for _, tc := range []struct {
		word string
		want Designator
	}{
		{"apt", Designator{Door, true}},
		{"apartment", Designator{Door, true}},
		{"blg", Designator{Building, true}},
		{"floor", Designator{Floor, false}},
		{"lot", Designator{Door, false}},
		{"elm", Designator{}},
		{"", Designator{}},
	} {
		if got, ok := DesignatorOf(tc.word); got != tc.want || ok != (tc.want != Designator{}) {
			t.Errorf("%q: %+v, %v", tc.word, got, ok)
		}
	}

	for text, want := range map[string]int{"fl 12": 2, "fl 33101": 0, "apt 33101": 2} { // only a floor is short
		if _, _, n := unitAt(splitTokens(text)); n != want {
			t.Errorf("%s: a unit of %d words, want %d", text, n, want)
		}
	}
}

// TestLineWithoutCommas finds the city behind a street, unless a word may be of either.
func TestLineWithoutCommas(t *testing.T) {
	for line, city := range map[string]string{
		"5 Ivy St Garden City MI 48135":         "Garden City",
		"5 Ivy St Park City UT 84060":           "Park City",
		"5 Ivy Dr Glen Burnie MD 21060":         "Glen Burnie",
		"5 Ivy St Lake Forest IL 60045":         "Lake Forest",
		"5 Ivy St St Louis MO 63101":            "St Louis",
		"5 Grand River Ave Lansing MI 48915":    "Lansing",
		"5 Oak Park Ave Detroit MI 48201":       "Detroit",
		"5 County Road 12 Brush Creek TN 38547": "Brush Creek",
		"5 Ivy Ave NW Washington DC 20005":      "Washington",
		"5 Ivy St West Palm Beach FL 33401":     "",
		"5 Ivy Ave S New York NY 10003":         "",
		"5 Broadway New York NY 10001":          "",
	} {
		if a, ok := ParseLine(line); ok != (city != "") || ok && a.CityLine != city {
			t.Errorf("%s: %v, %+v", line, ok, a)
		}
	}
}
