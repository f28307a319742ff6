package returned

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A table is a Results table in the file: its sheet and the present numbers of its
// columns, from 1. A column that was removed has the number 0.
type table struct {
	sheet  string
	header int // the header's row

	key, answer int // the columns of the keys and of answers

	headers []string // by the numbers of the columns
	source  []int    // those of the input, once they were asked for
}

// headerSearch is the number of rows in which a table's header is looked for, because
// people put notes above it.
const headerSearch = 50

// findTables finds the Results tables by the header of their key column, because people
// rename sheets.
func (r *Results) findTables() error {
	for _, sheet := range r.file.sheets() {
		t, err := r.findTable(sheet)
		switch {
		case err != nil:
			return err
		case t == nil:
		case len(t.alike(seal.AnswerHeader)) > 1:
			return r.twice(importer.Ref{Sheet: sheet, Row: t.header}, seal.AnswerHeader)
		default:
			r.tables = append(r.tables, *t)
		}
	}

	if len(r.tables) == 0 {
		return r.refuse(importer.Ref{}, "its table of results is gone, or the hidden column "+seal.KeyHeader+" is", r.fresh())
	}
	return nil
}

// findTable returns the sheet's table, or nil if it has none.
func (r *Results) findTable(sheet string) (*table, error) {
	head, err := r.file.head(sheet)
	for _, row := range head {
		if t := headersAt(row); t != nil && t.key != 0 {
			t.sheet = sheet
			return t, nil
		}
	}
	return nil, err
}

// isKey reports whether a cell holds the key of a row.
func (r *Results) isKey(c importer.Cell) bool {
	_, err := r.sealer.Decode(strings.TrimSpace(c.Text))
	return err == nil
}

// headersAt returns the table that begins with a header row, which may have lost its key
// column, or nil if the row is not such a header.
func headersAt(row importer.Row) *table {
	t := &table{header: row.Num, headers: make([]string, 1+len(row.Cells))}
	for i, c := range row.Cells {
		t.headers[i+1] = strings.Join(strings.Fields(c.Text), " ")
		if name := t.headers[i+1]; name == seal.KeyHeader || strings.HasPrefix(name, seal.KeyHeader+" ") {
			t.key = i + 1
		}
	}
	t.answer = cmp.Or(t.column(seal.AnswerHeader), 1+slices.IndexFunc(t.headers[1:], func(name string) bool { // somebody added to it
		return strings.HasPrefix(strings.ToLower(name), strings.ToLower(seal.AnswerHeader))
	}))
	if t.key == 0 && (t.answer == 0 || !slices.Contains(t.headers, seal.FixHeader)) {
		return nil
	}
	return t
}

// answerIn returns what a row has in the column for answers.
func (t *table) answerIn(row importer.Row) string {
	c := row.Cell(t.answer)
	text := strings.TrimSpace(c.Text)
	if text != "" && c.Struck {
		text += " (struck through)" // it may be taken back
	}
	return text
}

// IsTable reports whether the first rows of a sheet have the headers of a table of
// results: the key column, or other headers that no schedule has.
func IsTable(head []importer.Row) bool {
	return slices.ContainsFunc(head, func(row importer.Row) bool { return headersAt(row) != nil })
}

// columns returns the present numbers of the input's columns, in the input's order, and
// last the number of the surplus column. It refuses a table in which a column is missing
// or occurs twice.
func (r *Results) columns(t *table) ([]int, error) {
	in := &r.Input
	columns := make([]int, len(in.Columns), len(in.Columns)+1)
	for i, shown := range in.Shown {
		at := importer.Ref{Sheet: t.sheet, Row: t.header}
		switch found := t.alike(shown); len(found) {
		case 0:
			return nil, r.refuse(at, fmt.Sprintf("the column %q is gone, or has another header now", shown), "give it its header back, or "+r.fresh())
		case 1:
			columns[i] = found[0]
		default:
			return nil, r.twice(at, shown)
		}
	}

	return append(columns, t.column(seal.SurplusHeader)), nil
}

// twice refuses a table with two columns of one header.
func (r *Results) twice(at importer.Ref, header string) error {
	return r.refuse(at, fmt.Sprintf("the column %q is there twice", header), "delete the copy, or "+r.fresh())
}

// column returns the number of the column that now has a header of the program, or 0 if it is gone.
func (t *table) column(header string) int {
	if column := slices.Index(t.headers, header); column > 0 {
		return column
	}
	return append(t.alike(header), 0)[0]
}

// alike returns the numbers of the columns with a header, without regard to case.
func (t *table) alike(header string) (columns []int) {
	for column, name := range t.headers {
		if strings.EqualFold(name, header) {
			columns = append(columns, column)
		}
	}
	return columns
}

// headerOf returns the header of a column; empty for a column that has none.
func (t *table) headerOf(column int) string {
	if column < len(t.headers) {
		return t.headers[column]
	}
	return ""
}

// ref returns the address of a row's cell in a column.
func (t *table) ref(row importer.Row, column int) importer.Ref {
	return importer.Ref{Sheet: t.sheet, Row: row.Num, Col: column, Header: t.headerOf(column)}
}

// hasSource reports whether the row has any content under the input's headers. Content of
// columns that people have added is a note.
func (r *Results) hasSource(t *table, row importer.Row) bool {
	isFilled := func(column int) bool { return row.Cell(column).Type != importer.Empty }
	return slices.ContainsFunc(r.Input.Shown, func(shown string) bool { return slices.ContainsFunc(t.alike(shown), isFilled) })
}
