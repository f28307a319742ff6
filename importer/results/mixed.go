package results

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
)

// A change is a cell that differs from what was written.
type change struct {
	at     importer.Ref // the cell in the results file
	source importer.Ref
	row    [2]int // input and row number
	column int
	was    uint16 // the low bits of what was written
	is     uint64
	stray  bool // not marked
	guard  bool // part of the trip's id or the rider
}

// maxChanges bounds what is kept of a file in which nearly everything has
// changed.
const maxChanges = 500_000

// inspect reads all rows once: it refuses a file in which rows have been mixed
// up, and gathers edits and answers.
func (r *Returned) inspect() error {
	seen := map[[2]int]int{}
	var changes []change
	for f, err := range r.all() {
		if err != nil {
			return err
		}
		r.rows++
		row := [2]int{f.key.Input, f.key.Row}
		if at, twice := seen[row]; twice {
			return r.refuse(f.at, fmt.Sprintf("the row is there twice: it is row %d as well", at), "delete one of the two, or "+r.fresh())
		}
		seen[row] = f.at.Row
		in := &r.id.Inputs[f.key.Input-1]
		if f.unseen {
			return r.refuse(f.at, "the row has changed in a cell that was not marked, and it can't be told which", r.fresh())
		}
		for i := range f.columns {
			if !f.changed.has(i) {
				continue
			}
			changes = append(changes, change{
				at: f.ref(i, in), source: f.source(i, in), row: row, column: i,
				was: f.key.Digests[i], is: f.sums[i],
				stray: f.stray.has(i), guard: f.key.Guarded.has(i),
			})
		}
		if len(changes) > maxChanges {
			return r.refuse(f.at, "nearly everything in the file has changed", r.fresh())
		}
		if reason := f.misplaced(); reason != "" {
			return r.refuse(f.answerAt, reason, "delete it if it belongs to no other row; otherwise "+r.fresh())
		}
		r.answers = append(r.answers, answersOf(&f, in)...)
	}
	return r.judge(changes)
}

// judge refuses changes that mix rows, and takes note of those that need a yes.
func (r *Returned) judge(changes []change) error {
	if at := shuffled(changes); len(at) > 0 {
		return r.refuse(at[0], fmt.Sprintf("cells of this column have moved between rows (%s), so that a row has another passenger's: "+
			"sort and paste whole rows only", rowList(at)), r.fresh())
	}
	for _, c := range changes {
		if c.stray && c.guard {
			return r.refuse(c.at, "the trip's id or its rider was changed, which nothing was wrong with: the row may be another passenger's now", r.fresh())
		}
	}
	if err := r.pasted(changes); err != nil {
		return err
	}
	for _, c := range changes {
		if c.stray {
			r.edits = append(r.edits, Edit{At: c.at, Source: c.source})
		}
	}
	return nil
}

// shuffled finds columns whose cells have moved between rows: sorted alone, or
// cut and pasted, or shifted. There, most of the changed cells have what
// another changed one had. Changes of marked cells alone are never taken for
// that: they were to be changed.
func shuffled(changes []change) []importer.Ref {
	type place struct{ input, column int }
	columns := map[place][]change{}
	for _, c := range changes {
		at := place{c.row[0], c.column}
		columns[at] = append(columns[at], c)
	}
	for _, moved := range columns {
		if len(moved) < 2 || !slices.ContainsFunc(moved, func(c change) bool { return c.stray }) {
			continue
		}
		had := map[uint16]int{}
		for _, c := range moved {
			had[c.was]++
		}
		taken := 0
		for _, c := range moved {
			if had[uint16(c.is)] > 0 {
				had[uint16(c.is)]--
				taken++
			}
		}
		if taken*2 >= len(moved) {
			var at []importer.Ref
			for _, c := range moved {
				at = append(at, c.at)
			}
			slices.SortFunc(at, func(a, b importer.Ref) int { return a.Row - b.Row })
			return at
		}
	}
	return nil
}

// pasted refuses a row with two or more stray cells that all have what one
// other row has, where no third row has the same: a part of that row was
// copied over this one.
func (r *Returned) pasted(changes []change) error {
	rows := map[[2]int][]change{}
	for _, c := range changes {
		if c.stray {
			rows[c.row] = append(rows[c.row], c)
		}
	}
	type value struct {
		input, column int
		is            uint64
	}
	wanted := map[value][]importer.Ref{}
	for _, stray := range rows {
		if len(stray) < 2 {
			continue
		}
		for _, c := range stray {
			wanted[value{c.row[0], c.column, c.is}] = nil
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for f, err := range r.all() {
		if err != nil {
			return err
		}
		for i, sum := range f.sums {
			v := value{f.key.Input, i, sum}
			at, want := wanted[v]
			if want && f.cells[i].Type != importer.Empty && len(at) < 3 {
				wanted[v] = append(at, f.at)
			}
		}
	}
	for _, stray := range rows {
		// How many of the row's stray cells each other row alone has as well.
		same := map[importer.Ref]int{}
		for _, c := range stray {
			at := wanted[value{c.row[0], c.column, c.is}]
			if len(at) != 2 {
				continue
			}
			for _, other := range at {
				if other.Row != c.at.Row || other.Sheet != c.at.Sheet {
					same[other]++
				}
			}
		}
		for other, n := range same {
			if n >= 2 {
				return r.refuse(stray[0].at, fmt.Sprintf("cells of this row are those of row %d: two passengers may be mixed up", other.Row), r.fresh())
			}
		}
	}
	return nil
}

func rowList(at []importer.Ref) string {
	var rows []string
	for _, ref := range first(at, 5) {
		rows = append(rows, fmt.Sprint(ref.Row))
	}
	text := "rows " + strings.Join(rows, ", ")
	if len(at) > 5 {
		text += fmt.Sprintf(" and %d more", len(at)-5)
	}
	return text
}
