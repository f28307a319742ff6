package returned

import (
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// judgeTripID refuses a row whose trip id was changed, unless the id may change
// (changedID) and no other row has or had the new id.
func (r *Results) judgeTripID(e *editedRow, had *holders) error {
	i, at, allowed := r.changedID(e, seal.TripID)
	switch {
	case i < 0:
		return nil
	case !allowed:
		return r.refuse(at, "the trip's id was changed, although nothing was wrong with it: the row may be another passenger's now", r.fresh()+inSchedule)
	}
	_, is := r.idOf(e, seal.TripID)
	for _, o := range had.ids[idValue{seal.TripID, is}] {
		if o.row != e.key.Row {
			return r.refuse(at, fmt.Sprintf("the trip's id is that of row %d now: two passengers may be mixed up", o.at.Row), r.fresh()+inSchedule)
		}
	}
	return nil
}

// judgeRider refuses a row whose rider id was changed, unless the id may change
// (changedID) or the service refused the trip. An id that another row has or had needs
// the answer `rider is right` in the row. Any other new id of a refused row is listed as
// an Edit, which a person has to confirm.
func (r *Results) judgeRider(e *editedRow, had *holders) error {
	i, at, allowed := r.changedID(e, seal.RiderID)
	switch {
	case i < 0:
		return nil
	case !allowed && !e.refused():
		return r.refuse(at, "the rider's id was changed, although nothing was wrong with it: the row may be another passenger's now", r.fresh()+inSchedule)
	}

	was, is := r.idOf(e, seal.RiderID)
	if is == "" {
		return nil // the check reports the missing id
	}
	other := 0
	for _, o := range had.ids[idValue{seal.RiderID, is}] {
		switch {
		case o.row == e.key.Row:
		case o.wasIt && !o.isIt:
			return r.refuseMoved([]importer.Ref{at, o.at})
		case o.wasIt, was == "", o.rider != was:
			other = o.at.Row
		}
	}

	switch said, _, _ := importer.ParseVerdict(e.answer); {
	case other != 0 && said != importer.RiderIsRight:
		return r.refuse(at, fmt.Sprintf("the rider's id is that of row %d, which may be another passenger's", other),
			"if it is this row's rider too, write `"+importer.RiderIsRight.String()+"` under "+seal.AnswerHeader+" of this row; otherwise "+r.fresh())
	case other == 0 && !allowed:
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
