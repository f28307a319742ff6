package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// answers holds what people wrote under What we found in the results of a retry. An answer
// about an attempt is recorded before the run. Any other answer waits until the run comes
// to its trip; it is then recorded for the question that is asked and for the values that
// the trip has. It is safe for concurrent use.
type answers struct {
	ledger.Ledger
	app *App

	// mappingHash is the hash of the mapping that makes the trips. run is the id of the run
	// that wrote the results.
	mappingHash, run string

	mu      sync.Mutex
	pending map[tripAt]pendingAnswer
	// kept are answers that stay in the next results: they were not taken, or they count
	// later.
	kept map[tripAt]returned.Answer
	// outdated are answers that were taken before and have been corrected elsewhere since.
	outdated []returned.Answer
	// fileOf gives the name of the input with a hash.
	fileOf func(hash string) string
}

// A pendingAnswer waits for its trip. why is the reason why the ledger did not take it;
// empty if it was not tried.
type pendingAnswer struct {
	returned.Answer
	why string
}

// A rowAt identifies a row of an input, and a tripAt one of its legs.
type rowAt struct {
	file, sheet string
	row         int
}

type tripAt struct {
	rowAt
	leg importer.Leg
}

func tripOf(t *importer.Trip) tripAt { return tripAt{rowAt{t.Row.File, t.Row.Sheet, t.Row.Row}, t.Leg} }

// keptText returns the text that stays under What we found for a row in the next results.
// An answer about an earlier attempt is left out, because nobody has looked for the new one:
// in the next results it would be an answer about that. Any answer is left out if nothing is
// asked about the row any more, because results with such an answer are refused.
func (a *answers) keptText(row *importer.RowResult) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var texts []string
	answerable := slices.ContainsFunc(row.Trips, func(t importer.TripResult) bool { return len(t.Outcome.Verdicts()) > 0 })
	for i := range row.Trips {
		at, o := tripOf(&row.Trips[i].Trip), &row.Trips[i].Outcome
		if given := a.pending[at]; isKnownByHand(&given.Answer, o) {
			delete(a.pending, at)
		}
		for _, given := range []returned.Answer{a.pending[at].Answer, a.kept[at]} {
			if !movesToAttempt(&given, o) && given.Text != "" && (answerable || !returned.HasAnswer(given.Text)) && !slices.Contains(texts, given.Text) {
				texts = append(texts, given.Text)
			}
		}
	}
	return strings.Join(texts, "; ")
}

// movesToAttempt reports whether an answer, written beside a trip that has the outcome now,
// would be about another attempt than the one that it was given for.
func movesToAttempt(given *returned.Answer, o *importer.Outcome) bool {
	now := *given
	now.Shown = *o
	_, fits := given.Verdict.RuleOf(o)
	return o.Attempt != given.Shown.Attempt && (o.State == importer.Unknown || fits && aboutAttempt(&now))
}

// take removes and returns the pending answer about a trip, if there is one that fits.
func (a *answers) take(trip *importer.Trip, fits func(*returned.Answer) bool) (returned.Answer, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	given, ok := a.pending[tripOf(trip)]
	if !ok || !fits(&given.Answer) {
		return returned.Answer{}, false
	}
	delete(a.pending, tripOf(trip))
	return given.Answer, true
}

// giveBack makes an answer pending again, so that it stays in the next results. why is the
// reason why it could not be taken.
func (a *answers) giveBack(trip *importer.Trip, given returned.Answer, why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending[tripOf(trip)] = pendingAnswer{given, why}
}

