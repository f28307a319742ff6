package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

const workersOfOne = 8

// BenchmarkLedger measures the claim and the settlement of a trip by 8 workers of each
// process, on a server that waits for its disk: the rows have words and were looked for in batches.
func BenchmarkLedger(b *testing.B) {
	c := pgtest.Start(b, "fsync=on", "full_page_writes=on")
	for _, processes := range []int{1, 4} {
		b.Run(fmt.Sprintf("processes=%d", processes), func(b *testing.B) { benchNext(b, newMachine(b, c.NewDatabase(b)), processes) })
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
		s.Row, s.RowNumber, s.Own, s.Saw = rows[n], known[n].Row, known[n].Own[0], known[n].Saw()
		ticket, err := ledgers[process].Claim(context.Background(), s)
		if err != nil {
			return err
		}
		return ledgers[process].Settle(context.Background(), ticket, booked(n))
	})
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
