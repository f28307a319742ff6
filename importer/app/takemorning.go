package app

import (
	"context"
	"errors"
	"os"
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

// factFolder is the kind of the facts that name folders with morning workbooks.
const factFolder = "folder"

// takeIssued takes the answers in the morning workbooks that were issued. What can't be taken is
// told.
func (j *job) takeIssued(ctx context.Context) error {
	if j.target == nil || j.opts.Rehearsal {
		return nil
	}
	folders, err := j.target.ledger.Facts(ctx, factFolder)
	if err != nil {
		return err
	}
	for _, f := range folders {
		if _, err := os.Stat(f.Subject); err != nil {
			continue // it was moved, or is on another machine
		}
		taken, err := j.takeMorning(ctx, j.target.ledger, f.Subject)
		if err != nil {
			return err
		}
		for _, note := range taken.Notes {
			j.notice("%s", note)
		}
		if taken.Answers > 0 {
			j.notice("%s taken from the morning workbook", importer.Counted(taken.Answers, "answer was", "answers were"))
		}
	}
	return nil
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
		t := &taker{App: a, ledger: l}
		refusal, err = t.takeWords(ctx, &given, list.asked[item.Subject], list.words)
		if err != nil {
			return "", err
		}
	} else {
		answer := a.answerOf(&given)
		answer.Where = "terminal"
		if refusal, err = recordAnswer(ctx, l, answer); err != nil {
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
	t := &taker{App: a, ledger: l}
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
			note := "no answer in " + filepath.Base(f.path) + " was taken: " + f.wrong.Error()
			if in := (*importer.InputError)(nil); errors.As(f.wrong, &in) {
				note += "; " + in.Fix
			}
			t.Notes, t.Refused = append(t.Notes, note), append(t.Refused, filepath.Base(f.path))
		}
		all = append(all, f.answers...)
	}

	given := make([]givenAnswer, len(all))
	for i := range all {
		a := &all[i]
		given[i] = givenAnswer{idOfItem(&a.Shown, a.Leg), a.Verdict, a.GUID, a.Where()}
	}
	contradictions := contradicting(given)
	taken := map[any]bool{} // two workbooks may have the same answer
	for i := range all {
		a := &all[i]
		item := list.itemOf(a)
		var refusal *judge.Refusal
		var err error
		switch {
		case contradictions[i] != nil:
			refusal = contradictions[i]
		case item == nil:
			refusal = &judge.Refusal{Reason: "its trip has no question any more, or another one: look at the new list"}
		case unfit(a, &item.Outcome):
			refusal = &judge.Refusal{Reason: unclearAnswer(&item.Outcome)}
		case taken[given[i].about]:
			continue
		case a.AboutWord():
			refusal, err = t.takeWords(ctx, a, list.asked[item.Subject], list.words)
		default:
			refusal, err = recordAnswer(ctx, t.ledger, t.answerOf(a))
		}
		switch {
		case err != nil:
			return err
		case refusal != nil:
			t.note(a, refusal.Reason)
		default:
			t.Answers++
		}
		taken[given[i].about] = true
	}
	return nil
}

// takeWords records what becomes of all rows that have the words of an item. It returns why the
// answer is not taken, or nil. If somebody answered otherwise about the same list, neither counts.
func (t *taker) takeWords(ctx context.Context, a *returned.Answer, item openItem, known map[string]wordFact) (*judge.Refusal, error) {
	var open []openWord
	by := t.personOf(a)
	for _, w := range item.Words {
		before, answered := known[wordSubject(item.Broker, w.Column, w.Text)]
		switch {
		case before.verdict == a.Verdict:
		case answered && before.Event > a.Shown.Saw:
			if err := t.ledger.SetFact(ctx, wordFactOf(item.Broker, w.Column, w.Text, importer.NoVerdict, by)); err != nil {
				return nil, err
			}
			return judge.Contradiction(before.Who, before.verdict, before.At), nil
		default:
			open = append(open, w)
		}
	}
	if len(open) > 1 && a.Verdict == importer.LeaveOut {
		return &judge.Refusal{Reason: "the row has several new words: add the one that leaves rows out to words in its mapping"}, nil
	}
	for _, w := range open {
		if err := t.ledger.SetFact(ctx, wordFactOf(item.Broker, w.Column, w.Text, a.Verdict, by)); err != nil {
			return nil, err
		}
	}
	return nil, nil //nolint:nilnil // it is taken
}
