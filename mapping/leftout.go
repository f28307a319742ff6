package mapping

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A leaveOutRule says when a row is left out, for what no status column says.
type leaveOutRule struct {
	reason  string
	when    test
	columns columnList
}

func (c *compiler) leaveOutRules(rules ordered[*condition]) []leaveOutRule {
	var all []leaveOutRule
	for _, rule := range rules {
		one := leaveOutRule{reason: rule.Key.Value}
		one.when = c.condition(rule.Value, &one.columns)
		all = append(all, one)
	}
	return all
}

// leftOut returns why a row is left out, and whether its trip was cancelled; it is empty for
// a row to be booked. A cancellation comes first, whatever else leaves the row out: if the
// trip is booked, somebody must be told. The row's new words are added to m.
//
//	1 a status column says that it is cancelled   2 a rule of cancelled holds
//	3 a status column says that it is left out    4 a rule of skip holds
func (b *Bound) leftOut(r *rowContext, m *importer.Mapped) (reason string, cancelled bool) {
	skipped := ""
	for i := range b.status {
		s := &b.status[i]
		cell := r.row.Cell(s.column.Num)
		if cell.Type == importer.ErrorCell {
			r.errorCell(&cell, s.column.Num)
			continue
		}
		switch word, use := s.read(cell); {
		case use == cancelWord:
			return s.says(word), true
		case use == skipWord && skipped == "":
			skipped = s.says(word)
		case use == unknownWord:
			m.NewWords = append(m.NewWords, importer.NewWord{Column: s.ref.Key(), Text: word, Cell: b.ref(r.row, s.column.Num)})
		}
	}

	if reason = firstReason(b.cancelled, r); reason != "" {
		return reason, true
	}
	if skipped != "" {
		return skipped, false
	}
	b.readNotes(r, m)
	return firstReason(b.skip, r), false
}

// readNotes adds what looks like a cancellation in a column that a rule of cancelled reads, or at an end of a
// name or a note, and a word for one in a column that the mapping does not use: it may be the status that a
// broker has begun to write.
func (b *Bound) readNotes(r *rowContext, m *importer.Mapped) {
	for i := range b.unused {
		c := b.unused[i].Column
		if cell := r.row.Cell(c.Num); cell.Type == importer.Text && isWordForCancelled(cell.Text) {
			m.NewWords = append(m.NewWords, importer.NewWord{Column: values.FoldCase(b.unused[i].Name), Text: values.Clean(cell.Text), Cell: b.ref(r.row, c.Num)})
		}
	}
	for i, c := range b.notes {
		if text := values.Clean(r.row.Cell(c.Num).Text); text != "" && LooksCancelled(text) && (i < b.searched || crossedOut.MatchString(text)) {
			m.NewWords = append(m.NewWords, importer.NewWord{Column: values.FoldCase(c.Header), Text: text, Cell: b.ref(r.row, c.Num), FreeText: true})
		}
	}
}

// crossedOut matches a name or a note that begins with a word for a cancellation, or has one behind a mark at its end.
var crossedOut = regexp.MustCompile(`(?i)^\W*(cancell?ed|cxld?)\b|[-(*:/] ?(cancell?ed|cxld?)\W*$`)

// isWordForCancelled reports whether a text is as short as a status column's words, and looks like a cancellation.
func isWordForCancelled(text string) bool {
	const longest = 24
	return len(text) <= longest && LooksCancelled(text)
}

// findNotes finds the columns that rules of cancelled read, then those of names and notes. Status columns are not
// among them.
func (b *Bound) findNotes(of origins) {
	var all columnList
	for _, rule := range b.cancelled {
		all = append(all, rule.columns...)
	}
	found := func() []importer.Column {
		return slices.DeleteFunc(distinctColumns(all), func(c importer.Column) bool {
			return c.Num == 0 || slices.ContainsFunc(b.status, func(s statusColumn) bool { return s.column == c })
		})
	}
	b.searched = len(found())
	for _, event := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		all = append(all, of.of(event.Of(importer.FieldEventName), event.Of(importer.FieldEventComment))...)
	}
	b.notes = found()
}

// firstReason returns the reason of the first rule that holds.
func firstReason(rules []leaveOutRule, r *rowContext) string {
	for i := range rules {
		if rules[i].when(r) == yes {
			return rules[i].reason
		}
	}
	return ""
}

