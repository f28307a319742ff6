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

// fillCache lets so many look-ups find nothing that the negative cache is filled.
func fillCache(t *testing.T, l *Ledger) {
	t.Helper()
	ledgertest.FillCache(t, l)
	if l.cache.marks == nil {
		t.Fatal("the negative cache is not filled")
	}
}

// TestCacheKnowsEarlierTrips fills the cache of a ledger that has trips already.
func TestCacheKnowsEarlierTrips(t *testing.T) {
	l := reopen(t, closedLedger(t))
	fillCache(t, l)
	if r := ledgertest.Find(t, l, ledgertest.Trip("1")); r.State != importer.Created {
		t.Errorf("got %+v", r)
	}
	same := ledgertest.Trip("2")
	same.RiderID = "R-1"
	if r, err := l.Similar(context.Background(), ledgertest.Lakeshore(), same, 15); err != nil || len(r) != 1 {
		t.Errorf("similar: %+v, %v", r, err)
	}
}

// TestCacheDuringACommit lets a look-up fill the cache while a claim is written
// and not yet committed: the cache must have the claim.
func TestCacheDuringACommit(t *testing.T) {
	l := reopen(t, closedLedger(t))
	ledgertest.Begin(t, l, "run-2")
	trip := ledgertest.Trip("between")
	k := l.newClaim(ledgertest.Claim("run-2", trip, 5))
	l.cache.misses = l.cache.trips
	var all sync.WaitGroup
	err := l.commits.do(func(ctx context.Context, w *writer) error {
		if err := l.claim(ctx, w, k); err != nil {
			return err
		}
		all.Go(func() { _, _, _ = l.Find(ctx, ledgertest.Lakeshore(), ledgertest.Trip("nobody's")) })
		time.Sleep(100 * time.Millisecond) // enough to fill the cache without the claim
		return nil
	})
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}

	if l.cache.marks == nil {
		t.Fatal("the negative cache is not filled")
	}

	ledgertest.Find(t, l, trip)
}

// TestCacheConcurrent claims and finds trips while the cache is being filled.
func TestCacheConcurrent(t *testing.T) {
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
	if l.cache.marks == nil {
		t.Error("the negative cache is not filled")
	}
}
