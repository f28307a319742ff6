package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/mapping"
)

// words knows what a person has decided about the words that decide whether rows are booked or
// left out. It collects the words that nobody has approved.
type words struct {
	// decided returns what was decided about a word of a column. It is nil without a ledger;
	// then only the mapping's own words count.
	decided func(column, word string) (importer.Verdict, error)
	// counting is true during the first pass.
	counting bool

	mu     sync.Mutex
	known  map[wordID]importer.Verdict // what the ledger has
	asked  []*askedWord                // in the order of the rows
	counts map[wordID]*askedWord
	// first collects the words of columns for which the mapping has no list.
	first wordLists
	err   error // the ledger's first error
}

// A wordID is a word of a column, in the form in which words are compared.
type wordID struct{ column, word string }

func idOf(w *importer.NewWord) wordID { return wordID{w.Column, importer.WordKey(w.Text)} }

// An askedWord is a word with the number of rows that have it.
type askedWord struct {
	importer.NewWord
	rows int
}

// A wordMapper keeps in its rows only the new words that a person has to be asked about. It
// leaves out the rows whose words a person has answered with `leave out`.
type wordMapper struct {
	*mapping.Bound
	words *words
}

// Map implements importer.Mapper.
func (m wordMapper) Map(row importer.Row, spare []importer.Trip) importer.Mapped {
	mapped := m.Bound.Map(row, spare)
	if len(mapped.NewWords) == 0 {
		return mapped
	}

	m.words.mu.Lock()
	defer m.words.mu.Unlock()
	if m.words.counting {
		m.words.first.add(&mapped)
	}
	var open []importer.NewWord
	for _, w := range mapped.NewWords {
		switch m.words.verdict(&w) {
		case importer.LeaveOut:
			mapped.LeaveOut(w.Says())
			return mapped
		case importer.NoVerdict:
			open = append(open, w)
		}
	}
	mapped.NewWords = open
	for _, w := range open {
		m.words.count(w)
	}
	return mapped
}

// unfilteredWords returns the words of a row that the mapping does not know, whatever was
// decided about them.
func unfilteredWords(m importer.Mapper, row importer.Row) []importer.NewWord {
	if w, ok := m.(wordMapper); ok {
		m = w.Bound
	}
	return m.Map(row, nil).NewWords
}

// verdict returns what becomes of rows with a word: Book, LeaveOut, or NoVerdict if a person
// has to be asked. If neither the mapping nor the ledger has a list of the column's words,
// every word is accepted.
func (w *words) verdict(word *importer.NewWord) importer.Verdict {
	if v := w.recorded(word.Column, word.Text); v != importer.NoVerdict {
		return v
	}
	if !word.Listed {
		list := w.recorded(word.Column, columnMarker)
		if list == importer.NoVerdict {
			return importer.Book
		}
		word.FreeText = list == importer.LeaveOut
	}
	isNew := func(part string) bool { return w.recorded(word.Column, part) != importer.Book }
	if len(word.Parts) > 1 && !slices.ContainsFunc(word.Parts, isNew) || word.FreeText && !word.Cancels {
		return importer.Book
	}
	return importer.NoVerdict
}

// dropFreeText accepts all words of a column that has too many new words to be statuses. It
// keeps asking about those that look like cancellations.
func (w *words) dropFreeText() {
	different := map[string]int{}
	for _, a := range w.asked {
		different[a.Column]++
	}
	w.asked = slices.DeleteFunc(w.asked, func(a *askedWord) bool {
		drop := different[a.Column] > maxWords && !a.Cancels && a.Rule == ""
		if drop {
			w.known[idOf(&a.NewWord)] = importer.Book
		}
		return drop
	})
}

// columnMarker is a word under which the ledger records that it has a list of a column's words.
// The verdict is Book for a list, and LeaveOut for a column with free text.
const columnMarker = "(any word of the column)"

