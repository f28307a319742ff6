package app

import (
	"cmp"
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// nightTimes finds columns of times that may be of a clock of twelve hours: no time says which half of the
// day it means, or is after 12:59, and some would be at night.
type nightTimes struct {
	columns []importer.Column
	told    map[int]bool           // by column: a time tells which clock it is of
	night   map[int][]importer.Ref // by column: the times between 1:00 and 5:59
}

// add looks at the times of a row.
func (n *nightTimes) add(row *importer.Row) {
	for _, c := range n.columns {
		cell := row.Cell(c.Num)
		text := values.Clean(cell.Text)
		if text == "" || n.told[c.Num] {
			continue
		}
		at, unreadable := (&values.DateFormats{}).TimeOfDay(text)
		switch {
		case cell.Type != importer.Text || values.SaysHalf(text):
			n.told[c.Num] = true
		case unreadable != nil:
		case at.Hour > 12 || text[0] == '0':
			n.told[c.Num] = true
		case values.MayBeAfternoon(text, at):
			n.night[c.Num] = append(n.night[c.Num], row.Ref(c.Num))
		}
	}
}

// doubts says which columns have such times.
func (n *nightTimes) doubts() (all []string) {
	for _, c := range n.columns {
		if at := n.night[c.Num]; len(at) > 0 && !n.told[c.Num] {
			more := ""
			if len(at) > 1 {
				more = fmt.Sprintf(" and %d more", len(at)-1)
			}
			all = append(all, fmt.Sprintf("no time of %v says AM or PM, and none is after 12:59: %s%s would be at night. if the afternoon is meant, export them with AM and PM", c, at[0].A1(), more))
		}
	}
	return all
}

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
