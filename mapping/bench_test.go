package mapping

import "testing"

// BenchmarkMap maps the round-trip layout, in which most rows give two trips.
// rows/s is what counts: the checks behind it need their share of a core too.
func BenchmarkMap(b *testing.B) {
	rows := readCSV(b, "../testdata/samples/round-trip-rows.csv")
	bound := bind(b, template(b, "round-trip-rows"), rows)
	good := rows[1:5]
	b.ReportAllocs()
	b.ResetTimer()
	n := 0
	for b.Loop() {
		bound.Map(good[n%len(good)])
		n++
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
}
