package run

import (
	"hash/maphash"
	"testing"

	"tripimport/importer"
)

// The digest of a row differs if anything of it has changed between the passes,
// and is the same if nothing has.
func TestDigest(t *testing.T) {
	text := func(num int, texts ...string) importer.Row {
		row := importer.Row{Num: num}
		for _, s := range texts {
			cell := importer.Cell{Type: importer.Text, Text: s}
			if s == "" {
				cell.Type = importer.Empty
			}
			row.Cells = append(row.Cells, cell)
		}
		return row
	}
	number := text(2, "7", "b")
	number.Cells[0].Type = importer.Number

	for _, tt := range []struct {
		name string
		a, b importer.Row
		same bool
	}{
		{"the same row", text(2, "7", "b"), text(2, "7", "b"), true},
		{"more empty cells at the end", text(2, "7", "b"), text(2, "7", "b", "", ""), true},
		{"another text", text(2, "7", "b"), text(2, "7", "c"), false},
		{"another number of the row, after a blank row", text(2, "7", "b"), text(3, "7", "b"), false},
		{"another type", text(2, "7", "b"), number, false},
		{"an empty cell between", text(2, "7", "b"), text(2, "7", "", "b"), false},
		{"a text moved into the next cell", text(2, "7\x01b", "c"), text(2, "7", "b\x01c"), false},
		{"a text split over two cells", text(2, "ab"), text(2, "a", "b"), false},
	} {
		d := digester{seed: maphash.MakeSeed()}
		if got := d.digest(tt.a) == d.digest(tt.b); got != tt.same {
			t.Errorf("%s: the digests are equal: %v, want %v", tt.name, got, tt.same)
		}
	}
}
