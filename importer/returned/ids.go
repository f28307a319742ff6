package returned

import (
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

const unmarkedID = "'s id was changed, although nothing was wrong with it: the row may be another passenger's now"

// judgeTripID refuses a row of which the trip's id was changed that may not (changedID), or to that of another row.
func (r *Results) judgeTripID(e *editedRow, had *holders) error {
	if i, at, allowed := r.changedID(e, seal.TripID); i >= 0 && !allowed {
		return r.refuse(at, "the trip"+unmarkedID, r.fresh()+inSchedule)
	} else if id, changed := r.idOf(e, seal.TripID); changed && len(had.trips[id]) > 1 {
		return r.refuse(at, "another row has the trip's id too ("+rowList(had.trips[id])+"): two passengers may be mixed up", r.fresh()+inSchedule)
	}
	return nil
}

// judgeRider refuses a row of which the rider's id was changed that may not: it may where changedID says so, and in a row
// that the service refused. An id that another row has or had needs the answer `rider is right` in the row. Any other new
// one of a refused row is listed as an Edit, which a person has to confirm.
func (r *Results) judgeRider(e *editedRow, had *holders) error {
	i, at, allowed := r.changedID(e, seal.RiderID)
	was, is := r.riderOf(e)
	switch {
	case i >= 0 && !allowed && !e.refused():
		return r.refuse(at, "the rider"+unmarkedID, r.fresh()+inSchedule)
	case i < 0 || is == "": // the check reports a missing id
		return nil
	}

	other := slices.IndexFunc(had.riders[is], func(o riderRow) bool {
		return o.row != e.key.Row && (o.was == is || was == "" || o.was != was)
	})
	switch said, _, _ := importer.ParseVerdict(e.answer); {
	case other >= 0 && said != importer.RiderIsRight:
		return r.refuse(at, fmt.Sprintf("the rider's id is that of row %d, which may be another passenger's", had.riders[is][other].at.Row),
			"if it is this row's rider too, write `"+importer.RiderIsRight.String()+"` under "+seal.AnswerHeader+" of this row; otherwise "+r.fresh())
	case other < 0 && !allowed:
		r.Edits = append(r.Edits, Edit{At: at, Is: e.cells[i].Text, Marked: e.markOf(i) != unmarked, Rider: true, Was: e.key.Rider})
	}
	return nil
}

// changedID returns the index and the address of the first changed cell of the id, or -1. It reports
// whether all changed cells of the id were to be fixed: a fault is at each of them, or
// the record had a wrong number of fields, so that its cells may have been shifted. The
// id of a row whose trip may be booked is never allowed to change.
func (r *Results) changedID(e *editedRow, kind seal.Flags) (first int, at importer.Ref, allowed bool) {
	first, allowed = -1, !e.mayBeBooked()
	moved := e.key.Cells[len(e.cells)-1].Flags.Has(seal.MayChange)
	for i := len(e.cells) - 1; i >= 0; i-- {
		if e.cells[i].changed() && r.ids[i].Has(kind) {
			first, at = i, e.ref(i, &r.Input)
			allowed = allowed && (e.markOf(i) == faulty || moved && e.markOf(i) == suspect)
		}
	}
	return first, at, allowed
}

// mayBeBooked reports whether a trip of the row may be booked.
func (e *editedRow) mayBeBooked() bool {
	return slices.ContainsFunc(e.key.Trips, func(t seal.TripKey) bool { return t.State.Booked() || t.State == importer.Unknown })
}

// refused reports whether the service refused a trip of the row, and none may be
// booked.
func (e *editedRow) refused() bool {
	return !e.mayBeBooked() && slices.ContainsFunc(e.key.Trips, func(t seal.TripKey) bool { return t.State == importer.Refused })
}
