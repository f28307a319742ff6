package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"tripimport/importer"
)

// A CellFix is what a person makes of a cell of a work.
type CellFix struct {
	Sheet    string
	Row, Col int
	// Was is what the person saw there, and Is what it is to be.
	Was, Is string
	// Alike reports that all cells of the column that say the same, and in which a fault is, are to be that, unless they tell the
	// rider.
	Alike bool
}

// These are the errors of Fix about a cell that can't be fixed.
var (
	// ErrChanged says that the cell is not as the person saw it.
	ErrChanged = Usage("look at it as it is now, and fix it again", "this cell was changed in another window")
	// ErrSame says that the cell would say what it says already.
	ErrSame = Usage("write what it is to say", "this is what the cell says already; nothing was changed")
	// ErrSound says that no problem names the cell.
	ErrSound = Usage("change it in the spreadsheet, save that, and bring it again", "nothing is wrong in this cell")
)

// Fix keeps what a person makes of a cell of a schedule that a problem names or that was fixed before, or of all that are
// alike, and returns how many cells that are. No crash loses it. The schedule's own content takes a fix back.
func (j *Jobs) Fix(ctx context.Context, id string, f CellFix) (cells int, err error) {
	j.fixing.Lock()
	defer j.fixing.Unlock()

	w, seen, err := j.checked(ctx, id)
	if err != nil {
		return 0, err
	}
	switch f.Was, f.Is = lines(f.Was), lines(f.Is); {
	case f.Was == f.Is:
		return 0, ErrSame
	case f.Col < 1 || seen.Results:
		return 0, ErrSound
	}
	wanted := fixing{CellFix: f, work: w, was: map[importer.Ref]string{}, found: ErrSound}
	for _, b := range seen.Work.Fixes {
		wanted.was[b.At] = b.Was
		if !f.Alike && b.At == w.at(f.Sheet, f.Row, f.Col) && lines(b.Is) == f.Was && lines(b.Was) == f.Is {
			return 1, j.keepFixes(w, []Fix{{At: b.At, Was: b.Was, Is: b.Was}}) // also if nothing can be read with it
		}
	}
	for i := range seen.rows {
		wanted.row(&seen.rows[i])
	}
	if err = errors.Join(seen.err, wanted.found); err != nil {
		return 0, err
	}
	return len(wanted.fixes), j.keepFixes(w, wanted.fixes)
}

// A fixing finds the cells that a person wants to fix.
type fixing struct {
	CellFix

	work  Work
	was   map[importer.Ref]string // what the schedule says in the cells that were fixed before
	fixes []Fix
	found error // why the cell itself can't be fixed
}

// row looks for the cells in a row.
func (x *fixing) row(row *importer.RowResult) {
	target := x.work.at(x.Sheet, x.Row, x.Col)
	at := x.work.at(row.Row.Sheet, row.Row.Num, x.Col)
	text := row.Row.Cell(x.Col).Text
	original, fixed := x.was[at]
	if !fixed {
		original = text
	}
	named := slices.ContainsFunc(row.Problems, func(p importer.Problem) bool { return p.Names(x.Col) })
	switch {
	case at == target && !named && !fixed:
	case at == target && lines(text) != x.Was:
		x.found = ErrChanged
	case at == target, x.Alike && at.Sheet == target.Sheet && lines(text) == x.Was && row.FixedAlike(x.Col):
		f := Fix{At: at, Was: original, Is: x.Is}
		if x.Is == lines(original) {
			f.Is = original // taken back
		}
		x.fixes = append(x.fixes, f)
		if at == target {
			x.found = nil
		}
	}
}

// lines returns a cell's text as forms send it back, but for the ends of its lines: of those they make CR LF.
func lines(text string) string {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(text)
}

// earlierFixes returns what was fixed in the schedule of the same name that was brought before, where a problem names the
// same cell, and the row says what it said: the row of another day is another passenger's.
func (a *App) earlierFixes(w Work, rows []importer.RowResult) ([]Fix, error) {
	works, err := a.Folders.allWorks()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(works, func(x Work) bool { return x.Name == w.Name && x.ID < w.ID })
	if i < 0 || len(works[i].Fixes) == 0 {
		return nil, nil
	}
	fixes := works[i].Fixes
	s, err := a.openSchedule(works[i].path())
	if err != nil {
		return nil, nil //nolint:nilerr // no mapping is for it any more
	}
	defer s.file.Close()
	was := map[int][]importer.Cell{}
	for row, err := range s.input.Source.Rows() {
		if err == nil && slices.ContainsFunc(fixes, func(f Fix) bool { return f.At.Row == row.Num }) {
			was[row.Num] = row.Clone().Cells
		}
	}
	return slices.DeleteFunc(fixes, func(f Fix) bool {
		return !slices.ContainsFunc(rows, func(row importer.RowResult) bool {
			return row.Row.Num == f.At.Row && row.Row.Sheet == f.At.Sheet && slices.Equal(row.Row.Cells, was[row.Row.Num]) &&
				slices.ContainsFunc(row.Problems, func(p importer.Problem) bool { return p.Names(f.At.Col) })
		})
	}), nil
}

// keepFixes adds fixes to those of a work: one replaces an earlier one of the same cell, and one with the schedule's own
// content takes it back.
func (j *Jobs) keepFixes(w Work, fixes []Fix) error {
	again := map[importer.Ref]bool{}
	for _, f := range fixes {
		again[f.At] = true
	}
	return j.keep(w, func(k *Kept) {
		others := slices.DeleteFunc(k.Fixes, func(f Fix) bool { return again[f.At] })
		k.Fixes = slices.DeleteFunc(append(others, fixes...), func(f Fix) bool { return f.Is == f.Was })
	})
}

// FixAsBefore keeps the fixes that Checked.Earlier lists.
func (j *Jobs) FixAsBefore(ctx context.Context, id string) error {
	j.fixing.Lock()
	defer j.fixing.Unlock()

	w, seen, err := j.checked(ctx, id)
	if err != nil {
		return err
	}
	return j.keepFixes(w, seen.Earlier)
}
