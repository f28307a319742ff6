package propose

import (
	"path"
	"strings"
	"testing"
)

// TestDraftNamesItsSheet checks that a draft names the sheet that has the trips, once, whatever it starts from.
func TestDraftNamesItsSheet(t *testing.T) {
	for from, want := range map[string]string{
		"read:\n  dates: mdy\n":                     "read:\n  sheet: \"$1 Trips\"\n  dates: mdy\n",
		"read: {dates: mdy}\n":                      "read: {sheet: \"$1 Trips\", dates: mdy}\n",
		"zone: America/Detroit\n":                   "zone: America/Detroit\nread: {sheet: \"$1 Trips\"}\n",
		"read: {dates: mdy, sheet: 2}\n":            "read: {dates: mdy, sheet: 2}\n",
		"read:\n  dates: mdy\n  sheet: \"Trips\"\n": "read:\n  dates: mdy\n  sheet: \"Trips\"\n",
	} {
		p := Proposal{SheetName: "$1 Trips", sheet: &Sheet{}}
		text := "mapping: 1\n" + from + "trip:\n"
		if d := p.DraftFor(Start{File: "trips.xlsx", Template: "files: x\n" + text}); d.Text != "files: x\nmapping: 1\n"+want+"trip:\n" {
			t.Errorf("%q becomes %q", from, strings.TrimPrefix(d.Text, "files: x\n"))
		}
	}
}

// TestPatternOf checks that the pattern of a proposed mapping fits the files of every night, and
// not those of another provider whose number the name has.
func TestPatternOf(t *testing.T) {
	for file, want := range map[string]struct{ pattern, name, other string }{
		"harbor_1124.csv":                    {"harbor*.csv", "harbor", "harbor_1125.csv"},
		"Manifest_88231_20261202.csv":        {"Manifest_88231*.csv", "Manifest_88231", "Manifest_88231_20261203.csv"},
		"Trips 88231-12-2-26 0930.csv":       {"Trips 88231*.csv", "Trips 88231", "Trips 88231-12-10-26 0930.csv"},
		"trips_88231.csv":                    {"trips_88231*.csv", "trips_88231", ""},
		"trips-2026.12.02_0930.csv":          {"trips*.csv", "trips", "trips-2026.12.03_1015.csv"},
		"trips 120226.csv":                   {"trips*.csv", "trips", "trips 121026.csv"},
		"lakeshore_2026-12-02.csv":           {"lakeshore*.csv", "lakeshore", "lakeshore_2026-12-03.csv"},
		"20261202 Lakeshore trips.xlsx":      {"* Lakeshore trips*.xlsx", "Lakeshore trips", "20261203 Lakeshore trips.xlsx"},
		"Trips 12.2.26 north.csv":            {"Trips* north*.csv", "Trips north", "Trips 12.10.26 north.csv"},
		"Manifest Nov 24 2026.csv":           {"Manifest Nov*.csv", "Manifest Nov", "Manifest Nov 25 2026.csv"},
		"export[1].csv":                      {"export*.csv", "export", "export[2].csv"},
		"export (1).csv":                     {"export*.csv", "export", "export.csv"},
		"[north] trips.csv":                  {"?north] trips*.csv", "[north] trips", "[north] trips.csv"},
		"isi2.csv":                           {"isi*.csv", "isi", "isi2_1203.csv"},
		"route 66 trips.csv":                 {"route* trips*.csv", "route trips", ""},
		"Summary marina.csv":                 {"Summary marina*.csv", "Summary marina", ""},
		"20261202.csv":                       {"20261202*.csv", "20261202", ""},
		"/srv/in/schedule_20261202T0930.CSV": {"schedule*.CSV", "schedule", "schedule_20261203T1015.CSV"},
		"Summary marina 2.csv":               {"Summary marina*.csv", "Summary marina", ""},
		"walmar 2.csv":                       {"walmar*.csv", "walmar", ""},
	} {
		pattern, name := PatternOf(file)
		if pattern != want.pattern || name != want.name {
			t.Errorf("%s: %q, %q", file, pattern, name)
		}
		for _, fits := range []string{path.Base(file), want.other} {
			if ok, err := path.Match(pattern, fits); fits != "" && (!ok || err != nil) {
				t.Errorf("%s: %q does not fit %s: %v", file, pattern, fits, err)
			}
		}
	}
}
