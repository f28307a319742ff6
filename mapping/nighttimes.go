package mapping

import (
	"fmt"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// NightTimes finds columns of times that may be of a clock of twelve hours: no time says which half of the
// day it means, or is after 12:59, and some would be at night.
type NightTimes struct {
	columns []importer.Column
	told    map[int]bool           // by column: a time tells which clock it is of
	night   map[int][]importer.Ref // by column: the times between 1:00 and 5:59
}

// NightTimes returns one that has seen no row.
func (b *Bound) NightTimes() *NightTimes {
	return &NightTimes{b.times, map[int]bool{}, map[int][]importer.Ref{}}
}

// Note looks at the times of a row that is not left out.
func (n *NightTimes) Note(m *importer.Mapped) {
	if m.LeftOut != "" {
		return
	}
	row := &m.Row
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

// Doubts says which columns have such times.
func (n *NightTimes) Doubts() (all []string) {
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
