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
	spec   *wordSpec // nil where the mapping has no list of the column's words

	rules, book, leaveOut map[string]bool // rules are the words that the rules name
	blanks                []string
	freeText              bool // notes, names and the like
	numbers               bool // each number is a word of its own
}

// Words that stand for all cells of a kind.
const (
	emptyWord  = "(empty)"
	numberWord = "(number)"
	dateWord   = "(date)"
	timeWord   = "(time)"
)

// cancellation finds what looks like a cancellation, in any column that a rule
// reads. In notes, to hold and to void are also what drivers and riders do, so
// these two count only where the text begins with them as a status does. CANC and
// CX stand alone: cancer is no cancellation.
var cancellation = regexp.MustCompile(`cancel|cancl|\bcanc\b|\bcncl|\bcxl|\bcxd?\b|\bno ?-?show|\bturn(ed)? ?-?back|\bdeleted?\b|\bvoided\b|\bon hold\b|\bdo not (book|send|transport|dispatch)\b|^(hold|void)( ?[-:/;(].*)?$`)

func looksCancelled(text string) bool {
	return cancellation.MatchString(strings.ReplaceAll(values.FoldCase(text), "_", " "))
}

// rule compiles a condition that decides whether or how a row is booked.
func (c *compiler) rule(s *condition) (holds test) {
	c.asRule(true, func() { holds = c.condition(s) })
	return holds
}

// asRule compiles a part of a rule whose words count, or a part whose words don't.
func (c *compiler) asRule(inRule bool, compile func()) {
	outer := c.inRule
	c.inRule = inRule
	compile()
	c.inRule = outer
}

// watch takes note of a column that a rule reads.
func (c *compiler) watch(ref ColumnRef, column importer.Column) {
	if !c.inRule {
		return
	}
	i := slices.IndexFunc(c.words, func(w *wordColumn) bool {
		return w.ref.Key() == ref.Key() || column.Num > 0 && w.column == column
	})
	if i < 0 {
		i = len(c.words)
		c.words = append(c.words, &wordColumn{ref: ref, column: column, rules: map[string]bool{}, book: map[string]bool{}, leaveOut: map[string]bool{}})
	}
	c.met = append(c.met, c.words[i])
}

// know adds the words of a rule to the columns that it has named since before.
func (c *compiler) know(before int, lists ...[]string) {
	for _, w := range c.met[before:] {
		for _, word := range slices.Concat(lists...) {
			w.rules[importer.WordKey(word)] = true
		}
	}
}

// listWords drops the columns that need no list of words, and gives the others
// the lists of the mapping.
func (c *compiler) listWords(b *Bound) {
	closed := closedBy(c.doc.Live)
	apart, freeText := b.only.wordless()
	c.words = slices.DeleteFunc(c.words, func(w *wordColumn) bool {
		return slices.Contains(closed, w.ref.Key()) || w.column.Num > 0 && slices.Contains(apart, w.column)
	})

	blanks := foldCases(c.doc.Read.Blank)
	for _, w := range c.words {
		w.blanks = blanks
		w.freeText = w.column.Num > 0 && slices.Contains(freeText, w.column)
		for i := range c.doc.Words {
			if spec := &c.doc.Words[i]; spec.ref().Key() == w.ref.Key() {
				w.spec, w.freeText = spec, w.freeText || spec.FreeText
				addWords(w.book, spec.Book)
				addWords(w.leaveOut, spec.LeaveOut)
			}
		}
		for _, words := range []map[string]bool{w.rules, w.book, w.leaveOut} {
			for word := range words {
				_, isNumber := values.Number(word)
				w.numbers = w.numbers || isNumber
			}
		}
	}
	b.words = c.words
}

func addWords(to map[string]bool, words []text) {
	for _, t := range words {
		to[importer.WordKey(t.Value)] = true
	}
}

// closedBy returns the columns of which live names every word with which a row is
// booked.
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

