package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/app"
	"tripimport/importer/results"
)

// A pageDesk is an office that uses the jobs of a page.
type pageDesk struct {
	*fixture
	*app.Jobs
}

func newPageDesk(t *testing.T) *pageDesk {
	d := &pageDesk{fixture: newFixture(t, "")}
	d.newLedger()
	clock := importer.SetClock{Today: importer.Date{Year: 2026, Month: 11, Day: 21}}
	d.Jobs = app.NewJobs(app.Environment{Approved: true, Clock: clock, Lookup: func(name string) (string, bool) {
		value, ok := d.env[name]
		return value, ok
	}}, nil)
	return d
}

// saved is when the schedules of the tests were saved.
var saved = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func (d *pageDesk) arrive(rows string) string {
	d.Helper()
	w, err := d.Arrive(context.Background(), "schedule.csv", saved, strings.NewReader(header+rows))
	d.must(err)
	return w.ID
}

// faults returns the faulty rows of a work, by their number, with the cells that a problem names.
func (d *pageDesk) faults(id string) map[int][]importer.Ref {
	d.Helper()
	faulty := map[int][]importer.Ref{}
	_, err := d.Check(context.Background(), id, func(row importer.RowResult) {
		for _, p := range row.Problems {
			if p.Severity == importer.Fault {
				faulty[row.Row.Num] = append(faulty[row.Row.Num], p.Cells...)
			}
		}
	})
	d.must(err)
	return faulty
}

func (d *pageDesk) plan(id string, rehearse bool) *app.Plan {
	d.Helper()
	p, _, err := d.Plan(context.Background(), id, rehearse, "Dana")
	d.must(err)
	return p
}

func columnOf(name string) int {
	return slices.Index(strings.Split(strings.TrimSpace(header), ","), name) + 1
}

