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

// TestFaultsFile compares testdata/faults.csv with the rows of faultRows.
func TestFaultsFile(t *testing.T) {
	want := faultsCSV(t)
	path := repoPath("testdata", "faults.csv")
	if updating() {
		writeFile(t, path, want)
	}
	if got := readFile(t, path); !bytes.Equal(want, got) {
		t.Errorf("%s\n%s", stale("testdata/faults.csv"), cmp.Diff(string(want), string(got)))
	}
}

// faultsCSV generates testdata/faults.csv.
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

// TestCheckFaults checks testdata/faults.csv. The check lists every planted problem at
// its cell and nothing else, ends with status 3, and makes no ledger.
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

			slices.SortFunc(want, byPosition)
			got := listedProblems(t, s.out)
			slices.SortFunc(got, byPosition)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s", diff, s.out)
			}
			requireNoLedger(t, folder)
		})
	}
}

// A planted is a problem at its cell, as a check lists it.
type planted struct {
	Line, Column int // column 0 for a problem of the whole line
	Header       string
	Code         string
	Notice       bool
}

// plantedAt reads code@Header. A question mark after the code makes it a notice.
func plantedAt(line int, problem string) planted {
	code, header, _ := strings.Cut(problem, "@")
	p := planted{Line: line, Header: header, Column: slices.Index(faultHeaders(), header) + 1}
	p.Code, p.Notice = strings.CutSuffix(code, "?")
	return p
}

// byPosition orders problems by their cells.
func byPosition(a, b planted) int {
	return slices.Compare([]int{a.Line, a.Column, strings.Compare(a.Code, b.Code)}, []int{b.Line, b.Column, 0})
}

var problemLine = regexp.MustCompile(`^(?:row |([A-Z]+))(\d+)(?: \(([^)]*)\))?: (notice: )?.* \[([a-z-]+)\]$`)

// listedProblems reads the problems that a check printed.
func listedProblems(t *testing.T, out string) []planted {
	t.Helper()
	var found []planted
	for line := range strings.Lines(out) {
		m := problemLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			continue
		}
		at, _ := strconv.Atoi(m[2])
		column, _ := importer.ColumnNumber(m[1]) // 0 for a whole row
		found = append(found, planted{Line: at, Column: column, Header: m[3], Code: m[5], Notice: m[4] != ""})
	}
	return found
}

// requireNoLedger fails the test if there is a ledger in a folder or below it.
func requireNoLedger(t *testing.T, folder string) {
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

// TestFaultsAreComplete requires that every problem that a check or a mapping can find
// is planted in faults.csv, or that no CSV file can have it, for a reason given here.
func TestFaultsAreComplete(t *testing.T) {
	impossible := map[string]string{
		"position-missing": "an address without coordinates is position-unknown, and none is address-missing",
		"cell-error":       "only a workbook has error cells",
		"second-table":     "it stops the whole file",
	}

	planted := map[string]bool{}
	for _, row := range faultRows() {
		for _, problem := range slices.Concat(row.plain, row.strict) {
			code, _, _ := strings.Cut(problem, "@")
			planted[strings.TrimSuffix(code, "?")] = true
		}
	}

	for _, code := range codesOf("check", "mapping") {
		reason, excused := impossible[code]
		switch {
		case !planted[code] && !excused:
			t.Errorf("no row of faults.csv plants %s", code)
		case planted[code] && excused:
			t.Errorf("%s is planted, although it is listed as impossible: %s", code, reason)
		}
		delete(impossible, code)
	}

	for code := range impossible {
		t.Errorf("there is no code %s", code)
	}
}

// TestFaultsOfThePlainTemplate names the rules that a file in the plain layout can't
// break, so that a change that adds one is noticed.
func TestFaultsOfThePlainTemplate(t *testing.T) {
	var lacking []string
	for _, code := range codesOf("check") {
		if !slices.ContainsFunc(faultRows(), func(r faultRow) bool { return hasCode(r.plain, code) }) {
			lacking = append(lacking, code)
		}
	}

	want := []string{
		"address-both-styles", // it has one style
		"position-missing",    // a known address is position-unknown, and none is address-missing
		"time-skipped",        // it has no zone
	}

	if diff := cmp.Diff(want, slices.Sorted(slices.Values(lacking))); diff != "" {
		t.Error(diff)
	}
}

// hasCode reports whether one of the problems has the code.
func hasCode(problems []string, code string) bool {
	return slices.ContainsFunc(problems, func(p string) bool {
		return strings.HasPrefix(p, code+"@") || strings.HasPrefix(p, code+"?@")
	})
}

// codesOf returns the codes of the problems that the stages report.
func codesOf(stages ...string) []string {
	var codes []string
	for _, c := range importer.Codes() {
		if slices.Contains(stages, c.Stage) {
			codes = append(codes, c.Code)
		}
	}
	return codes
}
