package app

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/mapping"
)

// words knows which words are approved in the columns by which rows are booked or
// left out, and counts those that are not.
type words struct {
	// counting is set during the pass over the files that is planned for.
	counting bool

	mu     sync.Mutex
	asked  []*askedWord // in the order of the rows
	counts map[wordID]*askedWord
}

// A wordID is a word of a column, in the form in which words are compared.
type wordID struct{ column, word string }

func idOf(w *importer.NewWord) wordID { return wordID{w.Column, importer.WordKey(w.Text)} }

// An askedWord is a word with the number of rows that have it.
type askedWord struct {
	importer.NewWord
	rows int
}

// A wordMapper leaves in its rows the new words that a person has to be asked
// about.
type wordMapper struct {
	*mapping.Bound
	words *words
}

// Map implements importer.Mapper.
func (m wordMapper) Map(row importer.Row) importer.Mapped {
	mapped := m.Bound.Map(row)
	if mapped.NewWords == nil {
		return mapped
	}

	m.words.mu.Lock()
	defer m.words.mu.Unlock()
	var open []importer.NewWord
	for _, w := range mapped.NewWords {
		if w.Listed {
			open = append(open, w)
			m.words.count(w)
		}
	}
	mapped.NewWords = open
	return mapped
}

// count counts a row with a word.
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

// watchWords has the job's rows ask about their new words.
func (j *job) watchWords(context.Context) error {
	j.words = &words{counts: map[wordID]*askedWord{}}
	for i := range j.inputs {
		if bound, ok := j.inputs[i].Mapper.(*mapping.Bound); ok {
			j.inputs[i].Mapper = wordMapper{bound, j.words}
		}
	}
	return nil
}

// noticeWords asks once about each new word of all rows.
func (j *job) noticeWords() {
	const shown = 10
	for i, a := range j.words.asked {
		if i == shown {
			j.notice("%s more that nobody has approved: see the results", importer.Counted(len(j.words.asked)-shown, "word", "words"))
			return
		}
		what := fmt.Sprintf("%s %s in %s, which nobody has approved", importer.Counted(a.rows, "row says", "rows say"), a.Text, a.Cell.Header)
		if a.FreeText {
			what = fmt.Sprintf("%s a text in %s that looks like a cancellation", importer.Counted(a.rows, "row has", "rows have"), a.Cell.Header)
		}
		j.notice("%s: `book` or `leave out`? Write it under What we found in one of them, or add it to words in %s", what, j.mapping.File())
	}
}

// FoundWords are the words of a column as a file has them.
type FoundWords struct {
	mapping.WordList
	// Cancelling are words that look like cancellations. They are not in the list,
	// so that a person is asked about them.
	Cancelling []string
}

// Sentence says what the list means, for people.
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
	seen        map[string]bool
	texts, rows int  // different words that stand for no kind, and the rows with one
	sentences   bool // a text is longer than a word
}

// The limits of a list of words. A column with more words has free text, as has one
// with long texts, and one whose texts hardly come twice.
const (
	maxWords      = 30
	maxWordLength = 40
	fewWords      = 5
)

func newWordLists(b *mapping.Bound) wordLists {
	var all wordLists
	for _, ref := range b.Unlisted() {
		all = append(all, &wordCollection{FoundWords: FoundWords{WordList: mapping.WordList{Column: ref}}, seen: map[string]bool{}})
	}
	return all
}

// add takes note of a row's words in these columns.
func (l wordLists) add(m *importer.Mapped) {
	for i := range m.NewWords {
		for _, c := range l {
			if c.Column.Key() == m.NewWords[i].Column {
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

// lists returns the lists of all columns.
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
