package sheet

import (
	"iter"

	"tripimport/importer"
	"tripimport/importer/ahead"
)

// batchSize is how many bytes of cells and texts fill a batch: some 60 rows of a schedule.
const batchSize = 128 << 10

// A batch holds rows that were read ahead.
type batch struct {
	rows  []importer.Row
	cells []importer.Cell
	size  int
}

// readAhead reads rows in a goroutine, so that a file is parsed while its rows are mapped. It yields what rows yields and
// panics with what rows panics with. The goroutine has ended when the loop over the rows ends.
func readAhead(rows iter.Seq2[importer.Row, error]) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		read := ahead.Batches(func(next func(*batch) *batch) error {
			b := next(nil)
			defer func() { next(b) }() // also before an error or a panic
			for row, err := range rows {
				if err != nil {
					return err
				}
				if b.add(row); b.size >= batchSize {
					if b = next(b); b == nil {
						return nil
					}
				}
			}
			return nil
		})
		for b, err := range read {
			if err != nil {
				yield(importer.Row{}, err)
				return
			}
			for i := range b.rows {
				if !yield(b.rows[i], nil) {
					return
				}
			}
			b.rows, b.cells, b.size = b.rows[:0], b.cells[:0], 0
		}
	}
}

// add keeps a copy of a row.
func (b *batch) add(row importer.Row) {
	row, b.cells = row.CloneInto(b.cells)
	b.rows = append(b.rows, row)
	b.size += row.Size()
}
