package returned

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Fix is a cell of a schedule's row that a person fixed in the row's line of a list, which does not say where the
// row is: Shown is the outcome of the line, and Leg its leg.
type Fix struct {
	RowFix

	Shown importer.Outcome
	Leg   importer.Leg
}

// A RowFix is a cell of a row of results that was fixed elsewhere: in a list, or at a page.
type RowFix struct {
	RowAt

	// Column is the number of the cell's column in the source, and Text what stands there now.
	Column int
	Text   string
	// At is the cell in the list. Seen reports that whoever fixed it saw what the results themselves say.
	At   importer.Ref
	Seen bool
}

// A cellAt is a cell of an input: the input's number from 1, the row's number, and the column's index in the input's list.
type cellAt struct{ input, row, column int }

// fixWith keeps fixes by their places.
func (r *Results) fixWith(fixes []RowFix) {
	r.fixed = map[cellAt]RowFix{}
	for _, f := range fixes {
		for n := range r.Inputs {
			in := &r.Inputs[n]
			i := slices.IndexFunc(in.Columns, func(c importer.Column) bool { return c.Num == f.Column })
			if in.Hash == f.Input && in.Sheet == f.Sheet && i >= 0 {
				r.fixed[cellAt{n + 1, f.Row, i}] = f
			}
		}
	}
}

// fixCells puts the fixes of its cells into a row. It refuses a cell that was fixed otherwise in the
// results themselves.
func (r *Results) fixCells(e *editedRow) error {
	for i := range e.cells {
		f, ok := r.fixed[cellAt{e.key.Input, e.key.Row, i}]
		if !ok {
			continue
		}
		is := importer.Cell{Type: importer.Text, Text: f.Text}
		if strings.TrimSpace(f.Text) == "" {
			is = importer.Cell{}
		}
		c, digest := &e.cells[i], r.sealer.Cell(i, is)
		if c.changed() && c.digest != digest && !f.Seen {
			return r.refuse(e.ref(i, &r.Inputs[e.key.Input-1]), "the cell was fixed otherwise in "+f.At.File+", "+f.At.String(), "write the same in both, or put back in one of them what stood there")
		}
		c.Cell, c.digest = is, digest
	}
	return nil
}

// readLine reads what a person wrote in a line of a list: a morning list, the sheet By hand, or
// the lines below the rows of a CSV file. A deleted line counts as not answered.
func (r *Results) readLine(t *table, row importer.Row, key *seal.RowKey) (editedRow, error) {
	e := t.editedRow(row, key)
	if name := strings.TrimSpace(row.Cell(t.column(seal.NameHeader)).Text); !mayAnswer(name) {
		e.who = name
	}
	e.typed = e.answersBeside(t.misplaced(row, nil, key.Trips))
	mixed := false
	for i, header := range append(seal.LineHeaders(), seal.FixedHeader) {
		at := importer.Ref{Sheet: t.sheet, Row: row.Num, Col: t.column(header), Header: header}
		c, sealed := row.Cell(at.Col), i < len(key.Cells)
		switch {
		case sealed && r.sealer.Cell(i, c) == key.Cells[i].Digest: // it is as it was
		case header != seal.FixedHeader:
			over := slices.ContainsFunc(e.typed, func(w typedText) bool { return w.at.Col == at.Col }) // an answer
			mixed = mixed || !sealed || !over
		case at.Col != 0:
			e.addFixed(at, c.Text, sealed)
		}
	}
	if mixed && (e.answer != "" || e.fixed != nil || len(e.typed) > 0) {
		return e, r.refuse(e.at, "the row has cells of another one: they were sorted apart, or written over", r.fresh())
	}
	return e, nil
}

// addFixed adds what a person wrote into the cell of a line for its fixed cell: an answer, or anything else where nothing is to be
// fixed and the line has no answer, is no fix.
func (e *editedRow) addFixed(at importer.Ref, text string, isFix bool) {
	switch trip := &e.key.Trips[0]; {
	case isFix && !keepsUnsent(text) && !isVerdict(text):
		e.fixed = &Fix{RowFix{Column: e.key.Column, Text: text, At: at}, trip.Outcome(), trip.Leg}
	case isFix, !hasAnswer(e.answer) && strings.TrimSpace(text) != "":
		e.typed = append(e.typed, typedText{at, text})
	}
}
