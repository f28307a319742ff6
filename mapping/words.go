package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"tripimport/importer"
	"tripimport/mapping/values"
)

// A wordColumn is a column that decides whether or how rows are booked, with the
// words that are known there, in the form in which they are compared.
type wordColumn struct {
	ref    ColumnRef
	column importer.Column
	spec   *wordSpec // nil if the mapping has no list of the column's words

	known    map[string]wordUse // by importer.WordKey
	blanks   []string
	freeText bool // notes, names and the like
	compared bool // a rule compares its whole value: it is a status
	numbers  bool // each number is a word of its own
}

// A wordUse says which part of a mapping has a word.
type wordUse uint8

const (
	namedByRule wordUse = iota + 1
	listedToBook
	listedToLeaveOut
)

// Words that stand for all cells of a kind.
const (
	emptyWord  = "(empty)"
	numberWord = "(number)"
	dateWord   = "(date)"
	timeWord   = "(time)"
)

// cancellation finds what looks like a cancellation, in any column that a rule
// reads. In notes, "hold" and "void" have other meanings too, so they count only
// at the beginning of a text, as in a status. CANC and CX must be whole words:
// cancer is no cancellation.
var cancellation = regexp.MustCompile(`cancel|cancl|\bcanc\b|\bcncl|\bcxl|\bcxd?\b|\bno ?-?show|\bturn(ed)? ?-?back|\bdeleted?\b|\bvoided\b|\bon hold\b|\bdo not (book|send|transport|dispatch)\b|^(hold|void)( ?[-:/;(].*)?$`)

// LooksCancelled reports whether a text looks like a cancellation.
func LooksCancelled(text string) bool {
	return cancellation.MatchString(strings.ReplaceAll(values.FoldCase(text), "_", " "))
}

// rule compiles a condition that decides whether or how a row is booked.
func (c *compiler) rule(s *condition) (holds test) {
	c.asRule(true, func() { holds = c.condition(s) })
	return holds
}

// asRule calls compile for something that is part of a rule, or is not: the words
// of a rule count.
func (c *compiler) asRule(inRule bool, compile func()) {
	outer := c.inRule
	c.inRule = inRule
	compile()
	c.inRule = outer
}

// watch records a column that a rule reads.
func (c *compiler) watch(ref ColumnRef, column importer.Column) {
	if !c.inRule {
		return
	}
	i := slices.IndexFunc(c.words, func(w *wordColumn) bool {
		return w.ref.Key() == ref.Key() || column.Num > 0 && w.column == column
	})
	if i < 0 {
		i = len(c.words)
		c.words = append(c.words, &wordColumn{ref: ref, column: column, known: map[string]wordUse{}})
	}
	c.met = append(c.met, c.words[i])
}

// know adds the words of a rule to the columns that the rule has named, which are
// c.met from index before on. whole reports that the rule compares whole values with them.
func (c *compiler) know(before int, words []string, whole bool) {
	for _, w := range c.met[before:] {
		w.compared = w.compared || whole && len(words) > 0
		for _, word := range words {
			w.known[importer.WordKey(word)] = namedByRule
		}
	}
}

// listWords drops the columns that need no list of words, and gives the others
// the lists of the mapping.
func (c *compiler) listWords(b *Bound) {
	for i := range c.doc.Words {
		ref := c.doc.Words[i].ref()
		if slices.ContainsFunc(c.words, func(w *wordColumn) bool { return w.ref.Key() == ref.Key() }) {
			continue
		}
		if column, ok := c.resolve(ref); ok {
			c.asRule(true, func() { c.watch(ref, column) })
		}
	}
	for _, w := range c.words {
		b.watched = append(b.watched, w.column)
	}

	closed := closedBy(c.doc.Live)
	noWords, freeText := b.only[0].wordless()
	c.words = slices.DeleteFunc(c.words, func(w *wordColumn) bool {
		return slices.Contains(closed, w.ref.Key()) || w.column.Num > 0 && slices.Contains(noWords, w.column)
	})

	blanks := foldCases(c.doc.Read.Blank)
	for _, w := range c.words {
		w.blanks = blanks
		w.freeText = w.column.Num > 0 && slices.Contains(freeText, w.column)
		for i := range c.doc.Words {
			if spec := &c.doc.Words[i]; spec.ref().Key() == w.ref.Key() {
				w.spec, w.freeText = spec, w.freeText || spec.FreeText
				w.list(spec.Book, listedToBook)
				w.list(spec.LeaveOut, listedToLeaveOut)
			}
		}
		for word := range w.known {
			_, isNumber := values.Number(word)
			w.numbers = w.numbers || isNumber
		}
	}
	b.words = c.words
}

