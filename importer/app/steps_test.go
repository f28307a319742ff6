package app_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer/app"
	"tripimport/importer/ledger"
)

// otherRows are the rows of goodRows as other trips of other riders.
var otherRows = strings.NewReplacer("T-", "U-", "R-", "S-").Replace(goodRows)

// TestAddressesAreAskedForBeforeTheRun leaves coordinates to a geocoder: the plan asks whether
// addresses may be sent to it. Nothing is sent before a yes.
func TestAddressesAreAskedForBeforeTheRun(t *testing.T) {
	o := newFixture(t, strings.Replace(goodRows, "42.301,-83.401", ",", 1))
	o.newLedger()
	o.env["TRIPIMPORT_GEOCODER"] = "census"
	r := &recorder{T: t}
	p, err := planImport(o.app(), app.Options{Today: "2026-12-01"}, r, "schedule.csv")
	if err != nil || o.inserts.Load() > 0 || len(p.Asks) != 1 || !strings.Contains(p.Asks[0].Text, "1 address would be sent") {
		t.Errorf("%v: %d trips sent, asked %+v", err, o.inserts.Load(), p.Asks)
	}
	if len(r.calls) != 1 || !strings.HasPrefix(r.calls[0], "start") {
		t.Errorf("the events are %q", r.calls)
	}
}

// TestRunKeepsToItsPlan runs what was planned. A plan keeps nothing open: meanwhile another import
// gets the ledger. If a plan is not what would be done any more, nothing is sent.
func TestRunKeepsToItsPlan(t *testing.T) {
	plan := func(o *fixture) app.Options {
		options := app.Options{Today: "2026-12-01"}
		p, err := planImport(o.app(), options, app.Silent{}, "schedule.csv")
		o.must(err)
		return agreeing(options, p)
	}
	for name, c := range map[string]struct {
		meanwhile func(*fixture)
		stale     bool
	}{
		"as planned":       {meanwhile: func(*fixture) {}},
		"a newer schedule": {meanwhile: func(o *fixture) { o.write("b.csv", header+otherRows); o.must(importOther(o)) }, stale: true},
		"the same import": {meanwhile: func(o *fixture) {
			o.must(importAgreed(o.app(), app.Options{Today: "2026-12-01"}, app.Silent{}, "schedule.csv"))
		}, stale: true},
		"another schedule":   {meanwhile: func(o *fixture) { o.write("schedule.csv", header+otherRows) }, stale: true},
		"one more passenger": {meanwhile: func(o *fixture) { o.write("schedule.csv", header+goodRows+otherRows) }, stale: true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newFixture(t, goodRows)
			o.newLedger()
			options := plan(o)
			c.meanwhile(o)
			sent := o.inserts.Load()
			err := o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv")
			if n := o.inserts.Load() - sent; errors.Is(err, app.ErrStale) != c.stale || c.stale != (n == 0) {
				t.Errorf("%v: %d trips sent", err, n)
			}
		})
	}
}

// TestDeclinedPlan plans a schedule that takes the first rider off and moves the second, and leaves it
// at that: no word of it stays behind, so the schedule before it is still the newest.
func TestDeclinedPlan(t *testing.T) {
	o := newFixture(t, goodRows)
	o.newLedger()
	options := app.Options{Today: "2026-12-01"}
	o.must(importAgreed(o.app(), options, app.Silent{}, "schedule.csv"))
	before, sent := o.events(), o.inserts.Load()
	_, second, _ := strings.Cut(goodRows, "\n")
	o.write("newer.csv", header+strings.Replace(second, ":30 AM", ":45 AM", 1))
	_, err := planImport(o.app(), options, app.Silent{}, "newer.csv")
	o.must(err)
	if after := o.events(); after != before {
		t.Errorf("the declined plan left %d events", after-before)
	}
	o.write("schedule.csv", header+goodRows+otherRows) // as its people fixed it
	o.must(importAgreed(o.app(), options, app.Silent{}, "schedule.csv"))
	if n := o.inserts.Load() - sent; n != sent {
		t.Errorf("%d trips were sent", n)
	}
}

// events returns the number of the ledger's last event.
func (o *fixture) events() (n int64) {
	o.Helper()
	o.must(o.app().ReadLedger(context.Background(), func(l ledger.Ledger) error {
		n = l.Number()
		return nil
	}))
	return n
}

func importOther(o *fixture) error {
	return o.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "b.csv")
}

// TestChangedKeyOfOtherTrips imports other trips of a provider that has another
// key under the same name: no trip is looked up by the new key or sent under it.
func TestChangedKeyOfOtherTrips(t *testing.T) {
	o := newFixture(t, goodRows)
	o.newLedger()
	options := app.Options{Today: "2026-12-01"}
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))

	o.newKey = true
	o.write("schedule.csv", header+otherRows)
	sent := o.inserts.Load()
	r := &recorder{T: t}
	err := o.app().Import(context.Background(), options, r, "schedule.csv")
	if got := app.StatusOf(err); got != app.NotSetUp || o.inserts.Load() != sent || len(r.calls) > 0 {
		t.Errorf("status %d, %d trips sent, events %v: %v", got, o.inserts.Load()-sent, r.calls, err)
	}
}

// TestRunIsEnded looks in the ledger for how runs ended.
func TestRunIsEnded(t *testing.T) {
	o := newFixture(t, goodRows+faultyRow)
	o.newLedger()
	ctx, cancel := context.WithCancel(context.Background())
	options := app.Options{Today: "2026-12-01"}
	_ = o.app().Import(ctx, options, app.Silent{}, "schedule.csv") // one row has a fault
	o.write("schedule.csv", header+otherRows)
	o.onInsert = cancel
	_ = o.app().Import(ctx, options, app.Silent{}, "schedule.csv")

	ends := map[string]bool{}
	o.must(o.app().ReadLedger(context.Background(), func(l ledger.Ledger) error {
		runs, err := l.Runs(context.Background(), 0)
		for _, run := range runs {
			ends[run.How] = true
			if run.Ended.IsZero() || run.Live || !run.Totals.Balanced() || run.Totals.RowsRead == 0 {
				t.Errorf("a run ended as %+v", run)
			}
		}
		return err
	}))
	if diff := cmp.Diff(map[string]bool{"finished": true, "interrupted": true}, ends); diff != "" {
		t.Error(diff)
	}
}

// TestInputChangesDuringRun cuts off the schedule once the first trip is sent. The
// run has sent something, so its status is not that of a file that was refused.
func TestInputChangesDuringRun(t *testing.T) {
	first, _, _ := strings.Cut(goodRows, "\n")
	var many strings.Builder
	for i := range 6000 { // more than are read ahead
		many.WriteString(strings.NewReplacer("T-1", fmt.Sprint("T-", i), "R-1", fmt.Sprint("R-", i)).Replace(first) + "\n")
	}
	o := newFixture(t, many.String())
	o.newLedger()
	o.onInsert = func() { o.must(os.Truncate(filepath.Join(o.folder, "schedule.csv"), int64(len(header)))) }
	err := o.app().Import(context.Background(), app.Options{Today: "2026-12-01"}, app.Silent{}, "schedule.csv")
	if got := app.StatusOf(err); got != app.Later || !strings.Contains(err.Error(), "while it was being read") {
		t.Errorf("status %d: %v", got, err)
	}
	o.must(o.app().ReadLedger(context.Background(), func(l ledger.Ledger) error {
		v, err := l.Verify(context.Background())
		if len(v.Wrong) > 0 {
			t.Errorf("the ledger is not sound: %q", v.Wrong)
		}
		return err
	}))
}
