package app

import (
	"context"
	"time"

	"tripimport/importer"
	"tripimport/importer/returned"
)

// answeredWords returns the words that were asked about at an instant, for the rows that have an
// answer about a word: the words that are still new, and those that somebody has answered since.
func (j *job) answeredWords(ctx context.Context, all []returned.Answer, at time.Time) (map[rowAt][]importer.NewWord, error) {
	words := map[rowAt][]importer.NewWord{}
	for i := range all {
		if all[i].AboutWord() {
			words[rowAt{all[i].Input, all[i].Sheet, all[i].Row}] = nil
		}
	}
	if len(words) == 0 {
		return nil, nil
	}

	if err := j.watchWords(ctx); err != nil {
		return nil, err
	}
	for _, in := range j.inputs {
		for row, err := range in.Source.Rows() {
			if err != nil {
				return nil, err
			}
			where := rowAt{in.Source.Hash(), row.Sheet, row.Num}
			if _, answered := words[where]; !answered {
				continue
			}
			for _, w := range unfilteredWords(in.Mapper, row) {
				asked := j.words.verdict(&w) == importer.NoVerdict
				_, decided, err := j.target.ledger.DecidedAt(ctx, j.aboutWord(w.Column, w.Text))
				if err != nil {
					return nil, err
				}
				if asked || decided.After(at) {
					words[where] = append(words[where], w)
				}
			}
		}
	}
	j.words.known = map[wordID]importer.Verdict{} // the answers decide them anew
	return words, nil
}

// takeWord records what becomes of all rows that have the new words of the answer's row.
func (j *job) takeWord(ctx context.Context, a *returned.Answer, words []importer.NewWord) (taken bool, note string, err error) {
	if len(words) == 0 {
		return false, "nobody is asked about a word of its row any more: " + seeResults, nil
	}
	if len(words) > 1 && a.Verdict == importer.LeaveOut {
		return false, "the row has several new words: add the one that leaves rows out to words in " + j.mapping.File(), nil
	}
	for i := range words {
		d := j.aboutWord(words[i].Column, words[i].Text)
		now, err := j.target.ledger.Decided(ctx, d)
		if err != nil {
			return false, "", err
		}
		if outdated, err := j.answers.isOutdated(ctx, d, a, now == importer.NoVerdict || now == a.Verdict); outdated || err != nil {
			return true, "", err
		}
		if err := j.target.ledger.Decide(ctx, d, a.Verdict, j.personOf(a)); err != nil {
			return false, "", err
		}
		if err := j.answers.remember(ctx, d, a); err != nil {
			return false, "", err
		}
	}
	return true, "", nil
}

// askAgain asks in this run about the words for which LeaveOut was not taken because of a later
// answer that rows with them are booked. The person who retries the results may still mean it.
func (j *job) askAgain(all []returned.Answer, words map[rowAt][]importer.NewWord) {
	for i := range all {
		a := &all[i]
		if !a.AboutWord() || a.Verdict != importer.LeaveOut {
			continue
		}
		for _, w := range words[rowAt{a.Input, a.Sheet, a.Row}] {
			if j.words.recorded(w.Column, w.Text) == importer.Book {
				j.words.known[idOf(&w)] = importer.NoVerdict
			}
		}
	}
}