func (w *wordColumn) list(words []text, use wordUse) {
	for _, t := range words {
		w.known[importer.WordKey(t.Value)] = use
	}
}

// closedBy returns the keys of the columns for which live names every word that
// books a row.
func closedBy(live *condition) []string {
	switch {
	case live == nil:
		return nil
	case live.All != nil:
		var all []string
		for _, part := range live.All {
			all = append(all, closedBy(part)...)
		}
		return all
	case live.Is != nil && !live.Extract.given() && live.Replace == nil && live.When == nil:
		return []string{live.ref().Key()}
	}
	return nil
}

// wordless returns the columns that have no words, because they are ids, times,
// phones or positions, and the columns whose words name people and places.
func (m *legMaker) wordless() (noWords, freeText []importer.Column) {
	noWords = m.origins.of(importer.FieldTripID, importer.FieldRiderID, importer.FieldPhone)
	freeText = m.origins.of(importer.FieldPickup.Of(importer.FieldEventName))
	for _, event := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		noWords = append(noWords, m.origins.of(event.Of(importer.FieldPhoneNumber), event.Of(importer.FieldLatitude), event.Of(importer.FieldLongitude))...)
		freeText = append(freeText, m.origins.of(event.Of(importer.FieldAddress1), event.Of(importer.FieldCompleteAddress))...)
	}

	for _, time := range []importer.Field{importer.FieldDate, pickupTime, pickupAppt, dropoffAppt} {
		if columns := m.origins[time]; len(columns) > 0 { // the columns after the first may only decide whether the time counts
			noWords = append(noWords, columns[0])
		}
	}
	return noWords, freeText
}

// of returns the columns that the fields are made of.
func (o origins) of(fields ...importer.Field) []importer.Column {
	var columns []importer.Column
	for _, f := range fields {
		columns = append(columns, o[f]...)
	}
	return columns
}

// checkWords reports lists for columns that no rule reads, and words that are in
// both lists of a column.
func (c *compiler) checkWords() {
	for i := range c.doc.Words {
		spec := &c.doc.Words[i]
		if !slices.ContainsFunc(c.words, func(w *wordColumn) bool { return w.spec == spec }) {
			c.finding(spec.position, fmt.Sprintf("no rule needs the words of the column %v", spec.ref()), "name the column as skip, cancelled, live, will_call, round_trip or space_type does, or take the list out")
		}
		for _, t := range spec.LeaveOut {
			if slices.ContainsFunc(spec.Book, func(b text) bool { return importer.WordKey(b.Value) == importer.WordKey(t.Value) }) {
				c.finding(t.position, fmt.Sprintf("%q is to be booked and to be left out", t.Value), "keep one of the two")
			}
		}
	}
}

// use returns which part of the mapping has a word; 0 if none has it.
func (w *wordColumn) use(word string) wordUse {
	if use, ok := w.known[word]; ok { // most words are in the form of the keys already
		return use
	}
	return w.known[importer.WordKey(word)]
}

