package mapping

import (
	"slices"
	"strings"
	"unicode"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A leaveOutRule says when a row is left out.
type leaveOutRule struct {
	reason    string
	when      test
	cancelled bool
	lastCol   int           // the last column that the rule reads
	words     []*wordColumn // the columns whose words decide
}

// leaveOutRules compiles the rules, those of cancelled rows last.
func (c *compiler) leaveOutRules() []leaveOutRule {
	var all []leaveOutRule
	for i, rule := range slices.Concat(c.doc.Skip, c.doc.Cancelled) {
		out, before := leaveOutRule{reason: rule.Key.Value, cancelled: i >= len(c.doc.Skip)}, len(c.met)
		for _, column := range c.columnsOf(func() { out.when = c.rule(rule.Value) }) {
			out.lastCol = max(out.lastCol, column.Num)
		}
		out.words = slices.Clone(c.met[before:])
		all = append(all, out)
	}
	return all
}

// leftOut returns the first reason to leave the row out, with the rule that gives it and the rules
// after it. In a ragged row a rule may read another column's value and leave out a live trip, so
// rules apply to a ragged row only if it is a footer. A rule that reads a column beyond the row's
// end applies only to a footer that FooterCell recognises: in any other row the column may be
// missing because the file was cut off.
func (b *Bound) leftOut(r *rowContext, ragged bool, rules []leaveOutRule) (reason string, cancelled bool, by []leaveOutRule) {
	for i := range rules {
		rule := &rules[i]
		if ragged && (rule.cancelled || !b.lacksHalf(r.row) || rule.lastCol > r.row.Width && FooterCell(r.row, b.headers.width) < 0) {
			continue
		}
		if rule.when(r) == yes {
			return rule.reason, rule.cancelled, rules[i:]
		}
	}
	if reason := b.leftOutWord(r.row); reason != "" && !ragged {
		return reason, true, nil
	}
	return "", false, nil
}

// totals are texts of lines that end a list. Each comes with a person's name that differs
// from it only in the word that marks such a line.
var totals = [...]struct{ line, person string }{
	{"Total", "Tobin"},
	{"Totals: 20", "Tobins: 20"},
	{"Total trips: 20", "Tobin trips: 20"},
	{"Grand total", "Grand Tobin"},
	{"Subtotal", "Subira"},
	{"Count: 20", "Cowan: 20"},
	{"Page 1 of 3", "Paley 1 of 3"},
	{"Number of trips: 20", "Nuri of trips: 20"},
	{"Trips: 20", "Tripp: 20"},
	{"20 trips", "20 Tripp"},
	{"20 records", "20 Reckord"},
	{"Summary: 20", "Summer: 20"},
	{"End of report", "Enda of Reno"},
	{"Printed 12/1/2026 10:15", "Prindle 12/1/2026 10:15"},
	{"Generated 12/1/2026 10:15", "Genera 12/1/2026 10:15"},
	{"Run date: 12/1/2026", "Runa Dane: 12/1/2026"},
}

// totalsColumn returns the column whose text makes the rule take the row for a line that ends a
// list: with the text of such a line in that cell the rule applies, and with a person's name it
// does not. It is nil for a rule that chooses among trips, for example by status or provider.
func (rule *leaveOutRule) totalsColumn(b *Bound, row importer.Row) *wordColumn {
	row = row.Clone()
	for _, w := range rule.words {
		if row.Cell(w.column.Num).Type == importer.Empty {
			continue
		}
		cell := &row.Cells[w.column.Num-1]
		was := *cell
		applies := func(text string) bool {
			*cell = importer.Cell{Type: importer.Text, Text: text}
			return rule.when(&rowContext{row: row, bound: b}) == yes
		}
		for _, t := range totals {
			if applies(t.line) && !applies(t.person) {
				return w
			}
		}
		*cell = was
	}
	return nil
}

// isTrip reports whether the row is a trip: it has an id, a day and two places, which no line
// that ends a list has. A row that lacks one of them is a trip with a fault if it has a street,
// and any row with two streets is one. text is what such a line would say, perhaps in all cells.
func isTrip(m *importer.Mapped, text string) bool {
	t, lacks := &m.Trips[0], 0
	place := func(e *importer.Event) bool { return e.HasAddress() || e.LocationName != "" || e.Position.IsSet() }
	// An id that is made with the day is empty because the day is.
	hasID := t.ID != "" || t.Date().IsZero() && slices.ContainsFunc(t.Origin.Columns(importer.FieldTripID), func(c importer.Column) bool { return m.Row.Cell(c.Num).Type != importer.Empty })
	for _, has := range []bool{hasID, !t.Date().IsZero(), place(&t.Pickup), place(&t.Dropoff)} {
		if !has {
			lacks++
		}
	}
	isStreet := func(c importer.Column) bool {
		address := m.Row.Cell(c.Num).Text
		return address != text && strings.ContainsFunc(address, unicode.IsLetter) && strings.ContainsFunc(address, unicode.IsDigit)
	}
	from := slices.ContainsFunc(t.Origin.Columns(importer.FieldPickup), isStreet)
	to := slices.ContainsFunc(t.Origin.Columns(importer.FieldDropoff), isStreet)
	return lacks == 0 || lacks == 1 && (from || to) || from && to
}

// mapTrip maps a row that the first rule of by takes for a line that ends a list although it
// is a trip, because the rider is called Page or Count. Such a row waits for an answer whether
// to book it, unless the mapping lists the text. For other rows it returns m unchanged.
func (b *Bound) mapTrip(m importer.Mapped, by []leaveOutRule) importer.Mapped {
	var asked *importer.NewWord
	for len(by) > 0 && !by[0].cancelled {
		rule, w := by[0], by[0].totalsColumn(b, m.Row)
		if w == nil || !isTrip(&m, m.Row.Cell(w.column.Num).Text) {
			break
		}
		if text := values.Clean(m.Row.Cell(w.column.Num).Text); asked == nil && w.use(text) != listedToBook {
			asked = w.newWord(m.Row, text)
			asked.Parts, asked.Listed, asked.FreeText, asked.Rule = []string{text}, true, false, rule.reason
			for _, c := range m.Trips[0].Origin.Columns(importer.FieldPickup) {
				if m.Row.Cell(c.Num).Type != importer.Empty {
					asked.Filled = c.Header
					break
				}
			}
		}
		m, by = b.mapWith(m.Row, m.Trips, false, by[1:])
	}
	if asked != nil && m.LeftOut == "" && !importer.Faulty(m.Problems) {
		m.NewWords = append(slices.DeleteFunc(m.NewWords, func(n importer.NewWord) bool { return n.Column == asked.Column }), *asked)
	}
	return m
}