// wordless returns the columns that have no words, since they are ids, times,
// phones or positions, and those whose words name people and places.
func (m *legMaker) wordless() (apart, freeText []importer.Column) {
	ids := []importer.Field{importer.FieldTripID, importer.FieldRiderID, importer.FieldPhone}
	times := []importer.Field{importer.FieldDate, pickupTime, pickupAppt, dropoffAppt}
	names := []importer.Field{importer.FieldPickup.Of(importer.FieldEventName)}
	for _, event := range []importer.Field{importer.FieldPickup, importer.FieldDropoff} {
		ids = append(ids, event.Of(importer.FieldPhoneNumber), event.Of(importer.FieldLatitude), event.Of(importer.FieldLongitude))
		names = append(names, event.Of(importer.FieldAddress1), event.Of(importer.FieldCompleteAddress))
	}

	for _, f := range ids {
		apart = append(apart, m.origins[f]...)
	}
	for _, f := range times { // the columns behind the first may say only when it counts
		apart = append(apart, m.origins[f][:min(1, len(m.origins[f]))]...)
	}
	for _, f := range names {
		freeText = append(freeText, m.origins[f]...)
	}
	return apart, freeText
}

// checkWords reports lists of columns that no rule reads, and words that are in
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

func (s *wordSpec) ref() ColumnRef {
	return ColumnRef{header: s.Column, under: s.Under, letter: s.Letter, nth: s.Nth, position: s.position}
}

// word returns what a cell says: its text, or the word that stands for all cells
// of its kind.
func (b *Bound) word(w *wordColumn, row importer.Row) string {
	cell := row.Cell(w.column.Num)
	text := values.Clean(cell.Text)
	if cell.Type == importer.Empty || text == "" || isAnyOf(text, w.blanks) {
		return emptyWord
	}
	if !strings.ContainsAny(text, "0123456789") || w.rules[importer.WordKey(text)] || w.book[importer.WordKey(text)] {
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

// leftOutWord returns why a word of the row's leaves it out; empty if none does.
func (b *Bound) leftOutWord(row importer.Row) string {
	for _, w := range b.words {
		if len(w.leaveOut) > 0 && w.leaveOut[importer.WordKey(b.word(w, row))] {
			return w.newWord(row, b.word(w, row)).Says()
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
		key := importer.WordKey(word)
		if cell.Type == importer.ErrorCell || w.rules[key] || w.book[key] {
			continue
		}

		parts := wordParts(cell.Text, word)
		allKnown := !slices.ContainsFunc(parts, func(part string) bool { return !w.book[importer.WordKey(part)] })
		cancels := looksCancelled(word)
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
	return &importer.NewWord{Column: w.ref.Key(), Text: word, Kind: kind, Cell: at, Listed: w.spec != nil || w.freeText, FreeText: w.freeText}
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

// Unlisted returns the columns of which the mapping has no list of words and
// should have one.
func (b *Bound) Unlisted() []ColumnRef {
	var refs []ColumnRef
	for _, w := range b.words {
		if w.spec == nil && !w.freeText {
			refs = append(refs, w.ref)
		}
	}
	return refs
}

// A WordList has the words of a column with which rows are booked.
type WordList struct {
	Column ColumnRef
	Book   []string
	// FreeText reports that the column has too many words for a list.
	FreeText bool
}

// WithWords adds lists to the text of a mapping, which stays as it was written.
func WithWords(text string, lists []WordList) string {
	var added strings.Builder
	before, after, indent := text, "", "  "
	if at := strings.Index("\n"+text, "\nwords:"); at >= 0 {
		end := at + strings.Index(text[at:]+"\n", "\n")
		before, after = text[:min(end+1, len(text))], text[min(end+1, len(text)):]
		indent = after[:len(after)-len(strings.TrimLeft(after, " "))]
	} else if len(lists) > 0 {
		added.WriteString("words:                                          # found when this was approved: another word is asked about\n")
	}

	for _, list := range lists {
		var words []string
		for _, word := range list.Book {
			words = append(words, strconv.Quote(word))
		}
		what := "book: [" + strings.Join(words, ", ") + "]"
		if list.FreeText {
			what = "free_text: true"
		}
		added.WriteString(indent + "- {" + list.Column.yaml() + ", " + what + "}\n")
	}
	if before != "" && !strings.HasSuffix(before, "\n") {
		before += "\n"
	}
	return before + added.String() + after
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
