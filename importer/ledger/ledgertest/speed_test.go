package ledgertest

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/pgtest"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
)

func newBench(b *testing.B, o ledger.Options) ledger.Ledger {
	b.Helper()
	l, err := sqlite.Store{}.Create(b.Context(), filepath.Join(b.TempDir(), "ledger.db"), o)
	must(b, err)
	b.Cleanup(func() { must(b, l.Close()) })
	Begin(b, l, "run-1")
	return l
}

// BenchmarkSend measures what the ledger does for one trip that is sent: the claim and the
// settlement, by 32 workers, each trip after a look of a batch.
func BenchmarkSend(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		l := newBench(b, ledger.Options{})
		rows := make([]*importer.Mapped, b.N+1)
		for i := range rows {
			rows[i] = Row(fmt.Sprint("T", i))
		}
		Arrive(b, l, "run-1", Arrival(0), rows...)
		known := make([]importer.Known, 0, len(rows))
		b.ResetTimer()
		for len(known) < len(rows) {
			some, err := l.Look(b.Context(), Service, rows[len(known):min(len(known)+256, len(rows))])
			must(b, err)
			known = append(known, some...)
		}
		each(b, func(n int) error {
			s := importer.Step{
				Run: "run-1", Row: rows[n], RowNumber: known[n].Row, Own: known[n].Own[0], Account: Lakeshore(), Saw: known[n].Saw(), Mapping: "bb22", At: Noon(),
			}
			ticket, err := l.Claim(b.Context(), s)
			if err != nil {
				return err
			}
			return l.Settle(b.Context(), ticket, Settled(importer.TripBooked, fmt.Sprintf("0d6e-%d", n)))
		})
	})
}

// each does b.N pieces of work with 32 workers.
func each(b *testing.B, work func(n int) error) {
	b.Helper()
	const workers = 32
	var last atomic.Int64
	done := make(chan error, workers)
	for range workers {
		go func() {
			var err error
			for n := last.Add(1); n <= int64(b.N) && err == nil; n = last.Add(1) {
				err = work(int(n))
			}
			done <- err
		}()
	}
	for range workers {
		must(b, <-done)
	}
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "trips/s")
}

// BenchmarkLook looks for 256 rows, new ones and booked ones, in ledgers that grow.
func BenchmarkLook(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) {
		benchmarkLook(b, func() ledger.Ledger { return newBench(b, ledger.Options{Rehearsal: true}) }) // to be filled faster
	})
	b.Run("postgres", func(b *testing.B) {
		benchmarkLook(b, func() ledger.Ledger {
			l, err := postgres.Store{Folder: b.TempDir()}.Create(b.Context(), pgtest.Shared(b).NewDatabase(b), ledger.Options{})
			must(b, err)
			b.Cleanup(func() { must(b, l.Close()) })
			Begin(b, l, "run-1")
			return l
		})
	})
}

func benchmarkLook(b *testing.B, open func() ledger.Ledger) {
	b.Helper()
	for _, size := range []int{5_000, 50_000, 500_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			if size > 50_000 && testing.Short() {
				b.Skip("a large ledger takes a minute to fill")
			}
			l := open()
			Fill(b, l, size)
			for name, from := range map[string]int{"new": size, "booked": size / 2} {
				rows := make([]*importer.Mapped, 256)
				for i := range rows {
					rows[i] = filler(from + i)
				}
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						known, err := l.Look(b.Context(), Service, rows)
						if err != nil || (len(known[0].Trips) > 0) != (name == "booked") {
							b.Fatalf("the look ended with %d trips, %v", len(known[0].Trips), err)
						}
					}
				})
			}
		})
	}
}

// filler returns a row of a night of a large ledger.
func filler(n int) *importer.Mapped {
	row := Row(fmt.Sprint("F", n))
	day := Night().AddDays(-n / 1000)
	row.Key.Date, row.Trips[0].Pickup.PickupTime.Date, row.Trips[0].Dropoff.Appt.Date = day, day, day
	return row
}

// Fill books rows.
func Fill(b *testing.B, l ledger.Ledger, rows int) {
	b.Helper()
	for from := 0; from < rows; from += 5000 {
		var some []*importer.Mapped
		for n := from; n < min(from+5000, rows); n++ {
			some = append(some, filler(n))
		}
		a := Arrival(from)
		a.Whole = false
		Arrive(b, l, "run-1", a, some...)
		for chunk := 0; chunk < len(some); chunk += 256 {
			batch := some[chunk:min(chunk+256, len(some))]
			known, err := l.Look(b.Context(), Service, batch)
			must(b, err)
			done := make(chan error, len(batch))
			for i, row := range batch {
				go func() {
					ticket, err := l.Claim(b.Context(), importer.Step{
						Run: "run-1", Row: row, RowNumber: known[i].Row, Own: known[i].Own[0], Account: Lakeshore(), Saw: known[i].Saw(), Mapping: "bb22", At: Noon(),
					})
					if err == nil {
						err = l.Settle(b.Context(), ticket, Settled(importer.TripBooked, fmt.Sprint("g-", row.Key.ID)))
					}
					done <- err
				}()
			}
			for range batch {
				must(b, <-done)
			}
		}
	}
}

// BenchmarkArrive records 100,000 rows: new, unchanged and changed.
func BenchmarkArrive(b *testing.B) {
	rows := make([]*importer.Mapped, 100_000)
	changed := make([]*importer.Mapped, len(rows))
	for i := range rows {
		rows[i] = Row(fmt.Sprint("A", i))
		changed[i] = moved(rows[i], 45)
	}
	l := newBench(b, ledger.Options{})
	for i, all := range [][]*importer.Mapped{rows, rows, changed} {
		b.Run([]string{"new", "same", "changed"}[i], func(b *testing.B) {
			for n := range b.N {
				if n > 0 {
					b.Skip("the rows are there")
				}
				Arrive(b, l, "run-1", Arrival(i), all...)
			}
		})
	}
}
