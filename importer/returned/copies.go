package returned

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
	"tripimport/importer/results/seal"
)

// A holder is a row that had a certain content when the results were written.
type holder struct {
	at importer.Ref // the row
	// rider is the rider's id that the row had, in the form of idText; empty if it is not known. changed reports that it has
	// another content now.
	rider   string
	changed bool
}

// A riderRow is a row that had the id of a certain rider, or has it now, in the form of idText.
type riderRow struct {
	at      importer.Ref
	row     int
	was, is string
}

// holders has, for each content to which a cell without a fault was changed, the rows that had it, for each trip's id to
// which one was changed, the rows that have that, and for each rider's id those that have or had it.
type holders struct {
	contents map[columnValue][]holder
	trips    map[string][]importer.Ref
	riders   map[string][]riderRow
	own      map[int]string // the rider ids that the edited rows had
}

// commonFrom is the number of rows from which on a content is common, and no sign of a
// copy. mostHolders limits the rows that are kept for an id.
const (
	commonFrom  = 4
	mostHolders = 50
)

// findHolders reads all rows once more to find the holders.
func (r *Results) findHolders(edited []editedRow, changes []change) (*holders, error) {
	had := &holders{map[columnValue][]holder{}, map[string][]importer.Ref{}, map[string][]riderRow{}, map[int]string{}}
	for _, c := range changes {
		if c.mark != faulty {
			had.contents[c.is] = nil
		}
	}
	for i := range edited {
		if was, is := r.riderOf(&edited[i]); was != is {
			had.riders[is] = nil
		}
		if id, changed := r.idOf(&edited[i], seal.TripID); changed {
			had.trips[id] = nil
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

// addHolder adds a row to the holders of the contents that it had, and of the rider's id that it has or had.
func (r *Results) addHolder(had *holders, e *editedRow) {
	was, is := r.riderOf(e)
	if e.changed() {
		had.own[e.key.Row] = was
	}
	for i := range e.cells {
		c := &e.cells[i]
		value := columnValue{i, c.key.Digest}
		if same, wanted := had.contents[value]; wanted && c.key.Type != importer.Empty && len(same) < commonFrom {
			had.contents[value] = append(same, holder{e.at, was, c.changed()})
		}
	}
	id, _ := r.idOf(e, seal.TripID)
	if same, wanted := had.trips[id]; wanted && id != "" && len(same) < 2 {
		had.trips[id] = append(same, e.at)
	}
	for _, id := range slices.Compact([]string{was, is}) {
		if same, wanted := had.riders[id]; wanted && len(same) < mostHolders {
			had.riders[id] = append(same, riderRow{e.at, e.key.Row, was, is})
		}
	}
}

// riderOf returns the id of the row's rider as it was and as it is, in the form of
// idText. was is empty if it is not known any more.
func (r *Results) riderOf(e *editedRow) (was, is string) {
	is, changed := r.idOf(e, seal.RiderID)
	if changed {
		return idText(e.key.Rider), is
	}
	return is, is
}

// idOf returns the id of the row's trip or rider as it is, in the form of idText, and whether it was changed.
func (r *Results) idOf(e *editedRow, kind seal.Flags) (id string, changed bool) {
	for i := range e.cells {
		if r.ids[i].Has(kind) {
			id += idText(e.cells[i].Text)
			changed = changed || e.cells[i].changed()
		}
	}
	return id, changed
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
func (h *holders) otherPassenger(c *change) (other holder, ok bool) {
	had, own := h.contents[c.is], h.own[c.row]
	if len(had) >= commonFrom {
		return holder{}, false
	}
	for i, o := range had {
		if own != "" && o.rider == own || i > 0 && (o.rider == "" || o.rider != other.rider) {
			return holder{}, false
		}
		other = o
	}
	return other, len(had) > 0
}

// judgeCopies refuses changes of cells without a fault that mix up two passengers: a
// content that was moved from another row, several cells of one row pasted over another,
// or one content filled into rows that had different ones.
func (r *Results) judgeCopies(changes []change, had *holders) error {
	type pair struct {
		row   int
		other int
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return c.mark == faulty })
	same, perRow, filled := map[pair]int{}, map[int]int{}, map[columnValue][]change{}
	for i := range changes {
		c := &changes[i]
		perRow[c.row]++
		filled[c.is] = withFormer(filled[c.is], c)
		switch other, ok := had.otherPassenger(c); {
		case ok && other.changed:
			return r.refuseMoved([]importer.Ref{c.at, other.at})
		case ok:
			same[pair{c.row, other.at.Row}]++
		}
	}

	for i := range changes {
		c := &changes[i]
		other, ok := had.otherPassenger(c)
		// A corrected address may have the city and ZIP code of another row by
		// chance, but then other cells were typed as well.
		if n := same[pair{c.row, other.at.Row}]; ok && n >= 2 && (c.mark == unmarked || n == perRow[c.row]) {
			return r.refuse(c.at, fmt.Sprintf("cells of this row are those of row %d: two passengers may be mixed up", other.at.Row), r.fresh()+inSchedule)
		}
		// Many passengers may have one content, and two rows the same one by chance.
		if cells := filled[c.is]; len(cells) > 1 && ok || len(cells) > 2 && len(had.contents[c.is]) > 0 {
			return r.refuse(c.at, fmt.Sprintf("one row's content was filled into others (%s), which had different ones", rowList(cellsOf(cells))), r.fresh()+inSchedule)
		}
	}
	return nil
}

// withFormer returns changes to one content with another one, if its cell had a content that none of theirs had. A few
// are enough.
func withFormer(changes []change, c *change) []change {
	if len(changes) == 5 || slices.ContainsFunc(changes, func(o change) bool { return o.was == c.was }) {
		return changes
	}
	return append(changes, *c)
}