// footerText is the beginning of a line that ends a list, such as "Total trips: 20" or
// "Page 1 of 3". Riders have such names too (Page, Count), so a match alone proves nothing.
var footerText = regexp.MustCompile(`(?i)^\W*((grand |sub[- ]?)?totals?\b|counts?\b|page\b|end of\b|generated\b|printed\b|run date\b|report\b|number of\b|trips:|\d+ (trips|rows|records|riders)\W*$)`)

// mostOfTotals is the number of cells that a line of totals has at most.
const mostOfTotals = 4

// HasFooterText reports whether a row has a value in hardly any of its columns, and the text
// of a line that ends a list in one of them.
func HasFooterText(row importer.Row, columns int) bool {
	n := FilledCells(row)
	return n <= mostOfTotals && n*3 <= columns && slices.ContainsFunc(row.Cells, func(c importer.Cell) bool {
		return c.Type != importer.Empty && footerText.MatchString(c.Text)
	})
}

// FilledCells returns how many cells of a row are not empty.
func FilledCells(row importer.Row) int {
	n := 0
	for i := range row.Cells {
		if row.Cells[i].Type != importer.Empty {
			n++
		}
	}
	return n
}

// totalsColumns returns the columns of which a line of totals has none: those of the trip's
// id, its day and times, and its two places. They are nil if the mapping lacks one of these,
// because any row might be such a line then.
func (m *legMaker) totalsColumns() []importer.Column {
	place := func(event importer.Field) []importer.Column {
		return m.origins.of(event, event.Of(importer.FieldLocationName), event.Of(importer.FieldLatitude))
	}
	var all []importer.Column
	for _, columns := range [][]importer.Column{
		m.origins.of(importer.FieldTripID), m.origins.of(importer.FieldDate, importer.PickupTime, importer.DropoffAppt),
		place(importer.FieldPickup), place(importer.FieldDropoff),
	} {
		if len(columns) == 0 {
			return nil
		}
		all = append(all, columns...)
	}
	return distinctColumns(all)
}

// isTotals reports whether a row is a line of totals: it has few cells, and none for what every trip has, other
// than the text of such a line, or a title in place of the trip's id. The cells of
// a ragged row may be shifted, so it must have that text.
func (b *Bound) isTotals(row importer.Row, ragged bool) bool {
	says, alone := HasFooterText(row, b.headers.width), FilledCells(row) == 1 && !ragged
	if b.totals == nil || FilledCells(row) > mostOfTotals || ragged && !says {
		return false
	}
	return !slices.ContainsFunc(b.totals, func(c importer.Column) bool {
		cell := row.Cell(c.Num)
		harmless := footerText.MatchString(cell.Text) || alone && b.isTitleOf(cell, c)
		return cell.Type != importer.Empty && !harmless
	})
}

// isTitleOf reports whether a cell has words in place of the trip's id.
func (b *Bound) isTitleOf(cell importer.Cell, c importer.Column) bool {
	return isTitle(cell) && strings.Contains(values.Clean(cell.Text), " ") && slices.Contains(b.only[0].origins[importer.FieldTripID], c)
}

// isTitle reports whether the only cell of a row is a text, such as Route 5.
func isTitle(cell importer.Cell) bool {
	return cell.Type == importer.Text && strings.ContainsFunc(cell.Text, unicode.IsLetter)
}

// lacksHalf reports whether the row has at most half as many fields as the headers, like
// many lines that end a list. Such a row is not a trip that has lost or gained a comma.
func (b *Bound) lacksHalf(row importer.Row) bool { return row.Width*2 <= b.headers.width }

// beginsCancelled reports whether the only cell of a row is a title that looks like a cancellation. A count of
// cancellations, which has digits, ends a list.
func beginsCancelled(row importer.Row) bool {
	const longest = 30
	if FilledCells(row) != 1 {
		return false
	}
	cell := row.Cells[slices.IndexFunc(row.Cells, func(c importer.Cell) bool { return c.Type != importer.Empty })]
	return isTitle(cell) && len(cell.Text) <= longest && LooksCancelled(cell.Text) && values.OnlyDigits(cell.Text) == ""
}
