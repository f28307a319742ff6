package app

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/mapping"
)

// A wordAnswers has what people answered about words, by the subjects of the facts.
type wordAnswers map[string]importer.StandingAnswer

func readWords(ctx context.Context, l ledger.Ledger) (wordAnswers, error) {
	facts, err := l.Facts(ctx, factWord)
	known := make(wordAnswers, len(facts))
	for _, f := range facts {
		var said importer.StandingAnswer
		err = cmp.Or(err, json.Unmarshal([]byte(f.Value), &said))
		said.Event = f.Event
		known[f.Subject] = said
	}
	return known, err
}

// addTo adds to the words of a row what was answered about them.
func (known wordAnswers) addTo(words []importer.NewWord, broker string) {
	for i := range words {
		words[i].Answer = known[wordSubject(broker, &words[i])]
	}
}

// wordFact returns the fact about a word of a broker, as an answer leaves it.
func wordFact(broker string, w *importer.NewWord, by *importer.Answer) ledger.Fact {
	value, _ := json.Marshal(w.Answer) // it has texts and times alone
	return ledger.Fact{Kind: factWord, Subject: wordSubject(broker, w), Value: string(value), Who: by.Who, Host: by.Host, At: by.At, Event: max(1, w.Answer.Event)}
}

// A wordMapper counts the words of its rows as people answered.
type wordMapper struct {
	*mapping.Bound
	broker string
	known  wordAnswers
}

// Map implements importer.Mapper.
func (m wordMapper) Map(row importer.Row, spare []importer.Trip) importer.Mapped {
	mapped := m.Bound.Map(row, spare)
	m.known.addTo(mapped.NewWords, m.broker)
	judge.CountWords(&mapped)
	return mapped
}

// watchWords makes the job's mapper ask about new words.
func (j *job) watchWords(ctx context.Context) (err error) {
	var known wordAnswers
	if j.ledger != nil {
		known, err = readWords(ctx, j.ledger)
	}
	j.input.Mapper = wordMapper{j.bound, j.broker(), known}
	return err
}

// factWord is the kind of the facts about the words of a broker's status columns. Their subjects
// are the broker, the column and the word.
const factWord = "word"

// wordSubject is the subject of the fact about a word of a broker.
func wordSubject(broker string, w *importer.NewWord) string {
	return strings.Join([]string{broker, w.Column, importer.WordKey(w.Text)}, "\n")
}

// broker returns the broker of the job's rows, in the form in which brokers are compared.
func (j *job) broker() string { return importer.BrokerText(j.input.Mapper.RowIDs().Broker) }

// noticeWords asks one question about each status column with new words, however many there
// are.
func (j *job) noticeWords() {
	for _, text := range j.checker.NewWords() {
		j.notice("%s: `book` or `leave out`? Write it under What we found in one row of each word, or add it to status in %s", text, j.mapping.File())
	}
}
