package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	_ "modernc.org/sqlite"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/sqlite"
)

// A quarter is a ledger of 90 nights of 600 trips.
const (
	quarterNights = 90
	nightTrips    = 600
	// Many book at once, since each commit waits for the disk.
	quarterWorkers = 200
)

// BenchmarkRecords measures, on the ledger of a quarter, a trip's history, the report of
// a month, and the reading of the whole ledger. It measures bare queries of the same
// rows in the same run; ns/op of the two are to be compared.
func BenchmarkRecords(b *testing.B) {
	path := filepath.Join(b.TempDir(), "ledger.db")
	makeQuarter(b, path)
	if info, err := os.Stat(path); err == nil {
		b.Logf("%d bytes for 10,000 trips", info.Size()*10_000/(quarterNights*nightTrips))
	}
	l, err := sqlite.Store{}.Open(b.Context(), path, ledger.Options{ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	bare, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = bare.Close() }()

	first := ledgertest.Night()
	month := ledger.Search{From: first.AddDays(30), To: first.AddDays(59)}
	of := func(s ledger.Search, want int) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				found, err := l.Find(b.Context(), s)
				if err != nil {
					b.Fatal(err)
				}
				if n := len(found); n != want {
					b.Fatalf("found %d trips, want %d", n, want)
				}
			}
		}
	}
	const rows = `SELECT t.*, a.* FROM trips t JOIN accounts a ON a.id = t.account `
	query := func(want int, query string, args ...any) func(*testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				if n, err := countRows(bare, query, args...); err != nil || n != want {
					b.Fatalf("found %d rows, want %d: %v", n, want, err)
				}
			}
		}
	}
	b.Run("history/ledger", of(ledger.Search{Trip: "T7-7"}, 1))
	b.Run("history/bare", query(quarterNights*nightTrips, rows)) // trip ids are encrypted, so each is read
	b.Run("month/ledger", of(month, 30*nightTrips))
	b.Run("month/bare", query(30*nightTrips, rows+"WHERE t.day BETWEEN ? AND ? ORDER BY t.day, t.begins, t.id", month.From.String(), month.To.String()))
	b.Run("verify/ledger", func(b *testing.B) {
		for b.Loop() {
			if v, err := l.Verify(b.Context()); err != nil || len(v.Wrong) > 0 {
				b.Fatal(v.Wrong, err)
			}
		}
	})
	b.Run("verify/bare", func(b *testing.B) {
		for b.Loop() {
			if _, err := countRows(bare, "PRAGMA integrity_check"); err != nil {
				b.Fatal(err)
			}
			if n, err := countRows(bare, rows); err != nil || n != quarterNights*nightTrips {
				b.Fatal(n, err)
			}
		}
	})
}

// makeQuarter books the trips of a quarter, night by night.
func makeQuarter(b *testing.B, path string) {
	l, err := sqlite.Store{}.Create(b.Context(), path, ledger.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for night := range quarterNights {
		run := fmt.Sprint("run-", night)
		ledgertest.Begin(b, l, run)
		var wait sync.WaitGroup
		for worker := range quarterWorkers {
			wait.Go(func() {
				for n := worker; n < nightTrips; n += quarterWorkers {
					row := ledgertest.Row(fmt.Sprintf("T%d-%d", night, n))
					row.Key.Date = ledgertest.Night().AddDays(night)
					row.Trips[0].Pickup.PickupTime.Date, row.Trips[0].Dropoff.Appt.Date = row.Key.Date, row.Key.Date
					ledgertest.Book(b, l, run, row, fmt.Sprintf("guid-%d-%d", night, n))
				}
			})
		}
		wait.Wait()
		totals := importer.Totals{RowsRead: nightTrips, TripsRead: nightTrips}
		totals.Rows[importer.Booked], totals.Trips[importer.Booked] = nightTrips, nightTrips
		if err := l.End(b.Context(), run, totals, ledgertest.Noon(), "finished"); err != nil {
			b.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		b.Fatal(err)
	}
}

// countRows reads all rows of a query, each column as bytes.
func countRows(db *sql.DB, query string, args ...any) (n int, err error) {
	rows, err := db.Query(query, args...)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	cells := make([]any, len(columns))
	for i := range cells {
		cells[i] = new(sql.RawBytes)
	}
	for ; rows.Next(); n++ {
		if err := rows.Scan(cells...); err != nil {
			return n, err
		}
	}
	return n, rows.Err()
}