// word returns what a cell says: its text, or the word that stands for all cells
// of its kind.
func (b *Bound) word(w *wordColumn, row importer.Row) string {
	cell := row.Cell(w.column.Num)
	text := values.Clean(cell.Text)
	if cell.Type == importer.Empty || text == "" || isAnyOf(text, w.blanks) {
		return emptyWord
	}
	if !strings.ContainsAny(text, "0123456789") || w.use(text) != 0 {
		return text
	}
	if _, ok := values.Number(text); ok && !w.numbers {
		return numberWord
	}
	if _, bad := b.dates.Date(cell.Type, text); bad == nil {
		return dateWord
	}
	if _, _, bad := b.dates.Time(cell.Type, text, "start"); bad == nil {
		return timeWord
	}
	return text
}

// leftOutWord returns why a word in the row leaves the row out; empty if none
// does.
func (b *Bound) leftOutWord(row importer.Row) string {
	for _, w := range b.words {
		if w.spec == nil || w.spec.LeaveOut == nil {
			continue
		}
		if word := b.word(w, row); w.use(word) == listedToLeaveOut {
			return w.newWord(row, word).Words()
		}
	}
	return ""
}

// newWords returns the words of a row that the mapping does not know.
func (b *Bound) newWords(row importer.Row) []importer.NewWord {
	var unknown []importer.NewWord
	for _, w := range b.words {
		cell := row.Cell(w.column.Num)
		word := b.word(w, row)
		if cell.Type == importer.ErrorCell || w.use(word) != 0 {
			continue
		}

		parts := wordParts(cell.Text, word)
		allKnown := !slices.ContainsFunc(parts, func(part string) bool { return w.use(part) != listedToBook })
		cancels := LooksCancelled(word)
		if allKnown || w.freeText && !cancels {
			continue
		}

		found := w.newWord(row, word)
		found.Parts, found.Cancels = parts, cancels
		unknown = append(unknown, *found)
	}
	return unknown
}

func (w *wordColumn) newWord(row importer.Row, word string) *importer.NewWord {
	at := row.Ref(w.column.Num)
	at.Header = w.column.Header
	kind := word == emptyWord || word == numberWord || word == dateWord || word == timeWord
	return &importer.NewWord{Column: w.ref.Key(), Text: word, Kind: kind, Cell: at, Listed: w.spec != nil || w.freeText, FreeText: w.freeText, Compared: w.compared}
}

// wordParts returns the words of a cell with several, or else the cell's word.
func wordParts(cell, word string) []string {
	var parts []string
	for _, part := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(",;|\n", r) }) {
		if text := values.Clean(part); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) < 2 {
		return []string{word}
	}
	return parts
}

// WithoutWords returns the columns that should have a list of words in the
// mapping and have none.
func (b *Bound) WithoutWords() []ColumnRef {
	var refs []ColumnRef
	for _, w := range b.words {
		if w.spec == nil && !w.freeText {
			refs = append(refs, w.ref)
		}
	}
	return refs
}

// A WordList has the words of a column that book a row.
type WordList struct {
	Column ColumnRef
	Book   []string
	// FreeText reports that the column has too many words for a list.
	FreeText bool
}

// WithWords adds lists to the text of a mapping and leaves the rest as it was
// written.
func WithWords(text string, lists []WordList) string {
	var items []string
	for _, list := range lists {
		var words []string
		for _, word := range list.Book {
			words = append(words, strconv.Quote(word))
		}
		what := "book: [" + strings.Join(words, ", ") + "]"
		if list.FreeText {
			what = "free_text: true"
		}
		items = append(items, "{"+list.Column.yaml()+", "+what+"}")
	}
	return withItems(text, "words", "found at approval; any other word raises a question", items)
}

// yaml returns the column as a list of words names it.
func (r ColumnRef) yaml() string {
	var keys []string
	for _, key := range []struct {
		name string
		text
	}{{"column", r.header}, {"under", r.under}, {"letter", r.letter}} {
		if key.given() {
			keys = append(keys, key.name+": "+strconv.Quote(key.Value))
		}
	}
	if r.nth > 0 {
		keys = append(keys, "nth: "+strconv.Itoa(r.nth))
	}
	return strings.Join(keys, ", ")
}
