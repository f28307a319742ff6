package mapping

import (
	"encoding/csv"
	"os"
	"strings"
	"testing"

	"tripimport/mapping/mappingtest"
)

// BenchmarkMap maps the round-trip layout, in which most rows become two trips.
// It also reads the same rows with encoding/csv, so that the cost of mapping can
// be given as a multiple of that. On one core: go test -bench Map -cpu 1
// ./mapping
func BenchmarkMap(b *testing.B) {
	const path = "../testdata/samples/round-trip-rows.csv"
	rows := mappingtest.ReadCSV(b, path)
	bound := bind(b, template(b, "round-trip-rows"), rows)
	good := rows[1:5]
	b.Run("mapping", func(b *testing.B) {
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			bound.Map(good[n%len(good)], nil)
			n++
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
	})
	b.Run("encoding-csv", func(b *testing.B) {
		content, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		lines := strings.SplitAfter(string(content), "\n")
		text := strings.Repeat(strings.Join(lines[1:5], ""), 1000)
		b.ReportAllocs()
		n := 0
		for b.Loop() {
			r := csv.NewReader(strings.NewReader(text))
			r.ReuseRecord = true
			for {
				if _, err := r.Read(); err != nil {
					break
				}
				n++
			}
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
	})
}
