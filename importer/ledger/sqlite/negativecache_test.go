package sqlite

import (
	"context"
	"errors"
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

// TestOtherProgramWrites lets a program that ignores the lock add a trip that the cache
// does not know. Neither that trip nor another one is claimed after that.
func TestOtherProgramWrites(t *testing.T) {
	l := begun(t)
	ledgertest.Book(t, l, ledgertest.Claim("run-1", ledgertest.Trip("T1"), 2), "g1")
	fillCache(t, l)
	db, conn, err := openWriter(t.Context(), l.path)
	must(t, err)
	_, err = conn.ExecContext(t.Context(), `CREATE TEMP TABLE others AS SELECT * FROM trips;
		UPDATE others SET id = id + 1, trip_id = 'T2', row_num = 3, row_key = NULL;
		INSERT INTO trips SELECT * FROM others`)
	must(t, errors.Join(err, conn.Close(), db.Close()))

	for i, id := range []string{"T2", "T3"} {
		_, err := l.Claim(t.Context(), ledgertest.Claim("run-1", ledgertest.Trip(id), 4+i))
		if err == nil || errors.Is(err, importer.ErrClaimed) {
			t.Errorf("claiming %s gave %v, want the failure of the ledger", id, err)
		}
	}
}
