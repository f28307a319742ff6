package run_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/run"
)

// What the first pass counts, and what it finds in the ledger.
func TestPlan(t *testing.T) {
	n := newFixture("A+B", "C", "-D", "E!", "~F", "")
	n.files = append(n.files, newFile("second.csv", "G", "H"))
	n.files[0].mapped[1].Trips[0].Pickup.PickupTime = at("2026-12-01 23:00")
	n.files[1].mapped[0].Trips[0].Provider, n.files[1].mapped[0].Trips[0].FundingSource = "Prairie Rides", "Prairie Plan"
	undated := &n.files[1].mapped[1].Trips[0]
	undated.Pickup.PickupTime, undated.Dropoff.Appt = importer.DateTime{}, importer.DateTime{}
	n.service.insert = func(id string, _ int) importer.Reply {
		if id == "C" {
			return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
		}
		if id == "H" {
			return importer.Reply{Kind: importer.ReplyUnclear, Status: 500}
		}
		return booked(id)
	}
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}

	next := n.again()
	second := next.plan(t)
	want := importer.PlanSummary{
		Rows: 8, Trips: 8,
		Dates:   []importer.DateCount{{Date: at("2026-12-01 00:00").Date, Trips: 1}, {Date: at("2026-12-02 00:00").Date, Trips: 4}},
		Untimed: 1,
		New:     2, Earlier: 3, Unclear: 1, // the refused one is new
	}
	if diff := cmp.Diff(want, second.Plan.PlanSummary); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	pairs := []importer.Pair{{Provider: "lakeshore transit", FundingSource: "Lakeshore Plan"}, {Provider: "Prairie Rides", FundingSource: "Prairie Plan"}}
	if diff := cmp.Diff(pairs, second.Plan.Pairs); diff != "" {
		t.Errorf("pairs (-want +got)\n%s", diff)
	}
	if got := second.Plan.FirstDate().String(); got != "2026-12-01" {
		t.Errorf("the first date is %s", got)
	}
}

// Copies are not among the trips to be booked, whether the ledger has the trip or not.
func TestPlanLeavesOutCopies(t *testing.T) {
	n := newFixture("A", "C")
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	next := n.again()
	next.files = append(next.files, newFile("second.csv", "A", "B", "B", "H!"))
	undated := &next.files[1].mapped[3].Trips[0]
	undated.Pickup.PickupTime, undated.Dropoff.Appt = importer.DateTime{}, importer.DateTime{}
	undated.Fault("date-unreadable", "the date can't be read", "")
	plan := next.plan(t).Plan
	plan.LeaveOut(map[importer.Date]int{at("2026-12-02 00:00").Date: 2}) // an A and a B

	want := importer.PlanSummary{
		Rows: 6, Trips: 6, Dates: []importer.DateCount{{Date: at("2026-12-02 00:00").Date, Trips: 3}}, Undated: 1, New: 2, Earlier: 2,
	}
	if diff := cmp.Diff(want, plan.PlanSummary); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A run does not begin if its plan can't be made.
func TestPlanFails(t *testing.T) {
	plan := func(ctx context.Context, f *file) error {
		_, err := run.MakePlan(ctx, []run.Input{{Source: f, Mapper: f}}, checker(nil), nil, nil)
		return err
	}
	t.Run("unreadable", func(t *testing.T) {
		f := newFile("night.csv", "A", "B")
		f.fail = func(_, row int) error {
			if row == 1 {
				return errDisk
			}
			return nil
		}
		if err := plan(t.Context(), f); !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("interrupted", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := plan(ctx, newFile("night.csv", "A")); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("the reading that finds faults of linked trips", func(t *testing.T) {
		n := newFixture("A&x", "B&x")
		run := n.plan(t)
		n.files[0].fail = func(int, int) error { return errDisk }
		if _, err := run.Do(t.Context(), importer.RunStart{}); !errors.Is(err, errDisk) {
			t.Errorf("got %v", err)
		}
		if n.reporter.starts != 0 || len(n.service.posts) != 0 {
			t.Error("the run began")
		}
	})
}

// One rewritten id may be a typing error; three are a file that Excel has saved.
func TestSavedByExcel(t *testing.T) {
	for rows := range 5 {
		t.Run(fmt.Sprintf("%d rows", rows), func(t *testing.T) {
			f := newFile("night.csv", "A", "B", "C", "D", "-E", "-F", "-G")
			for i := range f.mapped {
				if i < rows || i > 3 {
					f.mapped[i].Problems = []importer.Problem{{
						Code:  importer.CodeSavedByExcel,
						Cells: []importer.Ref{{File: "night.csv", Row: i + 2, Col: 1, Header: "Trip"}},
					}}
				}
			}
			_, err := run.MakePlan(t.Context(), []run.Input{{Source: f, Mapper: f}}, checker(nil), nil, nil)
			var fault *importer.InputError
			if got, want := errors.As(err, &fault), rows >= 3; got != want {
				t.Fatalf("got %v, want a fault: %v", err, want)
			}
			if fault != nil && fault.At.String() != "line 4, column A (Trip)" {
				t.Errorf("it is reported at %s, want the third row's cell", fault.At)
			}
		})
	}
}

// A placer is asked for the trips to be booked, and places them.
type placer struct{ wanted, placed []string }

func (p *placer) Want(t *importer.Trip)         { p.wanted = append(p.wanted, t.ID) }
func (p *placer) Prepare(context.Context) error { return nil }
func (p *placer) Place(t *importer.Trip) {
	p.placed = append(p.placed, t.ID)
	if t.ID == "C" {
		t.Fault("position-missing", "the place is not known", "add it to the places list", importer.FieldPickup)
	}
}

func TestPlacer(t *testing.T) {
	n := newFixture("A+B", "C", "-D", "E")
	p := &placer{}
	n.placer = p
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	want := []string{"A", "B", "C", "E"}
	if diff := cmp.Diff([][]string{want, want}, [][]string{p.wanted, p.placed}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"A created, B created", "C invalid", "D skipped", "E created"}, n.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAccounts(t *testing.T) {
	pairs := []importer.Pair{
		{Provider: "lakeshore  TRANSIT", FundingSource: "lakeshore plan"},
		{Provider: "Lakeshore Transit", FundingSource: "Harbor Plan"},
		{Provider: "Lakeshore Transit", FundingSource: "Prairie Plan"},
		{Provider: "Nobody's Cabs", FundingSource: "Harbor Plan"},
	}
	a := run.NewAccountResolver("https://trips.example", lakeshore(), pairs)
	if diff := cmp.Diff(pairs[2:], a.Unknown(pairs)); diff != "" {
		t.Errorf("unknown (-want +got)\n%s", diff)
	}
	usable := a.Usable()
	if len(usable) != 1 || usable[0].Provider != "Lakeshore Transit" || usable[0].Key.Reveal() != "key-l" {
		t.Errorf("usable are %v", usable)
	}
	reason, fix := a.Explain(pairs[2])
	if reason != `Lakeshore Transit has no funding source "Prairie Plan" for this token` ||
		fix != "use one of: Lakeshore Plan, Harbor Plan; or ask the service for access to it, then get a new token" {
		t.Errorf("it is explained as %q, %q", reason, fix)
	}
	reason, fix = a.Explain(pairs[3])
	if reason != `the service has no transportation provider "Nobody's Cabs" for this token` ||
		fix != "use one of: Lakeshore Transit, Prairie Rides; or ask the service for access to it, then get a new token" {
		t.Errorf("it is explained as %q, %q", reason, fix)
	}
}