// recorded returns the ledger's verdict about a word.
func (w *words) recorded(column, word string) importer.Verdict {
	id := wordID{column, importer.WordKey(word)}
	v, known := w.known[id]
	if !known && w.decided != nil {
		var err error
		v, err = w.decided(column, word)
		w.known[id], w.err = v, cmp.Or(w.err, err)
	}
	return v
}

// count counts a row with a word that a person is asked about.
func (w *words) count(word importer.NewWord) {
	if !w.counting {
		return
	}
	known := w.counts[idOf(&word)]
	if known == nil {
		known = &askedWord{NewWord: word}
		w.counts[idOf(&word)], w.asked = known, append(w.asked, known)
	}
	known.rows++
}

// watchWords makes the job's mappers ask about new words.
func (j *job) watchWords(ctx context.Context) error {
	if j.words != nil {
		return nil // answers about words were taken
	}
	w := &words{known: map[wordID]importer.Verdict{}, counts: map[wordID]*askedWord{}}
	var l interface {
		Decided(context.Context, importer.Decision) (importer.Verdict, error)
	}
	switch {
	case j.target != nil:
		l = j.target.ledger
	case j.ledger != nil:
		l = j.ledger
	case j.replay != nil:
		l = j.replay.ledger
	}
	if l != nil {
		w.decided = func(column, word string) (importer.Verdict, error) {
			return l.Decided(ctx, j.aboutWord(column, word))
		}
	}

	for i := range j.inputs {
		bound, ok := j.inputs[i].Mapper.(*mapping.Bound)
		if !ok {
			continue
		}
		w.first = w.first.with(bound)
		j.inputs[i].Mapper = wordMapper{bound, w}
	}
	j.words = w
	return nil
}

// aboutWord returns the Decision for a word in a column of the job's broker.
func (j *job) aboutWord(column, word string) importer.Decision {
	return importer.Decision{Question: importer.AskWord, Key: importer.RowKey{Broker: j.inputs[0].Mapper.RowIDs().Broker}, Column: column, Word: word}
}

// recordWords records the words of columns for which there was no list until now, and reports
// them.
func (j *job) recordWords(ctx context.Context) error {
	if j.target == nil {
		return nil
	}
	for _, found := range j.words.first.lists() {
		column := found.Column.Key()
		if j.words.recorded(column, columnMarker) != importer.NoVerdict {
			continue
		}
		marker := importer.Book
		if found.FreeText {
			marker = importer.LeaveOut
		}
		by := j.thisPerson()
		for _, word := range found.Book {
			if err := j.target.ledger.Decide(ctx, j.aboutWord(column, word), importer.Book, by); err != nil {
				return err
			}
		}
		if err := j.target.ledger.Decide(ctx, j.aboutWord(column, columnMarker), marker, by); err != nil {
			return err
		}
		if found.rows > 0 {
			j.notice("from now on, %s", found.Sentence())
		}
	}
	return nil
}

// noticeWords asks once about each new word, and about each rule that takes trips for lines of
// totals.
func (j *job) noticeWords() {
	for _, rule := range j.words.totals() {
		j.notice("%s: `book` or `leave out`? Write it under What we found in each of them; or in %s %s", rule, j.mapping.File(), rule.Cure())
	}
	const shown = 10
	asked := slices.DeleteFunc(slices.Clone(j.words.asked), func(a *askedWord) bool { return a.Rule != "" })
	for i, a := range asked {
		if i == shown {
			j.notice("%s more that nobody has approved: see the results", importer.Counted(len(asked)-shown, "word", "words"))
			return
		}
		what := fmt.Sprintf("%s %s in %s, which nobody has approved", importer.Counted(a.rows, "row says", "rows say"), a.Text, a.Cell.Header)
		if a.FreeText {
			what = fmt.Sprintf("%s a text in %s that looks like a cancellation", importer.Counted(a.rows, "row has", "rows have"), a.Cell.Header)
		}
		j.notice("%s: `book` or `leave out`? Write it under What we found in one of them, or add it to words in %s", what, j.mapping.File())
	}
}

