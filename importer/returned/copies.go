package returned

import (
	"fmt"
	"strings"
	"unicode"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A holder is a row that has a certain content, or had it when the results were written.
type holder struct {
	at  importer.Ref // the row
	row int
	// rider is the rider's id that the row had, in the form of idText; empty if it is not
	// known. wasIt reports that the row had the content, and isIt that it has it now.
	rider       string
	wasIt, isIt bool
}

// An idValue is the id of a trip or a rider, in the form of idText.
type idValue struct {
	kind seal.Flags
	text string
}

// holders has, for each content to which a cell was changed, the rows that have or had
// it.
type holders struct {
	contents map[columnValue][]holder // for changed cells that are not faulty, or have a street
	ids      map[idValue][]holder
	riders   map[int]string // the rider ids that the edited rows had
}

// commonFrom is the number of rows from which on a content is common, and no sign of a
// copy. mostHolders limits the rows that are kept for an id.
const (
	commonFrom  = 4
	mostHolders = 50
)

// findHolders reads all rows once more to find the holders.
func (r *Results) findHolders(edited []editedRow, changes []change) (*holders, error) {
	had := &holders{map[columnValue][]holder{}, map[idValue][]holder{}, map[int]string{}}
	for _, c := range changes {
		if c.mark != faulty || c.street {
			had.contents[c.is] = nil
		}
	}
	for i := range edited {
		for _, kind := range []seal.Flags{seal.TripID, seal.RiderID} {
			if was, is := r.idOf(&edited[i], kind); was != is && is != "" {
				had.ids[idValue{kind, is}] = nil
			}
		}
	}

	for e, err := range r.all() {
		if err != nil {
			return nil, err
		}
		r.addHolder(had, &e)
	}
	return had, nil
}

// addHolder adds a row to the holders of the contents and ids that it has or had.
func (r *Results) addHolder(had *holders, e *editedRow) {
	rider, _ := r.idOf(e, seal.RiderID)
	if e.changed() {
		had.riders[e.key.Row] = rider
	}

	for i := range e.cells {
		c := &e.cells[i]
		value := columnValue{i, c.key.Digest}
		if same, wanted := had.contents[value]; wanted && c.key.Type != importer.Empty && len(same) < commonFrom {
			had.contents[value] = append(same, holder{e.at, e.key.Row, rider, true, !c.changed()})
		}
	}

	if len(had.ids) == 0 {
		return
	}
	for _, kind := range []seal.Flags{seal.TripID, seal.RiderID} {
		was, is := r.idOf(e, kind)
		for value, same := range map[idValue][]holder{{kind, was}: had.ids[idValue{kind, was}], {kind, is}: had.ids[idValue{kind, is}]} {
			if _, wanted := had.ids[value]; wanted && len(same) < mostHolders {
				had.ids[value] = append(same, holder{e.at, e.key.Row, rider, was == value.text, is == value.text})
			}
		}
	}
}

// idOf returns the id of the row's trip or rider as it was and as it is, in the form of
// idText. was is empty if it is not known any more.
func (r *Results) idOf(e *editedRow, kind seal.Flags) (was, is string) {
	changed := false
	for i := range e.cells {
		if r.ids[i].Has(kind) {
			is += idText(e.cells[i].Text)
			changed = changed || e.cells[i].changed()
		}
	}
	switch {
	case !changed:
		return is, is
	case kind == seal.RiderID:
		return idText(e.key.Rider), is
	}
	return "", is
}

// idText returns an id in the form in which ids are compared: without case, punctuation
// and leading zeros, which people and spreadsheet programs change.
func idText(id string) string {
	parts := strings.FieldsFunc(strings.ToLower(id), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	return strings.Join(importer.Each(parts, func(part string) string { return strings.TrimLeft(part, "0") }), "")
}

// otherPassenger returns a row that had the content that the changed cell has now, if
// only one other passenger had it. That passenger may have several rows, because the legs
// of a round trip may be rows of their own.
func (h *holders) otherPassenger(c *change) (holder, bool) {
	had := h.contents[c.is]
	if len(had) >= commonFrom {
		return holder{}, false
	}
	var other holder
	own := h.riders[c.row]
	for _, o := range had {
		if own != "" && o.rider == own || other.wasIt && (o.rider == "" || o.rider != other.rider) {
			return holder{}, false
		}
		other = o
	}
	return other, other.wasIt
}

// judgeCopies refuses changes of cells without a fault that mix up two passengers: a
// content that was moved from another row, several cells of one row pasted over another,
// or one content filled into several rows.
func (r *Results) judgeCopies(changes []change, had *holders) error {
	type pair struct {
		row   int
		other int
	}
	same, perRow, filled := map[pair]int{}, map[int]int{}, map[columnValue][]change{}
	for i := range changes {
		c := &changes[i]
		if c.mark == faulty {
			continue
		}
		perRow[c.row]++
		filled[c.is] = append(filled[c.is], *c)
		if other, ok := had.otherPassenger(c); ok && !other.isIt {
			return r.refuseMoved([]importer.Ref{c.at, other.at})
		} else if ok {
			same[pair{c.row, other.at.Row}]++
		}
	}

	for i := range changes {
		c := &changes[i]
		if other, ok := had.otherPassenger(c); ok {
			// A corrected address may have the city and ZIP code of another row by
			// chance, but then other cells were typed as well.
			p := pair{c.row, other.at.Row}
			if same[p] >= 2 && (c.mark == unmarked || same[p] == perRow[c.row]) {
				return r.refuse(c.at, fmt.Sprintf("cells of this row are those of row %d: two passengers may be mixed up", p.other), r.fresh()+inSchedule)
			}
		}
		if cells := filled[c.is]; len(cells) > 1 && had.isFilled(cells) {
			return r.refuse(c.at, fmt.Sprintf("one row's content was filled into others (%s), which had different ones", rowList(cellsOf(cells))), r.fresh()+inSchedule)
		}
	}
	return nil
}

// isFilled reports whether changed cells of one column that have the same content now
// were filled from another row. They were if they had two different contents and the new
// one is one other passenger's, or if they had three and any other row has or had the new
// one.
func (h *holders) isFilled(cells []change) bool {
	had := map[seal.Digest]bool{}
	for _, c := range cells {
		had[c.was] = true
	}
	_, passengers := h.otherPassenger(&cells[0])
	return len(had) >= 2 && passengers || len(had) >= 3 && len(h.contents[cells[0].is]) > 0
}
