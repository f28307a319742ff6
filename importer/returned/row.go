package returned

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results"
	"tripimport/importer/results/seal"
)

// An editedRow is a row of a table, with its key: a row of an input, or a line of a list, which
// has no cells.
type editedRow struct {
	at  importer.Ref // the row in the results file
	key seal.RowKey
	// cells are the cells of the input's columns, in the input's order. The last one has
	// the content to the right of these columns.
	cells    []editedCell
	shown    int // Row.Shown of the input's row
	answer   string
	answerAt importer.Ref
	who      string   // the person who answered, if the row says so
	fixed    *LineFix // the cell that was fixed in a line
	// typed are the cells in which a person wrote although nobody asked them to write there, with their texts alone.
	typed []Answer
}

// An editedCell is a cell as it is now, with its entry in the row's key.
type editedCell struct {
	importer.Cell
	column int // the number of its column in the results file
	digest seal.Digest
	key    seal.CellKey
}

// changed reports whether the cell differs from what was written.
func (c *editedCell) changed() bool { return c.digest != c.key.Digest }

// changed reports whether any cell of the row differs from what was written.
func (e *editedRow) changed() bool {
	return slices.ContainsFunc(e.cells, func(c editedCell) bool { return c.changed() })
}

// all returns the rows and lines of all tables. It skips rows without a key that have no source
// cells, because they are a person's notes.
func (r *Results) all() iter.Seq2[editedRow, error] {
	return func(yield func(editedRow, error) bool) {
		for i := range r.tables {
			t := &r.tables[i]
			for row, err := range r.file.rows(t.sheet) {
				if err == nil && row.Num <= t.header {
					continue
				}
				var e editedRow
				if err == nil {
					e, err = r.readRow(t, row)
				}
				if err == nil && e.key.Trips == nil && e.cells == nil {
					continue
				}
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// readRow compares a row with its key. It returns a row without a key for a person's note.
func (r *Results) readRow(t *table, row importer.Row) (e editedRow, err error) {
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	key, err := r.sealer.Decode(strings.TrimSpace(row.Cell(t.key).Text))
	if err == nil && !key.Source && len(key.Trips) == 1 {
		return r.readLine(t, row, &key)
	}
	if !key.Source || len(key.Cells) != len(r.Input.Columns)+1 {
		return editedRow{}, r.refuseOther(t, row)
	}
	if t.source == nil {
		if t.source, err = r.columns(t); err != nil {
			return editedRow{}, err
		}
	}
	n := row.Cell(t.column(seal.RowHeader)).Text
	shown, isLine := strings.CutSuffix(n, seal.LineOfRow+strconv.Itoa(key.Row))
	if n != "" && n != strconv.Itoa(key.Row) && !isLine {
		return editedRow{}, r.refuse(at, fmt.Sprintf("its first columns are of row %s and the others of row %d: they were sorted apart", results.Inert(n), key.Row), r.fresh())
	}
	e = r.compareRow(t, row, &key, t.source)
	if r.Input.Sheet == "" {
		e.shown, _ = strconv.Atoi(shown) // 0 where it is not known
	}
	return e, r.fixCells(&e)
}

// refuseOther refuses a row that has no key of these results, unless it is a person's note.
func (r *Results) refuseOther(t *table, row importer.Row) error {
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	keyless := strings.TrimSpace(row.Cell(t.key).Text) == ""
	switch {
	case r.Morning, keyless && !r.hasSource(t, row):
		return nil
	case keyless:
		return r.refuse(at,
			"the row was not written by tripimport: it has no key", "put new trips into the schedule, import that, and delete the row here, or "+r.fresh())
	}
	return r.refuse(at, "the row's key is damaged, or it is of another run or another ledger", r.fresh())
}

// editedRow returns a row with its key and its answer.
func (t *table) editedRow(row importer.Row, key *seal.RowKey) editedRow {
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	e := editedRow{at: at, key: *key, answerAt: at}
	e.answerAt.Header = seal.AnswerHeader
	e.answer, e.answerAt.Col = t.answerIn(row), t.answer
	return e
}

// compareRow compares the cells of a row in the columns with its key.
func (r *Results) compareRow(t *table, row importer.Row, key *seal.RowKey, columns []int) editedRow {
	e := t.editedRow(row, key)
	e.cells = make([]editedCell, len(key.Cells))
	for i, col := range columns {
		c := row.Cell(col)
		e.cells[i] = editedCell{c, col, r.sealer.Cell(i, c), key.Cells[i]}
	}

	e.typed = r.typedIn(t, row, key, columns...)
	for i := range e.cells {
		if c := &e.cells[i]; c.changed() && mayAnswer(c.Text) { // an answer, and no fix of a cell
			e.typed = append(e.typed, Answer{At: t.ref(row, c.column), Text: c.Text})
		}
	}
	return e
}

// ref returns the address in the results file of the cell at that index.
func (e *editedRow) ref(i int, in *seal.Input) importer.Ref {
	at := e.at
	at.Col, at.Header = e.cells[i].column, seal.SurplusHeader
	if i < len(in.Shown) {
		at.Header = in.Shown[i]
	}
	return at
}
