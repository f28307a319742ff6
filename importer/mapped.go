package importer

import "slices"

// TitleOfCancelled is why a title is left out that looks like a cancellation. The rows below it can't be told from
// all others.
const TitleOfCancelled = "a title that looks like a cancellation"

// Mapped is a row with the trips that a mapping made of it.
type Mapped struct {
	// Row is the row itself.
	Row Row
	// Key identifies the row in the broker's schedule.
	Key RowKey
	// LeftOut says why the row is left out ("turned back"). It is empty for a row
	// to be booked.
	LeftOut string
	// Cancelled reports that the row is left out because its trip was cancelled.
	// If an earlier run booked the trip, a person must cancel it.
	Cancelled bool
	// NewWords are the words of the row that nobody has approved. While there are any,
	// the row's trips wait. A row that is left out has none.
	NewWords []NewWord
	// Trips are the row's trips in the order of their legs, from one to three. A row that
	// is left out has the trips that could be made, because their ids tell whether they
	// were booked before.
	Trips []Trip
	// Problems are those of the row as a whole. A fault among them stops all of
	// the row's trips.
	Problems []Problem
}

// Shifted reports that the row's cells may belong to other columns, so that nothing else
// about the row can be believed.
func (m *Mapped) Shifted() bool {
	return slices.ContainsFunc(m.Problems, func(p Problem) bool { return p.Code == CodeRowRagged || p.Code == CodeSecondTable })
}

// LeaveOut leaves the row out as cancelled, and drops its problems, which do not matter
// any more.
func (m *Mapped) LeaveOut(reason string) {
	m.LeftOut, m.Cancelled, m.Problems, m.NewWords = reason, true, nil, nil
	for i := range m.Trips {
		m.Trips[i].Problems = nil
	}
}

// TripOf returns the index of the row's trip with the leg; -1 if it makes none.
func (m *Mapped) TripOf(leg Leg) int {
	return slices.IndexFunc(m.Trips, func(t Trip) bool { return t.Leg == leg })
}

// Pair returns the provider and funding source of the row, canonical: those of its first trip.
func (m *Mapped) Pair() Pair { return m.Trips[0].Pair().Canonical() }

// Bare reports whether the row does not say of which day or provider it is: it is in no scope of its arrival.
func (m *Mapped) Bare() bool { return m.Key.Date.IsZero() || m.Pair().Provider == "" }

// Says returns what the row says of itself.
func (m *Mapped) Says() Says {
	switch {
	case m.Cancelled:
		return SaysCancelled
	case m.LeftOut != "":
		return SaysLeftOut
	}
	return SaysLive
}

// AppendContent appends the values of the row's trips, in a form in which no two different rows are equal.
func (m *Mapped) AppendContent(dst []byte) []byte {
	const endOfValue = 0xff // not in UTF-8 text
	properties := TripProperties()
	for i := range m.Trips {
		dst = append(dst, byte(m.Trips[i].Leg))
		for n := range properties {
			dst = append(properties[n].AppendValue(dst, &m.Trips[i]), endOfValue)
		}
	}
	return dst
}

// Faulty reports whether the row or any of its trips has a fault.
func (m *Mapped) Faulty() bool {
	return Faulty(m.Problems) || First(m.Trips, (*Trip).Faulty) != nil
}

// AllProblems returns the row's problems, then those of its trips. A problem that
// several legs have, with the same code and message at the same cells, is in the
// list once.
func (m *Mapped) AllProblems() []Problem {
	all := slices.Clone(m.Problems)
	for i := range m.Trips {
		for _, p := range m.Trips[i].Problems {
			same := func(q Problem) bool {
				return q.Code == p.Code && q.Message == p.Message && len(q.Cells) == len(p.Cells) && (len(p.Cells) == 0 || q.Cells[0] == p.Cells[0])
			}
			if !slices.ContainsFunc(all, same) {
				all = append(all, p)
			}
		}
	}
	return all
}

// A Mapper is a mapping bound to the columns of one file. It is safe for
// concurrent use, and its results depend on its arguments only.
type Mapper interface {
	// Map makes the row's trips. It reports everything that it cannot read as a Problem
	// at its cell. The trips use the memory of spare, a slice that nobody needs any more,
	// if it is large enough. Everything that they point to is newly allocated, so copies
	// of earlier trips stay valid.
	Map(row Row, spare []Trip) Mapped
	// RowIDs returns the broker and the columns that make RowKey.ID. A ledger compares
	// them from run to run.
	RowIDs() RowIDs
	// Rules returns the mapping's settings for the checks. The caller must not
	// change them.
	Rules() *Rules
}
