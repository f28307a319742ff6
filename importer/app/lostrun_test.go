package app_test

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/ledger"
	"tripimport/importer/sandbox"
	"tripimport/importer/sandbox/inject"
)

// duringRun imports the schedule and returns a function that puts home and marks back
// to what they were while its second trip was being sent.
func (o *fixture) duringRun(options app.Options) (putBack func()) {
	o.Helper()
	o.env["TRIPIMPORT_WORKERS"] = "1"
	folders := []string{o.home, o.env["TRIPIMPORT_MARKS"]}
	saved := []string{o.TempDir(), o.TempDir()}
	n := 0
	o.onInsert = func() {
		if n++; n != 2 {
			return
		}
		for i, folder := range folders {
			o.must(os.CopyFS(saved[i], os.DirFS(folder)))
		}
	}
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))
	o.onInsert = nil

	return func() {
		for i, folder := range folders {
			o.must(os.RemoveAll(folder))
			o.must(os.CopyFS(folder, os.DirFS(saved[i])))
		}
	}
}

// TestMiddleOfARun puts the machine back to the middle of a run, and then uses the ledger until
// its number is beyond that of the run's results.
func TestMiddleOfARun(t *testing.T) {
	ctx, options := context.Background(), app.Options{Today: "2026-12-01"}
	newOffice := func(t *testing.T) (o *fixture, putBack func()) {
		o = newFixture(t, goodRows)
		o.must(os.Mkdir("other", 0o700))
		o.write("other/schedule.csv", header+strings.NewReplacer("T-", "O-", "R-", "Q-", "12 Alder", "14 Alder", "31 Fern", "33 Fern").Replace(goodRows))
		o.newLedger()
		return o, o.duringRun(options)
	}
	runOn := func(o *fixture) {
		for range 4 {
			o.must(o.app().Import(ctx, options, app.Silent{}, "other/schedule.csv"))
		}
	}

	t.Run("its results are there", func(t *testing.T) {
		o, putBack := newOffice(t)
		putBack()
		runOn(o)
		sent := o.inserts.Load()
		files, err := filepath.Glob("schedule.csv.*.results*.csv")
		if err != nil || len(files) != 1 {
			t.Fatalf("the results are %q, %v", files, err)
		}
		err = o.app().Import(ctx, options, app.Silent{}, "schedule.csv")
		if app.StatusOf(err) != app.NotSetUp || !strings.Contains(err.Error(), files[0]) || o.inserts.Load() != sent {
			t.Fatalf("%d trips sent, %v", o.inserts.Load()-sent, err)
		}

		// Adopting it without them is not enough.
		_, _, err = o.app().AdoptLedger(ctx)
		o.must(err)
		if err := o.app().Import(ctx, options, app.Silent{}, "schedule.csv"); app.StatusOf(err) != app.NotSetUp || o.inserts.Load() != sent {
			t.Fatalf("%d trips sent, %v", o.inserts.Load()-sent, err)
		}
		for _, want := range []int{1, 0} { // the second trip was claimed in the copy
			_, entered, err := o.app().AdoptLedger(ctx, files...)
			if err != nil || entered != want {
				t.Errorf("entered %d, want %d, %v", entered, want, err)
			}
		}
		o.must(o.app().Import(ctx, options, app.Silent{}, "schedule.csv"))
		if n := o.inserts.Load() - sent; n != 0 {
			t.Errorf("%d trips were sent again", n)
		}
		o.must(o.app().ReadLedger(ctx, func(l ledger.Ledger) error {
			runs, err := l.Runs(ctx, 0)
			first := runs[len(runs)-1]
			if first.How != "entered from its results" || first.Totals.TripsRead != 1 { // those that the copy lacked
				t.Errorf("the run is %+v", first)
			}
			return err
		}))
	})

	t.Run("at once", func(t *testing.T) {
		o, putBack := newOffice(t)
		putBack()
		sent := o.inserts.Load()
		err := o.app().Import(ctx, options, app.Silent{}, "schedule.csv")
		if app.StatusOf(err) != app.NotSetUp || o.inserts.Load() != sent {
			t.Errorf("%d trips sent, %v", o.inserts.Load()-sent, err)
		}
	})

	// Results that the ledger wrote of a run that was broken off prove nothing more than
	// it has, however far it has come.
	t.Run("its results are written again", func(t *testing.T) {
		o, putBack := newOffice(t)
		putBack()
		files, err := filepath.Glob("schedule.csv.*")
		o.must(err)
		for _, file := range files {
			o.must(os.Remove(file))
		}
		runOn(o)
		var id string
		o.must(o.app().ReadLedger(ctx, func(l ledger.Ledger) error {
			runs, err := l.Runs(ctx, 0)
			id = runs[len(runs)-1].ID
			return err
		}))
		o.must(o.app().RewriteResults(ctx, app.Options{}, app.Silent{}, id, "schedule.csv"))
		if files, err := filepath.Glob("schedule.csv.*"); err != nil || len(files) != 1 {
			t.Fatalf("the results are %q, %v", files, err)
		}
		if err := o.app().Import(ctx, options, app.Silent{}, "schedule.csv"); app.StatusOf(err) == app.NotSetUp {
			t.Error(err)
		}
	})
}

