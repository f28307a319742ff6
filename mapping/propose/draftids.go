package propose

import (
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/mapping"
)

// tripID writes the id of a trip. If legs on rows of their own share a number, the
// column that distinguishes them is added to it.
func (w *draft) tripID() {
	f, ok := w.fields[importer.FieldTripID]
	if !ok {
		w.decide(importer.FieldTripID, "which column identifies a trip and never changes?", nil, "")
		return
	}
	c := w.column(f)
	leg := w.find(func(x *column) bool { return (x.says("leg", "direction") || x.is(isDirection)) && c.distinguishedBy(x) })
	if leg == nil {
		w.field(importer.FieldTripID, 2)
		return
	}
	f.Why += "; " + leg.String() + " distinguishes its legs"
	w.noted("  trip_id: "+w.several("join", `, with: "-"`, c, leg), f)
	if _, linked := w.fields[mapping.FieldLinkedBy]; !linked {
		w.line("  linked_by: " + w.name(c))
	}
}

// riderList says how the office can look riders up in its own list by name and phone, if
// the file has these.
func (w *draft) riderList() string {
	name, named := w.fields[importer.FieldPickup.Of(importer.FieldEventName)]
	phone, phoned := w.fields[importer.FieldPhone]
	if !named || !phoned {
		return ""
	}
	return fmt.Sprintf(" if no column has it: rider_id: {lookup: [%s, %s], table: {file: riders.csv, key: [name, phone], value: rider_id}}, with a list riders.csv of your own.",
		quoted(name.Column), quoted(phone.Column))
}

// distinguishedBy reports whether values of a column repeat, but never together with the
// same value of the other column.
func (c *column) distinguishedBy(other *column) bool {
	seen, pairs := map[int]bool{}, map[[2]int]bool{}
	again := false
	for i, which := range c.index {
		if which < 0 || other.index[i] < 0 {
			continue
		}
		pair := [2]int{which, other.index[i]}
		if pairs[pair] {
			return false
		}
		again = again || seen[which]
		seen[which], pairs[pair] = true, true
	}
	return again
}

// cancelled leaves out the rows that have a word for a cancellation or a reason for one.
// It asks about words that may mean a cancellation. Approval asks about the words of later
// rows.
func (w *draft) cancelled() {
	f, ok := w.fields[mapping.FieldCancelled]
	var lines, unsure []string
	status := w.find(func(c *column) bool { return ok && importer.ColumnName(c.Num) == f.Ref && !c.says("cancel") })
	if !ok {
		status = w.find(w.cancelsByValues)
		f.Why = "its values have a word for it"
	}
	if status != nil {
		var words []string
		words, unsure = status.cancellations()
		why := f.Why
		if ok {
			why = f.Certainty()
		}
		lines = append(lines, fmt.Sprintf("%-64s # column %s: %s", "  cancelled: "+w.withKeys(status, "is: "+quotedAll(words)), importer.ColumnName(status.Num), why))
	}
	for _, c := range w.findAll(func(c *column) bool {
		return c.says("cancel") && !c.says("bid", "flag") && 2*c.filled < w.p.sheet.rows
	}) {
		key := "  " + strings.ToLower(strings.Join(wordsOf(c.Header), " ")) + " given"
		if slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, key+":") }) {
			key += " in column " + importer.ColumnName(c.Num)
		}
		lines = append(lines, key+": "+w.withKeys(c, "empty: false"))
	}
	if lines == nil {
		return
	}
	w.line("cancelled:")
	for _, line := range lines {
		w.line(line)
	}
	for _, code := range unsure {
		w.askStatus(status, code)
	}
}

// cancelsByValues reports whether a column has a word for a cancellation among a few
// others, although its header does not mention cancellations.
func (w *draft) cancelsByValues(c *column) bool {
	return !w.isField(c.Column) && !c.says(harmless()...) && !c.says("cancel") && w.p.sheet.Cancels(c.Num)
}

// mostAsked is the number of status words that a person is asked about.
const mostAsked = 4

// cancellations returns the status words that mean a cancellation, and those that may mean
// one because they are neither frequent nor known.
func (c *column) cancellations() (words, unsure []string) {
	words = []string{"cancelled", "canceled"}
	for _, v := range c.distinct {
		unusual := c.is(isWords) && 2*c.count[v] < c.filled && len(unsure) < mostAsked
		switch {
		case slices.Contains(words, strings.ToLower(v.text)):
		case mapping.LooksCancelled(v.text):
			words = append(words, v.text)
		case unusual && !isStatusWord(v):
			unsure = append(unsure, v.text)
		}
	}
	return words, unsure
}

// askStatus asks whether rows with a status word are cancelled, because the word does
// not show it and a car would come for a cancelled trip.
func (w *draft) askStatus(c *column, code string) {
	ask := fmt.Sprintf("in %q, does %q mean that the trip is cancelled?", c.Header, code)
	rule := fmt.Sprintf("  %s: ", quoted("status "+code)) + w.withKeys(c, "is: "+quoted(code))
	q := Question{Ask: ask, Choices: []Choice{{Text: "no: its rows are booked", line: "  # " + code + ": booked"}, {Text: "yes: its rows are left out", line: rule}}}
	q.line = fmt.Sprintf("  %s: {decide: %q, is: %s}", quoted("status "+code), ask+" If so, replace this line with  "+strings.TrimSpace(rule)+"  and otherwise take it out", quoted(code))
	w.ask(q)
}
