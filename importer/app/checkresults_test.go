package app_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// TestCheckWritesAtTheFirstFinding checks schedules with a finding at the first row, far
// down, in both, and nowhere. Before the first finding nothing is written. The results
// that are then begun are byte for byte those that are written from the first row on
// because Output names them, and Events has each row once, with its findings.
func TestCheckWritesAtTheFirstFinding(t *testing.T) {
	good, _, _ := strings.Cut(goodRows, "\n")
	tests := []struct {
		name   string
		rows   int
		faulty map[int]bool
		format string
		want   app.Status
	}{
		{"early", 60, map[int]bool{1: true}, "xlsx", app.FixRows},
		{"late", 60, map[int]bool{60: true}, "xlsx", app.FixRows},
		{"after more rows than are read ahead", 4200, map[int]bool{4150: true, 4200: true}, "csv", app.FixRows},
		{"none", 60, nil, "xlsx", app.Done},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var rows strings.Builder
			for i := 1; i <= tt.rows; i++ {
				row := good + "\n"
				if tt.faulty[i] {
					row = faultyRow
				}
				rows.WriteString(strings.NewReplacer("T-1", fmt.Sprint("T-", i), "T-3", fmt.Sprint("T-", i), "R-1", fmt.Sprint("R-", i)).Replace(row))
			}
			o := newFixture(t, rows.String())
			check := func(output string) (*checkEvents, []byte) {
				cryptotest.SetGlobalRandom(t, 1)
				e := &checkEvents{fixture: o}
				clock := &monthClock{now: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)}
				o.env["TRIPIMPORT_RESULTS_FORMAT"] = tt.format
				a, err := app.New(app.Environment{Approved: true, Clock: clock, Spell: spelled, Lookup: func(name string) (string, bool) {
					value, ok := o.env[name]
					return value, ok
				}}, nil)
				o.must(err)
				a.Mapping = o.env["MAPPING"]
				if got := app.StatusOf(a.Check(context.Background(), app.Options{Output: output}, e, "schedule.csv")); got != tt.want {
					t.Fatalf("status %d, want %d", got, tt.want)
				}
				if len(e.files) == 0 {
					return e, nil
				}
				written, err := os.ReadFile(e.files[0])
				o.must(err)
				o.must(os.Remove(e.files[0]))
				return e, written
			}

			begun, written := check("")
			if (len(tt.faulty) > 0) != (written != nil) {
				t.Fatalf("results are written: %t", written != nil)
			}
			if begun.early != nil {
				t.Errorf("before the first finding the folder has %q", begun.early)
			}
			name := results.Name("schedule.csv", time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), results.OfCheck, results.XLSX)
			named, fromFirstRow := check(strings.TrimSuffix(name, ".xlsx") + "." + tt.format)
			if diff := cmp.Diff(named.calls, begun.calls); diff != "" {
				t.Error("the events differ:\n" + diff)
			}
			if diff := cmp.Diff(o.parts(tt.format, fromFirstRow), o.parts(tt.format, written)); written != nil && diff != "" {
				t.Error("the results differ:\n" + diff)
			}
		})
	}
}

// parts returns the files in a workbook; of another format the file itself. excelize
// lists the parts of a workbook in no order.
func (o *fixture) parts(format string, written []byte) map[string]string {
	o.Helper()
	if format != "xlsx" || written == nil {
		return map[string]string{"": string(written)}
	}
	book, err := zip.NewReader(bytes.NewReader(written), int64(len(written)))
	o.must(err)
	parts := map[string]string{}
	for _, f := range book.File {
		in, err := f.Open()
		o.must(err)
		text, err := io.ReadAll(in)
		o.must(err)
		parts[f.Name] = string(text)
	}
	const list = "[Content_Types].xml"
	parts[list] = strings.Join(slices.Sorted(strings.SplitSeq(parts[list], "<")), "<")
	return parts
}

// checkEvents keeps the calls of a check, what is in the folder before its first finding,
// and the results.
type checkEvents struct {
	app.Silent
	*fixture
	calls, early, files []string
	found               bool
}

func (e *checkEvents) Row(row importer.RowResult) {
	e.calls = append(e.calls, "row "+rowID(row.Row))
	for _, p := range row.Problems {
		e.calls = append(e.calls, "finding: "+p.Message)
	}
	if e.found = e.found || len(row.Problems) > 0; !e.found && row.Row.Num%50 == 0 {
		files, err := filepath.Glob("*.*.*")
		e.must(err)
		e.early = append(e.early, files...)
	}
}

func (e *checkEvents) Summary(s *results.Summary) error {
	e.files = s.Files
	e.calls = append(e.calls, s.Sentence)
	return nil
}