// Decided implements importer.Ledger. It first records the pending answer about the trip.
func (a *answers) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, error) {
	if d.Trip != nil {
		given, ok := a.take(d.Trip, func(given *returned.Answer) bool { return decides(given, &d) })
		if ok {
			now, err := a.Ledger.Decided(ctx, d)
			if err != nil {
				return now, err
			}
			outdated, err := a.isOutdated(ctx, d, &given, now == importer.NoVerdict || now == given.Verdict)
			if outdated || err != nil {
				return now, err
			}
			refusal, err := refused(a.decide(ctx, d, given.Verdict, a.app.personOf(&given)))
			switch {
			case refusal != "":
				a.giveBack(d.Trip, given, refusal)
			case err == nil:
				err = a.remember(ctx, d, &given)
			}
			switch { // a trip that a person wants left is not sent, even if the ledger refuses the answer
			case err != nil, refusal != "" && given.Verdict != importer.LeaveIt:
				return importer.NoVerdict, err
			case refusal != "", given.Verdict == importer.CancelledThere:
				return given.Verdict, nil
			}
		}
	}
	return a.Ledger.Decided(ctx, d)
}

// decides reports whether an answer makes the decision that d asks for.
func decides(given *returned.Answer, d *importer.Decision) bool {
	if d.Question == importer.NoQuestion {
		return given.Verdict == importer.LeaveIt || given.Verdict == importer.Book && given.Shown.Left()
	}
	return given.Shown.Question == d.Question && (given.Verdict == importer.CancelledThere && given.Shown.Attempt == d.Other ||
		given.Verdict == importer.Meant && (given.Shown.Attempt == d.Other || d.Question == importer.AskDoubleBooking))
}

// decide records a decision. CancelledThere is recorded as an answer about the other trip's
// attempt. For a possible double booking that is all, because the answer says nothing about
// other double bookings.
func (a *answers) decide(ctx context.Context, d importer.Decision, v importer.Verdict, by ledger.Person) error {
	if v == importer.CancelledThere {
		r := ledger.Resolution{Attempt: d.Other, Verdict: v, State: importer.Waiting, Who: by.Who, When: by.When}
		if err := a.Resolve(ctx, r); err != nil || d.Question == importer.AskDoubleBooking {
			return err
		}
	}
	return a.Decide(ctx, d, v, by)
}

// changedSince reports whether a trip in state s is booked and differs from its row.
func changedSince(s importer.State) bool {
	switch s {
	case importer.Changed, importer.ChangeByHand, importer.ChangeRefused, importer.ChangeUnknown:
		return true
	}
	return false
}

// unwanted reports whether a trip in state s is booked but no longer wanted by the schedule.
func unwanted(s importer.State) bool { return s == importer.CancelledCreated || s == importer.Gone }

// accept records the pending answer about a booked trip: that a person changed the trip by
// hand to what its row says now, or wants it left as it is. It reports whether it did.
func (a *answers) accept(ctx context.Context, trip *importer.Trip, rec *importer.Record) (bool, error) {
	given, ok := a.take(trip, func(given *returned.Answer) bool {
		return (given.Verdict == importer.DoneByHand || given.Verdict == importer.LeaveIt) && given.Shown.Attempt == rec.Attempt && rec.Taken() &&
			(given.Verdict == importer.DoneByHand || changedSince(given.Shown.State))
	})
	if !ok {
		return false, nil
	}

	// The answer is about the values that the row has now: a person may have fixed them since.
	about := importer.Decision{Key: importer.RowKey{TripID: trip.ID}, Trip: trip}
	if outdated, err := a.isOutdated(ctx, about, &given, len(rec.Differs) == 0); outdated || err != nil {
		return false, err
	}
	by := a.app.personOf(&given)
	refusal, err := refused(a.Resolve(ctx, ledger.Resolution{
		Attempt: rec.Attempt, Verdict: given.Verdict, State: given.Shown.State, Trip: trip, MappingHash: a.mappingHash, Who: by.Who, When: by.When,
	}))
	switch {
	case refusal != "":
		a.giveBack(trip, given, refusal)
	case err == nil:
		err = a.remember(ctx, about, &given)
	}
	return refusal == "" && err == nil, err
}

