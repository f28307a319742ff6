package run

import (
	"cmp"
	"iter"

	"tripimport/importer"
	"tripimport/importer/ahead"
)

// A batch has as many rows as the ledger is asked about at once, or fewer if they are long.
const batchRows, batchSize = 256, 1 << 20

// A batch holds rows that are mapped ahead.
type batch struct {
	rows  []importer.Mapped
	cells []importer.Cell
	size  int
}

// batches maps the rows of the input in a goroutine, in order, each after check has accepted it. It identifies those
// without an id by their content and by how often it came before. A batch is valid until the next one, and so are its
// rows if reuse is set. After an error there are no more rows.
func (in *Input) batches(reuse bool, check func(importer.Row) error) iter.Seq2[[]*importer.Mapped, error] {
	return func(yield func([]*importer.Mapped, error) bool) {
		mapped := ahead.Batches(func(next func(*batch) *batch) error {
			occurrences := map[string]int{}
			b := next(nil)
			defer func() { next(b) }() // also before an error or a panic
			for row, err := range in.Source.Rows() {
				if err == nil {
					err = check(row)
				}
				if err != nil {
					return err
				}
				b.add(row, in, reuse)
				if m := &b.rows[len(b.rows)-1]; m.Key.ID == "" {
					at := m.Key.Cells + m.Key.Date.String()
					m.Key.Occurrence = occurrences[at]
					occurrences[at]++
				}
				if len(b.rows) == batchRows || b.size >= batchSize {
					if b = next(b); b == nil {
						return nil
					}
				}
			}
			return nil
		})
		var rows []*importer.Mapped
		for b, err := range mapped {
			if err != nil {
				yield(nil, err)
				return
			}
			rows = rows[:0]
			for i := range b.rows {
				rows = append(rows, &b.rows[i])
			}
			if len(rows) > 0 && !yield(rows, nil) {
				return
			}
			b.clear(reuse)
		}
	}
}

// eachOf yields the rows of batches.
func eachOf(batches iter.Seq2[[]*importer.Mapped, error]) iter.Seq2[*importer.Mapped, error] {
	return func(yield func(*importer.Mapped, error) bool) {
		for rows, err := range batches {
			if err != nil {
				yield(nil, err)
				return
			}
			for _, m := range rows {
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// clear empties the batch. Its memory is used again if reuse is set.
func (b *batch) clear(reuse bool) {
	if !reuse {
		*b = batch{rows: make([]importer.Mapped, 0, batchRows)}
		return
	}
	b.rows, b.cells, b.size = b.rows[:0], b.cells[:0], 0
}

// add maps a row. It uses the memory of the rows that the batch had before, if reuse is set.
func (b *batch) add(row importer.Row, in *Input, reuse bool) {
	b.size += row.Size()
	row.Version = cmp.Or(row.Version, in.versions[row.Num])
	var spare []importer.Trip
	if reuse {
		row, b.cells = row.CloneInto(b.cells)
		if n := len(b.rows); n < cap(b.rows) {
			spare = b.rows[:n+1][n].Trips
		}
	} else {
		row = row.Clone()
	}
	m := in.Mapper.Map(row, spare)
	Identify(&m)
	b.rows = append(b.rows, m)
}
