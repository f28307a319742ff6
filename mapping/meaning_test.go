package mapping_test

import (
	"os"
	"strings"
	"testing"

	"tripimport/mapping"
)

// Two texts of a mapping mean the same if they make the same trips of a row.
func TestMeaning(t *testing.T) {
	content, err := os.ReadFile("../templates/plain.yaml")
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	parse := func(text string) *mapping.Mapping {
		t.Helper()
		m, err := mapping.Parse("lakeshore.yaml", []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}

	was := parse(text)
	for name, c := range map[string]struct {
		old, new string
		same     bool
	}{
		"a comment":      {"trip:", "# the trips\ntrip:", true},
		"quotes":         {"trip_id: Trip ID", `trip_id: "Trip ID"`, true},
		"the files":      {"\nread:", "\nfiles: lake_*.csv\nread:", true},
		"a whole day":    {"\nread:", "\ncomplete: day\nread:", true},
		"another word":   {"[(empty), no, ", "[(empty), no, live, ", false},
		"another order":  {"{column: Distance, optional: true}", "{optional: true, column: Distance}", true},
		"another column": {"trip_id: Trip ID", "trip_id: Ride ID", false},
		"another table":  {"Stretcher: STR}", "Stretcher: STR, Gurney: STR}", false},
		"another date":   {"dates: mdy", "dates: dmy", false},
		"another name":   {"broker: The plain", "broker: A plain", false},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Fatalf("%s: nothing changed", name)
		}
		is := parse(changed)
		if same := is.Meaning() == was.Meaning(); same != c.same {
			t.Errorf("%s: means the same: %v, want %v", name, same, c.same)
		}
	}
}

// TestOrderOfReplacements checks that replacements in another order have another meaning: each is
// made in what the one before it left.
func TestOrderOfReplacements(t *testing.T) {
	parse := func(replace string) *mapping.Mapping {
		t.Helper()
		m, err := mapping.Parse("x.yaml", []byte("mapping: 1\nbroker: x\ntrip:\n  rider_id: {column: Rider, replace: "+replace+"}\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	was, is := parse(`{"^R": "", "^X": "R"}`), parse(`{"^X": "R", "^R": ""}`)
	if was.Meaning() == is.Meaning() || was.Content() == is.Content() {
		t.Error("the order of replacements counts")
	}
}

// TestContent checks that an approval of a mapping holds for what says the same of a row: comments, order,
// quotes, the broker and the names of files make no difference.
func TestContent(t *testing.T) {
	content := func(text string) string {
		t.Helper()
		m, err := mapping.Parse("x.yaml", []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		return m.Content()
	}
	const before = "mapping: 1\nbroker: x\ntrip:\n  trip_id: Trip\n  pickup: {address: From, phone_number: Tel}\n"
	for now, same := range map[string]bool{
		"broker: \"y\"  # the office's\nmapping: 1\nfiles: y*.csv\ncomplete: day\ntrip: {pickup: {phone_number: Tel, address: From}, trip_id: Trip}\n": true,
		before + "  phone: Tel\n": false,
		"mapping: 1\nbroker: x\ntrip: {trip_id: Trip, pickup: {address: From}}\n": false,
	} {
		if got := content(now) == content(before); got != same {
			t.Errorf("%s: the same: %v", now, got)
		}
	}
}
