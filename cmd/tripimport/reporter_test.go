package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
)

// TestFindingsStandOnLinesOfTheirOwn checks that the bar is removed before a finding is printed
// on the same terminal.
func TestFindingsStandOnLinesOfTheirOwn(t *testing.T) {
	var terminal bytes.Buffer
	r := &reporter{environment: environment{Out: &terminal, Err: &terminal}, flags: &runFlags{}, printed: map[string]int{}}
	row := importer.Row{File: "night.csv", Num: 2}
	r.list(row, importer.Problem{Code: "early", Message: "before the bar", Cells: []importer.Ref{row.Ref(1)}})
	r.started.Trips, r.bar = 9, newBar(&terminal, 9)
	r.Row(importer.RowResult{Trips: make([]importer.TripResult, 1)})
	if !strings.HasSuffix(terminal.String(), "]") {
		t.Fatalf("no bar: %q", terminal.String())
	}
	r.list(row, importer.Problem{Code: "late", Message: "behind the bar", Cells: []importer.Ref{row.Ref(1)}})
	before, _, _ := strings.Cut(terminal.String(), "line 2, column A: behind the bar")
	drawn := strings.Split(before, "\r")
	blank := drawn[len(drawn)-2] // the cursor is back at the beginning of the line
	if drawn[len(drawn)-1] != "" || strings.Trim(blank, " ") != "" || len(blank) != barWidth-1 {
		t.Errorf("the bar stands before a finding: %q", terminal.String())
	}
}

// TestProgressWithoutBar tells the progress in a line a minute where there is no terminal.
func TestProgressWithoutBar(t *testing.T) {
	var out, errs bytes.Buffer
	r := &reporter{environment: environment{Out: &out, Err: &errs}, flags: &runFlags{}, printed: map[string]int{}}
	r.started.Trips = 3
	row := importer.RowResult{Trips: make([]importer.TripResult, 1)}
	r.Row(row)
	r.Row(row)
	if errs.Len() > 0 {
		t.Errorf("told at once: %q", errs.String())
	}
	r.told = r.told.Add(-time.Minute)
	r.Row(row)
	if got := errs.String(); got != "3 of 3 trips\n" || out.Len() > 0 {
		t.Errorf("%q on stderr, %q on stdout", got, out.String())
	}
}
