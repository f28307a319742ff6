package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	old "tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/next/ledgertest"
	"tripimport/importer/ledger/pgtest"
	oldpostgres "tripimport/importer/ledger/postgres"
)

const workersOfOne = 8

// BenchmarkLedger measures the claim and the settlement of a trip by 8 workers of each
// process, on a server that waits for its disk: by this engine, whose rows have words and
// were looked for in batches, and in the same run by the one before it, with the look-ups
// that its runs do for each trip.
func BenchmarkLedger(b *testing.B) {
	c := pgtest.Start(b, "fsync=on", "full_page_writes=on")
	for _, processes := range []int{1, 4} {
		b.Run(fmt.Sprintf("next/processes=%d", processes), func(b *testing.B) { benchNext(b, newMachine(b, c.NewDatabase(b)), processes) })
		b.Run(fmt.Sprintf("old/processes=%d", processes), func(b *testing.B) { benchOld(b, c.NewDatabase(b), processes) })
	}
}

func benchNext(b *testing.B, m machine, processes int) {
	ledgers := make([]*Ledger, processes)
	for i := range ledgers {
		ledgers[i] = m.begin(b, fmt.Sprint("run-", i))
	}
	rows := make([]*importer.Mapped, b.N+1)
	for i := range rows {
		rows[i] = row(i)
	}
	ledgertest.Arrive(b, ledgers[0], "run-0", ledgertest.Arrival(0), rows...)
	known := make([]importer.Known, 0, len(rows))
	b.ResetTimer()
	for len(known) < len(rows) {
		some, err := ledgers[0].Look(b.Context(), ledgertest.Service, rows[len(known):min(len(known)+256, len(rows))])
		must(b, err)
		known = append(known, some...)
	}
	postEach(b, processes, func(process, n int) error {
		s := step(fmt.Sprint("run-", process), n)
		s.Row, s.Saw = rows[n], known[n].Saw()
		ticket, err := ledgers[process].Claim(context.Background(), s)
		if err != nil {
			return err
		}
		return ledgers[process].Settle(context.Background(), ticket, booked(n))
	})
}

func benchOld(b *testing.B, location string, processes int) {
	store := oldpostgres.Store{Folder: b.TempDir()}
	options := ledger.Options{Who: "bench", Machine: "machine", Marks: []string{store.Folder}}
	made, err := store.Create(b.Context(), location, options)
	must(b, err)
	must(b, made.Close())
	ledgers := make([]ledger.Ledger, processes)
	for i := range ledgers {
		ledgers[i], err = store.Open(b.Context(), location, options)
		must(b, err)
		b.Cleanup(func() { _ = ledgers[i].Close() })
		old.Begin(b, ledgers[i], fmt.Sprint("run-", i))
	}
	b.ResetTimer()
	postEach(b, processes, func(process, n int) error { return postOld(ledgers[process], fmt.Sprint("run-", process), n) })
}

// postOld does what a run of the engine before this one does with a trip that nobody has.
func postOld(l ledger.Ledger, run string, n int) error {
	ctx := context.Background()
	trip := old.Trip(fmt.Sprint("T", n))
	c := old.Claim(run, trip, n)
	c.Key = importer.RowKey{Broker: "Lakeshore", ID: trip.ID, TripID: trip.ID, Date: trip.Date()}
	c.Within, c.Look = 15, &importer.Look{SameDay: true}
	seen := &importer.Mapped{Key: c.Key, Trips: []importer.Trip{*trip}}
	if _, err := l.RowTrips(ctx, c.Account.Service, seen); err != nil {
		return err
	}
	if lacks, err := l.Lacks(ctx, seen, []importer.Account{c.Account}, c.Within); err != nil || !lacks {
		return fmt.Errorf("lacks it: %v, %w", lacks, err)
	}
	claimed, err := l.Claim(ctx, c)
	if err != nil {
		return err
	}
	return l.Settle(ctx, claimed, old.Settlement(importer.Created, fmt.Sprint("guid-", n)))
}

// postEach does b.N posts with the workers of so many processes.
func postEach(b *testing.B, processes int, post func(process, n int) error) {
	b.Helper()
	var next atomic.Int64
	var wait sync.WaitGroup
	for i := range processes * workersOfOne {
		wait.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				if err := post(i%processes, int(n)); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wait.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trips/s")
}
