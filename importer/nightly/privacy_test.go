package nightly

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingPrivateIsTold plants a patient and a token wherever a night reads, and looks
// for them in whatever it mails, pings, prints and leaves beside the ledger.
func TestNothingPrivateIsTold(t *testing.T) {
	o := newOffice(t)
	o.env["TRIPIMPORT_TOKEN"] = "planted-token"
	plant := func(text string) string {
		return strings.NewReplacer("R-T-1", "R-Planted", "Alder Ct", "Planted Ct", "AMB", "Planted").Replace(text)
	}
	o.write("in/lakeshore_Planted_Pat.csv", plant(scheduleOf("12/2/2026", "T-1", "T-2")))
	o.write("in/lakeshore_Planted_1.csv", "Planted Pat,1950-01-01,555-0142\nPlanted Ann,1951-01-01,555-0143\n")
	o.write("in/lakeshore_Planted_2.csv", plant(scheduleOf("12/3/2026", "T-1")))
	o.write("in/lakeshore_Planted_3.csv", strings.Replace(plant(scheduleOf("12/2/2026", "T-1")), "42.301", "Planted,42.301", 1))
	o.write("in/lakeshore_Planted_4.csv", strings.Replace(header, "Trip ID", "Planted Pat", 1)+"x\n")
	o.wakes("2026-12-01 16:30", "2026-12-01 16:40")
	o.wakes("2026-12-01 21:30", "2026-12-01 22:45")
	o.env["TRIPIMPORT_TOKEN"] = "sandbox-token"
	o.wakes("2026-12-01 22:50", "2026-12-02 05:05")

	if len(o.mails) < 3 {
		t.Errorf("only %d mails: the test shows little", len(o.mails))
	}
	var told []string
	for _, m := range o.mails {
		told = append(told, m.Subject, m.Text)
	}
	told = append(append(told, o.lines...), o.pings...)
	for _, name := range []string{"nightly.lock", "nightly-trouble.json"} {
		text, _ := os.ReadFile(filepath.Join(o.dir, "home", name))
		told = append(told, string(text))
	}
	status, err := o.awake().Status(t.Context())
	o.must(err)
	for _, text := range append(told, status...) {
		if strings.Contains(strings.ToLower(text), "planted") || strings.Contains(text, "555-01") || strings.Contains(text, "sandbox-token") {
			t.Errorf("it tells %q", text)
		}
	}
}

// TestPreflight shows that each thing that a night needs has its line, right and wrong.
func TestPreflight(t *testing.T) {
	o := newOffice(t)
	wrong := func() string {
		var names []string
		for _, l := range o.awake().Preflight(t.Context()) {
			if l.Wrong {
				names = append(names, l.What)
				if l.Text == "" || l.Fix == "" {
					t.Errorf("%s does not say what is wrong and what to do: %+v", l.What, l)
				}
			}
		}
		return strings.Join(names, ", ")
	}
	if got := wrong(); got != "" {
		t.Errorf("a sound office has wrong: %s", got)
	}

	for _, test := range []struct {
		what       string
		spoil, fix func()
	}{
		{"token", func() { o.env["TRIPIMPORT_TOKEN"] = "old" }, func() { o.env["TRIPIMPORT_TOKEN"] = "sandbox-token" }},
		{"ledger", o.mover("home/ledger.db"), o.mover("home/ledger.db.away")},
		{"results", o.mover("results"), o.mover("results.away")},
		{"inbox of Lakeshore", o.mover("done"), o.mover("done.away")},
		{"mail", func() { o.failed = true }, func() { o.failed = false }},
		{"backup", o.mover("backup"), o.mover("backup.away")},
		{"inbox of Lakeshore", o.mover("in"), o.mover("in.away")},
		{"mapping of Lakeshore", o.mover("whole.yaml"), o.mover("whole.yaml.away")},
	} {
		test.spoil()
		if got := wrong(); got != test.what {
			t.Errorf("without %s wrong are: %s", test.what, got)
		}
		o.now = o.now.AddDate(0, 0, 1)
		test.fix()
	}
}

// mover renames a file to have .away at its end, or back.
func (o *officeAtNight) mover(name string) func() {
	to := name + ".away"
	if was, away := strings.CutSuffix(name, ".away"); away {
		to = was
	}
	return func() {
		o.must(os.Rename(filepath.Join(o.dir, filepath.FromSlash(name)), filepath.Join(o.dir, filepath.FromSlash(to))))
	}
}