// TestJobsFromDropToBooked takes a schedule from its arrival to the booked trips, as a page does.
func TestJobsFromDropToBooked(t *testing.T) {
	d := newPageDesk(t)
	ctx := context.Background()
	id := d.arrive(goodRows + faultyRow + strings.ReplaceAll(strings.ReplaceAll(faultyRow, "T-3,R-3", "T-4,R-4"), "2:00 PM", "4:00 PM"))
	works, err := d.Works(ctx)
	if err != nil || len(works) != 1 || works[0].ID != id || works[0].Name != "schedule.csv" || !works[0].Saved.Equal(saved) {
		t.Fatalf("open schedules: %+v, %v", works, err)
	}
	at := columnOf("Space Type")
	if faults := d.faults(id); len(faults) != 2 || faults[4][0].Col != at || faults[5][0].Col != at {
		t.Fatalf("faults: %v", faults)
	}

	if _, err := d.Fix(ctx, id, app.CellFix{Row: 4, Col: at, Was: "Gurney", Is: "Gurney", Alike: true}); !errors.Is(err, app.ErrSame) {
		t.Errorf("a cell that is saved as it is: %v", err)
	}
	fix := app.CellFix{Row: 4, Col: at, Was: "Gurney", Is: "STR", Alike: true}
	if n, err := d.Fix(ctx, id, fix); n != 2 || err != nil {
		t.Fatalf("fixed %d cells, %v", n, err)
	}
	if _, err := d.Fix(ctx, id, fix); !errors.Is(err, app.ErrChanged) {
		t.Errorf("a cell that was fixed in another window: %v", err)
	}
	if faults := d.faults(id); len(faults) != 0 {
		t.Errorf("faults after the fix: %v", faults)
	}
	// Taken back, and fixed again.
	if _, err := d.Fix(ctx, id, app.CellFix{Row: 5, Col: at, Was: "STR", Is: "Gurney"}); err != nil || len(d.faults(id)) != 1 {
		t.Errorf("taken back: %v, faults %v", err, d.faults(id))
	}
	if _, err := d.Fix(ctx, id, app.CellFix{Row: 5, Col: at, Was: "Gurney", Is: "WCH"}); err != nil {
		t.Error(err)
	}
	for what, f := range map[string]app.CellFix{
		"a sound cell of a sound row": {Row: 2, Col: at, Was: "AMB", Is: "STR"}, "a sound cell of a fixed row": {Row: 4, Col: 1, Was: "T-3", Is: "T-9"},
		"no row": {Row: 40, Col: at, Was: "", Is: "STR"}, "no column": {Row: 4, Col: 0, Was: "", Is: "STR"}, "another sheet": {Sheet: "x", Row: 4, Col: at, Was: "STR", Is: "AMB"},
	} {
		if _, err := d.Fix(ctx, id, f); !errors.Is(err, app.ErrSound) {
			t.Errorf("%s: %v", what, err)
		}
	}

	run := func(p *app.Plan, rehearse bool) (*results.Summary, error) {
		g := app.Options{Rehearsal: rehearse, Plan: p.ID}
		for _, ask := range p.Asks {
			g.Agreed = append(g.Agreed, ask.ID)
		}
		return d.Run(ctx, id, "Dana", g, app.Silent{})
	}
	s, err := run(d.plan(id, true), true)
	if err != nil || !s.Rehearsal || s.Trips.Sum != 5 || d.inserts.Load() != 0 {
		t.Fatalf("rehearsal: %+v, %v, %d sent", s, err, d.inserts.Load())
	}
	p := d.plan(id, false)
	if s, err = run(p, false); err != nil || !s.Balanced || d.inserts.Load() != 5 {
		t.Fatalf("booked: %+v, %v, %d sent", s, err, d.inserts.Load())
	}
	if _, err = run(p, false); !errors.Is(err, app.ErrStale) || d.inserts.Load() != 5 {
		t.Errorf("a plan that was used: %v, %d sent", err, d.inserts.Load())
	}
	if _, err = d.Run(ctx, id, "", app.Options{}, app.Silent{}); !errors.Is(err, app.ErrStale) {
		t.Errorf("no plan: %v", err)
	}

	runs, err := d.Runs(ctx)
	if err != nil || len(runs) != 1 || runs[0].Who != "Dana" {
		t.Fatalf("runs: %+v, %v", runs, err)
	}
	if path, err := d.Results(ctx, runs[0].ID); err != nil || filepath.Dir(path) != filepath.Join(d.home, "results") {
		t.Errorf("results: %s, %v", path, err)
	}
	for _, other := range []string{"../../etc/passwd", "20261202T031500Z-5f3a1c", "", "C:\\x"} {
		if path, err := d.Results(ctx, other); err == nil {
			t.Errorf("results of %q: %s", other, path)
		}
	}

	// What is past its time goes: the results of the rehearsal, and not those of the run.
	all, err := filepath.Glob(filepath.Join(d.home, "results", "*"))
	if err != nil || len(all) != 2 {
		t.Fatalf("results: %v, %v", all, err)
	}
	for _, path := range all {
		old := saved.AddDate(0, 0, -30)
		d.must(os.Chtimes(path, old, old))
	}
	d.arrive(goodRows)
	if all, err = filepath.Glob(filepath.Join(d.home, "results", "*")); err != nil || len(all) != 1 || strings.Contains(all[0], "rehearsal") {
		t.Errorf("results that are left: %v, %v", all, err)
	}

	// What was brought is private.
	d.must(filepath.WalkDir(filepath.Join(d.home, "works"), func(path string, e os.DirEntry, err error) error {
		if info, statErr := e.Info(); err != nil || statErr != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
			t.Errorf("%s is not private", path)
		}
		return nil
	}))
}

// TestPlanHoldsForFixes plans, fixes a cell, and runs the old plan: nothing is sent.
func TestPlanHoldsForFixes(t *testing.T) {
	d := newPageDesk(t)
	id := d.arrive(goodRows + faultyRow)
	p := d.plan(id, false)
	_, err := d.Fix(context.Background(), id, app.CellFix{Row: 4, Col: columnOf("Space Type"), Was: "Gurney", Is: "STR"})
	d.must(err)
	if _, err := d.Run(context.Background(), id, "", app.Options{Plan: p.ID}, app.Silent{}); !errors.Is(err, app.ErrStale) || d.inserts.Load() != 0 {
		t.Errorf("the plan of other fixes: %v, %d sent", err, d.inserts.Load())
	}
}

// TestOneRunAtATime starts runs at once: one books, and the others are refused.
func TestOneRunAtATime(t *testing.T) {
	d := newPageDesk(t)
	id := d.arrive(goodRows)
	p := d.plan(id, false)
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { _, errs[i] = d.Run(context.Background(), id, "", app.Options{Plan: p.ID}, app.Silent{}) })
	}
	wg.Wait()
	booked := 0
	for _, err := range errs {
		switch {
		case err == nil:
			booked++
		case !errors.Is(err, app.ErrRunning) && !errors.Is(err, app.ErrStale):
			t.Error(err)
		}
	}
	if booked != 1 || d.inserts.Load() != 3 {
		t.Errorf("%d runs booked, %d trips sent", booked, d.inserts.Load())
	}
}

