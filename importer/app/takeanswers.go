package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// takeAnswers takes what people wrote under What we found in the results, and the answers in
// more. No answer is dropped in silence: one that can't be taken is reported and stays in
// the next results.
func (j *job) takeAnswers(ctx context.Context, edited *returned.Results, more []returned.Answer) error {
	all := slices.Concat(edited.Answers(), more)
	if j.fromRehearsal(edited) {
		all = j.answersForReal(all)
	}
	if len(all) == 0 {
		return nil
	}
	asked, err := j.askedAt(ctx, edited)
	if err != nil {
		return err
	}
	j.answers = &answers{Ledger: j.target.ledger, app: j.App, mappingHash: j.mapping.Meaning(), run: edited.Run(), fileOf: j.inputNamed, pending: map[tripAt]pendingAnswer{}, kept: map[tripAt]returned.Answer{}}
	words, err := j.answeredWords(ctx, all, asked)
	if err != nil {
		return err
	}
	given := make([]givenAnswer, len(all))
	for i := range all {
		given[i] = answerAbout(&all[i], words)
	}

	contradictions := contradicting(given)
	for i := range all {
		a := &all[i]
		at := rowAt{j.inputNamed(a.Input), a.Sheet, a.Row}
		taken, note := false, contradictions[i]
		if note == "" && a.AboutWord() {
			taken, note, err = j.takeWord(ctx, a, words[rowAt{a.Input, a.Sheet, a.Row}])
		} else if note == "" {
			taken, note, err = j.takeAnswer(ctx, a, edited, at)
		}
		if err != nil {
			return err
		}
		if note != "" {
			j.notice("%s: %s", a.Where(), note)
		}
		if note != "" || !taken {
			j.answers.kept[tripAt{at, a.Leg}] = *a
		}
	}
	j.askAgain(all, words)
	return nil
}

// askedAt returns when the questions in results were asked: when their run ended or, if the
// ledger does not know that, when it began.
func (j *job) askedAt(ctx context.Context, edited *returned.Results) (time.Time, error) {
	r, err := FindRun(ctx, j.target.ledger, edited.Run())
	if err != nil && !j.fromRehearsal(edited) || !r.Ended.IsZero() {
		return r.Ended, err
	}
	return runBegan(edited.Run())
}

// answersForReal returns the answers in a rehearsal's results that hold for a real import
// too. Answers about trips that were sent in the rehearsal do not, because they say nothing
// about the service; they are reported.
func (j *job) answersForReal(all []returned.Answer) []returned.Answer {
	var kept []returned.Answer
	for _, a := range all {
		switch {
		case a.Verdict.OfAttempt(&a.Shown) || a.Verdict == importer.CancelledThere:
			j.notice("%s: `%s` was not taken: it is about a trip of the rehearsal", a.At, a.Text)
		default:
			a.Shown.Attempt = 0 // it is an attempt of another ledger
			kept = append(kept, a)
		}
	}
	return kept
}

// answerAbout tells what an answer is about: the new word of its row; the attempt, if the
// trip may be listed in two places of the results; otherwise the trip of its row.
func answerAbout(a *returned.Answer, words map[rowAt][]importer.NewWord) givenAnswer {
	at := rowAt{a.Input, a.Sheet, a.Row}
	given := givenAnswer{tripAt{at, a.Leg}, a.Verdict, a.GUID, a.Where()}
	if unwanted(a.Shown.State) {
		given.about = a.Shown.Attempt
	}
	if about := words[at]; len(about) == 1 && a.AboutWord() {
		given.about = idOf(&about[0])
	}
	return given
}

// inputNamed returns the name of the input that has the hash.
func (j *job) inputNamed(hash string) string {
	for _, in := range j.described {
		if in.Hash == hash {
			return in.Name
		}
	}
	return ""
}

// takeAnswer records an answer, or makes it pending until the run comes to its trip. note
// says why the answer can't be taken, or that it counts later.
func (j *job) takeAnswer(ctx context.Context, a *returned.Answer, edited *returned.Results, at rowAt) (taken bool, note string, err error) {
	if _, fits := a.Verdict.RuleOf(&a.Shown); !fits {
		if !a.Shown.Asks() && a.Verdict == importer.NoVerdict && !a.KeepsUnsent() {
			return false, "", nil // a remark
		}
		return false, unclearAnswer(&a.Shown), nil
	}

	switch {
	case a.Verdict == importer.RiderIsRight:
		return true, "", nil
	case !aboutAttempt(a):
		j.answers.pending[tripAt{at, a.Leg}] = pendingAnswer{Answer: *a}
		return true, "", nil
	}
	if outdated, err := j.answers.isOutdatedAttempt(ctx, a); outdated || err != nil {
		return true, "", err
	}
	taken, note, err = j.takeAboutAttempt(ctx, j.target.ledger, a, func() (ledger.Entry, bool, error) { return j.openEntry(ctx, a, edited) })
	if taken && err == nil {
		err = j.answers.remember(ctx, importer.Decision{Other: a.Shown.Attempt}, a)
	}
	return taken, note, err
}

// aboutAttempt reports whether an answer that fits is about what was sent, and not about what
// its row says now.
func aboutAttempt(a *returned.Answer) bool {
	return a.Verdict.OfAttempt(&a.Shown) || a.Verdict == importer.LeaveIt && unwanted(a.Shown.State)
}

