package judge

import (
	"cmp"
	"slices"

	"tripimport/importer"
)

// TakeWords decides what an answer does about the words of its row, for all rows that have them, as Take does about a trip. It
// returns the words about which something else stands from now on.
//
//   - The same answer again does nothing.
//   - An answer that contradicts one that its person had not seen: neither counts.
//   - Rows count already by an answer that stands, so it is corrected in the mapping.
func TakeWords(a importer.Answer, words []importer.NewWord) (changed []importer.NewWord, _ *Refusal) {
	e := importer.Effect{Answer: a}
	for _, w := range words {
		before := w.Answer
		w.Answer = e.Said(before.Event)
		switch since := before.Event > a.Saw; {
		case sameAnswer(&before, &a):
		case since && before.Doubt.Has(a.Who, a.Verdict):
			return nil, neitherCounts(before.Doubt)
		case since && a.Again:
			return nil, readBefore(&a)
		case since:
			e.Doubt = contradiction(&before, &a)
			w.Answer = e.Said(before.Event)
			return []importer.NewWord{w}, neitherCounts(e.Doubt)
		case before.Verdict != importer.NoVerdict:
			return nil, refuse("`%s` was not taken: rows with the word count as answered `%s`; if that is wrong, change status in their mapping", a.Verdict, before.Verdict)
		default:
			changed = append(changed, w)
		}
	}
	switch {
	case len(words) == 0:
		return nil, refuse("`%s` was not taken: nobody is asked about a word of its row any more", a.Verdict)
	case len(changed) > 1 && a.Verdict == importer.LeaveOut:
		return nil, refuse("the row has several new words: add the one that leaves rows out to status in its mapping")
	}
	return changed, nil
}

// ofWordsAlone reports whether an answer is about the words of its row, and about nothing else: `book` settles too what is
// in doubt of the row's leg, if its person saw that.
func ofWordsAlone(a *importer.Answer, k *importer.Known) bool {
	word := k.WordOf(a.Row)
	return a.Verdict.AboutWords(a.Question) && (a.Verdict != importer.Book || a.Trip != 0 || word == nil || !slices.ContainsFunc(word.Answers, func(b importer.RowAnswer) bool {
		return b.Leg == a.Leg && !b.Doubt.IsZero() && b.Event <= a.Saw
	}))
}

// CountWords keeps in a row only the new words that a person has to be asked about. It leaves the row out if `leave out` was
// answered about one of them.
func CountWords(m *importer.Mapped) {
	var open []importer.NewWord
	for _, w := range m.NewWords {
		switch w.Answer.Verdict {
		case importer.LeaveOut:
			m.LeaveOut(w.Words())
			return
		case importer.NoVerdict:
			open = append(open, w)
		}
	}
	m.NewWords = open
}

// OpenWords returns what has become of a trip that waits for answers about the words of its row, as Open does.
func OpenWords(o importer.Outcome, words []importer.NewWord) (importer.Outcome, bool) {
	m := importer.Mapped{NewWords: words}
	CountWords(&m)
	for _, w := range m.NewWords {
		o.Saw = max(o.Saw, w.Answer.Event)
		if !w.Answer.Doubt.IsZero() {
			o.Reason, o.Contradicted = inDoubt(w.Answer.Doubt), true
		}
	}
	booked := o.State.Booked()
	if len(m.NewWords) > 0 || m.LeftOut != "" && !booked {
		return o, m.LeftOut == ""
	}
	o.Question = importer.NoQuestion
	switch {
	case m.LeftOut != "": // its car would still come
		o.State, o.Reason = importer.CancelByHand, "`leave out` was answered: "+m.LeftOut
	case !booked:
		o.State, o.Reason = importer.NotSent, "`book` was answered, and it is not sent yet"
	}
	return o, true
}

// askAboutWords makes the trips of a row with a word that nobody has approved wait for an
// answer. A booked trip stays booked and gets the question too, because the word may mean that
// it is cancelled; nothing of it is changed.
func (r *rowJudge) askAboutWords(decisions []Decision) {
	for n := range r.Row.NewWords {
		w := &r.Row.NewWords[n]
		why, isDoubt := w.Words()+", which nobody has approved", !w.Answer.Doubt.IsZero()
		if isDoubt {
			why += "; " + inDoubt(w.Answer.Doubt)
		}
		for i := range decisions {
			d := &decisions[i]
			switch {
			case d.Do == Send:
				d.Do, d.Outcome.State, d.Outcome.Question, d.Outcome.Reason = Nothing, importer.Held, importer.AskWord, joined(d.Outcome.Reason, why)
				d.Outcome.Saw = max(d.Outcome.Saw, w.Answer.Event)
			case d.Outcome.State.Booked():
				d.Do, d.Outcome.Question = Nothing, importer.AskWord
				d.Outcome.Reason = cmp.Or(d.Outcome.Reason, why)
			default:
				continue
			}
			d.Outcome.Contradicted = d.Outcome.Contradicted || isDoubt
		}
	}
}
