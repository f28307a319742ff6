package sheet

import (
	"iter"

	"tripimport/importer"
)

const (
	batches = 4
	// batchSize is how many bytes of cells and texts fill a batch: some 60 rows of a
	// schedule.
	batchSize = 128 << 10
	cellSize  = 40 // bytes, without its texts
)

// A batch holds rows that were read ahead, and the reason if no rows follow them:
// an error, or a reader's panic. Its memory is reused.
type batch struct {
	rows     []importer.Row
	cells    []importer.Cell
	size     int
	err      error
	panicked any
}

// ahead reads rows in a goroutine, at most four batches ahead of the caller, so that a file
// is parsed while its rows are mapped. It yields what rows yields and panics with what rows
// panics with. The goroutine has ended when the loop over the rows ends.
func ahead(rows iter.Seq2[importer.Row, error]) iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		full, free, stop := make(chan *batch, batches), make(chan *batch, batches), make(chan struct{})
		for range batches {
			free <- &batch{}
		}

		go func() {
			defer close(full)
			b := <-free
			defer func() {
				b.panicked = recover()
				full <- b // there is room for all batches
			}()
			for row, err := range rows {
				if b.err = err; err != nil {
					return
				}
				if b.add(row); b.size < batchSize {
					continue
				}
				full <- b
				select {
				case b = <-free:
				case <-stop:
					b = &batch{}
					return
				}
			}
		}()

		defer func() {
			close(stop)
			for range full { // until the goroutine has ended
			}
		}()
		for b := range full {
			for i := range b.rows {
				if !yield(b.rows[i], nil) {
					return
				}
			}
			switch {
			case b.panicked != nil:
				panic(b.panicked)
			case b.err != nil:
				yield(importer.Row{}, b.err)
				return
			}
			b.rows, b.cells, b.size = b.rows[:0], b.cells[:0], 0
			free <- b
		}
	}
}

// add keeps a copy of a row.
func (b *batch) add(row importer.Row) {
	from := len(b.cells)
	b.cells = append(b.cells, row.Cells...)
	row.Cells = b.cells[from:len(b.cells):len(b.cells)]
	b.rows = append(b.rows, row)
	b.size += len(row.Cells) * cellSize
	for i := range row.Cells {
		b.size += len(row.Cells[i].Text)
	}
}
