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
	ledgertest.Begin(b, l, "run-1")
	rows := make([]*importer.Mapped, b.N+1)
	for i := range rows {
		rows[i] = ledgertest.Row(fmt.Sprint("T", i))
	}
	ledgertest.Arrive(b, l, "run-1", ledgertest.Arrival(0), rows...)
	before := l.Number()
	known := make([]importer.Known, 0, len(rows))
	b.ResetTimer()
	for len(known) < len(rows) { // as a run does, a batch at a time
		some, err := l.Look(ctx, ledgertest.Service, rows[len(known):min(len(known)+256, len(rows))])
		if err != nil {
			b.Fatal(err)
		}
		known = append(known, some...)
	}
	postEach(b, workers, func(n int64) error {
		k := &known[n]
		ticket, err := l.Claim(ctx, importer.Step{
			Run: "run-1", Row: rows[n], RowNumber: k.Row, Own: k.Own[0], Account: ledgertest.Lakeshore(), Saw: k.Saw(), At: ledgertest.Noon(),
		})
		if err != nil {
			return err
		}
		return l.Settle(ctx, ticket, ledgertest.Settled(importer.TripBooked, fmt.Sprintf("0d6e-%d", n)))
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

	b.ResetTimer()
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
