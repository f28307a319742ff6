package results_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/resultstest"
)

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if os.Getenv("TRIPIMPORT_UPDATE") != "" {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Error(diff)
	}
}

// summarize returns the Summary of rows without writing anything.
func summarize(h importer.RunStart, rows []importer.RowResult, e importer.RunResult) results.Summary {
	o := results.Options{
		Path: "lakeshore.results.xlsx", Location: time.UTC, Now: time.Now, Input: resultstest.Input(),
		Commands: func(written string) results.Commands {
			return results.Commands{
				Retry: "tripimport retry " + written, Resolve: "tripimport morning",
				Again: "tripimport check lakeshore.xlsx", Import: "tripimport import lakeshore.xlsx",
			}
		},
	}
	for _, r := range rows {
		e.Totals.Add(&r)
		e.Totals.RowsRead++
		e.Totals.TripsRead += len(r.Trips)
	}
	return results.Summarize(o, h, rows, e)
}

func all(n int, state importer.State) []importer.RowResult {
	var rows []importer.RowResult
	for i := range n {
		rows = append(rows, resultstest.Result(i+2, state))
	}
	return rows
}

// What the terminal shows, as people see it.
func TestTerminal(t *testing.T) {
	stop := &importer.Stop{Code: "service-down", Reason: "the service does not answer", Fix: "wait until the service answers again", Later: true}
	rehearsal, check := resultstest.RunStart(), resultstest.RunStart()
	rehearsal.Rehearsal, check.Check = true, true
	check.Run.Command, check.Ledger = "check", ""
	var b bytes.Buffer
	for _, c := range []struct {
		name string
		s    results.Summary
	}{
		{"a night in which everything happens", summarize(resultstest.RunStart(), resultstest.Night(60), importer.RunResult{})},
		{"a good night", summarize(resultstest.RunStart(), all(8, importer.Booked), importer.RunResult{})},
		{"the same again", summarize(resultstest.RunStart(), all(8, importer.BookedEarlier), importer.RunResult{})},
		{"a rehearsal", summarize(rehearsal, all(8, importer.Booked), importer.RunResult{})},
		{"a good check", summarize(check, all(8, importer.Ready), importer.RunResult{})},
		{"a check with faults", summarize(check, resultstest.Night(4), importer.RunResult{})},
		{"the service is down", summarize(resultstest.RunStart(), all(8, importer.NotSent), importer.RunResult{Stop: stop})},
		{"stopped by hand", summarize(resultstest.RunStart(), append(all(3, importer.Booked), all(4, importer.NotSent)...), importer.RunResult{Interrupted: true})},
		{"a total that does not balance", summarize(resultstest.RunStart(), all(8, importer.Booked), importer.RunResult{Totals: importer.Totals{RowsRead: 1, TripsRead: 1}})},
		{"an empty file", summarize(resultstest.RunStart(), nil, importer.RunResult{})},
	} {
		b.WriteString("--- " + c.name + "\n" + c.s.Text(80))
	}
	golden(t, "terminal.txt", b.String())
}

// However a run ends, its summary fits the width of a terminal, nothing of it is cut, and
// cells can't play tricks on it.
func TestTerminalFits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []importer.RowResult
		for i := range rapid.IntRange(0, 60).Draw(t, "rows") {
			r := resultstest.Result(i+2, importer.State(rapid.IntRange(0, importer.StateCount-1).Draw(t, "state")))
			r.HalfBooked = rapid.IntRange(0, 9).Draw(t, "half") == 0
			if rapid.Bool().Draw(t, "fault") {
				r = resultstest.WithFault(r, rapid.StringMatching("[a-z]{1,3}").Draw(t, "code"), importer.FieldSpaceType,
					rapid.StringOf(rapid.RuneFrom([]rune("ab \n\t\r\x1b[31m\u202e=🚐"))).Draw(t, "message"), "fix it")
			}
			rows = append(rows, r)
		}
		var e importer.RunResult
		if rapid.Bool().Draw(t, "stopped") {
			e.Stop = &importer.Stop{Reason: strings.Repeat("a long reason ", 20), Fix: strings.Repeat("a long cure ", 20)}
		}
		e.Totals.RowsRead = rapid.IntRange(0, 1).Draw(t, "unbalanced")
		s := summarize(resultstest.RunStart(), rows, e)
		width := rapid.IntRange(40, 200).Draw(t, "width")
		lines := s.Lines(width)
		said := strings.Join(strings.Fields(s.Text(width)), " ")
		whole := []string{s.Sentence}
		for _, step := range s.Next {
			whole = append(whole, step.Say)
		}
		for _, text := range whole {
			if width > 60 && !strings.Contains(said, strings.Join(strings.Fields(results.Inert(text)), " ")) {
				t.Fatalf("%q is not whole in:\n%s", text, s.Text(width))
			}
		}
		for _, l := range lines {
			if utf8.RuneCountInString(l.Text) > width && l.Kind != results.TerminalLine {
				t.Fatalf("wider than %d: %q", width, l.Text)
			}
			if strings.ContainsAny(l.Text, "\x1b\r\n\t\u202e") {
				t.Fatalf("not inert: %q", l.Text)
			}
		}
		if e.Totals.RowsRead == 1 && !strings.Contains(strings.Join(strings.Fields(s.Text(width)), " "), "DOES NOT") {
			t.Fatal("a total that does not balance is not said")
		}
	})
}

// The shape of --json is held by its golden file: fields may be added.
func TestJSON(t *testing.T) {
	s := summarize(resultstest.RunStart(), resultstest.Night(20), importer.RunResult{Stop: &importer.Stop{Code: "service-down", Reason: "the service does not answer", Later: true}})
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.json", string(data)+"\n")
	empty := results.Summary{}
	data, err = json.Marshal(empty)
	if err != nil || bytes.Contains(data, []byte("Rows")) {
		t.Errorf("%s %v", data, err)
	}
}
