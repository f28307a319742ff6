package app_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
)

// Runs whose results can't be found are named in the morning list, with the place where they
// ran, but only if something in them is open.
func TestRunsWhoseResultsAreElsewhere(t *testing.T) {
	ctx := context.Background()
	o := newFixture(t, goodRows)
	o.env["TRIPIMPORT_MACHINE_ID"] = "machine-1"
	_, _, err := o.app().NewLedger(ctx)
	o.must(err)
	elsewhere := t.TempDir()
	run := func(file string, limit int, want app.Status) {
		t.Helper()
		err := o.app().Import(ctx, app.Options{OutputFolder: elsewhere, Limit: limit, Today: "2026-12-01"}, app.Silent{}, file)
		if app.StatusOf(err) != want {
			t.Fatalf("%s ends with %v", file, err)
		}
	}
	want := func(files ...string) {
		t.Helper()
		m, err := o.app().Morning(ctx, app.MorningOptions{Inputs: []string{o.folder}})
		o.must(err)
		var lost []string
		for _, l := range m.Lost {
			lost = append(lost, l.Files...)
		}
		if strings.Join(lost, " ") != strings.Join(files, " ") {
			t.Errorf("lost are %+v, want %q", m.Lost, files)
		}
	}

	run("schedule.csv", 0, app.Done)
	want()
	other := strings.NewReplacer("T-", "U-", "R-", "S-", "12 Alder", "14 Alder", "31 Fern", "33 Fern").Replace(goodRows)
	o.write("other.csv", header+other)
	run("other.csv", 1, app.Done)
	want("other.csv")
	run("other.csv", 0, app.Done) // the rest
	want()

	lost := false
	o.onInsert = func() {
		if !lost {
			lost = true
			panic(http.ErrAbortHandler) // the answer is lost
		}
	}
	o.env["TRIPIMPORT_WORKERS"] = "1"
	o.write("lost.csv", header+strings.NewReplacer("T-", "W-", "R-", "P-", "12 Alder", "18 Alder", "31 Fern", "37 Fern").Replace(goodRows))
	run("lost.csv", 0, app.NeedsPerson)
	want() // the ledger lists the trip that may be booked
	o.onInsert = nil
	o.write("faulty.csv", header+strings.NewReplacer("T-", "V-", "R-", "Q-", "12 Alder", "16 Alder", "31 Fern", "35 Fern").Replace(goodRows+faultyRow))
	run("faulty.csv", 0, app.FixRows)
	want("faulty.csv")

	// A run on another machine.
	l, err := sqlite.Store{}.Open(ctx, filepath.Join(o.home, "ledger.db"), ledger.Options{Machine: "machine-1", Marks: []string{o.env["TRIPIMPORT_MARKS"]}})
	o.must(err)
	now := time.Date(2026, 11, 20, 22, 0, 0, 0, time.UTC)
	o.must(l.Begin(ctx, importer.RunInfo{ID: "run-there", Started: now, Command: "import", Inputs: []importer.InputInfo{{Name: "there.csv", Hash: "there"}}, Host: "DESK-2"}))
	totals := importer.Totals{RowsRead: 1, TripsRead: 1}
	totals.Rows[importer.NotSent], totals.Trips[importer.NotSent], totals.Urgencies[importer.ToSend] = 1, 1, 1
	o.must(l.End(ctx, "run-there", totals, now, "stopped: service-down"))
	o.must(l.Close())
	o.must(os.Remove("faulty.csv")) // it is the results that count
	m, err := o.app().Morning(ctx, app.MorningOptions{Inputs: []string{o.folder, elsewhere}})
	o.must(err)
	if len(m.Lost) != 1 || m.Lost[0].Host != "DESK-2" || !strings.Contains(m.Lost[0].Reason, "run run-there are on DESK-2") || !strings.Contains(m.Lost[0].Fix, "`tripimport morning` there") {
		t.Errorf("lost are %+v", m.Lost)
	}
}
