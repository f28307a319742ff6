package returned

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A sourceRow is a row of an input: the input's number and the row's.
type sourceRow struct{ input, row int }

// A columnValue is a cell's content, by its digest, in a column of an input.
type columnValue struct {
	input, column int
	digest        seal.Digest
}

// A change is a cell that differs from what was written.
type change struct {
	at  importer.Ref // the cell in the results file
	row sourceRow
	was seal.Digest
	is  columnValue
	// unmarked reports that nothing was wrong with the cell; id that the trip's
	// id, or the rider's, is made from it.
	unmarked, id bool
}

// maxChanges bounds what is kept of a file in which nearly everything has
// changed.
const maxChanges = 500_000

// inspect reads all rows once: it refuses a file in which rows have been mixed
// up, and gathers edits and answers.
func (r *Results) inspect() error {
	seen := map[sourceRow]int{}
	var changes []change
	for e, err := range r.all() {
		if err != nil {
			return err
		}
		r.rows++
		row := sourceRow{e.key.Input, e.key.Row}
		if at, twice := seen[row]; twice {
			return r.refuse(e.at, fmt.Sprintf("the row is there twice: it is row %d as well", at), "delete one of the two, or "+r.fresh())
		}
		seen[row] = e.at.Row

		in := &r.record.Inputs[e.key.Input-1]
		for i := range e.cells {
			if c := &e.cells[i]; c.changed() {
				changes = append(changes, change{
					at: e.ref(i, in), row: row,
					was: c.key.Digest, is: columnValue{e.key.Input, i, c.digest},
					unmarked: !c.key.Flags.Has(seal.MayChange), id: c.key.Flags.Has(seal.TripID | seal.RiderID),
				})
			}
		}
		if len(changes) > maxChanges {
			return r.refuse(e.at, "nearly everything in the file has changed", r.fresh())
		}
		if reason := e.misplacedAnswer(); reason != "" {
			return r.refuse(e.answerAt, reason, "delete it if it belongs to no other row; otherwise "+r.fresh())
		}
		r.answers = append(r.answers, answersOf(&e, in)...)
	}

	return r.judge(changes)
}

// judge refuses changes that mix rows, and takes note of those that need a yes.
func (r *Results) judge(changes []change) error {
	if r.rewritten(changes) {
		return r.refuse(importer.Ref{}, "ids, dates or times all over the file have changed: it seems to have been opened and saved by Excel, which rewrites them",
			"fix the rows in an .xlsx results file, where they stay as they are, or "+r.fresh())
	}
	if at := movedCells(changes); len(at) > 0 {
		return r.refuse(at[0], fmt.Sprintf("cells of this column have moved between rows (%s), so that a row has another passenger's: "+
			"sort and paste whole rows only", rowList(at)), r.fresh())
	}

	for _, c := range changes {
		if c.unmarked && c.id {
			return r.refuse(c.at, "the trip's id or its rider was changed, which nothing was wrong with: the row may be another passenger's now", r.fresh())
		}
	}

	rows, err := r.rowsWith(changes)
	if err != nil {
		return err
	}
	if at, other := copiedCells(changes, rows); other != 0 {
		return r.refuse(at, fmt.Sprintf("cells of this row are those of row %d: two passengers may be mixed up", other), r.fresh())
	}

	for i := range changes {
		if c := &changes[i]; c.unmarked {
			r.edits = append(r.edits, Edit{At: c.at, SameAs: otherPassenger(rows[c.is], c.at)})
		}
	}

	return nil
}

// rewritten reports whether a spreadsheet program has rewritten a CSV file's
// cells: cells that were not marked have changed in at least three rows, and in
// a fifth of all.
func (r *Results) rewritten(changes []change) bool {
	if _, text := r.file.(*csvFile); !text {
		return false
	}
	rows := map[sourceRow]bool{}
	for _, c := range changes {
		if c.unmarked {
			rows[c.row] = true
		}
	}
	return len(rows) >= 3 && len(rows)*5 >= r.rows
}

