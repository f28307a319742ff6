package seal

import (
	"testing"

	"tripimport/importer"
)

// BenchmarkRow seals rows of 25 cells, of which ten are those of the row before.
func BenchmarkRow(b *testing.B) {
	s := NewSealer(testSecret(), "r-0001")
	var rows [2][25]importer.Cell
	for n := range rows {
		for i := range rows[n] {
			rows[n][i] = text("12 Elm Street, Lansing")
			if i >= 10 && n == 1 {
				rows[n][i] = text("14 Elm Street, Lansing")
			}
		}
	}

	n := 0
	for b.Loop() {
		k := RowKey{Source: true, Row: 7, Trips: []TripKey{{Outcome: importer.Outcome{State: importer.Booked}}}}
		for i, c := range rows[n%2] {
			k.Cells = append(k.Cells, CellKey{Type: c.Type, Digest: s.Cell(i, c)})
		}
		s.Encode(&k)
		n++
	}
}
