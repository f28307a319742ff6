package app_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
)

// TestFixedCells fixes cells of a schedule without a workbook. What the schedule says is recorded,
// so that the old fault in the next one is nothing new.
func TestFixedCells(t *testing.T) {
	o := newFixture(t, goodRows+faultyRow)
	o.newLedger()
	column := func(name string) importer.Ref {
		headers := strings.Split(strings.TrimSpace(header), ",")
		return importer.Ref{File: "schedule.csv", Row: 4, Col: slices.Index(headers, name) + 1}
	}
	fault := app.Fix{At: column("Space Type"), Was: "Gurney", Is: "STR"}
	options := app.Options{Today: "2026-12-01", Fixes: []app.Fix{fault}}

	o.must(o.app().Check(context.Background(), options, app.Silent{}, "schedule.csv"))
	options.Fixes = []app.Fix{{At: fault.At, Was: "AMB", Is: "STR"}}
	if err := o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"); app.StatusOf(err) != app.BadInput || o.inserts.Load() > 0 {
		t.Errorf("a cell that has changed since: %v, %d trips sent", err, o.inserts.Load())
	}

	options.Fixes = []app.Fix{fault}
	o.must(o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv"))
	sent := o.inserts.Load()
	later := time.Now().Add(time.Hour)
	o.must(os.Chtimes("schedule.csv", later, later))
	options.Fixes = nil
	r := &recorder{T: t}
	o.must(o.app().Import(context.Background(), options, r, "schedule.csv"))
	if n := o.inserts.Load() - sent; n != 0 {
		t.Errorf("the next schedule has the old fault: %d trips were sent again", n)
	}
}

// TestTypedRider types an id of a rider into a schedule's cell that has none: one that another row has is asked about.
func TestTypedRider(t *testing.T) {
	for is, asks := range map[string]bool{"R-1": true, "r 2": true, "R-9": false} {
		o := newFixture(t, goodRows+strings.Replace(strings.Replace(faultyRow, "Gurney", "AMB", 1), "R-3", "", 1))
		o.newLedger()
		options := app.Options{Today: "2026-12-01", Fixes: []app.Fix{{At: importer.Ref{File: "schedule.csv", Row: 4, Col: 2}, Is: is}}}

		o.must(o.app().Check(context.Background(), options, app.Silent{}, "schedule.csv"))
		err := o.app().Import(context.Background(), options, app.Silent{}, "schedule.csv")
		if asked := err != nil && strings.Contains(err.Error(), "B4 (Rider ID), now the same as in row"); asked != asks || asked == (o.inserts.Load() > 0) {
			t.Errorf("%s: %v, %d trips sent", is, err, o.inserts.Load())
		}
		o.must(importAgreed(o.app(), options, app.Silent{}, "schedule.csv"))
		if o.inserts.Load() != 4 {
			t.Errorf("%s with a yes: %d trips sent", is, o.inserts.Load())
		}
	}
}
