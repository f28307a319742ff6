package returned

import (
	"iter"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A source is an input as its results have it: an importer.Source.
type source struct {
	r     *Results
	input int
}

func (s *source) Name() string { return s.r.id.Inputs[s.input-1].Name }
func (s *source) Hash() string { return s.r.id.Inputs[s.input-1].Hash }

// Rows gives the input's rows. A row that no longer fits its key ends the
// reading: the file was changed while it was read.
func (s *source) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for found, err := range s.r.all() {
			if err != nil {
				yield(importer.Row{}, err)
				return
			}
			if found.key.Input == s.input && !yield(s.r.restore(&found), nil) {
				return
			}
		}
	}
}

// restore gives the row of the input. A cell that has not changed is exactly
// what it was, its type included; a mended one is what was typed.
func (r *Results) restore(f *editedRow) importer.Row {
	in := &r.id.Inputs[f.key.Input-1]
	row := importer.Row{File: in.Name, Sheet: in.Sheet, Num: f.key.Row, Width: f.key.Width}
	width := 0
	for _, c := range in.Columns {
		width = max(width, c.Num)
	}
	row.Cells = make([]importer.Cell, width, width+1)
	for i, c := range in.Columns {
		cell := f.cells[i]
		if !f.changed.Has(i) {
			cell.Type = f.key.Types[i]
			if f.key.Exact.Has(i) {
				cell.Text = r.originals[seal.CellAt{Input: f.key.Input, Row: f.key.Row, Column: i}]
			}
		}
		row.Cells[c.Num-1] = cell
	}
	if beyond := f.cells[len(in.Columns)]; beyond.Type != importer.Empty {
		row.Cells = append(row.Cells, seal.SplitSurplus(beyond.Text)...)
		row.Width = width + len(seal.SplitSurplus(beyond.Text))
	} else if f.key.Width != 0 && f.changed != nil {
		// The record had too many fields or too few, and has been mended.
		row.Width = width
	}
	return row
}
