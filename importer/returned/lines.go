package returned

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Fix is a cell of a schedule as a person fixed it elsewhere: at a page, or in a list. The schedule itself stays as it
// is: what it says is recorded, and the fixed row is sent.
type Fix struct {
	// At is the cell, by its sheet, row and column.
	At importer.Ref
	// Was is the cell's text that the person saw at the page, and Is what it is to be.
	Was, Is string
	// Input is the SHA-256 of the schedule of the row, if the row stands in a workbook with results; else empty.
	Input string `json:",omitempty"`
	// InList is the cell of the list in which it was fixed; zero for a page, which shows what the results say.
	InList importer.Ref `json:"-"`
}

// A LineFix is a Fix in the row's line of a list, which does not say where the row is: Shown is the outcome of the line,
// and Leg its leg.
type LineFix struct {
	Fix

	Shown importer.Outcome
	Leg   importer.Leg
}

// differs reports whether another line fixes the same cell otherwise: people copy lines and sheets.
func (f *LineFix) differs(other LineFix) bool {
	return other.Shown.RowNumber == f.Shown.RowNumber && other.At.Col == f.At.Col && other.Is != f.Is
}

// A cellAt is a cell of the input: the row's number, and the column's index.
type cellAt struct{ row, column int }

// fixWith keeps fixes by their places.
func (r *Results) fixWith(fixes []Fix) {
	r.fixed = map[cellAt]Fix{}
	for _, f := range fixes {
		i := slices.IndexFunc(r.Input.Columns, func(c importer.Column) bool { return c.Num == f.At.Col })
		if r.Input.Hash == f.Input && r.Input.Sheet == f.At.Sheet && i >= 0 {
			r.fixed[cellAt{f.At.Row, i}] = f
		}
	}
}

// otherwise refuses a cell that was fixed in a list, and otherwise at another place, which is in the results if it names no file.
func (r *Results) otherwise(f Fix, at importer.Ref) error {
	return &importer.InputError{
		File: cmp.Or(at.File, filepath.Base(r.path)), At: at, Reason: "the cell was fixed otherwise in " + strings.TrimPrefix(f.InList.File+", "+f.InList.String(), ", "),
		Fix: "write the same in both, or put back in one of them what stood there",
	}
}

// fixCells puts the fixes of its cells into a row. It refuses a cell that was fixed otherwise in the
// results themselves.
func (r *Results) fixCells(e *editedRow) error {
	for i := range e.cells {
		f, ok := r.fixed[cellAt{e.key.Row, i}]
		if !ok {
			continue
		}
		is := importer.Cell{Type: importer.Text, Text: f.Is}
		if strings.TrimSpace(f.Is) == "" {
			is = importer.Cell{}
		}
		c, digest := &e.cells[i], r.sealer.Cell(i, is)
		if c.changed() && c.digest != digest && f.InList.Row != 0 {
			return r.otherwise(f, e.ref(i, &r.Input))
		}
		c.Cell, c.digest = is, digest
	}
	return nil
}

// readLine reads what a person wrote in a line of a list: a morning list, or the sheet By hand. A deleted line counts as not
// answered.
func (r *Results) readLine(t *table, row importer.Row, key *seal.RowKey) (editedRow, error) {
	e := t.editedRow(row, key)
	if name := strings.TrimSpace(row.Cell(t.column(seal.NameHeader)).Text); !mayAnswer(name) {
		e.who = name
	}
	mixed := false
	for i, header := range append(seal.LineHeaders(), seal.FixedHeader) {
		at := t.ref(row, t.column(header))
		c, sealed := row.Cell(at.Col), i < len(key.Cells)
		switch {
		case sealed && r.sealer.Cell(i, c) == key.Cells[i].Digest: // it is as it was
		case header != seal.FixedHeader:
			mixed = true
		case at.Col != 0:
			e.addFixed(at, c.Text, sealed)
		}
	}
	e.typed = append(e.typed, r.typedIn(t, row, key)...)
	told := e.answer != "" || e.fixed != nil
	if mixed && (told || len(e.typed) > 0) || told && e.hasOtherStatus() {
		return e, r.refuse(e.at, "the row has cells of another one: they were sorted apart, or written over", r.fresh())
	}
	return e, nil
}

// addFixed adds what a person wrote into the cell of a line for its fixed cell: an answer, or anything else where nothing is to be
// fixed and the line has no answer, is no fix.
func (e *editedRow) addFixed(at importer.Ref, text string, isFix bool) {
	switch trip := &e.key.Trips[0]; {
	case isFix && !mayAnswer(text):
		e.fixed = &LineFix{Fix{At: importer.Ref{Col: e.key.Column}, Is: text, InList: at}, trip.Outcome, trip.Leg}
	case isFix, !hasAnswer(e.answer) && strings.TrimSpace(text) != "":
		e.typed = append(e.typed, Answer{At: at, Text: text})
	}
}