// movedCells finds a column whose cells have moved between rows: it was sorted
// alone, or cells were cut and pasted, or shifted. There, at least half of the
// changed cells have what another changed one had. Changes of marked cells
// alone are never taken for that: they were to be changed. It returns the moved
// cells from the top down, or nil.
func movedCells(changes []change) []importer.Ref {
	type column struct{ input, column int }
	columns := map[column][]change{}
	for _, c := range changes {
		at := column{c.is.input, c.is.column}
		columns[at] = append(columns[at], c)
	}

	for _, changed := range columns {
		if len(changed) < 2 || !slices.ContainsFunc(changed, func(c change) bool { return c.unmarked }) {
			continue
		}
		had := map[seal.Digest]int{}
		for _, c := range changed {
			had[c.was]++
		}
		moved := 0
		for _, c := range changed {
			if had[c.is.digest] > 0 {
				had[c.is.digest]--
				moved++
			}
		}
		if moved*2 >= len(changed) {
			var at []importer.Ref
			for _, c := range changed {
				at = append(at, c.at)
			}
			slices.SortFunc(at, func(a, b importer.Ref) int { return a.Row - b.Row })
			return at
		}
	}

	return nil
}

// rowList names the first rows of the cells.
func rowList(at []importer.Ref) string {
	const shown = 5
	var rows []string
	for _, ref := range at[:min(len(at), shown)] {
		rows = append(rows, fmt.Sprint(ref.Row))
	}
	text := "rows " + strings.Join(rows, ", ")
	if len(at) > shown {
		text += fmt.Sprintf(" and %d more", len(at)-shown)
	}
	return text
}

// A rowWith is a row that has the content of a changed cell in its column.
type rowWith struct {
	at    importer.Ref
	rider []seal.Digest // of the cells that make the rider's id; none if they are empty
}

// rowsWith reads the rows once more to find those that have the content which
// unmarked cells were given. Of each content it gives at most three rows: with
// more it is no sign of a copy.
func (r *Results) rowsWith(changes []change) (map[columnValue][]rowWith, error) {
	rows := map[columnValue][]rowWith{}
	for _, c := range changes {
		if c.unmarked {
			rows[c.is] = nil
		}
	}

	if len(rows) == 0 {
		return nil, nil
	}

	for e, err := range r.all() {
		if err != nil {
			return nil, err
		}
		for i, c := range e.cells {
			value := columnValue{e.key.Input, i, c.digest}
			if same, wanted := rows[value]; wanted && c.Type != importer.Empty && len(same) < 3 {
				rows[value] = append(same, rowWith{e.at, e.rider()})
			}
		}
	}

	return rows, nil
}

// rider returns the digests of the cells that make the rider's id. Empty cells
// are left out: two rows without a rider have no rider in common.
func (e *editedRow) rider() []seal.Digest {
	var digests []seal.Digest
	for _, c := range e.cells {
		if c.key.Flags.Has(seal.RiderID) && c.Type != importer.Empty {
			digests = append(digests, c.digest)
		}
	}
	return digests
}

// otherPassenger returns the row that has the same content as the cell, where it
// is the only other one and is another passenger's: the legs of a round trip
// may stand on rows of their own. It is 0 if there is none.
func otherPassenger(rows []rowWith, cell importer.Ref) int {
	if len(rows) != 2 || len(rows[0].rider) > 0 && slices.Equal(rows[0].rider, rows[1].rider) {
		return 0
	}
	for i, row := range rows {
		if row.at.Sheet == cell.Sheet && row.at.Row == cell.Row {
			return rows[1-i].at.Row
		}
	}
	return 0
}

// copiedCells finds a row of which two or more unmarked cells have become those
// of one other passenger's row: a part of it was copied over.
func copiedCells(changes []change, rows map[columnValue][]rowWith) (cell importer.Ref, other int) {
	type pair struct {
		row   sourceRow
		other int
	}
	same := map[pair]int{}
	for _, c := range changes {
		if !c.unmarked {
			continue
		}
		if other := otherPassenger(rows[c.is], c.at); other != 0 {
			p := pair{c.row, other}
			if same[p]++; same[p] >= 2 {
				return c.at, other
			}
		}
	}

	return importer.Ref{}, 0
}