// takeAboutAttempt records an answer about what was sent. If the ledger does not have the
// attempt that the answer names, other finds the right one.
func (a *App) takeAboutAttempt(ctx context.Context, l ledger.Ledger, given *returned.Answer, other func() (ledger.Entry, bool, error)) (taken bool, note string, err error) {
	if given.Verdict == importer.LeaveIt {
		refusal, err := refused(l.Decide(ctx, importer.Decision{Other: given.Shown.Attempt}, given.Verdict, a.personOf(given)))
		return refusal == "", refusal, err
	}
	e, err := l.Entry(ctx, given.Shown.Attempt)
	refusal, err := refused(err)
	found := refusal == ""
	if !found && err == nil {
		e, found, err = other()
	}
	if !found || err != nil {
		return false, "no trip that was sent fits this answer: look again in newer results", err
	}
	taken, note, err = a.recordAnswer(ctx, l, e, given.Shown.State, given.Verdict, given.GUID, a.personOf(given))
	if note != "" {
		note = "trip " + e.ListedID() + ": " + note
	}
	return taken, note, err
}

// openEntry finds the open trip of an answer's row, unless a later run than that of the
// results sent it again. It is for results that do not name the attempt, and for results of
// a lost ledger, whose trips were entered anew under other attempts.
func (j *job) openEntry(ctx context.Context, a *returned.Answer, edited *returned.Results) (ledger.Entry, bool, error) {
	open, err := j.target.ledger.Unresolved(ctx)
	if err != nil {
		return ledger.Entry{}, false, err
	}
	runs, err := j.target.ledger.Runs(ctx, 0) // the newest first
	if err != nil {
		return ledger.Entry{}, false, err
	}
	at := sourceKey{a.Input, a.Row, a.Leg, ""}
	trips, err := readTrips(j.inputs, map[sourceKey]bool{at: true})
	if err != nil {
		return ledger.Entry{}, false, err
	}

	position := func(id string) int { return slices.IndexFunc(runs, func(r ledger.Run) bool { return r.ID == id }) }
	for _, e := range open {
		if trip, same := trips.of(e); same && trip.Row.Sheet == a.Sheet && keyOf(e) == at && position(e.Run) >= position(edited.Run()) {
			return e, true, nil
		}
	}
	return ledger.Entry{}, false, nil
}

const (
	seeResults = "see the new results"
	guidTaken  = "another trip has that GUID: look again"
)

// noticeUntaken reports the answers that were outdated, refused by the ledger, or never asked
// for by the run.
func (j *job) noticeUntaken() {
	if j.answers == nil {
		return
	}
	for _, a := range j.answers.outdated {
		j.notice("%s: `%s` was not taken again: something else was answered since it was taken out of %s; if it is right after all, write it into the new results", a.Where(), a.Verdict, filepath.Base(j.path))
	}
	for _, a := range j.answers.pending {
		j.notice("%s: `%s` was not taken: %s", a.Where(), a.Verdict, cmp.Or(a.why, "its trip has no such question any more: "+seeResults))
	}
}

// unclearAnswer says which answers fit a trip.
func unclearAnswer(o *importer.Outcome) string {
	return "the answer does not say clearly what was found, or does not fit: write " + o.VerdictWords()
}

// A givenAnswer is one of several answers that are given together and may contradict each
// other.
type givenAnswer struct {
	about   any // identifies what the answer is about: a trip, an attempt or a word
	verdict importer.Verdict
	guid    string
	at      string
}

// contradicting returns for each answer why it can't be taken, or "". Two answers contradict
// each other if they say different things about the same trip, or give the same GUID to two
// trips. Neither of them may be taken.
func contradicting(all []givenAnswer) []string {
	why := make([]string, len(all))
	for i, a := range all {
		for k, b := range all {
			switch same := a.about == b.about; {
			case i == k:
			case same && (a.verdict != b.verdict || a.guid != b.guid):
				why[i] = fmt.Sprintf("not taken: %s says something else about the same trip or word", b.at)
			case !same && importer.SameGUID(a.guid, b.guid):
				why[i] = fmt.Sprintf("not taken: %s gives another trip the same GUID", b.at)
			}
		}
	}
	return why
}

// recordAnswer records a person's answer about an attempt whose trip was shown in a state.
// If the ledger does not take the answer, that is not an error: note says why. If the answer
// was taken but counts only later, note says when.
func (a *App) recordAnswer(ctx context.Context, l ledger.Ledger, e ledger.Entry, shown importer.State, v importer.Verdict, guid string, by ledger.Person) (taken bool, note string, err error) {
	note, err = refused(l.Resolve(ctx, ledger.Resolution{Attempt: e.Attempt, Verdict: v, State: shown, GUID: guid, Who: by.Who, When: by.When}))
	if note != "" || err != nil {
		return false, note, err
	}
	if from := e.ClaimedAt.Add(ledger.NotThereAfter); v == importer.NotThere && e.Code != importer.CodeBookedByHand && by.When.Before(from) {
		note = "kept: the trip may still appear, so a run that begins at " + from.Add(time.Minute).Local().Format("2006-01-02 15:04") + " or later sends it"
	}
	return true, note, nil
}

// refused returns in words why the ledger did not take an answer about one trip. It returns
// any other error unchanged.
func refused(err error) (string, error) {
	var wrong *ledger.Error
	switch {
	case errors.Is(err, importer.ErrGUIDTaken):
		return guidTaken, nil
	case errors.As(err, &wrong) && wrong.OneTrip:
		return wrong.Reason, nil
	}
	return "", err
}

// personOf returns the person who gave an answer, if that is known, and otherwise the person
// at the machine.
func (a *App) personOf(given *returned.Answer) ledger.Person {
	by := a.thisPerson()
	by.Who = cmp.Or(given.Who, by.Who)
	return by
}

// thisPerson returns the person at the machine, and the present time.
func (a *App) thisPerson() ledger.Person {
	who, host := whoAmI()
	return ledger.Person{Who: who, Host: host, When: a.env.Clock.Now()}
}
