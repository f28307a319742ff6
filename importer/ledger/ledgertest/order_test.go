package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"tripimport/importer"
)

func testSettledOnce(t *testing.T, f fixture) {
	ctx := t.Context()
	claimed := take(t, f.Ledger, Claim("run-1", Trip("1"), 2))
	for _, state := range []importer.State{
		importer.Ready, importer.AlreadyCreated, importer.Invalid, importer.Held, importer.Changed, importer.Skipped,
	} {
		if err := f.Ledger.Settle(ctx, claimed, importer.Settlement{State: state}); err == nil {
			t.Errorf("an attempt could end as %s", state.Code())
		}
	}

	must(t, f.Ledger.Settle(ctx, claimed, Settlement(importer.Created, "g1")))
	if err := f.Ledger.Settle(ctx, claimed, Settlement(importer.Refused, "")); err == nil {
		t.Error("an attempt was settled twice")
	}
	if err := f.Ledger.Settle(ctx, importer.Claimed{Attempt: 999}, Settlement(importer.Created, "g2")); err == nil {
		t.Error("an attempt that nobody claimed was settled")
	}
	wantState(t, f.Ledger, "in the end", "1", importer.Created, "g1")
}

func testRuns(t *testing.T, f fixture) {
	ctx := t.Context()
	if err := f.Ledger.Begin(ctx, Run("run-1")); err == nil {
		t.Error("a run was begun twice")
	}

	if _, err := f.Ledger.Claim(ctx, Claim("nobody's run", Trip("1"), 2)); err == nil || errors.Is(err, importer.ErrClaimed) {
		t.Errorf("a run that was not begun could claim: %v", err)
	}

	left := take(t, f.Ledger, Claim("run-1", Trip("left"), 3))
	must(t, f.Ledger.End(ctx, "run-1", importer.Totals{}, Noon(), "interrupted"))
	if err := f.Ledger.End(ctx, "run-1", importer.Totals{}, Noon(), "interrupted"); err == nil {
		t.Error("a run was ended twice")
	}

	if _, err := f.Ledger.Claim(ctx, Claim("run-1", Trip("1"), 2)); err == nil {
		t.Error("a run that has ended could claim")
	}

	wantState(t, f.Ledger, "what a run left behind", "left", importer.Unknown, "")
	if err := f.Ledger.Settle(ctx, left, Settlement(importer.Created, "g1")); err != nil {
		t.Errorf("an answer that came after the run's end was lost: %v", err)
	}
	wantState(t, f.Ledger, "after the answer", "left", importer.Created, "g1")
}

// testCancelled ends the context of a claim, which must not be made, and of a
// settlement, which must be written all the same.
func testCancelled(t *testing.T, f fixture) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.Ledger.Claim(ended, Claim("run-1", Trip("1"), 2)); !errors.Is(err, context.Canceled) {
		t.Errorf("claiming gave %v", err)
	}

	wantUnknown(t, f.Ledger, Trip("1"), Lakeshore())
	claimed := take(t, f.Ledger, Claim("run-1", Trip("1"), 2))
	if err := f.Ledger.Settle(ended, claimed, Settlement(importer.Created, "g1")); err != nil {
		t.Errorf("settling gave %v", err)
	}
	wantState(t, f.Ledger, "after the answer", "1", importer.Created, "g1")
}

const goroutines = 64

// concurrently calls do in many goroutines at once.
func concurrently(do func(int)) {
	var all sync.WaitGroup
	for i := range goroutines {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

func testOneClaimWins(t *testing.T, f fixture) {
	errs := make([]error, goroutines)
	concurrently(func(i int) { _, errs[i] = f.Ledger.Claim(context.Background(), Claim("run-1", Trip("1"), i)) })
	wantOne(t, errs, importer.ErrClaimed)
	concurrently(func(i int) {
		_, errs[i] = f.Ledger.Claim(context.Background(), Claim("run-1", Trip(fmt.Sprint("id-", i)), 99))
	})
	wantOne(t, errs, importer.ErrClaimed)
}

func testOneGUIDWins(t *testing.T, f fixture) {
	errs := make([]error, goroutines)
	concurrently(func(i int) {
		claimed, err := f.Ledger.Claim(context.Background(), Claim("run-1", Trip(fmt.Sprint(i)), i))
		if err == nil {
			err = f.Ledger.Settle(context.Background(), claimed, Settlement(importer.Created, "one-guid"))
		}
		errs[i] = err
	})
	wantOne(t, errs, importer.ErrGUIDTaken)
}

// wantOne wants one success, and want as the error of all others.
func wantOne(t *testing.T, errs []error, want error) {
	t.Helper()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, want):
			t.Errorf("got %v, want %v", err, want)
		}
	}

	if won != 1 {
		t.Errorf("%d had it, want 1", won)
	}
}

// testConcurrent books many trips at once. Each must be found as booked once its
// settlement has returned, and after a crash.
func testConcurrent(t *testing.T, f fixture) {
	const each = 8
	concurrently(func(i int) {
		for n := range each {
			trip := Trip(fmt.Sprintf("%d-%d", i, n))
			claimed, err := f.Ledger.Claim(context.Background(), Claim("run-1", trip, i*each+n))
			if err == nil {
				err = f.Ledger.Settle(context.Background(), claimed, Settlement(importer.Created, "g-"+trip.ID))
			}
			if err != nil {
				t.Errorf("%s: %v", trip.ID, err)
				return
			}
			r, ok, err := f.Ledger.Find(context.Background(), Lakeshore(), trip)
			if err != nil || !ok || r.State != importer.Created || r.GUID != "g-"+trip.ID {
				t.Errorf("%s: %+v %v %v", trip.ID, r, ok, err)
			}
		}
	})
	l := f.Crash(t)
	for i := range goroutines {
		for n := range each {
			id := fmt.Sprintf("%d-%d", i, n)
			wantState(t, l, "after the crash", id, importer.Created, "g-"+id)
		}
	}
}
