package sheet

import (
	"slices"

	"tripimport/importer"
	"tripimport/importer/sheet/xlsx"
)

// A merge is a merged range that spans several rows, with the value of its first one.
type merge struct {
	xlsx.Range

	value importer.Cell
}

// merges are the merged ranges of a sheet: those that begin below the row that was read last, the first one first,
// and those in which it is.
type merges struct{ next, open []merge }

// newMerges returns the ranges below the header row.
func newMerges(all []xlsx.Range, headerRow int) *merges {
	m := &merges{}
	for _, r := range all {
		if r.FirstRow > headerRow {
			m.next = append(m.next, merge{Range: r})
		}
	}
	slices.SortStableFunc(m.next, func(a, b merge) int { return a.FirstRow - b.FirstRow })
	return m
}

// fill gives a row, which follows the one before, the values of merged cells that begin in a row above it, as a
// spreadsheet shows them.
func (m *merges) fill(row *importer.Row) {
	for len(m.next) > 0 && m.next[0].FirstRow <= row.Num {
		m.open, m.next = append(m.open, m.next[0]), m.next[1:]
	}
	m.open = slices.DeleteFunc(m.open, func(r merge) bool { return r.LastRow < row.Num })
	for i := range m.open {
		r := &m.open[i]
		switch {
		case r.FirstRow == row.Num:
			r.value = row.Cell(r.FirstCol)
		case r.value.Type != importer.Empty:
			for row.Cells = slices.Clip(row.Cells); len(row.Cells) < r.FirstCol; {
				row.Cells = append(row.Cells, importer.Cell{})
			}
			row.Cells[r.FirstCol-1] = r.value
		}
	}
}
