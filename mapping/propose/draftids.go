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
		w.askColumn(importer.FieldTripID, 2, whichColumn()[importer.FieldTripID], nil, "", w.riderAsTrip()...)
		return
	}
	c := w.use(f.column)
	leg := w.find(func(x *column) bool { return (x.says("leg", "direction") || x.is(isDirection)) && c.distinguishedBy(x) })
	if leg == nil {
		w.field(importer.FieldTripID, 2)
		return
	}
	f.Why += "; " + leg.String() + " distinguishes its legs"
	w.noted("  trip_id: "+w.joined(c, leg), f)
	if _, linked := w.fields[mapping.FieldLinkedBy]; !linked {
		w.line("  linked_by: " + w.name(c))
	}
}

// riderAsTrip offers the rider's id as that of the trip, if the file has one: a rider's second trip on one
// day is then refused.
func (w *draft) riderAsTrip() []Choice {
	f, ok := w.fields[importer.FieldRiderID]
	if !ok {
		return nil
	}
	return []Choice{{
		"no column: the rider's id with the day, so that a second trip of a rider on one day is refused", "  trip_id: " + f.name,
		[2]string{versionLine, versionLine + "\nids: repeat                  # the rider's id, with the date"},
	}}
}

// riderID writes the id of the rider, or asks for it: which column has it, or a part of one, or by which
// columns the office looks riders up in a list of its own.
func (w *draft) riderID() {
	if _, ok := w.fields[importer.FieldRiderID]; ok {
		w.field(importer.FieldRiderID, 2)
		return
	}
	var more []Choice
	for _, c := range w.p.sheet.columns {
		if c.says("rider") && c.says("id") && c.share(startsWithID) >= nearlyAll {
			more = append(more, Choice{Text: "what stands before the colon in " + c.String(), line: "  rider_id: " + c.with("extract: '^[^:]+'")})
		}
	}
	name, known := w.fields[importer.FieldPickup.Of(importer.FieldEventName)]
	if known && !name.says("first") {
		born := w.find(func(c *column) bool { return c.says("dob") && c.is(isDate) })
		for _, by := range []struct {
			key    string
			column *column
		}{{"birth_date", born}, {"phone", w.fields[importer.FieldPhone].column}} {
			if by.column != nil {
				line := fmt.Sprintf("  rider_id: {list: riders.csv, by: {name: %s, %s: %s}, value: rider_id}", name.name, by.key, by.column.name)
				more = append(more, Choice{Text: "no column: by " + name.String() + " and " + by.column.String() + " in a list of your own: riders.csv with the columns name, " + by.key + " and rider_id", line: line})
			}
		}
	}
	w.askColumn(importer.FieldRiderID, 2, whichColumn()[importer.FieldRiderID], nil, "", more...)
}

// startsWithID reports whether a text is an id, a colon and something else.
func startsWithID(c cell) bool {
	id, rest, found := strings.Cut(c.text, ":")
	return found && strings.TrimSpace(rest) != "" && isIdentifier(cell{id, importer.Text})
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

// cancelled writes the columns that say yes where a trip is cancelled.
func (w *draft) cancelled() {
	for i, c := range w.findAll(func(c *column) bool { return c.says("cancel") && !c.says("bid") && c.is(isFlag) }) {
		if i == 0 {
			w.line("cancelled:")
		}
		w.line("  " + c.name + ": {flag: " + c.name + "}")
	}
}

// status writes the columns by which rows are booked or left out: one with a word for a
// cancellation, and those that are filled where a trip is cancelled. A word whose meaning
// does not show is in no list, so that its rows wait for an answer.
func (w *draft) status() {
	f, ok := w.fields[mapping.FieldCancelled]
	status, why := w.find(func(c *column) bool { return c == f.column && !c.says("cancel") }), f.Certainty()
	if !ok {
		status, why = w.find(w.cancelsByValues), "its values have a word for it"
	}
	if status != nil {
		w.use(status)
	}
	filled := w.findAll(func(c *column) bool {
		return c.says("cancel") && !c.says("bid", "flag") && 2*c.filled < w.p.sheet.rows
	})
	if status == nil && filled == nil {
		return
	}
	w.line("status:")
	if status != nil {
		book, cancelled := status.words()
		w.because("  "+status.name+": {book: "+quotedAll(book)+", cancelled: "+quotedAll(cancelled)+"}", "column "+status.Ref()+": "+why)
	}
	for _, c := range filled {
		w.line("  " + c.name + ": {book: (empty), cancelled: filled}")
	}
}

// cancelsByValues reports whether a column has a word for a cancellation among a few
// others, although its header does not mention cancellations.
func (w *draft) cancelsByValues(c *column) bool {
	return !w.p.isField(c) && !c.says(harmless()...) && !c.says("cancel") && w.p.sheet.Cancels(c.Num)
}

// mostWords is the number of different words that a status column has at most.
const mostWords = 12

// words returns the words of a status column that book a row, because they are known or most
// rows have them, and those that mean a cancellation. A request that was denied, and a trip on hold, are
// in neither list; nor is a word that a mapping takes for any text.
func (c *column) words() (book, cancelled []string) {
	cancelled = []string{"cancelled", "canceled"}
	for _, v := range c.distinct[:min(len(c.distinct), mostWords)] {
		switch {
		case slices.Contains(cancelled, strings.ToLower(v.text)), means(v.text, statusToAsk) != "", v.text == "filled":
		case mapping.LooksCancelled(v.text):
			cancelled = append(cancelled, v.text)
		case isStatusWord(v) || 2*c.count[v] >= c.filled:
			book = append(book, v.text)
		}
	}
	if c.filled < len(c.given) {
		book = append(book, "(empty)")
	}
	return book, cancelled
}