// TestLeftTripsAreEntered adopts a backup with results in which a person answered `leave it`:
// the trip is not sent.
func TestLeftTripsAreEntered(t *testing.T) {
	d := newDesk(t, "csv", "BF")
	ctx, options := context.Background(), app.Options{Today: "2026-12-01"}
	d.must(d.app().BackupLedger(ctx, "copy.db"))
	d.edit(func(g *grid) { g.set("F-1", "What we found", "leave it") })
	d.must(d.retry(true))
	if len(d.posted) != 4 {
		t.Fatalf("sent %q", d.posted)
	}

	copied, err := os.ReadFile("copy.db")
	d.must(err)
	d.must(os.WriteFile(filepath.Join(d.home, "ledger.db"), copied, 0o600))
	files, err := filepath.Glob("night.csv.*.results*.csv")
	d.must(err)
	_, _, err = d.app().AdoptLedger(ctx, files...)
	d.must(err)
	d.posted = nil
	d.must(d.app().Import(ctx, options, app.Silent{}, "night.csv"))
	if len(d.posted) != 0 {
		t.Errorf("sent %q", d.posted)
	}

	// Without those results a person is asked about the trip, which may have been answered since: then it is sent, and the
	// service does not refuse it any more.
	d.must(os.WriteFile(filepath.Join(d.home, "ledger.db"), copied, 0o600))
	_, _, err = d.app().AdoptLedger(ctx)
	d.must(err)
	files, err = filepath.Glob("night.csv.*.results*.csv")
	d.must(err)
	for _, file := range files {
		d.must(os.Remove(file))
	}
	if err := d.app().Import(ctx, options, app.Silent{}, "night.csv"); app.StatusOf(err) != app.NeedsPerson || len(d.posted) != 0 {
		t.Errorf("%v, and sent %q", err, d.posted)
	}
	d.results = d.newest("night.csv.*.results*.csv")
	d.edit(func(g *grid) { g.set("F-1", "What we found", "book") })
	if err := d.retry(true); !slices.Equal(d.posted, []string{"F-1 R-14 31 Fern St"}) {
		t.Errorf("%v, and sent %q", err, d.posted)
	}
}

// TestAnswerOfAnEarlierAttempt answers for both legs of a row of which only one was sent. The
// answer for that leg is about that attempt, and does not count once the leg was sent again.
func TestAnswerOfAnEarlierAttempt(t *testing.T) {
	o := &monthOffice{desk: &desk{fixture: newFixture(t, goodRows)}, clock: &monthClock{now: time.Date(2026, 12, 1, 16, 0, 0, 0, time.UTC)}, causes: noCauses()}
	sent := map[string]int{}
	box, err := sandbox.New(sandbox.Config{
		Faults: &inject.Plan{Faults: []inject.Fault{{Trip: "T-2-A", Kind: "500", Times: 2}}},
		OnRequest: func(op sandbox.Operation, body []byte) {
			for _, id := range []string{"T-2-A", "T-2-B"} {
				if op == sandbox.Insert && strings.Contains(string(body), id) {
					sent[id]++
				}
			}
		},
	})
	o.must(err)
	box.Allow("Lakeshore Transit", "Harborview Health")
	server := httptest.NewServer(box)
	t.Cleanup(server.Close)
	o.env["TRIPIMPORT_BASE_URL"] = server.URL
	o.urgent, o.lists = map[string]int{}, map[string]importer.RowResult{}
	o.newLedger()
	ctx := context.Background()
	_ = o.monthApp().Import(ctx, app.Options{Output: "1.csv"}, o, "schedule.csv") // T-2-A may be booked

	o.results = "1.csv"
	o.edit(func(g *grid) { g.set("T-2", "What we found", "outbound: not there; return: not there") })
	o.clock.now = o.clock.now.Add(20 * time.Minute)
	_ = o.monthApp().Retry(ctx, app.Options{Output: "2.csv"}, o, "1.csv")
	o.results = "2.csv"
	o.edit(func(g *grid) {
		if text := g.row("T-2")[g.column("Problem")]; sent["T-2-A"] != 1 || !strings.Contains(text, "return: what ") || !strings.Contains(text, "could not be taken (`return: not there`)") {
			t.Errorf("the problem is %q", text)
		}
		g.set("T-2", "What we found", "return: book")
	})
	for _, results := range []string{"2.csv", "3.csv"} {
		o.clock.now = o.clock.now.Add(20 * time.Minute)
		_ = o.monthApp().Retry(ctx, app.Options{Output: "3.csv"}, o, results)
	}
	if sent["T-2-A"] != 2 || sent["T-2-B"] != 0 {
		t.Errorf("sent %v", sent)
	}
}