// TestAnswersOfTwoPeople has two people answer the same item: one answer is taken.
func TestAnswersOfTwoPeople(t *testing.T) {
	d := newPageDesk(t)
	ctx := context.Background()
	first := strings.SplitAfter(goodRows, "\n")[0]
	d.book(first)
	d.book(strings.ReplaceAll(first, "R-1,", "R-9,"))
	item := d.openNow()
	var wg sync.WaitGroup
	errs := make([]error, 2)
	for i, v := range []importer.Verdict{importer.DoneByHand, importer.LeaveIt} {
		wg.Go(func() {
			var note string
			note, errs[i] = d.Answer(ctx, app.OpenID(item), app.SawOf(item), v, "", "Dana")
			if note != "" {
				t.Errorf("%s: %s", v, note)
			}
		})
	}
	wg.Wait()
	if (errs[0] == nil) == (errs[1] == nil) || !errors.Is(errors.Join(errs...), app.ErrAnswered) {
		t.Errorf("answers: %v", errs)
	}
	m, err := d.Open(ctx)
	if err != nil || len(m.Urgent)+len(m.Listed) != 0 || len(m.Answered) != 1 {
		t.Fatalf("still open: %+v, %v", m, err)
	}

	// A newer answer takes the answer back; an answer to what was on the screen before does not.
	x := &m.Answered[0]
	other := map[importer.Verdict]importer.Verdict{importer.DoneByHand: importer.LeaveIt, importer.LeaveIt: importer.DoneByHand}[x.Verdict]
	if note, err := d.Answer(ctx, app.OpenID(&x.OpenItem), app.SawOf(&x.OpenItem), other, "", "Sam"); note != "" || err != nil {
		t.Errorf("the newer answer: %q, %v", note, err)
	}
	_, err = d.Answer(ctx, app.OpenID(&x.OpenItem), app.SawOf(&x.OpenItem), x.Verdict, "", "Dana")
	if !errors.Is(err, app.ErrAnswered) || !strings.Contains(err.Error(), "Sam has answered `"+other.String()+"`") {
		t.Errorf("an answer to the one before: %v", err)
	}
}

// book brings a schedule, and books it with a no to everything. What it leaves for a person is no error.
func (d *pageDesk) book(rows string) {
	d.Helper()
	w, err := d.Arrive(context.Background(), "schedule.csv", saved, strings.NewReader(header+rows))
	d.must(err)
	_, err = d.Run(context.Background(), w.ID, "", app.Options{Plan: d.plan(w.ID, false).ID}, app.Silent{})
	d.must(err)
}

// openNow returns the only item that is open.
func (d *pageDesk) openNow() *results.OpenItem {
	d.Helper()
	m, err := d.Open(context.Background())
	d.must(err)
	open := slices.Concat(m.Urgent, m.Listed)
	if len(open) != 1 {
		d.Fatalf("open: %+v", open)
	}
	return &open[0]
}

// TestOpenAgain answers an item that a later schedule opens again: it is answered as it is now, whatever
// was answered before.
func TestOpenAgain(t *testing.T) {
	d := newPageDesk(t)
	first := strings.SplitAfter(goodRows, "\n")[0]
	d.book(first)
	id := ""
	for _, at := range []string{"8:40 AM", "8:50 AM"} {
		d.book(strings.ReplaceAll(first, "8:30 AM", at))
		item := d.openNow()
		if id != "" && app.OpenID(item) != id {
			t.Errorf("another item is open: %+v", item)
		}
		id = app.OpenID(item)
		if note, err := d.Answer(context.Background(), id, app.SawOf(item), importer.LeaveIt, "", "Dana"); note != "" || err != nil {
			t.Errorf("%s: %q, %v", at, note, err)
		}
	}
}

// TestFixOfManyFaults fixes a cell of a schedule with thousands of faults: the screen before it and the one after it need one
// check each, and the fix itself none.
func TestFixOfManyFaults(t *testing.T) {
	d := newPageDesk(t)
	var rows strings.Builder
	for i := range 10_100 {
		rows.WriteString(strings.Replace(faultyRow, "T-3,R-3", fmt.Sprintf("T-%d,R-%d", i, i), 1))
	}
	id := d.arrive(rows.String())
	began := time.Now()
	d.faults(id)
	check := time.Since(began)
	began = time.Now()
	_, err := d.Fix(context.Background(), id, app.CellFix{Row: 2, Col: columnOf("Space Type"), Was: "Gurney", Is: "STR"})
	d.must(err)
	if faults := d.faults(id); len(faults) != 10_099 || time.Since(began) > 2*check {
		t.Errorf("%d faults after %v, and a check takes %v", len(faults), time.Since(began), check)
	}
}