// totals returns the rules that take trips for lines of totals. Each is returned as its first
// word, with the number of rows of all its words.
func (w *words) totals() []askedWord {
	var rules []askedWord
	for _, a := range w.asked {
		i := slices.IndexFunc(rules, func(r askedWord) bool { return r.Rule == a.Rule })
		switch {
		case a.Rule == "":
		case i < 0:
			rules = append(rules, *a)
		default:
			rules[i].rows += a.rows
		}
	}
	return rules
}

// String says what is wrong with a rule that takes trips for lines of totals.
func (a askedWord) String() string {
	return fmt.Sprintf("the rule %q takes %s for lines of totals that have what a trip has, %v the first", a.Rule, importer.Counted(a.rows, "row", "rows"), a.Cell)
}

// FoundWords are the words that a file has in a column.
type FoundWords struct {
	mapping.WordList
	// Cancelling are the words that look like cancellations. They are not in the list, so
	// that a person is asked about them.
	Cancelling []string

	rows int // the number of rows with a text that is a word, not a number, date or the like
}

// Sentence says for people what will be asked about in the column.
func (f *FoundWords) Sentence() string {
	s := fmt.Sprintf("in %v, any new word will be asked about", f.Column)
	switch {
	case f.FreeText:
		s = fmt.Sprintf("in %v, any text that looks like a cancellation will be asked about", f.Column)
	case len(f.Book) > 0:
		s += "; these are known: " + strings.Join(f.Book, ", ")
	}
	if len(f.Cancelling) > 0 && !f.FreeText {
		s += "; these look like cancellations, and will be asked about: " + strings.Join(f.Cancelling, ", ")
	}
	return s
}

// wordLists collects the words of the columns that have no list.
type wordLists []*wordCollection

type wordCollection struct {
	FoundWords
	seen      map[string]bool
	texts     int  // the number of different texts that are words
	sentences bool // some text is longer than a word
}

// The limits of a list of words. A column has free text if it has more than maxWords words, a
// text longer than maxWordLength, or more than fewWords texts that hardly repeat.
const (
	maxWords      = 30
	maxWordLength = 40
	fewWords      = 5
)

// with returns the lists with those columns of a file added that have no list yet.
func (l wordLists) with(b *mapping.Bound) wordLists {
	for _, ref := range b.WithoutWords() {
		if !slices.ContainsFunc(l, func(c *wordCollection) bool { return c.Column.Key() == ref.Key() }) {
			l = append(l, &wordCollection{FoundWords: FoundWords{WordList: mapping.WordList{Column: ref}}, seen: map[string]bool{}})
		}
	}
	return l
}

// add adds a row's words in these columns. It skips a word that a person is asked about because
// its row may be a line of totals.
func (l wordLists) add(m *importer.Mapped) {
	for i := range m.NewWords {
		for _, c := range l {
			if c.Column.Key() == m.NewWords[i].Column && m.NewWords[i].Rule == "" {
				c.add(&m.NewWords[i])
			}
		}
	}
}

func (c *wordCollection) add(w *importer.NewWord) {
	if !w.Kind {
		c.rows++
	}
	c.sentences = c.sentences || len(w.Text) > maxWordLength
	parts, list := w.Parts, &c.Book
	if w.Cancels {
		parts, list = []string{w.Text}, &c.Cancelling
	}
	for _, part := range parts {
		key := importer.WordKey(part)
		if c.seen[key] || len(c.seen) > maxWords {
			continue
		}
		c.seen[key] = true
		*list = append(*list, part)
		if !w.Kind {
			c.texts++
		}
	}
}

// lists returns the lists of all columns. The list of a column is empty if the column has free
// text, or only words that rules name.
func (l wordLists) lists() []FoundWords {
	var all []FoundWords
	for _, c := range l {
		c.FreeText = c.sentences || len(c.seen) > maxWords || c.texts > fewWords && 2*c.texts > c.rows
		if c.FreeText {
			c.Book = nil
		}
		all = append(all, c.FoundWords)
	}
	return all
}
