package propose

import (
	"fmt"

	"tripimport/mapping"
)

// A ColumnQuestion is a column that the mapping does not use, or not fully, and nobody has approved that.
type ColumnQuestion struct {
	mapping.UnusedColumn
	Looks  string   // what the column looks like, if trips seem to need it; no question otherwise
	Values []string // its first three different values
	// Cancels reports that the column is used, and has words for a cancellation, but is no
	// status column of the mapping.
	Cancels bool
	Changed string // what it held when it was approved, and holds now
}

// ColumnQuestions returns the columns that a mapping does not use, of which nobody has approved that, or which hold
// something else since: first those that trips seem to need. approved returns what a column held when it was approved, and false
// if it was not.
func (s *Sheet) ColumnQuestions(b *mapping.Bound, approved func(mapping.UnusedColumn) (held string, ok bool)) (open []ColumnQuestion) {
	var others []ColumnQuestion
	unused := b.Unused()
	for _, u := range unused {
		q := ColumnQuestion{UnusedColumn: u, Looks: s.looksLike(u.Num, unused), Values: s.Samples(u.Num, 3)}
		if held, ok := approved(u); ok {
			now := s.changed(u.Num, held, unused)
			if now == "" {
				continue
			}
			q.Changed = fmt.Sprintf(", which held %s, and holds %s now", held, now)
		}
		if q.Looks != "" {
			open = append(open, q)
		} else {
			others = append(others, q)
		}
	}
	for _, column := range b.NoStatus() {
		if s.Cancels(column.Num) {
			open = append(open, ColumnQuestion{
				UnusedColumn: mapping.UnusedColumn{Column: column}, Cancels: true,
				Looks: "a status, with words for a cancellation that the mapping does not list", Values: s.Samples(column.Num, 3),
			})
		}
	}
	return append(open, others...)
}
