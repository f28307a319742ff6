package mapping

import (
	"fmt"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A passengerCounter counts the additional passengers of one space type.
type passengerCounter struct {
	spaceType string
	count     counter
}

// A counter counts passengers in a row. It returns false if a cell that it needs
// can't be read, and reports the problem then.
type counter func(r *rowContext) (count int, ok bool)

func (c *compiler) passengers(m *legMaker) {
	var columns columnList
	for _, p := range m.spec.AdditionalPassengers {
		if strings.TrimSpace(p.Key.Value) == "" {
			c.finding(p.Key.position, "the passengers have no space type", "write additional_passengers: {AMB: Escorts}")
		}
		m.passengers = append(m.passengers, passengerCounter{p.Key.Value, c.count(p.Value, &columns)})
	}
	m.origins[importer.FieldAdditional] = distinctColumns(columns)
}

// count compiles s.
func (c *compiler) count(s *countSpec, into *columnList) counter {
	var count counter
	switch {
	case s.sum != nil:
		count = combined(c.counts(s.sum, into), func(x, y int) int { return x + y })
	case s.Most != nil:
		count = combined(c.counts(s.Most, into), func(x, y int) int { return max(x, y) })
	default:
		count = c.singleCount(s, into)
	}

	if s.Less == 0 {
		return count
	}
	return func(r *rowContext) (int, bool) {
		n, ok := count(r)
		return max(n-s.Less, 0), ok
	}
}

func (c *compiler) counts(specs []*countSpec, into *columnList) []counter {
	var counters []counter
	for _, s := range specs {
		counters = append(counters, c.count(s, into))
	}
	return counters
}

func combined(parts []counter, combine func(x, y int) int) counter {
	return func(r *rowContext) (int, bool) {
		total, all := 0, true
		for _, part := range parts {
			n, ok := part(r)
			total = combine(total, n)
			all = all && ok
		}
		return total, all
	}
}

// singleCount compiles a count that is one number.
func (c *compiler) singleCount(s *countSpec, into *columnList) counter {
	read := c.reader(&s.source, useOf(importer.FieldAdditional), into)
	return func(r *rowContext) (int, bool) {
		cell := read(r)
		if cell.bad || cell.text == "" {
			return 0, !cell.bad
		}
		n, ok := values.Count(cell.text)
		if !ok {
			r.report("number-unreadable", fmt.Sprintf("%q is not a number of passengers", cell.text), "write a whole number, or leave the cell empty", cell.col)
		}
		return n, ok
	}
}

// fillPassengers fills in the additional passengers.
func (m *legMaker) fillPassengers(r *rowContext, t *importer.Trip) {
	r.field = importer.FieldAdditional
	for i := range m.passengers {
		n, ok := m.passengers[i].count(r)
		if !ok || n == 0 {
			continue
		}
		if t.AdditionalRiders == nil {
			t.AdditionalRiders = make([]importer.AdditionalRiders, 0, len(m.passengers))
		}
		t.AdditionalRiders = append(t.AdditionalRiders, importer.AdditionalRiders{SpaceType: m.passengers[i].spaceType, Count: n})
	}
}
