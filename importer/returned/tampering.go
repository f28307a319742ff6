package returned

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A columnValue is a content, by its digest, in a column of the input.
type columnValue struct {
	column int
	digest seal.Digest
}

// A change is a cell that differs from what was written.
type change struct {
	at   importer.Ref // the cell in the results file
	row  int
	was  seal.Digest
	is   columnValue
	text string // what the cell has now
	mark cellMark
}

// A cellMark says why a cell may change.
type cellMark uint8

const (
	unmarked cellMark = iota // nothing was wrong with it
	suspect                  // something is wrong with its row
	faulty                   // something is wrong with the cell itself
)

// markOf returns the mark of the row's cell at that index.
func (e *editedRow) markOf(i int) cellMark {
	switch flags := e.key.Cells[i].Flags; {
	case !flags.Has(seal.MayChange):
		return unmarked
	case flags.Has(seal.Suspect), e.refused():
		return suspect
	}
	return faulty
}

// maxChanges limits the changes that are kept in memory for a file in which nearly
// everything has changed.
const maxChanges = 200_000

// inspect reads all rows and lines once. It refuses a file in which rows have been mixed up, and
// collects edits, answers and fixes.
func (r *Results) inspect() error {
	r.seen, r.ids = map[int]importer.Ref{}, map[int]seal.Flags{}
	var edited []editedRow
	var changes []change
	for e, err := range r.all() {
		if err != nil {
			return err
		}
		if !e.key.Source {
			r.Answers = append(r.Answers, r.answersOf(&e)...)
			if e.fixed != nil {
				if i := slices.IndexFunc(r.Fixes, e.fixed.differs); i >= 0 {
					return r.otherwise(r.Fixes[i].Fix, e.fixed.InList)
				}
				r.Fixes = append(r.Fixes, *e.fixed)
			}
			continue
		}
		r.rows++
		if at, twice := r.seen[e.key.Row]; twice {
			return r.refuse(e.at, fmt.Sprintf("the row is there twice: it is %s as well", at), "delete one of the two, or the sheet that is a copy, or "+r.fresh())
		}
		r.seen[e.key.Row] = e.at
		r.unbooked += importer.One(e.key.Unbooked)

		in, before := &r.Input, len(changes)
		for i := range e.cells {
			r.ids[i] |= e.key.Cells[i].Flags & (seal.TripID | seal.RiderID)
			if c := &e.cells[i]; c.changed() {
				changes = append(changes, change{e.ref(i, in), e.key.Row, c.key.Digest, columnValue{i, c.digest}, c.Text, e.markOf(i)})
			}
		}
		if len(changes) > before {
			edited = append(edited, e)
		}
		for i := before; i < len(changes) && e.key.Unbooked; i++ {
			r.Changed += uint64(changes[i].is.digest)
		}
		if len(changes) > maxChanges {
			return r.refuse(e.at, "nearly everything in the file has changed", r.fresh())
		}
		if reason := e.misplacedAnswer(); reason != "" {
			return r.refuse(e.answerAt, reason, "delete it if it belongs to no other row; otherwise "+r.fresh())
		}
		r.Answers = append(r.Answers, r.answersOf(&e)...)
		r.addSent(&e)
	}

	if len(changes) == 0 {
		return nil
	}
	return r.judge(edited, changes)
}

// judge refuses changes that mix up rows, and collects those that a person has to
// confirm.
func (r *Results) judge(edited []editedRow, changes []change) error {
	if at := movedCells(changes); len(at) > 0 {
		return r.refuseMoved(at)
	}

	had, err := r.findHolders(edited, changes)
	if err != nil {
		return err
	}
	for i := range edited {
		if err := cmp.Or(r.judgeTripID(&edited[i], had), r.judgeRider(&edited[i], had)); err != nil {
			return err
		}
	}
	if err := r.judgeCopies(changes, had); err != nil {
		return err
	}

	for i := range changes {
		c := &changes[i]
		if other, _ := had.otherPassenger(c); c.mark == unmarked {
			r.Edits = append(r.Edits, Edit{At: c.at, Is: c.text, SameAs: other.at.Row})
		}
	}
	return nil
}

// refuseMoved refuses a file in which cells of a column were moved to other rows.
func (r *Results) refuseMoved(at []importer.Ref) error {
	slices.SortFunc(at, func(a, b importer.Ref) int { return a.Row - b.Row })
	return r.refuse(at[0], fmt.Sprintf("cells of this column have moved between rows (%s), so that a row has another passenger's: "+
		"sort and paste whole rows only", rowList(at)), r.fresh()+inSchedule)
}

// inSchedule says what to do if changes that look like a mix-up are intended.
const inSchedule = "; if the cells are right as they are, correct them in the schedule and import that"

// movedCells returns the changed cells of a column whose cells were moved between rows,
// or nil. Such a column was sorted alone, or its cells were cut and pasted, or shifted:
// at least half of its changed cells have the former content of another changed cell. A
// column in which only cells with a fault have changed is never taken for one, because
// these were to be changed.
func movedCells(changes []change) []importer.Ref {
	columns := map[int][]change{}
	for _, c := range changes {
		columns[c.is.column] = append(columns[c.is.column], c)
	}

	for _, changed := range columns {
		if len(changed) < 2 || !slices.ContainsFunc(changed, func(c change) bool { return c.mark != faulty }) {
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
			return cellsOf(changed)
		}
	}

	return nil
}

func cellsOf(changes []change) []importer.Ref {
	return importer.Each(changes, func(c change) importer.Ref { return c.at })
}

// rowList names the rows of the first cells.
func rowList(at []importer.Ref) string {
	const shown = 5
	rows := importer.Each(at[:min(len(at), shown)], func(ref importer.Ref) string { return fmt.Sprint(ref.Row) })
	text := "rows " + strings.Join(rows, ", ")
	if len(at) > shown {
		text += fmt.Sprintf(" and %d more", len(at)-shown)
	}
	return text
}
