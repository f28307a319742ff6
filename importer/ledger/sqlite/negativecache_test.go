package sqlite

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
)

// fillCache lets so many look-ups find nothing that the negative cache is filled.
func fillCache(t *testing.T, l *Ledger) {
	t.Helper()
	ledgertest.FillCache(t, l)
	if !l.Remembers() {
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
	if !l.Remembers() {
		t.Error("the negative cache is not filled")
	}
}
