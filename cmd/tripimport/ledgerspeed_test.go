package main

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/sqlite"
)

// BenchmarkLedger measures what the ledger does for one trip that is sent: the look-ups
// of a run, the claim and the settlement. It measures a bareLedger in the same
// run; posts/s and commits/s of the two are to be compared.
func BenchmarkLedger(b *testing.B) {
	for _, workers := range []int{1, 32, 64} {
		b.Run(fmt.Sprintf("ledger/workers=%d", workers), func(b *testing.B) { benchLedger(b, workers) })
		b.Run(fmt.Sprintf("bare/workers=%d", workers), func(b *testing.B) { benchBare(b, workers) })
	}
}

func benchLedger(b *testing.B, workers int) {
	ctx := b.Context()
	l, err := sqlite.Store{}.Create(ctx, filepath.Join(b.TempDir(), "ledger.db"), ledger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ledgertest.FillCache(b, l)
	ledgertest.Begin(b, l, "run-1")
	before := l.Number()
	postEach(b, workers, func(n int64) error {
		trip := ledgertest.Trip(fmt.Sprint("T", n))
		key := importer.RowKey{Broker: "Lakeshore", ID: trip.ID, TripID: trip.ID, Date: trip.Date()}
		service := ledgertest.Lakeshore().Service
		l.RowMarks(key) // of the plan, as is the first look-up
		row := &importer.Mapped{Key: key, Trips: []importer.Trip{*trip}}
		if _, err := l.RowTrips(ctx, service, row); err != nil {
			return err
		}
		if lacks, err := l.Lacks(ctx, row, []importer.Account{ledgertest.Lakeshore()}, 15); err != nil || !lacks {
			return fmt.Errorf("lacks it: %v, %w", lacks, err)
		}
		claim := ledgertest.Claim("run-1", trip, int(n))
		claim.Key, claim.Within = key, 15
		c, err := l.Claim(ctx, claim)
		if err != nil {
			return err
		}
		return l.Settle(ctx, c, importer.Settlement{
			State: importer.Created, GUID: fmt.Sprintf("0d6e-%d", n), HTTPStatus: 200, Code: "200 created", At: ledgertest.Noon(),
		})
	})
	reportPosts(b, int(l.Number()-before))
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
}

func benchBare(b *testing.B, workers int) {
	bare, err := newBareLedger(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}

	postEach(b, workers, func(n int64) error {
		if err := bare.claim(n); err != nil {
			return err
		}
		return bare.settle(n, fmt.Sprintf("0d6e-%d", n))
	})
	reportPosts(b, bare.commits)
	if err := bare.close(); err != nil {
		b.Fatal(err)
	}
}

// postEach does b.N posts with so many workers.
func postEach(b *testing.B, workers int, post func(int64) error) {
	b.Helper()
	var next atomic.Int64
	done := make(chan error, workers)
	b.ResetTimer()
	for range workers {
		go func() {
			var err error
			for n := next.Add(1); n <= int64(b.N) && err == nil; n = next.Add(1) {
				err = post(n)
			}
			done <- err
		}()
	}

	for range workers {
		if err := <-done; err != nil {
			b.Error(err)
		}
	}

	b.StopTimer()
}

func reportPosts(b *testing.B, commits int) {
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
	b.ReportMetric(float64(commits)/b.Elapsed().Seconds(), "commits/s")
}
