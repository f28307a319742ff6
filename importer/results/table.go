package results

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A table is a Results table in a file that came back: a sheet, and where its
// columns are now.
type table struct {
	sheet  string
	header int // the header's row
	key    int
	found  int // the answers' column; 0 where it was removed
	status int
	row    int
	beyond int
	source map[string]int // by lower-case header
	twice  map[string]bool
}

// headerSearch is how many rows a table's header is looked for in: people put
// notes above it.
const headerSearch = 50

// findTables finds the Results tables by the header of their key column,
// whatever their sheets are called by now.
func (r *Returned) findTables() error {
	for _, sheet := range r.book.sheets() {
		if sheet == identitySheet {
			continue
		}
		t, err := r.findTable(sheet)
		if err != nil {
			return err
		}
		if t != nil {
			r.tables = append(r.tables, *t)
		}
	}
	if len(r.tables) == 0 {
		return r.refuse(importer.Ref{}, "its table of results is gone, or the hidden column "+keyHeader+" is", r.fresh())
	}
	return nil
}

func (r *Returned) findTable(sheet string) (*table, error) {
	n := 0
	for row, err := range r.book.rows(sheet) {
		if err != nil {
			return nil, err
		}
		if t := tableAt(row); t != nil {
			t.sheet = sheet
			return t, nil
		}
		if n++; n == headerSearch {
			break
		}
	}
	return nil, nil
}

// tableAt makes a table of a header row; nil where the row is none.
func tableAt(row importer.Row) *table {
	t := &table{header: row.Num, source: map[string]int{}, twice: map[string]bool{}}
	for i, c := range row.Cells {
		name := strings.Join(strings.Fields(unescaped(c.Text)), " ")
		switch {
		case name == "":
		case name == keyHeader || strings.HasPrefix(name, keyHeader+" "):
			t.key = i + 1
		case name == foundHeader:
			t.found = i + 1
		case name == statusHeader:
			t.status = i + 1
		case name == rowHeader:
			t.row = i + 1
		case name == beyondHeader:
			t.beyond = i + 1
		default:
			name = strings.ToLower(name)
			t.twice[name] = t.twice[name] || t.source[name] != 0
			t.source[name] = i + 1
		}
	}
	if t.key == 0 {
		return nil
	}
	return t
}

// columns gives the present columns of the input's columns, in their order; a
// column that is gone, or there twice, is refused.
func (r *Returned) columns(t *table, in *identityInput) ([]int, error) {
	columns := make([]int, len(in.Columns), len(in.Columns)+1)
	for i, shown := range in.Shown {
		name := strings.ToLower(strings.Join(strings.Fields(shown), " "))
		columns[i] = t.source[name]
		at := importer.Ref{Sheet: t.sheet, Row: t.header}
		if columns[i] == 0 {
			return nil, r.refuse(at, fmt.Sprintf("the column %q is gone, or has another header now", shown), "give it its header back, or "+r.fresh())
		}
		if t.twice[name] {
			return nil, r.refuse(at, fmt.Sprintf("the column %q is there twice", shown), "delete the copy, or "+r.fresh())
		}
	}
	return append(columns, t.beyond), nil
}

// A foundRow is a row of a table that came back.
type foundRow struct {
	at  importer.Ref // the row in the results file
	key rowKey
	// columns are where the cells stand, cells what they are now; the last one
	// is for what was beyond the input's columns.
	columns []int
	cells   []importer.Cell
	sums    []uint64
	// changed are the cells that differ from what was written, stray those of
	// them that were not marked. unseen reports a change that no cell's digest
	// shows.
	changed, stray columnSet
	unseen         bool
	answer         string
	answerAt       importer.Ref
	status         string
}

// all gives the rows of all tables. Rows without a key are passed over if they
// have no source cells: they are notes.
func (r *Returned) all() iter.Seq2[foundRow, error] {
	return func(yield func(foundRow, error) bool) {
		d := digester{key: r.key}
		for i := range r.tables {
			t := &r.tables[i]
			columns := map[int][]int{}
			for row, err := range r.book.rows(t.sheet) {
				if err != nil {
					yield(foundRow{}, err)
					return
				}
				if row.Num <= t.header {
					continue
				}
				f, ok, err := r.readRow(t, row, columns, &d)
				if err != nil {
					yield(foundRow{}, err)
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
func (r *Returned) readRow(t *table, row importer.Row, known map[int][]int, d *digester) (foundRow, bool, error) {
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	text := strings.TrimSpace(unescaped(row.Cell(t.key).Text))
	if text == "" {
		if t.hasSource(row) {
			return foundRow{}, false, r.refuse(at,
				"the row was not written by tripimport: it has no key", "put new trips into a file of their own, or "+r.fresh())
		}
		return foundRow{}, false, nil
	}
	key, err := decodeKey(text, r.key)
	if err != nil || key.Input < 1 || key.Input > len(r.id.Inputs) || len(key.Types) != len(r.id.Inputs[key.Input-1].Columns)+1 {
		return foundRow{}, false, r.refuse(at, "the row's key is damaged, or it is of another run or another ledger", r.fresh())
	}
	columns := known[key.Input]
	if columns == nil {
		if columns, err = r.columns(t, &r.id.Inputs[key.Input-1]); err != nil {
			return foundRow{}, false, err
		}
		known[key.Input] = columns
	}
	if n := row.Cell(t.row).Text; n != "" && n != strconv.Itoa(key.Row) {
		return foundRow{}, false, r.refuse(at, fmt.Sprintf("its first columns are of row %s and the others of row %d: they were sorted apart", Inert(n), key.Row), r.fresh())
	}
	f := foundRow{at: at, key: key, columns: columns, status: row.Cell(t.status).Text}
	if t.found != 0 {
		f.answer, f.answerAt = unescaped(row.Cell(t.found).Text), at
		f.answerAt.Col, f.answerAt.Header = t.found, foundHeader
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
func (f *foundRow) compare(row importer.Row, d *digester) {
	f.cells = make([]importer.Cell, len(f.columns))
	f.sums = make([]uint64, len(f.columns))
	for i, col := range f.columns {
		c := row.Cell(col)
		c.Text = unescaped(c.Text)
		f.cells[i] = c
		f.sums[i] = d.cell(i, c)
		if uint16(f.sums[i]) == f.key.Digests[i] {
			continue
		}
		f.changed = f.changed.with(i)
		if !f.key.Marked.has(i) {
			f.stray = f.stray.with(i)
		}
	}
	f.unseen = f.stray == nil && d.all(f.sums, f.key.Marked) != f.key.Sum
}

// ref gives the address in the results file of a cell of the row.
func (f *foundRow) ref(i int, in *identityInput) importer.Ref {
	at := f.at
	at.Col, at.Header = f.columns[i], beyondHeader
	if i < len(in.Shown) {
		at.Header = in.Shown[i]
	}
	return at
}

// source gives the address in the input of a cell of the row.
func (f *foundRow) source(i int, in *identityInput) importer.Ref {
	ref := importer.Ref{File: in.Name, Sheet: in.Sheet, Row: f.key.Row}
	if i < len(in.Columns) {
		ref.Col, ref.Header = in.Columns[i].Num, in.Columns[i].Header
	}
	return ref
}
