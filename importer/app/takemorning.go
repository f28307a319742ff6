package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// Taken says what became of the answers in morning workbooks.
type Taken struct {
	// Answers counts the answers that were taken. Notes say why other answers were not taken,
	// or that they count later. They have no row content.
	Answers int
	Notes   []string
	// Refused are the names of the workbooks of which no answer was taken.
	Refused []string

	unread unread
}

// TakeMorning takes the answers in the morning workbooks of the folder and records them. What
// they set free is sent by the next run. An answer that can't be taken stays in the workbook,
// and Morning writes it into the next one.
func (a *App) TakeMorning(ctx context.Context, folder string, wait time.Duration) (taken Taken, err error) {
	l, err := a.openLedger("morning", wait)
	if err != nil {
		return taken, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if folder, err = filepath.Abs(folder); err != nil {
		return taken, err
	}
	known, err := l.Facts(ctx, factFolder)
	if err != nil {
		return taken, err
	}
	if !slices.ContainsFunc(known, func(f ledger.Fact) bool { return f.Subject == folder }) {
		if err := l.SetFact(ctx, ledger.Fact{Kind: factFolder, Subject: folder, Value: "morning", At: a.env.Clock.Now()}); err != nil {
			return taken, err
		}
	}
	return a.takeMorning(ctx, l, folder)
}

// AnswerOpen records a person's answer at the terminal about an item of the list. If it is not
// taken, note says why, and the item stays open. It holds the ledger only meanwhile.
func (a *App) AnswerOpen(ctx context.Context, item *results.MorningItem, v importer.Verdict, guid string) (note string, err error) {
	given := returned.Answer{Leg: item.Trip.Leg, Shown: item.Outcome, Verdict: v, GUID: guid, Text: v.String()}
	if unfit(&given, &item.Outcome) {
		return unclearAnswer(&item.Outcome), nil
	}
	l, err := a.openLedger("morning", answerWait)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	var refusal *judge.Refusal
	if given.AboutWord() {
		list, err := a.listOpen(ctx, l)
		if err != nil {
			return "", err
		}
		t := &taker{App: a, ledger: l, Taken: Taken{unread: unread{}}}
		_, refusal, err = t.takeWords(ctx, &given, list.wordsOf(&given), list.words)
		if err != nil {
			return "", err
		}
	} else {
		answer := a.answerOf(&given)
		answer.Where = "terminal"
		if _, refusal, err = recordAnswer(ctx, l, answer); err != nil {
			return "", err
		}
	}
	if refusal != nil {
		return refusal.Reason, nil
	}
	return "", nil
}

// answerWait is how long an answer at the terminal waits for a run that holds the ledger.
const answerWait = 5 * time.Second

// takeMorning is TakeMorning with an open ledger.
func (a *App) takeMorning(ctx context.Context, l ledger.Ledger, folder string) (Taken, error) {
	t := &taker{App: a, ledger: l, Taken: Taken{unread: unread{}}}
	list, err := a.listOpen(ctx, l)
	if err != nil {
		return t.Taken, err
	}
	files, err := list.readMorningFiles(folder)
	if err != nil {
		return t.Taken, err
	}
	return t.Taken, t.take(ctx, list, files)
}

// A taker takes the answers in morning workbooks.
type taker struct {
	*App
	Taken

	ledger ledger.Ledger
}

func (t *taker) note(a *returned.Answer, text string) { t.Notes = append(t.Notes, a.Where()+": "+text) }

// take takes the answers in the workbooks.
func (t *taker) take(ctx context.Context, list *openList, files []morningFile) error {
	var all []returned.Answer
	for _, f := range files {
		if f.wrong != nil {
			t.Notes, t.Refused = append(t.Notes, noneTaken(f.path, f.wrong)), append(t.Refused, filepath.Base(f.path))
		}
		all = append(all, f.answers...)
	}
	return t.takeAll(ctx, list, all)
}

// noneTaken says why no answer in a workbook was taken.
func noneTaken(path string, err error) string {
	note := "no answer in " + filepath.Base(path) + " was taken: " + err.Error()
	if in := (*importer.InputError)(nil); errors.As(err, &in) {
		note += "; " + in.Fix
	}
	return note
}

// takeAll takes answers, of which none may be given before another one was looked at.
func (t *taker) takeAll(ctx context.Context, list *openList, all []returned.Answer) error {
	given := make([]givenAnswer, len(all))
	for i := range all {
		a := &all[i]
		given[i] = givenAnswer{idOfItem(&a.Shown, a.Leg), a.Verdict, a.GUID, a.Where()}
	}
	contradictions := contradicting(given)
	taken := map[any]bool{} // two workbooks may have the same answer
	for i := range all {
		a := &all[i]
		var refusal *judge.Refusal
		var isNew bool
		var err error
		switch {
		case contradictions[i] != nil:
			refusal = contradictions[i]
		case unfit(a, &a.Shown):
			refusal = &judge.Refusal{Reason: unclearAnswer(&a.Shown)}
		case taken[given[i].about]:
			continue
		case a.AboutWord():
			isNew, refusal, err = t.takeWords(ctx, a, list.wordsOf(a), list.words)
		default:
			isNew, refusal, err = recordAnswer(ctx, t.ledger, t.answerOf(a))
		}
		switch {
		case err != nil:
			return err
		case refusal != nil:
			t.note(a, refusal.Reason)
			if a.Shown.State.Missing() && (a.Verdict == importer.NoVerdict || a.KeepsUnsent()) {
				t.unread[itemID{row: a.Shown.RowNumber, leg: a.Leg}] = a.Where()
			}
		case isNew:
			t.Answers++
		}
		taken[given[i].about] = true
	}
	return nil
}

// takeWords records what becomes of all rows that have the words of an item. It returns why the
// answer is not taken, or nil. If somebody answered otherwise about the same list, neither counts.
func (t *taker) takeWords(ctx context.Context, a *returned.Answer, item openItem, known map[string]wordFact) (isNew bool, _ *judge.Refusal, err error) {
	if len(item.Words) == 0 {
		return false, &judge.Refusal{Reason: fmt.Sprintf("`%s` was not taken: nobody is asked about a word of its row any more", a.Verdict), Again: true}, nil
	}
	var open []openWord
	by := t.personOf(a)
	for _, w := range item.Words {
		before, answered := known[wordSubject(item.Broker, w.Column, w.Text)]
		switch {
		case before.verdict == a.Verdict:
		case answered && before.Event > a.Shown.Saw:
			if err := t.ledger.SetFact(ctx, wordFactOf(item.Broker, w.Column, w.Text, importer.NoVerdict, by)); err != nil {
				return false, nil, err
			}
			return false, judge.Contradiction(before.Who, before.verdict, before.At), nil
		default:
			open = append(open, w)
		}
	}
	if len(open) > 1 && a.Verdict == importer.LeaveOut {
		return false, &judge.Refusal{Reason: "the row has several new words: add the one that leaves rows out to words in its mapping"}, nil
	}
	for _, w := range open {
		if err := t.ledger.SetFact(ctx, wordFactOf(item.Broker, w.Column, w.Text, a.Verdict, by)); err != nil {
			return false, nil, err
		}
	}
	return len(open) > 0, nil, nil
}
