package mapping

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"tripimport/importer"
	"tripimport/mapping/mappingtest"
)

// TestNothingChangesUnseen renames, adds, moves, removes and repeats columns of a layout
// with an approved mapping, at random. Either the rows still become the same trips and
// every new column is named, or the file is refused.
func TestNothingChangesUnseen(t *testing.T) {
	shuffle := rand.New(rand.NewPCG(11, 7))
	for _, name := range mappingtest.Layouts() {
		rows := mappingtest.ReadCSV(t, "../testdata/layouts/"+name+".csv")
		m := decided(t, name)
		b := bind(t, m, rows)
		for range 60 {
			changed, what, added := changedLayout(shuffle, rows)
			now, err := m.Bind(changed, name)
			if err != nil || now.Moved(b.Headers().Texts()) != "" {
				continue // refused
			}
			for i, row := range rows[1:] {
				x, y := b.Map(row, nil), now.Map(changed[i+1], nil)
				if got, want := tripsOf(&y), tripsOf(&x); got != want {
					t.Fatalf("%s, %s:\n%s, not\n%s", name, what, got, want)
				}
			}
			if added != "" && !slices.ContainsFunc(now.Unused(), func(u UnusedColumn) bool { return u.Header == added }) {
				t.Errorf("%s, %s: it is not named", name, what)
			}
		}
	}
}

// changedLayout returns the rows with one change of the columns, and the header of a new
// column.
func changedLayout(shuffle *rand.Rand, rows []importer.Row) (changed []importer.Row, what, added string) {
	width := len(rows[0].Cells)
	from, to := shuffle.IntN(width), shuffle.IntN(width)
	how := shuffle.IntN(4)
	for i, row := range rows {
		row = row.Clone()
		for len(row.Cells) < width {
			row.Cells = append(row.Cells, importer.Cell{})
		}
		switch how {
		case 0:
			what, added = fmt.Sprintf("column %d renamed", from+1), "Renamed Thing"
			if i == 0 {
				row.Cells[from] = importer.Cell{Type: importer.Text, Text: added}
			}
		case 1:
			what, added = fmt.Sprintf("a column before %d", from+1), "Another Thing"
			cell := importer.Cell{Type: importer.Text, Text: "value"}
			if i == 0 {
				cell.Text = added
			}
			row.Cells = slices.Insert(row.Cells, from, cell)
			row.Width++
		case 2:
			what = fmt.Sprintf("column %d moved to %d", from+1, to+1)
			cell := row.Cells[from]
			row.Cells = slices.Insert(slices.Delete(row.Cells, from, from+1), to, cell)
		case 3:
			what = fmt.Sprintf("column %d removed", from+1)
			row.Cells = slices.Delete(row.Cells, from, from+1)
			row.Width--
		}
		changed = append(changed, row)
	}
	return changed, what, added
}

// tripsOf writes everything that a row's trips say.
func tripsOf(m *importer.Mapped) string {
	text := []byte(m.LeftOut)
	for i := range m.Trips {
		for _, p := range importer.TripProperties() {
			text = append(p.AppendValue(append(text, '|'), &m.Trips[i]), '|')
		}
	}
	return string(text)
}
