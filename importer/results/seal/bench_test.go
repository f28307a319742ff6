package seal

import (
	"testing"

	"tripimport/importer"
)

// BenchmarkRow seals a row of 25 cells.
func BenchmarkRow(b *testing.B) {
	s := NewSealer(testSecret(), "r-0001")
	row := make([]importer.Cell, 25)
	for i := range row {
		row[i] = text("12 Elm Street, Lansing")
	}
	for b.Loop() {
		k := RowKey{Input: 1, Row: 7, Trips: []TripKey{{State: importer.Created}}}
		for i, c := range row {
			k.Cells = append(k.Cells, CellKey{Type: c.Type, Digest: s.Cell(i, c)})
		}
		s.Encode(&k)
	}
}
