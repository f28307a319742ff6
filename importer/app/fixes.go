package app

import (
	"context"
	"iter"

	"tripimport/importer"
	"tripimport/importer/returned"
)

// A Fix is a cell of a schedule as a person fixed it, without that schedule.
type Fix = returned.Fix

// fix puts the job's fixes over the rows of its schedule.
func (j *job) fix(context.Context) error {
	if j.schedule == nil || len(j.opts.Fixes) == 0 {
		return nil
	}
	fixes := map[int][]Fix{}
	for _, f := range j.opts.Fixes {
		fixes[f.At.Row] = append(fixes[f.At.Row], f)
	}
	original := j.input
	j.input.Source, j.input.Original, j.input.Edited = fixedSource{original.Source, fixes}, &original, true
	return nil
}

// A fixedSource is a schedule with the cells that a person fixed, by the number of their row.
type fixedSource struct {
	importer.Source
	fixes map[int][]Fix
}

// Rows implements importer.Source. It yields an error if a cell does not say any more what the
// person saw when fixing it.
func (s fixedSource) Rows() iter.Seq2[importer.Row, error] {
	return func(yield func(importer.Row, error) bool) {
		for row, err := range s.Source.Rows() {
			if fixes := s.fixes[row.Num]; err == nil && len(fixes) > 0 {
				row, err = s.fixed(row.Clone(), fixes)
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// fixed returns the row with its fixes.
func (s fixedSource) fixed(row importer.Row, fixes []Fix) (importer.Row, error) {
	row.Edited = true
	for _, f := range fixes {
		if row.Cell(f.At.Col).Text != f.Was {
			return row, &importer.InputError{File: s.Name(), At: f.At, Reason: "the cell has changed since it was fixed", Fix: "look at its problems again"}
		}
		for len(row.Cells) < f.At.Col {
			row.Cells = append(row.Cells, importer.Cell{})
		}
		row.Cells[f.At.Col-1] = importer.Cell{Type: importer.Text, Text: f.Is}
	}
	return row, nil
}