// RowTrips implements importer.Ledger. It first records the pending answers about the trips
// that it finds.
func (a *answers) RowTrips(ctx context.Context, service string, row *importer.Mapped) (importer.RowTrips, error) {
	found, err := a.Ledger.RowTrips(ctx, service, row)
	for i := range found.Matched {
		for _, rec := range []*importer.Record{found.Matched[i], found.Unclear[i]} {
			if err == nil && rec != nil {
				var accepted bool
				if accepted, err = a.accept(ctx, &row.Trips[i], rec); accepted && err == nil {
					return a.RowTrips(ctx, service, row)
				}
			}
		}
	}
	return found, err
}

// Lacks implements importer.Ledger. It returns false for a row with a pending answer, so that
// the run asks about each of its trips and the answer is recorded.
func (a *answers) Lacks(ctx context.Context, row *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	a.mu.Lock()
	isPending := slices.ContainsFunc(row.Trips, func(trip importer.Trip) bool {
		_, ok := a.pending[tripOf(&trip)]
		return ok
	})
	a.mu.Unlock()
	if isPending {
		return false, nil
	}
	return a.Ledger.Lacks(ctx, row, accounts, within)
}

// Find implements importer.Ledger. It first records the pending answer about the trip.
func (a *answers) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (importer.Record, bool, error) {
	rec, found, err := a.Ledger.Find(ctx, account, trip)
	if err != nil || !found {
		return rec, found, err
	}
	if accepted, err := a.accept(ctx, trip, &rec); !accepted {
		return rec, found, err
	}
	return a.Ledger.Find(ctx, account, trip)
}

// byHand records a trip as booked if the pending answer says that a person entered it in the
// service. The trip is claimed and settled without being sent.
func (a *answers) byHand(ctx context.Context, c importer.Claim) (importer.Outcome, bool, error) {
	given, ok := a.take(c.Trip, func(given *returned.Answer) bool { return given.Verdict == importer.BookedByHand })
	if !ok {
		return importer.Outcome{}, false, nil
	}
	if c.Account.Provider == "" || c.Trip.ID == "" {
		a.giveBack(c.Trip, given, "its trip id, or its transportation provider, has to be fixed first")
		return importer.Outcome{}, false, nil
	}

	about := importer.Decision{Key: c.Key, Trip: c.Trip}
	if outdated, err := a.isOutdated(ctx, about, &given, false); outdated || err != nil {
		return importer.Outcome{}, false, err
	}

	c.Within = 0 // the person entered this very trip, whatever other trip is near it
	claimed, err := a.Claim(ctx, c)
	if errors.Is(err, importer.ErrClaimed) {
		a.giveBack(c.Trip, given, "another trip of its row, or the same rider's at that time, is booked: "+seeResults)
		return importer.Outcome{}, false, nil
	}
	if err != nil {
		return importer.Outcome{}, false, err
	}

	s := importer.Settlement{State: importer.Created, GUID: given.GUID, Code: importer.CodeBookedByHand, At: c.At}
	err = a.Settle(ctx, claimed, s)
	if errors.Is(err, importer.ErrGUIDTaken) {
		a.giveBack(c.Trip, given, guidTaken)
		s.State, s.GUID = importer.NotSent, ""
		return importer.Outcome{}, false, a.Settle(ctx, claimed, s)
	}
	if by := a.app.personOf(&given); err == nil { // the claim names the run's user instead
		_, err = refused(a.Resolve(ctx, ledger.Resolution{
			Attempt: claimed.Attempt, Verdict: importer.BookedByHand, State: importer.AlreadyCreated, GUID: s.GUID, Who: by.Who, When: by.When,
		}))
	}
	if err == nil {
		err = a.remember(ctx, about, &given)
	}
	return importer.Outcome{
		State: importer.AlreadyCreated, GUID: s.GUID, BookedAt: s.At, Answered: true, Attempt: claimed.Attempt, Reason: "booked by hand",
	}, true, err
}

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