// TestBroughtFiles brings what is no schedule.
func TestBroughtFiles(t *testing.T) {
	d := newPageDesk(t)
	ctx := context.Background()
	for _, name := range []string{"", ".", "..", "a/", `C:\`, "x\x00.csv", "x\n.csv", strings.Repeat("x", 300) + ".csv", "a<b>.csv"} {
		if w, err := d.Arrive(ctx, name, saved, strings.NewReader(header)); err == nil {
			t.Errorf("%q was kept as %q", name, w.Name)
		}
	}
	for _, name := range []string{"../../schedule.csv", `C:\Users\dana\schedule.csv`, "/etc/schedule.csv"} {
		w, err := d.Arrive(ctx, name, saved, strings.NewReader(header))
		if err != nil || w.Name != "schedule.csv" {
			t.Errorf("%q: %q, %v", name, w.Name, err)
		}
		d.must(os.RemoveAll(filepath.Join(d.home, "works", w.ID)))
	}
	if _, err := d.Arrive(ctx, "schedule.csv", time.Time{}, strings.NewReader(header)); err == nil {
		t.Error("a file of an unknown time was kept")
	}
	if _, err := d.Arrive(ctx, "large.csv", saved, bytes.NewReader(make([]byte, app.LargestFile+1))); err == nil {
		t.Error("a file that is too large was kept")
	}
	if works, err := d.Works(ctx); err != nil || len(works) != 0 {
		t.Errorf("kept: %v, %v", works, err)
	}
	for _, id := range []string{"", ".", "../works", "20261120T140200Z-0011223344556677", "20261120T140200Z-0011223344556677/../x"} {
		if _, err := d.Work(id); err == nil {
			t.Errorf("found %q", id)
		}
	}
	w, err := d.Arrive(ctx, "schedule.xlsx", saved, strings.NewReader("this is no workbook"))
	d.must(err)
	if _, err := d.Check(ctx, w.ID, func(importer.RowResult) {}); app.StatusOf(err) != app.BadInput {
		t.Errorf("a damaged workbook: %v", err)
	}
}

// TestFixesSurviveACrash leaves a new file of the fixes half written, as a crash does: what was kept before
// is there, and the next fix as well.
func TestFixesSurviveACrash(t *testing.T) {
	d := newPageDesk(t)
	ctx := context.Background()
	id := d.arrive(faultyRow + strings.ReplaceAll(faultyRow, "T-3,R-3", "T-4,R-4"))
	at := columnOf("Space Type")
	_, err := d.Fix(ctx, id, app.CellFix{Row: 2, Col: at, Was: "Gurney", Is: "STR"})
	d.must(err)
	path := filepath.Join(d.home, "works", id, "kept.json")
	text, err := os.ReadFile(path)
	d.must(err)
	d.must(os.WriteFile(path+"123456", text[:len(text)-10], 0o600))
	if faults := d.faults(id); len(faults) != 1 {
		t.Errorf("faults: %v", faults)
	}
	_, err = d.Fix(ctx, id, app.CellFix{Row: 3, Col: at, Was: "Gurney", Is: "STR"})
	d.must(err)
	if faults := d.faults(id); len(faults) != 0 {
		t.Errorf("faults: %v", faults)
	}
}

// TestComputerStaysAwake keeps the computer awake while trips are sent, and at no other time: not for a check,
// a plan or a rehearsal.
func TestComputerStaysAwake(t *testing.T) {
	d := newPageDesk(t)
	awake, times := false, 0
	d.Jobs = app.NewJobs(app.Environment{
		Approved: true, Clock: importer.SetClock{Today: importer.Date{Year: 2026, Month: 11, Day: 21}},
		Lookup: func(name string) (string, bool) {
			value, ok := d.env[name]
			return value, ok
		},
		Awake: func() func() {
			awake, times = true, times+1
			return func() { awake = false }
		},
	}, nil)
	id := d.arrive(goodRows)
	d.faults(id)
	run := func(rehearse bool) {
		p := d.plan(id, rehearse)
		if awake {
			t.Error("a plan keeps the computer awake")
		}
		g := app.Options{Rehearsal: rehearse, Plan: p.ID}
		for _, ask := range p.Asks {
			g.Agreed = append(g.Agreed, ask.ID)
		}
		_, err := d.Run(context.Background(), id, "Dana", g, onRow{row: func() {
			if awake == rehearse {
				t.Errorf("rehearsal %t, and the computer is kept awake: %t", rehearse, awake)
			}
		}})
		d.must(err)
	}
	run(true)
	run(false)
	if awake || times != 1 {
		t.Errorf("kept awake %d times, in the end %t", times, awake)
	}
}

// onRow is told of each row.
type onRow struct {
	app.Silent

	row func()
}

func (o onRow) Row(importer.RowResult) { o.row() }
