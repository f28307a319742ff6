package app

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
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

// TakeMorning takes the answers in the morning workbooks of the folder. Answers about trips
// that were sent are recorded. For other answers the results of their rows are retried with
// the options and events, which records the answers and sends the trips that they set free.
// An answer that can't be taken stays in the workbook, and Morning writes it into the next
// one. The error is that of the retries that could not be carried out.
func (a *App) TakeMorning(ctx context.Context, o MorningOptions, options Options, e Events) (taken Taken, err error) {
	t := &taker{App: a, options: options, events: e, retries: map[string][]returned.Answer{}}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		list, err := a.newOpenList(ctx, l)
		if err != nil {
			return err
		}
		files, err := list.readMorningFiles(o.Folder)
		if err != nil || !slices.ContainsFunc(files, func(f morningFile) bool { return f.wrong != nil || len(f.answers) > 0 }) {
			return err
		}
		if err := list.read(o); err != nil {
			return err
		}
		t.sort(list, files)
		return nil
	})
	if err == nil && len(t.direct) > 0 {
		err = t.record(ctx)
	}
	for path, answers := range t.retries {
		if err == nil || StatusOf(err) != Locked {
			err = errors.Join(err, t.retryRows(ctx, path, answers))
		}
	}
	return t.Taken, err
}

// A taker takes the answers in morning workbooks.
type taker struct {
	*App
	Taken

	options Options
	events  Events
	// direct are the answers about what was sent. retries are the other answers, by the
	// results of their rows.
	direct  []returned.Answer
	retries map[string][]returned.Answer
}

func (t *taker) note(a *returned.Answer, text string) { t.Notes = append(t.Notes, a.Where()+": "+text) }

// sort decides how each answer in the workbooks is taken.
func (t *taker) sort(list *openList, files []morningFile) {
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
		given[i] = givenAnswer{idOfItem(&a.Shown, a.Input, a.Sheet, a.Row, a.Leg), a.Verdict, a.GUID, a.Where()}
	}
	contradictions := contradicting(given)
	taken := map[any]bool{} // two workbooks may have the same answer
	for i := range all {
		a := &all[i]
		item := list.itemOf(a)
		switch {
		case contradictions[i] != nil:
			t.note(a, contradictions[i].Reason)
		case item == nil:
			t.note(a, "its trip has no question any more, or another one: look at the new list")
		case unfit(a, &item.Outcome):
			t.note(a, unclearAnswer(&item.Outcome))
		case taken[given[i].about]:
		case aboutTrip(a):
			t.direct = append(t.direct, *a)
		case item.Results == "":
			t.note(a, "the results of its row were not found")
		default:
			t.retries[item.Results] = append(t.retries[item.Results], *a)
		}
		taken[given[i].about] = true
	}
}

// record takes the answers about what was sent.
func (t *taker) record(ctx context.Context) error {
	l, err := t.openLedger("morning", t.options.LockWait)
	if err != nil {
		return err
	}
	for i := range t.direct {
		a := &t.direct[i]
		refusal, takeErr := recordAnswer(ctx, l, t.answerOf(a))
		err = errors.Join(err, takeErr)
		switch {
		case refusal != nil:
			t.note(a, refusal.Reason)
		case takeErr == nil:
			t.Answers++
		}
	}
	return errors.Join(err, l.Close())
}

// retryRows takes the answers about rows of results by retrying the results.
func (t *taker) retryRows(ctx context.Context, path string, answers []returned.Answer) error {
	notes := &answerNotes{Events: t.events, taker: t, about: answers}
	err := t.retry(ctx, t.options, notes, path, answers)
	if s := StatusOf(err); err != nil && !slices.Contains([]Status{FixRows, NeedsPerson, Listed}, s) {
		for i := range answers {
			t.note(&answers[i], "not taken: "+err.Error())
		}
		return err
	}
	t.Answers += len(answers) - notes.untaken
	return nil
}

// answerNotes passes the events of a retry on, and keeps the notices about answers.
type answerNotes struct {
	Events
	*taker

	about   []returned.Answer
	untaken int
}

// Notice implements Events.
func (n *answerNotes) Notice(text string) {
	if slices.ContainsFunc(n.about, func(a returned.Answer) bool { return strings.HasPrefix(text, a.Where()+": ") }) {
		n.untaken++
		n.Notes = append(n.Notes, text)
	}
	n.Events.Notice(text)
}
