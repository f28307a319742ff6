package sqlite

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// learn makes so many look-ups fail that the ledger knows by heart what it has.
func learn(t *testing.T, l *Ledger) {
	t.Helper()
	for i := range absentAfter {
		if _, ok, err := l.Find(context.Background(), ledgertest.Lakeshore(), ledgertest.Trip(fmt.Sprint("no-", i))); ok || err != nil {
			t.Fatal(ok, err)
		}
	}
	if l.absent.state != ready {
		t.Fatal("the ledger has learnt nothing")
	}
}

// TestConformByHeart runs the conformance tests on ledgers that answer from
// memory what they do not have.
func TestConformByHeart(t *testing.T) {
	ledgertest.Conform(t, func(tb testing.TB) ledgertest.Office {
		o := newOffice(tb)
		l, _ := o.Ledger.(*Ledger)
		l.absent.misses = absentAfter - 1
		l.absent.missed(context.Background(), l.readers, l.commits)
		if l.absent.state != ready {
			tb.Fatal("the ledger has learnt nothing")
		}
		return o
	})
}

// TestAbsenceKnowsEarlierTrips reads a ledger that had trips before it learnt.
func TestAbsenceKnowsEarlierTrips(t *testing.T) {
	l := reopen(t, closedLedger(t))
	learn(t, l)
	if r := ledgertest.Find(t, l, ledgertest.Trip("1")); r.State != importer.Created {
		t.Errorf("got %+v", r)
	}
	same := ledgertest.Trip("2")
	same.RiderID = "R-1"
	if r, err := l.Similar(context.Background(), ledgertest.Lakeshore(), same, 15); err != nil || len(r) != 1 {
		t.Errorf("similar: %+v, %v", r, err)
	}
}

// TestAbsenceDuringACommit lets the ledger learn while a claim is between its
// note and its commit, the one moment at which neither the memory nor the file
// might have it.
func TestAbsenceDuringACommit(t *testing.T) {
	l := reopen(t, closedLedger(t))
	ledgertest.Begin(t, l, "run-2")
	trip := ledgertest.Trip("between")
	k := l.newClaim(ledgertest.Claim("run-2", trip, 5))
	l.absent.misses = absentAfter - 1
	var all sync.WaitGroup
	err := l.commits.do(func(ctx context.Context, w *writer) error {
		if err := l.claim(ctx, w, k); err != nil {
			return err
		}
		all.Go(func() { _, _, _ = l.Find(ctx, ledgertest.Lakeshore(), ledgertest.Trip("nobody's")) })
		time.Sleep(100 * time.Millisecond) // time enough to read the file without it
		return nil
	})
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if l.absent.state != ready {
		t.Fatal("the ledger has learnt nothing")
	}
	ledgertest.Find(t, l, trip)
}

// TestAbsenceInACrowd claims and finds while the ledger learns.
func TestAbsenceInACrowd(t *testing.T) {
	l := begun(t)
	var all sync.WaitGroup
	for w := range 32 {
		all.Go(func() {
			for n := range 20 {
				trip := ledgertest.Trip(fmt.Sprintf("%d-%d", w, n))
				if _, ok, err := l.Find(context.Background(), ledgertest.Lakeshore(), trip); ok || err != nil {
					t.Error(ok, err)
				}
				if _, err := l.Claim(context.Background(), ledgertest.Claim("run-1", trip, w*100+n)); err != nil {
					t.Error(err)
				}
				if _, ok, err := l.Find(context.Background(), ledgertest.Lakeshore(), trip); !ok || err != nil {
					t.Errorf("%s is claimed and not known: %v", trip.ID, err)
				}
			}
		})
	}
	all.Wait()
	if l.absent.state != ready {
		t.Error("the ledger has learnt nothing")
	}
}
