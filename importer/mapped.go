package importer

// Mapped is what a mapping made of a row.
type Mapped struct {
	// Row is the row itself.
	Row Row
	// LeftOut says why the mapping leaves the row out ("turned back"); empty
	// for a row to be booked.
	LeftOut string
	// Cancelled reports that the row is left out because its trip was
	// cancelled: if an earlier run booked it, a person must cancel it.
	Cancelled bool
	// Trips are the row's trips in order: one; outbound and return; or three.
	// A row left out has them as far as they could be made, since their ids
	// tell whether they were booked before.
	Trips []Trip
	// Problems are those of the row as a whole, which stop all of its trips.
	Problems []Problem
}

// Faulty reports whether anything found so far stops the row's trips.
func (m *Mapped) Faulty() bool {
	if Faulty(m.Problems) {
		return true
	}
	for i := range m.Trips {
		if m.Trips[i].Faulty() {
			return true
		}
	}
	return false
}

// AllProblems gives the row's problems and then those of its trips. One that
// legs share (the same code at the same cells) is given once.
func (m *Mapped) AllProblems() []Problem {
	all := append([]Problem(nil), m.Problems...)
	for i := range m.Trips {
		for _, p := range m.Trips[i].Problems {
			if !contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

func contains(ps []Problem, p Problem) bool {
	for _, q := range ps {
		if q.Code == p.Code && q.Message == p.Message && len(q.Cells) == len(p.Cells) &&
			(len(p.Cells) == 0 || q.Cells[0] == p.Cells[0]) {
			return true
		}
	}
	return false
}

// A Mapper turns the rows of one file into trips: a mapping, bound to the
// file's columns. It is pure and safe for concurrent use.
type Mapper interface {
	// Map makes the row's trips. What can't be read is a Problem at its cell;
	// all of them are found.
	Map(Row) Mapped
	// Rules are what the mapping declares about the checks.
	Rules() *Rules
}
