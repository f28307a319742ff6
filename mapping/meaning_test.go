package mapping_test

import (
	"os"
	"strings"
	"testing"

	"tripimport/mapping"
)

// Two texts of a mapping mean the same where they make the same trips of a row.
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
		"a comment":        {"trip:", "# the trips\ntrip:", true},
		"quotes":           {"trip_id: Trip ID", `trip_id: "Trip ID"`, true},
		"the files":        {"\nread:", "\nfiles: lake_*.csv\nread:", true},
		"a whole day":      {"\nread:", "\ncomplete: day\nread:", true},
		"an approved word": {"[(empty), no, ", "[(empty), no, live, ", true},
		"another order":    {"{column: Distance, optional: true}", "{optional: true, column: Distance}", true},
		"another column":   {"trip_id: Trip ID", "trip_id: Ride ID", false},
		"another table":    {"Stretcher: STR}", "Stretcher: STR, Gurney: STR}", false},
		"another date":     {"dates: mdy", "dates: dmy", false},
		"another name":     {"name: The plain", "name: A plain", false},
	} {
		changed := strings.Replace(text, c.old, c.new, 1)
		if changed == text {
			t.Fatalf("%s: nothing changed", name)
		}
		is := parse(changed)
		if same := is.Meaning() == was.Meaning(); same != c.same {
			t.Errorf("%s: means the same: %v, want %v", name, same, c.same)
		}
		if is.Hash() == was.Hash() {
			t.Errorf("%s: the text has the same hash", name)
		}
	}
}
