package app

import (
	"cmp"
	"fmt"

	"tripimport/importer"
)

// sameWays counts trips that go the same way as another one of their rider on that day. Where many do, the
// mapping may not tell the way back from the way there, or make both of a row that is one of them.
type sameWays struct {
	seen                map[string]bool
	trips, again, first int // first is the row of the first of these
}

// add counts the trips of a row, of as many as riders are remembered.
func (w *sameWays) add(m *importer.Mapped) {
	for i := range m.Trips {
		t := &m.Trips[i]
		id, known := t.Places()
		if !known || t.Date().IsZero() || w.trips == mostRiderNames {
			continue
		}
		way := fmt.Sprintf("%q", []any{id.Rider, t.Date(), id.Pickup, id.Dropoff})
		if w.trips++; w.seen[way] {
			w.again, w.first = w.again+1, cmp.Or(w.first, m.Row.Num)
		}
		w.seen[way] = true
	}
}

// note says how many there are, if they are many.
func (w *sameWays) note() string {
	const few, share = 3, 10
	if w.again < few || w.again*share < w.trips {
		return ""
	}
	return fmt.Sprintf("%d of %d trips go the same way as another one of their rider on that day (first: row %d). see whether these are ways back, whose places are not exchanged, or are made twice", w.again, w.trips, w.first)
}
