package returned

import (
	"cmp"
	"iter"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A source is the input as its results have it now. It implements importer.Source.
type source struct{ r *Results }

func (s *source) Name() string { return s.r.Input.Name }
func (s *source) Hash() string { return s.r.Input.Hash }

// Rows returns the input's rows. If a row does not fit its key any more, because the file
// was changed meanwhile, Rows yields an error and ends.
func (s *source) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for edited, err := range s.r.all() {
			if err != nil {
				yield(importer.Row{}, err)
				return
			}
			if edited.key.Source && !yield(s.r.restore(&edited), nil) {
				return
			}
		}
	}
}

// restore returns the row of the input. An unchanged cell is exactly as it was, with its
// type. A changed cell is as it was typed.
func (r *Results) restore(e *editedRow) importer.Row {
	in := &r.Input
	row := importer.Row{File: in.Name, Sheet: in.Sheet, Num: e.key.Row, Shown: e.shown, Width: e.key.Width, Edited: e.changed(), Version: e.key.Version}
	if r.ForReal {
		row.Version = 0
	}
	width := 0
	for _, c := range in.Columns {
		width = max(width, c.Num)
	}

	row.Cells = make([]importer.Cell, width, width+1)
	for i := range e.cells {
		edited := &e.cells[i]
		cell := edited.Cell
		if !edited.changed() {
			cell.Type = edited.key.Type
			cell.Text = cmp.Or(edited.key.Original, cell.Text)
		}
		switch {
		case i < len(in.Columns):
			row.Cells[in.Columns[i].Num-1] = cell
		case edited.Type != importer.Empty:
			row.Cells = append(row.Cells, seal.SplitSurplus(cell.Text)...)
		}
	}

	if e.key.Width != 0 && e.changed() {
		// The record may have had too many fields or too few, and has been fixed.
		row.Width = max(in.Width(), len(row.Cells))
	}
	return row
}
