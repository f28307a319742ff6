package returned

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/seal"
)

// An editedRow is a row of a table that came back.
type editedRow struct {
	at  importer.Ref // the row in the results file
	key seal.RowKey
	// columns are where the cells stand, cells what they are now; the last one
	// is for what was beyond the input's columns.
	columns []int
	cells   []importer.Cell
	sums    []uint64
	// changed are the cells that differ from what was written, stray those of
	// them that were not marked. unseen reports a change that no cell's digest
	// shows.
	changed, stray seal.ColumnSet
	unseen         bool
	answer         string
	answerAt       importer.Ref
	status         string
}

// all gives the rows of all tables. Rows without a key are passed over if they
// have no source cells: they are notes.
func (r *Results) all() iter.Seq2[editedRow, error] {
	return func(yield func(editedRow, error) bool) {
		for i := range r.tables {
			t := &r.tables[i]
			columns := map[int][]int{}
			for row, err := range r.file.rows(t.sheet) {
				if err != nil {
					yield(editedRow{}, err)
					return
				}
				if row.Num <= t.header {
					continue
				}
				f, ok, err := r.readRow(t, row, columns, r.sealer)
				if err != nil {
					yield(editedRow{}, err)
					return
				}
				if ok && !yield(f, nil) {
					return
				}
			}
		}
	}
}

// readRow holds a row against its key; false for a row that is none of ours.
func (r *Results) readRow(t *table, row importer.Row, known map[int][]int, d *seal.Sealer) (editedRow, bool, error) {
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	text := strings.TrimSpace(seal.Unescape(row.Cell(t.key).Text))
	if text == "" {
		if t.hasSource(row) {
			return editedRow{}, false, r.refuse(at,
				"the row was not written by tripimport: it has no key", "put new trips into a file of their own, or "+r.fresh())
		}
		return editedRow{}, false, nil
	}
	key, err := r.sealer.Decode(text)
	if err != nil || key.Input < 1 || key.Input > len(r.id.Inputs) || len(key.Types) != len(r.id.Inputs[key.Input-1].Columns)+1 {
		return editedRow{}, false, r.refuse(at, "the row's key is damaged, or it is of another run or another ledger", r.fresh())
	}
	columns := known[key.Input]
	if columns == nil {
		if columns, err = r.columns(t, &r.id.Inputs[key.Input-1]); err != nil {
			return editedRow{}, false, err
		}
		known[key.Input] = columns
	}
	if n := row.Cell(t.row).Text; n != "" && n != strconv.Itoa(key.Row) {
		return editedRow{}, false, r.refuse(at, fmt.Sprintf("its first columns are of row %s and the others of row %d: they were sorted apart", results.Inert(n), key.Row), r.fresh())
	}
	f := editedRow{at: at, key: key, columns: columns, status: row.Cell(t.status).Text}
	if t.found != 0 {
		f.answer, f.answerAt = seal.Unescape(row.Cell(t.found).Text), at
		f.answerAt.Col, f.answerAt.Header = t.found, seal.AnswerHeader
	}
	f.compare(row, d)
	return f, true, nil
}

// hasSource reports whether the row has anything under the source's headers.
func (t *table) hasSource(row importer.Row) bool {
	for _, col := range t.source {
		if row.Cell(col).Type != importer.Empty {
			return true
		}
	}
	return false
}

// compare holds the row's cells against their digests.
func (f *editedRow) compare(row importer.Row, d *seal.Sealer) {
	f.cells = make([]importer.Cell, len(f.columns))
	f.sums = make([]uint64, len(f.columns))
	for i, col := range f.columns {
		c := row.Cell(col)
		c.Text = seal.Unescape(c.Text)
		f.cells[i] = c
		f.sums[i] = d.Cell(i, c)
		if uint16(f.sums[i]) == f.key.Digests[i] {
			continue
		}
		f.changed = f.changed.With(i)
		if !f.key.Marked.Has(i) {
			f.stray = f.stray.With(i)
		}
	}
	f.unseen = f.stray == nil && d.Cells(f.sums, f.key.Marked) != f.key.Sum
}

// ref gives the address in the results file of a cell of the row.
func (f *editedRow) ref(i int, in *seal.ShownInput) importer.Ref {
	at := f.at
	at.Col, at.Header = f.columns[i], seal.SurplusHeader
	if i < len(in.Shown) {
		at.Header = in.Shown[i]
	}
	return at
}

// source gives the address in the input of a cell of the row.
func (f *editedRow) source(i int, in *seal.ShownInput) importer.Ref {
	ref := importer.Ref{File: in.Name, Sheet: in.Sheet, Row: f.key.Row}
	if i < len(in.Columns) {
		ref.Col, ref.Header = in.Columns[i].Num, in.Columns[i].Header
	}
	return ref
}
