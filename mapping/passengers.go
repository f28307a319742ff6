package mapping

import (
	"fmt"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A passengerCounter counts the additional passengers of one space type.
type passengerCounter struct {
	spaceType string
	read      reader
}

func (c *compiler) passengers(m *legMaker) {
	var columns columnList
	c.note(importer.FieldAdditional, func() {
		for _, p := range m.spec.AdditionalPassengers {
			if strings.TrimSpace(p.Key.Value) == "" {
				c.finding(p.Key.position, "the passengers have no space type", "write additional_passengers: {AMB: Escorts}")
			}
			m.passengers = append(m.passengers, passengerCounter{p.Key.Value, c.reader(p.Value, useOf(importer.FieldAdditional), &columns)})
		}
	})
	m.origins[importer.FieldAdditional] = distinctColumns(columns)
}

// counts compiles counts of passengers, of which combine makes one.
func (c *compiler) counts(sources []*source, u use, combine func(x, y int) int, into *columnList) reader {
	parts := c.readers(sources, u, into)
	return func(r *rowContext) cellValue {
		total, bad := 0, false
		for _, read := range parts {
			n, ok := r.count(read(r))
			total, bad = combine(total, n), bad || !ok
		}
		return cellValue{text: strconv.Itoa(total), bad: bad}
	}
}

// lessStep subtracts from a count of passengers what is not to be counted.
func lessStep(s *source) step {
	if s.Less == 0 {
		return nil
	}
	return func(r *rowContext, v cellValue) cellValue {
		n, ok := r.count(v)
		return cellValue{text: strconv.Itoa(max(n-s.Less, 0)), col: v.col, bad: !ok}
	}
}

// count reads a number of passengers, which is 0 for a blank value. It returns false for a
// value that can't be read, and reports the problem.
func (r *rowContext) count(v cellValue) (n int, ok bool) {
	if v.bad || v.text == "" {
		return 0, !v.bad
	}
	n, ok = values.Count(v.text)
	if !ok {
		r.report("number-unreadable", fmt.Sprintf("%q is not a number of passengers", v.text), "write a whole number, or leave the cell empty", v.col)
	}
	return n, ok
}

// fillPassengers fills in the additional passengers.
func (m *legMaker) fillPassengers(r *rowContext, t *importer.Trip) {
	r.field = importer.FieldAdditional
	for i := range m.passengers {
		n, ok := r.count(m.passengers[i].read(r))
		if !ok || n == 0 {
			continue
		}
		t.AdditionalRiders = append(t.AdditionalRiders, importer.AdditionalRiders{SpaceType: m.passengers[i].spaceType, Count: n})
	}
}
