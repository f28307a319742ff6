package returned

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
func (r *Results) inspect() error {
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
			if !f.changed.Has(i) {
				continue
			}
			changes = append(changes, change{
				at: f.ref(i, in), source: f.source(i, in), row: row, column: i,
				was: f.key.Digests[i], is: f.sums[i],
				stray: f.stray.Has(i), guard: f.key.Guarded.Has(i),
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
func (r *Results) judge(changes []change) error {
	if r.rewritten(changes) {
		return r.refuse(importer.Ref{}, "ids, dates or times all over the file have changed: it seems to have been opened and saved by Excel, which rewrites them",
			"mend an .xlsx results file, where they stay as they are, or "+r.fresh())
	}
	if at := shuffled(changes); len(at) > 0 {
		return r.refuse(at[0], fmt.Sprintf("cells of this column have moved between rows (%s), so that a row has another passenger's: "+
			"sort and paste whole rows only", rowList(at)), r.fresh())
	}
	for _, c := range changes {
		if c.stray && c.guard {
			return r.refuse(c.at, "the trip's id or its rider was changed, which nothing was wrong with: the row may be another passenger's now", r.fresh())
		}
	}
	twins, err := r.twins(changes)
	if err != nil {
		return err
	}
	if row, other := pasted(changes, twins); row.Row != 0 {
		return r.refuse(row, fmt.Sprintf("cells of this row are those of row %d: two passengers may be mixed up", other), r.fresh())
	}
	for _, c := range changes {
		if c.stray {
			r.edits = append(r.edits, Edit{At: c.at, Source: c.source, SameAs: twins[c.value()].other(c.at)})
		}
	}
	return nil
}

// rewritten reports whether a spreadsheet program has rewritten a CSV file's
// cells: of at least three rows, and of a good part of all, cells have changed
// that were not marked.
func (r *Results) rewritten(changes []change) bool {
	if _, text := r.file.(*csvFile); !text {
		return false
	}
	rows := map[[2]int]bool{}
	for _, c := range changes {
		if c.stray {
			rows[c.row] = true
		}
	}
	return len(rows) >= 3 && len(rows)*5 >= r.rows
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

func rowList(at []importer.Ref) string {
	var rows []string
	for _, ref := range at[:min(len(at), 5)] {
		rows = append(rows, fmt.Sprint(ref.Row))
	}
	text := "rows " + strings.Join(rows, ", ")
	if len(at) > 5 {
		text += fmt.Sprintf(" and %d more", len(at)-5)
	}
	return text
}

// A value is what stands in a cell of a column, by its digest.
type value struct {
	input, column int
	is            uint64
}

func (c *change) value() value { return value{c.row[0], c.column, c.is} }

// A twin is the two rows that have one value, where no third has it and they
// are not of one passenger.
type twin struct{ rows []twinRow }

type twinRow struct {
	at    importer.Ref
	rider []uint64 // digests of the cells that make the rider
}

// other gives the row that has the cell's value as well; 0 for none.
func (t *twin) other(at importer.Ref) int {
	if t == nil || len(t.rows) != 2 || t.rows[0].samePassenger(&t.rows[1]) {
		return 0
	}
	for i, row := range t.rows {
		if row.at.Sheet == at.Sheet && row.at.Row == at.Row {
			return t.rows[1-i].at.Row
		}
	}
	return 0
}

// samePassenger reports whether the rows have one rider: the legs of a journey
// may stand on rows of their own.
func (t *twinRow) samePassenger(u *twinRow) bool {
	return len(t.rider) > 0 && slices.Equal(t.rider, u.rider)
}

// twins reads the rows once more to find who else has the values that cells
// were given though they were not marked.
func (r *Results) twins(changes []change) (map[value]*twin, error) {
	twins := map[value]*twin{}
	for i := range changes {
		if changes[i].stray {
			twins[changes[i].value()] = &twin{}
		}
	}
	if len(twins) == 0 {
		return twins, nil
	}
	for f, err := range r.all() {
		if err != nil {
			return nil, err
		}
		for i, sum := range f.sums {
			t := twins[value{f.key.Input, i, sum}]
			if t != nil && f.cells[i].Type != importer.Empty && len(t.rows) < 3 {
				t.rows = append(t.rows, twinRow{f.at, f.rider()})
			}
		}
	}
	return twins, nil
}

// rider gives the digests of the cells that make the rider; none where they
// are empty, since two rows without a rider have none in common.
func (f *editedRow) rider() []uint64 {
	var sums []uint64
	for i, sum := range f.sums {
		if f.key.Rider.Has(i) && f.cells[i].Type != importer.Empty {
			sums = append(sums, sum)
		}
	}
	return sums
}

// pasted finds a row of which two or more cells that were not marked have
// become those of one other passenger's row: a part of it was copied over.
func pasted(changes []change, twins map[value]*twin) (row importer.Ref, other int) {
	type pair struct {
		row   [2]int
		other int
	}
	same := map[pair]int{}
	for i := range changes {
		c := &changes[i]
		if !c.stray {
			continue
		}
		if n := twins[c.value()].other(c.at); n != 0 {
			p := pair{c.row, n}
			if same[p]++; same[p] >= 2 {
				return c.at, n
			}
		}
	}
	return importer.Ref{}, 0
}
