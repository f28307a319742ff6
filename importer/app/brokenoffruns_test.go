package app_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/results"
)

// A run that was broken off is named in the morning list, with the machine on which it ran, until a
// later run reads the same schedule to its end. What any other run left open stands in the list
// wherever its results are.
func TestRunsThatWereBrokenOff(t *testing.T) {
	ctx := context.Background()
	o := newFixture(t, goodRows)
	o.env["TRIPIMPORT_MACHINE_ID"] = "machine-1"
	_, _, err := o.app().NewLedger(ctx)
	o.must(err)
	o.write("faulty.csv", header+strings.NewReplacer("T-", "V-", "R-", "Q-", "12 Alder", "16 Alder", "31 Fern", "35 Fern").Replace(goodRows+faultyRow))
	if err := o.app().Import(ctx, app.Options{OutputFolder: t.TempDir(), Today: "2026-12-01"}, app.Silent{}, "faulty.csv"); app.StatusOf(err) != app.FixRows {
		t.Fatal(err)
	}
	list := func() string {
		t.Helper()
		m, _, err := o.app().Morning(ctx, app.MorningOptions{})
		o.must(err)
		var all []string
		for _, items := range [][]results.OpenItem{m.Urgent, m.Listed} {
			for _, item := range items {
				all = append(all, item.Trip.ID)
			}
		}
		for _, l := range m.Lost {
			all = append(all, l.File+" "+l.Reason)
		}
		return strings.Join(all, ", ")
	}
	if got := list(); got != "V-3" {
		t.Errorf("open is %q", got)
	}

	l, err := sqlite.Store{}.Open(ctx, filepath.Join(o.home, "ledger.db"), ledger.Options{Machine: "machine-1", Marks: []string{o.env["TRIPIMPORT_MARKS"]}})
	o.must(err)
	there := importer.RunInfo{ID: "run-there", Started: time.Now(), Command: "import", Input: importer.InputInfo{Name: "there.csv", Hash: "there"}, Host: "DESK-2"}
	o.must(l.Begin(ctx, there))
	o.must(l.Close())
	if got := list(); got != "V-3, there.csv run run-there on DESK-2 was broken off" {
		t.Errorf("open is %q", got)
	}
	l, err = sqlite.Store{}.Open(ctx, filepath.Join(o.home, "ledger.db"), ledger.Options{Machine: "machine-1", Marks: []string{o.env["TRIPIMPORT_MARKS"]}})
	o.must(err)
	there.ID, there.Started = "run-again", time.Now().Add(time.Second)
	o.must(l.Begin(ctx, there))
	o.must(l.End(ctx, "run-again", importer.Totals{}, time.Now(), "finished"))
	o.must(l.Close())
	if got := list(); got != "V-3" {
		t.Errorf("open is %q", got)
	}
}
