package mapping

import (
	"iter"
	"slices"

	"tripimport/importer"
)

// widths are the numbers of fields that the data rows of a file have.
type widths struct {
	rows   int
	count  map[int]int // rows by their number of fields
	filled int         // the last column that is filled in any row
	// live counts the rows whose number of fields is not that of the headers and
	// that no rule would leave out. sound counts the live rows that map without a
	// fault.
	live, sound int
	blocks      map[int][]int // by block: the numbers of fields of its rows
}

// blockRows is how many rows Excel writes at a time when it saves a sheet as CSV: it leaves
// out the delimiters behind the last column that one of them fills.
const blockRows = 16

// blockOf returns the number of the row's block; 0, that of the headers, if it is not known.
func blockOf(row importer.Row) int { return max(row.Shown-1, 0) / blockRows }

// areEqual reports whether rows of a block have one number of fields. There are at least three of them,
// because a lost comma would have changed only one.
func areEqual(widths []int) bool {
	const enough = 3
	return len(widths) >= enough && !slices.ContainsFunc(widths, func(n int) bool { return n != widths[0] })
}

// isShortBlock reports whether rows of a block that have fewer fields than the headers do so because
// Excel left them out in all of it. The block is not that of the headers.
func (w *widths) isShortBlock(i, want int) bool {
	first := w.blocks[0]
	return i > 0 && areEqual(first) && first[0] == want && areEqual(w.blocks[i])
}

// hasShortBlocks reports whether Excel left fields out in any block.
func (w *widths) hasShortBlocks(want int) bool {
	for i, b := range w.blocks {
		if b[0] < want && w.isShortBlock(i, want) {
			return true
		}
	}
	return false
}

// Measure reads all rows below the headers to learn how many fields they have: a
// surplus or lack that all rows share shifts no cell. It must be called before the
// first Map, unless all rows have as many fields as the headers. Without it, every
// other row is ragged. It returns the error of the rows.
func (b *Bound) Measure(rows iter.Seq2[importer.Row, error]) error {
	w := widths{count: map[int]int{}, blocks: map[int][]int{}}
	for row, err := range rows {
		if err != nil {
			return err
		}
		if row.Width == 0 {
			continue // the rows of a workbook's sheet all have the same columns
		}
		if repeats, moved := b.repeatsHeaders(row); repeats || moved || b.lacksHalf(row) {
			continue
		}

		w.rows++
		w.count[row.Width]++
		if row.Shown > 0 {
			w.blocks[blockOf(row)] = append(w.blocks[blockOf(row)], row.Width)
		}
		if row.Width != b.headers.width {
			w.add(b.mapRow(row, nil, false))
		}
		for col := len(row.Cells); col > w.filled; col-- {
			if row.Cell(col).Type != importer.Empty {
				w.filled = col
			}
		}
	}
	b.widths = w
	return nil
}

// add counts a row that was mapped as if it were not ragged.
func (w *widths) add(m importer.Mapped) {
	if m.LeftOut == "" {
		w.live++
	}
	if m.LeftOut == "" && !m.Faulty() {
		w.sound++
	}
}

// aligned reports whether the rows with another number of fields than the headers
// have their cells below the right headers: at least a third of them make good
// trips. If all of them are left out, a single row proves nothing.
func (w *widths) aligned() bool {
	if w.live == 0 {
		return w.rows > 1
	}
	return w.sound > 0 && w.sound*3 >= w.live
}

// isRagged reports whether the row's cells may be shifted, by its number of
// fields.
//
// Fields beyond the headers are harmless if every row has the same number of them and all are
// blank. Fields may be missing at the end if their columns are blank in every row and the mapping
// does not use them, or if Excel left them out in a whole block. Other programs leave such fields
// out in every row, or directly after the last filled column; if a comma was lost, a blank field
// still ends the row. If most rows make good trips with another number of fields, a row with the
// headers' number has lost or gained one.
func (b *Bound) isRagged(row importer.Row) bool {
	w, want, has := &b.widths, b.headers.width, row.Width
	everyRow := w.count[has] == w.rows
	switch {
	case has == 0 || want == 0:
		return false
	case has < want && w.isShortBlock(blockOf(row), want):
		return false
	case has == want:
		return w.sound > 2*w.count[want] && !w.hasShortBlocks(want)
	case !w.aligned():
		return true
	case has > want:
		return !everyRow || w.filled > want
	case has < max(b.lastUsed, w.filled):
		return true
	}
	return !everyRow && (has != w.filled || row.Cell(has).Type == importer.Empty)
}
