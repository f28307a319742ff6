package main

import (
	"bytes"
	"encoding/csv"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// TestFaultsFile holds testdata/faults.csv against the planted rows.
func TestFaultsFile(t *testing.T) {
	want := faultsCSV(t)
	path := root("testdata", "faults.csv")
	if rewrite() {
		writeFile(t, path, want)
	}
	if got := readFile(t, path); !bytes.Equal(want, got) {
		t.Errorf("%s\n%s", stale("testdata/faults.csv"), cmp.Diff(string(want), string(got)))
	}
}

func faultsCSV(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	headers := faultHeaders()
	if err := w.Write(headers); err != nil {
		t.Fatal(err)
	}

	for i, row := range faultRows() {
		cells := faultCells(i, row)
		var fields []string
		for _, header := range headers {
			fields = append(fields, cells[header])
		}
		if row.extra {
			fields = append(fields, "shifted")
		}
		if err := w.Write(fields); err != nil {
			t.Fatal(err)
		}
	}
	w.Flush()
	return b.Bytes()
}

// TestCheckFaults: a check lists every planted fault at its cell and nothing
// else, ends with exit 3, and sends nothing: no ledger is even made.
func TestCheckFaults(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files []string
		flags []string
		want  func(faultRow) []string
	}{
		{"plain", []string{"testdata/faults.csv"}, nil, func(r faultRow) []string { return r.plain }},
		{"strict", []string{"testdata/faults.csv", "testdata/faults.yaml"}, []string{"-m", "testdata/faults.yaml"}, func(r faultRow) []string {
			if r.strict != nil {
				return r.strict
			}
			return r.plain
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			args := append([]string{"check", "--today", "2026-12-01"}, tc.flags...)
			s, folder := command(t, tc.files, append(args, "testdata/faults.csv")...)
			if s.status != exitFix {
				t.Errorf("exit %d, want %d\n%s", s.status, exitFix, s.err)
			}

			var want []planted
			for i, row := range faultRows() {
				for _, problem := range tc.want(row) {
					want = append(want, plantedAt(firstFaultLine+i, problem))
				}
			}

			slices.SortFunc(want, byPlace)
			got := listedProblems(t, s.out)
			slices.SortFunc(got, byPlace)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s", diff, s.out)
			}
			noLedger(t, folder)
		})
	}
}

// A planted is a problem at its cell, as a check lists it.
type planted struct {
	Line, Column int // no column for a fault of the line as a whole
	Header       string
	Code         string
	Notice       bool
}

// plantedAt reads code@Header, with a question mark behind the code of a
// notice.
func plantedAt(line int, problem string) planted {
	code, header, _ := strings.Cut(problem, "@")
	p := planted{Line: line, Header: header, Column: slices.Index(faultHeaders(), header) + 1}
	p.Code, p.Notice = strings.CutSuffix(code, "?")
	return p
}

func byPlace(a, b planted) int {
	return slices.Compare([]int{a.Line, a.Column, strings.Compare(a.Code, b.Code)}, []int{b.Line, b.Column, 0})
}

var problemLine = regexp.MustCompile(`^line (\d+)(?:, column (\d+) \(([^)]*)\))?: (notice: )?.* \[([a-z-]+)\]$`)

// listedProblems reads what a check has listed on the terminal.
func listedProblems(t *testing.T, out string) []planted {
	t.Helper()
	var found []planted
	for line := range strings.Lines(out) {
		m := problemLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		at, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		found = append(found, planted{Line: at, Column: column, Header: m[3], Code: m[5], Notice: m[4] != ""})
	}
	return found
}

// noLedger looks everywhere below a folder.
func noLedger(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if strings.Contains(filepath.Base(path), "ledger") || strings.HasSuffix(path, ".db") {
			t.Errorf("a check has made %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFaultsAreComplete: every rule of the checks and every problem that a
// mapping can find is planted, or no CSV file can provoke it and the reason is
// given here.
func TestFaultsAreComplete(t *testing.T) {
	impossible := map[string]string{
		"passenger-count":            "a mapping leaves a count of 0 out and reports one below as count-unreadable; a retried or hand-made trip is what the check is for",
		"will-call-date-missing":     "the mapping reports it first, as date-missing at the date's cell",
		"will-call-with-appointment": "a mapping never gives a will call an appointment; beside the flag it is will-call-time",
		"will-call-not-2359":         "a mapping gives every will call 23:59 itself",
		"dropoff-pickup-time":        "the mapping language refuses a pickup time under dropoff",
		"cell-error":                 "only a workbook has error cells",
	}

	planted := map[string]bool{}
	for _, row := range faultRows() {
		for _, problem := range slices.Concat(row.plain, row.strict) {
			code, _, _ := strings.Cut(problem, "@")
			planted[strings.TrimSuffix(code, "?")] = true
		}
	}

	for _, code := range codesOf(importer.StageCheck, importer.StageMapping) {
		reason, excused := impossible[code]
		switch {
		case !planted[code] && !excused:
			t.Errorf("no row of faults.csv plants %s", code)
		case planted[code] && excused:
			t.Errorf("%s is planted, and yet said to be impossible: %s", code, reason)
		}
		delete(impossible, code)
	}

	for code := range impossible {
		t.Errorf("%s is no code any more", code)
	}
}

// TestFaultsOfThePlainTemplate names the rules that a file in the plain layout
// can't break, so that one more is not lost unseen.
func TestFaultsOfThePlainTemplate(t *testing.T) {
	var lacking []string
	for _, code := range codesOf(importer.StageCheck) {
		if !slices.ContainsFunc(faultRows(), func(r faultRow) bool { return gives(r.plain, code) }) {
			lacking = append(lacking, code)
		}
	}

	want := []string{
		"address-both-styles",                           // it has one style
		"appointment-missing",                           // it has no trip type: that follows from the times
		"dropoff-pickup-time", "leg-before-appointment", // its legs stand on one row
		"passenger-count", "pickup-time-missing",
		"position-missing", // a known address is position-unknown, and none is address-missing
		"return-with-appointment",
		"time-skipped", // it has no zone
		"will-call-date-missing", "will-call-not-2359", "will-call-with-appointment",
	}

	if diff := cmp.Diff(want, slices.Sorted(slices.Values(lacking))); diff != "" {
		t.Error(diff)
	}
}

func gives(problems []string, code string) bool {
	return slices.ContainsFunc(problems, func(p string) bool {
		return strings.HasPrefix(p, code+"@") || strings.HasPrefix(p, code+"?@")
	})
}

// codesOf gives the codes of the problems that the stages report.
func codesOf(stages ...importer.Stage) []string {
	var codes []string
	for _, c := range importer.Codes() {
		if slices.Contains(stages, c.Stage) {
			codes = append(codes, c.Code)
		}
	}
	return codes
}
