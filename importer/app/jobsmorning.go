package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
)

// OpenID identifies an item of the list of what is open, as long as it is open.
func OpenID(i *results.OpenItem) string {
	sum := sha256.Sum256([]byte(cmp.Or(i.Subject, fmt.Sprint("trip ", i.Outcome.Attempt)))) // a trip of which no run has told has no subject
	return hex.EncodeToString(sum[:8])
}

// An OpenList is what is open, and what was answered since the program was started. Refused says why the ledger takes no answer: it
// may be a copy, which does not know all that is open.
type OpenList struct {
	*results.Morning

	Answered []AnsweredItem
	Refused  string
}

// An AnsweredItem is an item as it is since it was answered; a newer answer takes the answer back.
type AnsweredItem struct {
	results.OpenItem

	Verdict importer.Verdict
	By      string
}

// IsLeft reports whether `leave it` was answered about a trip that was not sent: `book` withdraws that.
func (x *AnsweredItem) IsLeft() bool {
	return x.Verdict == importer.LeaveIt && x.Outcome.State.Missing() && x.Outcome.Question != importer.AskWord
}

// SawOf returns what an answer to an item of the list has to name.
func SawOf(i *results.OpenItem) string { return strconv.FormatInt(i.Outcome.Saw, 10) }

// Open lists what is open, the most urgent first. Nothing is written.
func (j *Jobs) Open(ctx context.Context) (OpenList, error) {
	a, err := j.open("")
	if err != nil {
		return OpenList{}, err
	}
	m, _, err := a.Morning(ctx, MorningOptions{})
	j.answering.Lock()
	defer j.answering.Unlock()
	if now := time.Now(); err == nil && now.Sub(j.tried) > time.Minute { // it takes the lock
		j.tried, j.refused = now, a.WhyNoAnswer()
	}
	return OpenList{m, slices.Clone(j.answered), j.refused}, err
}

// ErrAnswered is joined to the error of an answer to what was answered by somebody else, or is not open
// any more.
var ErrAnswered = errors.New("it was answered meanwhile")

func answeredMeanwhile(who string) error {
	return errors.Join(Usage("look at the list as it is now", "%s; your answer was not recorded", who), ErrAnswered)
}

// Answer records a person's answer to an item of the list, or a newer one to an item that was
// answered, if the item still is as the person saw it: saw is SawOf it. If it is
// not, the error is ErrAnswered. If the answer is not taken, note says why, and the item stays open.
func (j *Jobs) Answer(ctx context.Context, id, saw string, v importer.Verdict, guid, by string) (note string, err error) {
	j.answering.Lock()
	defer j.answering.Unlock()

	a, err := j.open(by)
	if err != nil {
		return "", err
	}
	x, err := j.itemToAnswer(ctx, a, id, saw)
	if err != nil {
		return "", err
	}
	item, shown := x.OpenItem, x.OpenItem
	if v == importer.Book && x.IsLeft() {
		shown.Outcome = importer.Outcome{State: importer.LeftOut, Answered: true, RowNumber: item.Outcome.RowNumber, Saw: item.Outcome.Saw}
	}
	if note, err = a.AnswerOpen(ctx, &shown, v, guid); err != nil || note != "" || !v.Settles() {
		return note, err
	}
	item.Outcome.Saw = shown.Outcome.Saw
	const kept = 20
	j.answered = slices.DeleteFunc(j.answered, func(x AnsweredItem) bool { return OpenID(&x.OpenItem) == id })
	j.answered = append([]AnsweredItem{{item, v, by}}, j.answered...)
	j.answered = j.answered[:min(len(j.answered), kept)]
	return "", nil
}

// itemToAnswer returns the item as the person saw it.
func (j *Jobs) itemToAnswer(ctx context.Context, a *App, id, saw string) (AnsweredItem, error) {
	m, _, err := a.Morning(ctx, MorningOptions{})
	if err != nil {
		return AnsweredItem{}, err
	}
	for _, item := range slices.Concat(m.Urgent, m.Listed) {
		if OpenID(&item) == id && SawOf(&item) == saw {
			return AnsweredItem{OpenItem: item}, nil
		}
	}
	for i := range j.answered { // what is open again comes before what was answered
		switch x := &j.answered[i]; {
		case OpenID(&x.OpenItem) != id:
		case SawOf(&x.OpenItem) == saw:
			return *x, nil
		default:
			return AnsweredItem{}, answeredMeanwhile(cmp.Or(x.By, UserName()) + " has answered `" + x.Verdict.String() + "` meanwhile")
		}
	}
	return AnsweredItem{}, answeredMeanwhile("somebody has answered this meanwhile, or a run has changed it")
}

// A RunLine is a run as a list of runs has it.
type RunLine struct {
	ledger.Run

	// Booked counts the trips that it booked, changed or found booked, as its results do.
	Booked int
	// End says how it ended, and whether its control total balances. Wrong reports that it did not end well.
	End   string
	Wrong bool
}

// LineOf returns a run as a list of runs has it.
func LineOf(r ledger.Run) RunLine {
	booked := r.Totals.Trips[importer.Booked] + r.Totals.Trips[importer.Changed] + r.Totals.Trips[importer.BookedEarlier]
	line := RunLine{Run: r, Booked: booked, End: r.How + "; control total balances"}
	switch {
	case r.Live:
		line.End = "goes on"
	case r.Ended.IsZero():
		line.End, line.Wrong = "broken off: do the same again", true
	case !r.Totals.Balanced():
		line.End, line.Wrong = r.How+"; the control total does NOT balance", true
	}
	return line
}

// Runs lists the last runs that the ledger knows, the last first.
func (j *Jobs) Runs(ctx context.Context) (lines []RunLine, err error) {
	a, err := j.open("")
	if err != nil {
		return nil, err
	}
	const most = 60
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		runs, err := l.Runs(ctx, most)
		for _, run := range runs {
			lines = append(lines, LineOf(run))
		}
		return err
	})
	return lines, err
}

// Results returns the path of the workbook with the results of a run of this ledger, if it is where it was
// written.
func (j *Jobs) Results(ctx context.Context, run string) (path string, err error) {
	a, err := j.open("")
	if err != nil {
		return "", err
	}
	err = a.ReadLedger(ctx, func(l ledger.Ledger) error {
		known, err := FindRun(ctx, l, run)
		if err != nil {
			return err
		}
		files, err := issuedFiles(ctx, l)
		if err != nil {
			return err
		}
		if path = resultsThere(files, known.ID); path != "" {
			return nil
		}
		return Usage("look on the machine on which the run was", "the results of this run are not where they were written")
	})
	return path, err
}
