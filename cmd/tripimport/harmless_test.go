package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tripimport/importer/app"
)

// hostileName is the name of a file that would colour, rename, clear and reverse a
// terminal, and pass for a line of ours.
const hostileName = "a\x1b[31m\x1b]0;t\a\u009b2J\u202eb\u2066c\u200b\r\nFORGED all booked\n\tFORGED d"

// TestHarmlessOutput gives files with hostile names, sheets, headers and cells to every
// command that reads one: nothing of it reaches the terminal.
func TestHarmlessOutput(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows takes no control characters in the name of a file")
	}
	home := t.TempDir()
	t.Chdir(t.TempDir())
	header := "Trip ID,Rider ID,Provider,Funding Source,Space Type,Pickup Address,Pickup City,Pickup State,Pickup ZIP,Pickup Latitude,Pickup Longitude,Dropoff Address,Dropoff City,Dropoff State,Dropoff ZIP,Dropoff Latitude,Dropoff Longitude,Date,Pickup Time,Appointment Time,Will Call,Round Trip,Return Time"
	row := "\"" + hostileName + "\",R-1,Lakeshore Transit,Harborview Health,AMB,12 Alder Ct,Westfield,MI,48111,42.301,-83.401,700 Bay Rd,Westfield,MI,48111,42.322,-83.412,12/2/2026,8:30 AM,9:15 AM,No,No,"
	clean := strings.Replace(row, "\""+hostileName+"\"", "T-1", 1)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	night, faulty, other := hostileName+"\x9b.csv", hostileName+".faulty.csv", hostileName+".other.csv"
	write(night, header+"\n"+clean+"\n")
	write(faulty, header+",\""+hostileName+"\"\n"+row+",\""+hostileName+"\"\n")
	write(other, "one,\""+hostileName+"\"\n1,2\n")
	write(hostileName+".yaml", "mapping: 1\nname: \"x\"\ntrips: 3\n")

	for _, args := range [][]string{
		{"import", "--sandbox", "-m", "plain", night},
		{"import", "--sandbox", "-m", "plain", night, "--json"},
		{"check", "--today", "2026-12-01", "-m", "plain", faulty},
		{"check", "--today", "2026-12-01", "-m", "plain", faulty, "--json"},
		{"check", faulty},
		{"check", "-m", hostileName + ".yaml", night},
		{"check", hostileName + "-missing.csv"},
		{"check", "--" + hostileName},
		{hostileName},
		{"inspect", faulty},
		{"map", other},
		{"map", other, "-o", hostileName + "2.yaml"},
		{"map", other, "-o", hostileName + "/2.yaml"},
		{"map", "lint", hostileName + ".yaml"},
		{"map", "approve", hostileName + "2.yaml", other},
		{"retry", night},
		{"places", "add", night},
		{"runs", "--set", "ledger=" + filepath.Join(home, "rehearsal", "ledger.db")},
		{"runs", "show", hostileName, "--set", "ledger=" + filepath.Join(home, "rehearsal", "ledger.db")},
		{"runs", "show", "RUN", "--set", "ledger=" + filepath.Join(home, "rehearsal", "ledger.db")},
		{"ledger", "new", "--set", "ledger=" + hostileName + "/ledger.db"},
		{"ledger", "--set", "ledger=" + hostileName},
		{"config", "--set", "ledger=" + hostileName},
		{"config", "--set", "rate=" + hostileName},
		{"templates", hostileName},
	} {
		shown := strings.Join(args, " ")
		run := ""
		if args[len(args)-1] != hostileName {
			run = onlyRun(t, home)
		}
		for i := range args {
			if args[i] == "RUN" {
				args[i] = run
			}
		}
		out, errs := runAt(t, home, args...)
		for _, text := range []string{out, errs} {
			requireHarmless(t, shown, text)
		}
		if strings.Contains(shown, "--json") && !strings.Contains(shown, "lint") && out != "" && !json.Valid([]byte(out)) {
			t.Errorf("%q: no JSON: %q", shown, out)
		}
	}
}

// requireHarmless fails for a text that does something to a terminal, or in which what
// came from outside begins a line.
func requireHarmless(t *testing.T, what, text string) {
	t.Helper()
	for _, r := range text {
		if r == utf8.RuneError || r != '\n' && r != '\t' && !unicode.IsGraphic(r) {
			t.Errorf("%q prints %q in %q", what, r, text)
			return
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimLeft(line, "\t "), "FORGED") {
			t.Errorf("%q prints a line that is not ours: %q in %q", what, line, text)
		}
	}
}

// runAt runs a command line in the current folder with that home.
func runAt(t *testing.T, home string, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	execute(args, environment{In: strings.NewReader(""), Out: &o, Err: &e, Environment: app.Environment{Lookup: func(name string) (string, bool) {
		return home, name == "TRIPIMPORT_HOME"
	}}})
	return o.String(), e.String()
}

// onlyRun returns the id of the first run of the rehearsals; empty before there is one.
func onlyRun(t *testing.T, home string) string {
	t.Helper()
	out, _ := runAt(t, home, "runs", "--set", "ledger="+filepath.Join(home, "rehearsal", "ledger.db"))
	if runs := runsIn(out); len(runs) > 0 {
		return runs[0]
	}
	return ""
}

// runsIn returns the ids in a list of runs.
func runsIn(list string) []string {
	return regexp.MustCompile(`(?m)^\d{8}T\S+`).FindAllString(list, -1)
}

// FuzzHarmlessText proves that visible text passes as it is, and nothing else.
func FuzzHarmlessText(f *testing.F) {
	for _, text := range []string{hostileName, "Müller, 漢字, 12½ — “ok”\t\n", "\xff\xfeM\xc3", "\xe2\x80", "a\xf0\x9f\x9a\x91b\xf0\x9f", "\r\n\x00\x9b2J", ""} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		text = append(text, '\n') // as every line ends
		var whole bytes.Buffer
		if n, err := newHarmless(&whole).Write(text); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
		if bytes.ContainsFunc(whole.Bytes(), func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsGraphic(r) }) {
			t.Fatalf("%q became %q", text, whole.String())
		}
		if !bytes.ContainsFunc(text, func(r rune) bool {
			return r == utf8.RuneError || r != '\n' && r != '\t' && !unicode.IsGraphic(r)
		}) && whole.String() != string(text) {
			t.Fatalf("%q became %q", text, whole.String())
		}
	})
}
