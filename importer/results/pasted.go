package results

import (
	"slices"

	"tripimport/importer"
)

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
func (r *Returned) twins(changes []change) (map[value]*twin, error) {
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
func (f *foundRow) rider() []uint64 {
	var sums []uint64
	for i, sum := range f.sums {
		if f.key.Rider.has(i) && f.cells[i].Type != importer.Empty {
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
