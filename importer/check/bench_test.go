package check_test

import (
	"fmt"
	"os"
	"runtime"
	"testing"

	"tripimport/importer"
	"tripimport/importer/check"
)

// BenchmarkCheck is a good row: a trip with an appointment, coordinates, phones
// and a distance. For the share of a whole row, see rows/s.
func BenchmarkCheck(b *testing.B) {
	r := rules()
	c := check.New(today)
	m := good(2)
	b.ReportAllocs()
	for b.Loop() {
		c.Check(&m, &r)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkNote is the first pass over the same row.
func BenchmarkNote(b *testing.B) {
	c := check.New(today)
	m := good(2)
	b.ReportAllocs()
	for b.Loop() {
		c.Note(&m)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

// TestMillionRows measures what the first pass keeps; run it with
// TRIPIMPORT_LONG=1.
func TestMillionRows(t *testing.T) {
	rows := 50_000
	if os.Getenv("TRIPIMPORT_LONG") != "" {
		rows = 1_000_000
	}
	r := rules()
	c := check.New(today)
	before := heap()
	m := good(2)
	for n := range rows {
		m.Row.Num = n + 2
		m.Trips[0].ID = fmt.Sprint("T-", n)
		m.Trips[0].RiderID = fmt.Sprint("R-", n)
		c.Note(&m)
	}
	kept := (heap() - before) / float64(rows)
	c.Check(&m, &r)
	t.Logf("%d rows: %.0f bytes a row", rows, kept)
	if kept > 100 {
		t.Errorf("%.0f bytes are kept of each row", kept)
	}
	if m.Faulty() || m.LeftOut != "" {
		t.Errorf("%q, %v", m.LeftOut, m.AllProblems())
	}
}

func heap() float64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return float64(s.HeapAlloc)
}

var _ importer.Checker = (*check.Checker)(nil)
