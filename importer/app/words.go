package app

import (
	"context"
	"fmt"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/mapping"
)

// words counts the words of status columns that are in none of the mapping's lists and that nobody has
// decided about.
type words struct {
	asked  []*askedWord // in the order of the rows
	counts map[string]*askedWord
}

// An askedWord is a word with the number of rows that have it.
type askedWord struct {
	importer.NewWord
	rows int
}

// note counts a row with its words.
func (w *words) note(m *importer.Mapped) {
	for _, word := range m.NewWords {
		subject := wordSubject("", word.Column, word.Text)
		known := w.counts[subject]
		if known == nil {
			known = &askedWord{NewWord: word}
			w.counts[subject], w.asked = known, append(w.asked, known)
		}
		known.rows++
	}
}

// A wordFact is what a person has answered about a word. It has no verdict if two answers
// contradicted each other: then its value tells them.
type wordFact struct {
	ledger.Fact
	verdict importer.Verdict
}

// wordFacts returns what persons answered about words, by the subjects of the facts.
func wordFacts(ctx context.Context, l ledger.Ledger) (map[string]wordFact, error) {
	facts, err := l.Facts(ctx, factWord)
	known := make(map[string]wordFact, len(facts))
	for _, f := range facts {
		verdict, _, _ := importer.ParseVerdict(f.Value)
		known[f.Subject] = wordFact{f, verdict}
	}
	return known, err
}

// A wordMapper keeps in its rows only the new words that a person has to be asked about. It
// leaves out the rows whose words a person has answered with `leave out`.
type wordMapper struct {
	*mapping.Bound
	broker string
	known  map[string]wordFact
}

// Map implements importer.Mapper.
func (m wordMapper) Map(row importer.Row, spare []importer.Trip) importer.Mapped {
	mapped := m.Bound.Map(row, spare)
	var open []importer.NewWord
	for _, w := range mapped.NewWords {
		f := m.known[wordSubject(m.broker, w.Column, w.Text)]
		switch f.verdict {
		case importer.LeaveOut:
			mapped.LeaveOut(w.Words())
			return mapped
		case importer.NoVerdict:
			w.Event, w.Doubt = f.Event, f.Value
			open = append(open, w)
		}
	}
	mapped.NewWords = open
	return mapped
}

// watchWords makes the job's mappers ask about new words.
func (j *job) watchWords(ctx context.Context) (err error) {
	var known map[string]wordFact
	if j.ledger != nil {
		known, err = wordFacts(ctx, j.ledger)
	}
	for i := range j.inputs {
		j.inputs[i].Mapper = wordMapper{j.bound[i], j.broker(), known}
	}
	return err
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
