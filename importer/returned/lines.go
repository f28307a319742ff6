package returned

import (
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A Fix is a cell of a schedule's row that a person fixed in the row's line of a list.
type Fix struct {
	// At is the cell in the list.
	At importer.Ref
	// Shown is the outcome of the line, and Leg its leg.
	Shown importer.Outcome
	Leg   importer.Leg
	// Column is the number of the source column, and Text what stands there now.
	Column int
	Text   string
	Who    string
}

// A RowFix is a cell of a row of results that was fixed in a list.
type RowFix struct {
	// Input is the SHA-256 of the row's file, Sheet the name of its sheet, Row the row's number
	// there, and Column that of the cell.
	Input, Sheet string
	Row, Column  int
	Text         string
	// At is the cell in the list.
	At importer.Ref
}

// fixWith keeps fixes by their places.
func (r *Results) fixWith(fixes []RowFix) {
	r.fixed = map[seal.CellAt]RowFix{}
	for _, f := range fixes {
		for n := range r.record.Inputs {
			in := &r.record.Inputs[n]
			i := slices.IndexFunc(in.Columns, func(c importer.Column) bool { return c.Num == f.Column })
			if in.Hash == f.Input && in.Sheet == f.Sheet && i >= 0 {
				r.fixed[seal.CellAt{Input: n + 1, Row: f.Row, Column: i}] = f
			}
		}
	}
}

// fixCells puts the fixes of its cells into a row. It refuses a cell that was fixed otherwise in the
// results themselves.
func (r *Results) fixCells(e *editedRow) error {
	for i := range e.cells {
		f, ok := r.fixed[seal.CellAt{Input: e.key.Input, Row: e.key.Row, Column: i}]
		if !ok {
			continue
		}
		is := importer.Cell{Type: importer.Text, Text: f.Text}
		if strings.TrimSpace(f.Text) == "" {
			is = importer.Cell{}
		}
		c, digest := &e.cells[i], r.sealer.Cell(i, is)
		if c.changed() && c.digest != digest {
			return r.refuse(e.ref(i, &r.record.Inputs[e.key.Input-1]), "the cell was fixed otherwise in "+f.At.File+", "+f.At.String(), "write the same in both, or put back in one of them what stood there")
		}
		c.Cell, c.digest = is, digest
	}
	return nil
}

// After returns the last run before a list was written.
func (r *Results) After() string { return r.record.After }

// Fixes returns the cells that were fixed in lines of a list.
func (r *Results) Fixes() []Fix { return r.fixes }

// Morning reports that the file is a list of what is open, and no results.
func (r *Results) Morning() bool { return r.record.Morning }

// readLines reads what people wrote in the lines of lists: a morning list, the sheet By hand,
// and the lines below the rows of a CSV file. A deleted line counts as not answered.
func (r *Results) readLines() error {
	if r.record.Morning {
		if err := r.refuseLost(); err != nil {
			return err
		}
	}
	for i := range r.tables {
		t := &r.tables[i]
		for row, err := range r.file.rows(t.sheet) {
			if err == nil && row.Num > t.header {
				err = r.readLine(t, row)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// readLine reads what a person wrote in one line.
func (r *Results) readLine(t *table, row importer.Row) error {
	key, err := r.sealer.Decode(keyText(t, row))
	at := importer.Ref{Sheet: t.sheet, Row: row.Num}
	text := ""
	if t.answer != 0 {
		text = strings.TrimSpace(row.Cell(t.answer).Text)
	}
	switch isLine := err == nil && key.Input == 0 && len(key.Trips) == 1; {
	case !isLine && r.record.Morning && text != "":
		at.Col = t.answer
		return r.refuse(at, "the answer is beside a row that was not written by tripimport", r.fresh())
	case !isLine:
		return nil // readRow reads it
	}
	fixed, typed := r.writtenIn(t, row, &key, text)
	if text == "" && fixed == nil && len(typed) == 0 {
		return nil
	}
	if r.isMixed(t, row, &key, typed) {
		return r.refuse(at, "the row has cells of another one: they were sorted apart, or written over", r.fresh())
	}

	e := editedRow{at: at, key: key, answer: text, answerAt: at, typed: typed, who: strings.TrimSpace(row.Cell(t.column(seal.NameHeader)).Text)}
	e.answerAt.Col, e.answerAt.Header = t.answer, seal.AnswerHeader
	r.answers = append(r.answers, answersOf(&e, &seal.ShownInput{})...)
	if fixed != nil {
		fixed.Shown, fixed.Leg, fixed.Who = key.Trips[0].Outcome(), key.Trips[0].Leg, e.who
		r.fixes = append(r.fixes, *fixed)
	}
	return nil
}

// writtenIn returns the cell that was fixed in a line, nil if none was, and the answers that stand where nobody asked
// for them. answer is the text where it was asked for.
func (r *Results) writtenIn(t *table, row importer.Row, key *seal.RowKey, answer string) (fixed *Fix, typed []typedText) {
	if !isClear(answer) {
		typed = t.misplaced(row, nil, key.Trips)
	}
	fixed = r.fixedCell(t, row, key)
	if fixed != nil && keepsUnsent(fixed.Text) { // an answer, and no fix
		return nil, append(typed, typedText{fixed.At, fixed.Text})
	}
	return fixed, typed
}

// isMixed reports whether a line has cells of another one. typed are cells that have an answer instead.
func (r *Results) isMixed(t *table, row importer.Row, key *seal.RowKey, typed []typedText) bool {
	for i, header := range seal.LineHeaders() {
		column := t.column(header)
		over := slices.ContainsFunc(typed, func(w typedText) bool { return w.at.Col == column })
		if i >= len(key.Cells) || !over && r.sealer.Cell(i, row.Cell(column)) != key.Cells[i].Digest {
			return true
		}
	}
	return false
}

// fixedCell returns the cell that was fixed in a line; nil if none was.
func (r *Results) fixedCell(t *table, row importer.Row, key *seal.RowKey) *Fix {
	i, column := len(seal.LineHeaders()), t.column(seal.FixedHeader)
	if key.Column == 0 || column == 0 || i >= len(key.Cells) || r.sealer.Cell(i, row.Cell(column)) == key.Cells[i].Digest {
		return nil
	}
	at := importer.Ref{Sheet: t.sheet, Row: row.Num, Col: column, Header: seal.FixedHeader}
	return &Fix{At: at, Column: key.Column, Text: row.Cell(column).Text}
}

// keyText returns the text of a row's key.
func keyText(t *table, row importer.Row) string {
	return strings.TrimSpace(row.Cell(t.key).Text)
}

// refuseLost refuses rows of a list that are in no table: above the headers, or in a sheet
// whose headers or keys are gone. Their answers would be lost.
func (r *Results) refuseLost() error {
	for _, name := range r.file.sheets() {
		i := slices.IndexFunc(r.tables, func(t table) bool { return t.sheet == name })
		for row, err := range r.file.rows(name) {
			switch {
			case err != nil:
				return err
			case i >= 0 && row.Num > r.tables[i].header:
			case i < 0 && headersAt(row) != nil, slices.ContainsFunc(row.Cells, r.isKey):
				return r.refuse(importer.Ref{Sheet: name, Row: row.Num}, "the headers were sorted with the rows, or they or the hidden column "+seal.KeyHeader+" are gone", r.fresh())
			}
		}
	}
	return nil
}

// isKey reports whether a cell holds the key of a row.
func (r *Results) isKey(c importer.Cell) bool {
	_, err := r.sealer.Decode(c.Text)
	return err == nil
}

// column returns the number of the column that now has a header of the program, or 0 if
// it is gone.
func (t *table) column(header string) int {
	switch header {
	case seal.StatusHeader:
		return t.status
	case seal.ProblemHeader:
		return t.problem
	case seal.FixHeader:
		return t.fix
	}
	return t.source[sourceName(header)]
}
