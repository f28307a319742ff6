package mapping

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A passengerCounter counts the additional passengers of one space type.
type passengerCounter struct {
	spaceType *value
	count     counter
}

// A counter counts passengers in a row. It returns false if a cell that it needs
// can't be read, and reports the problem then.
type counter func(r *rowContext) (count int, ok bool)

func (c *compiler) passengers(m *legMaker) {
	columns := c.columnsOf(func() {
		for i := range m.spec.AdditionalPassengers {
			s := &m.spec.AdditionalPassengers[i]
			if s.SpaceType == nil || s.Count == nil {
				c.finding(s.position, "additional passengers need a space type and a count", "write {space_type: AMB, count: Escorts}")
				continue
			}
			count := c.count(s.Count)
			m.passengers = append(m.passengers, passengerCounter{c.value(&s.SpaceType.source), count})
		}
	})
	m.origins[importer.FieldAdditional] = distinctColumns(columns)
}

// count compiles s.
func (c *compiler) count(s *countSpec) counter {
	var count counter
	switch {
	case s.Sum != nil:
		count = combined(c.counts(s.Sum), func(x, y int) int { return x + y })
	case s.Most != nil:
		count = combined(c.counts(s.Most), func(x, y int) int { return max(x, y) })
	default:
		count = c.singleCount(s)
	}

	if s.Less != 0 {
		whole := count
		count = func(r *rowContext) (int, bool) {
			n, ok := whole(r)
			return max(n-s.Less, 0), ok
		}
	}

	if s.When != nil && (s.Sum != nil || s.Most != nil) {
		holds, whole := c.condition(s.When), count
		count = func(r *rowContext) (int, bool) {
			switch holds(r) {
			case yes:
				return whole(r)
			case no:
				return 0, true
			}
			return 0, false
		}
	}

	return count
}

func (c *compiler) counts(specs []*countSpec) []counter {
	var counters []counter
	for _, s := range specs {
		counters = append(counters, c.count(s))
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

// singleCount compiles a count that is one value: a number, or a list of names.
func (c *compiler) singleCount(s *countSpec) counter {
	v := c.value(&s.source)
	separators := s.Items.Value
	return func(r *rowContext) (int, bool) {
		cell := v.read(r)
		switch {
		case cell.bad:
			return 0, false
		case cell.text == "":
			return 0, true
		case separators != "":
			names := strings.FieldsFunc(cell.text, func(x rune) bool { return strings.ContainsRune(separators, x) })
			return len(slices.DeleteFunc(names, func(name string) bool { return values.Clean(name) == "" })), true
		}
		n, ok := values.Count(cell.text)
		if !ok {
			r.fault("count-unreadable", fmt.Sprintf("%q is not a number of passengers", cell.text), "write a whole number, or leave the cell empty", cell.col)
		}
		return n, ok
	}
}

// fillPassengers fills in the additional passengers. It adds up the counts of one
// space type.
func (m *legMaker) fillPassengers(r *rowContext, t *importer.Trip) {
	r.field = importer.FieldAdditional
	for i := range m.passengers {
		n, ok := m.passengers[i].count(r)
		if !ok || n == 0 {
			continue
		}
		space := m.passengers[i].spaceType.read(r)
		if space.bad {
			continue
		}
		if t.AdditionalRiders == nil {
			t.AdditionalRiders = make([]importer.AdditionalRiders, 0, len(m.passengers))
		}
		at := slices.IndexFunc(t.AdditionalRiders, func(a importer.AdditionalRiders) bool { return a.SpaceType == space.text })
		if at < 0 {
			t.AdditionalRiders = append(t.AdditionalRiders, importer.AdditionalRiders{SpaceType: space.text, Count: n})
			continue
		}
		t.AdditionalRiders[at].Count += n
	}
}
