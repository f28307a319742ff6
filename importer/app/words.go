package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/mapping"
)

// words knows what a person has decided about the words that decide whether rows are booked or
// left out. It collects the words that nobody has approved.
type words struct {
	// counting is true during the first pass.
	counting bool

	mu     sync.Mutex
	known  map[wordID]wordFact // what the ledger has
	asked  []*askedWord        // in the order of the rows
	counts map[wordID]*askedWord
	// first collects the words of columns for which the mapping has no list.
	first wordLists
}

// A wordID is a word of a column, in the form in which words are compared.
type wordID struct{ column, word string }

// A wordFact is what a person has answered about a word. It has no verdict if two answers
// contradicted each other.
type wordFact struct {
	ledger.Fact
	verdict importer.Verdict
}

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
			mapped.LeaveOut(w.Words())
			return mapped
		case importer.NoVerdict:
			w.Event = m.words.known[idOf(&w)].Event
			open = append(open, w)
		}
	}
	mapped.NewWords = open
	for _, w := range open {
		m.words.add(w)
	}
	return mapped
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

// columnMarker is a word under which the ledger records that it has a list of a column's words.
// The verdict is Book for a list, and LeaveOut for a column with free text.
const columnMarker = "(any word of the column)"

// recorded returns the ledger's verdict about a word.
func (w *words) recorded(column, word string) importer.Verdict {
	id := wordID{column, importer.WordKey(word)}
	return w.known[id].verdict
}

// count begins the first pass, in which rows are counted.
func (w *words) count() {
	w.counting, w.asked, w.counts = true, nil, map[wordID]*askedWord{}
	for _, c := range w.first {
		*c = wordCollection{FoundWords: FoundWords{WordList: mapping.WordList{Column: c.Column}}, seen: map[string]bool{}}
	}
}

// add counts a row with a word that a person is asked about.
func (w *words) add(word importer.NewWord) {
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
	w := &words{known: map[wordID]wordFact{}, counts: map[wordID]*askedWord{}}
	var l ledger.Ledger
	switch {
	case j.target != nil:
		l = j.target.ledger
	case j.ledger != nil:
		l = j.ledger
	case j.replay != nil:
		l = j.replay.ledger
	}
	if l != nil {
		facts, err := l.Facts(ctx, factWord)
		if err != nil {
			return err
		}
		for _, f := range facts {
			broker, id, _ := strings.Cut(f.Subject, "\n")
			column, word, _ := strings.Cut(id, "\n")
			if verdict, _, _ := importer.ParseVerdict(f.Value); broker == j.broker() {
				w.known[wordID{column, word}] = wordFact{f, verdict}
			}
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

// askedAgain is the value of a fact about a word of which two answers contradicted each other.
const askedAgain = "again"

// factWord is the kind of the facts about the words of a broker's status columns. Their subjects
// are the broker, the column and the word.
const factWord = "word"

// broker returns the broker of the job's rows, in the form in which brokers are compared.
func (j *job) broker() string { return importer.BrokerText(j.inputs[0].Mapper.RowIDs().Broker) }

// decideWord records what becomes of the rows of the broker that have the word in the column, or
// with no verdict that a person is asked again.
func (j *job) decideWord(ctx context.Context, column, word string, v importer.Verdict, by ledger.Person) error {
	f := wordFactOf(j.broker(), column, word, v, by)
	err := j.target.ledger.SetFact(ctx, f)
	f.Event = j.target.ledger.Number()
	j.words.known[wordID{column, importer.WordKey(word)}] = wordFact{f, v}
	return err
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
			if err := j.decideWord(ctx, column, word, importer.Book, by); err != nil {
				return err
			}
		}
		if err := j.decideWord(ctx, column, columnMarker, marker, by); err != nil {
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

// wordFactOf returns the fact about a word of a broker's column.
func wordFactOf(broker, column, word string, v importer.Verdict, by ledger.Person) ledger.Fact {
	return ledger.Fact{Kind: factWord, Subject: wordSubject(broker, column, word), Value: cmp.Or(v.String(), askedAgain), Who: by.Who, Host: by.Host, At: by.When}
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
	compared  bool // a rule compares the column's whole value
}

// The limits of a list of words. A column has free text if it has a text longer than maxWordLength,
// more than fewWords texts that hardly repeat, or, unless a rule compares its whole value, more than
// maxWords words.
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
	c.sentences, c.compared = c.sentences || len(w.Text) > maxWordLength, w.Compared
	parts, list := w.Parts, &c.Book
	if w.Cancels {
		parts, list = []string{w.Text}, &c.Cancelling
	}
	for _, part := range parts {
		key := importer.WordKey(part)
		if c.seen[key] || !c.compared && len(c.seen) > maxWords {
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
		c.FreeText = c.sentences || !c.compared && len(c.seen) > maxWords || c.texts > fewWords && 2*c.texts > c.rows
		if c.FreeText {
			c.Book = nil
		}
		all = append(all, c.FoundWords)
	}
	return all
}
