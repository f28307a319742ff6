package app

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/mapping"
)

// words knows what a person has decided about words of status columns that are in none of the
// mapping's lists, and counts those that nobody has decided about.
type words struct {
	// counting is true during the first pass.
	counting bool

	mu     sync.Mutex
	known  map[wordID]wordFact // what the ledger has
	asked  []*askedWord        // in the order of the rows
	counts map[wordID]*askedWord
}

// A wordID is a word of a column, in the form in which words are compared.
type wordID struct{ column, word string }

// A wordFact is what a person has answered about a word. It has no verdict if two answers
// contradicted each other: then its value tells them.
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
	var open []importer.NewWord
	for _, w := range mapped.NewWords {
		switch m.words.verdict(&w) {
		case importer.LeaveOut:
			mapped.LeaveOut(w.Words())
			return mapped
		case importer.NoVerdict:
			f := m.words.known[idOf(&w)]
			w.Event, w.Doubt = f.Event, f.Value
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
// has to be asked.
func (w *words) verdict(word *importer.NewWord) importer.Verdict { return w.known[idOf(word)].verdict }

// count begins the first pass, in which rows are counted.
func (w *words) count() {
	w.counting, w.asked, w.counts = true, nil, map[wordID]*askedWord{}
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
	if j.ledger != nil {
		facts, err := j.ledger.Facts(ctx, factWord)
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
		j.inputs[i].Mapper = wordMapper{bound, w}
	}
	j.words = w
	return nil
}

// factWord is the kind of the facts about the words of a broker's status columns. Their subjects
// are the broker, the column and the word.
const factWord = "word"

// broker returns the broker of the job's rows, in the form in which brokers are compared.
func (j *job) broker() string { return importer.BrokerText(j.inputs[0].Mapper.RowIDs().Broker) }

// noticeWords asks one question about each status column with new words, however many there
// are.
func (j *job) noticeWords() {
	for _, text := range j.words.questions() {
		j.notice("%s: `book` or `leave out`? Write it under What we found in one row of each word, or add it to status in %s", text, j.mapping.File())
	}
}

// questions returns, for each status column with new words, which they are and how many rows
// have them.
func (w *words) questions() []string {
	const shown = 5
	var columns, all []string
	said, notes := map[string][]string{}, map[string]int{}
	for _, a := range w.asked {
		column := a.Cell.Header
		if said[column] == nil && notes[column] == 0 {
			columns = append(columns, column)
		}
		if a.FreeText {
			notes[column] += a.rows
		} else {
			said[column] = append(said[column], importer.Counted(a.rows, "row says ", "rows say ")+a.Said())
		}
	}
	for _, column := range columns {
		words, more := said[column], ""
		if len(words) > shown {
			more = fmt.Sprintf(" and %d more words", len(words)-shown)
		}
		if words != nil {
			all = append(all, fmt.Sprintf("%s%s in %s, which nobody has approved", strings.Join(words[:min(len(words), shown)], ", "), more, column))
		}
		if n := notes[column]; n > 0 {
			all = append(all, fmt.Sprintf("%s a text in %s that looks like a cancellation", importer.Counted(n, "row has", "rows have"), column))
		}
	}
	return all
}

// wordFactOf returns the fact about a word of a broker's column.
func wordFactOf(broker, column, word, said string, by ledger.Person) ledger.Fact {
	return ledger.Fact{Kind: factWord, Subject: wordSubject(broker, column, word), Value: said, Who: by.Who, Host: by.Host, At: by.When}
}
