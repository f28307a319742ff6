package app

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

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

// untaken are the answers in results that were not taken, by their trips. They stay in the next
// results, and their trips are not sent if they may say so.
type untaken map[tripAt]untakenAnswer

// An untakenAnswer is an answer that was not taken.
type untakenAnswer struct {
	returned.Answer
	// again reports that its question is asked again, so that the next results must not have the
	// answer already.
	again bool
}

// heldBack returns the reason why a run must not send a trip, or "": what stands beside it could
// not be taken, and may say that it is not to be sent.
func (u untaken) heldBack(t *importer.Trip) string {
	given, ok := u[tripOf(t)]
	if !ok || !given.KeepsUnsent() {
		return ""
	}
	return "what stands under What we found may mean that it is not to be sent, but could not be taken: delete it to send the trip; if it is in the service, write only `booked by hand` with its own GUID or without one, and if nobody wants it, only `leave it`"
}

// unread are the legs of rows beside which stands something, in a workbook that was issued, that
// could not be taken: where it stands.
type unread map[itemID]string

// heldBack returns the reason why a run must not send a trip of the row with the number, or "".
func (j *job) heldBack(row int64, t *importer.Trip) string {
	if at, ok := j.unread[itemID{row: row, leg: t.Leg}]; ok && row != 0 {
		return "what stands in " + at + " may mean that it is not to be sent, but could not be taken: correct or delete it there"
	}
	return j.untaken.heldBack(t)
}

// keptText returns the text that stays under What we found for a row in the next results.
func (u untaken) keptText(row *importer.RowResult) string {
	var texts []string
	answerable := slices.ContainsFunc(row.Trips, func(t importer.TripResult) bool { return len(t.Outcome.Verdicts()) > 0 })
	for i := range row.Trips {
		given, ok := u[tripOf(&row.Trips[i].Trip)]
		if ok && !given.again && (answerable || !returned.HasAnswer(given.Text)) && !slices.Contains(texts, given.Text) {
			texts = append(texts, given.Text)
		}
	}
	return strings.Join(texts, "; ")
}

// takeAnswers takes what people wrote under What we found in the results, before anything is sent. No answer is dropped in silence: one that can't be taken is
// reported, stays in the next results, and holds its trip back if it may say so.
func (j *job) takeAnswers(ctx context.Context, edited *returned.Results) error {
	j.untaken = untaken{}
	all := edited.Answers()
	if j.fromRehearsal(edited) {
		all = j.answersForReal(all)
	}
	if len(all) == 0 {
		return nil
	}
	if err := j.watchWords(ctx); err != nil {
		return err
	}
	words, err := j.askedWords(all)
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
		refusal := contradictions[i]
		switch {
		case refusal != nil:
		case a.AboutWord():
			refusal, err = j.takeWord(ctx, a, words[rowAt{a.Input, a.Sheet, a.Row}])
		default:
			refusal, err = j.takeAnswer(ctx, a)
		}
		if err != nil {
			return err
		}
		if refusal != nil {
			j.notice("%s: %s", a.Where(), refusal.Reason)
		}
		if refusal != nil || a.Verdict == importer.NoVerdict {
			j.untaken[tripAt{rowAt{j.inputNamed(a.Input), a.Sheet, a.Row}, a.Leg}] = untakenAnswer{*a, refusal != nil && refusal.Again}
		}
	}
	return nil
}

// answersForReal returns the answers in a rehearsal's results that hold for a real import too:
// those about words. The others are about trips and rows of the rehearsal's ledger, and are
// reported.
func (j *job) answersForReal(all []returned.Answer) []returned.Answer {
	var kept []returned.Answer
	for _, a := range all {
		if !a.AboutWord() {
			j.notice("%s: `%s` was not taken: it is about the rehearsal; answer in the results of the import", a.At, a.Text)
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

// answerAbout tells what an answer is about: the trip that was sent, the leg of its row, or the
// new words of the row.
func answerAbout(a *returned.Answer, words map[rowAt][]importer.NewWord) givenAnswer {
	given := givenAnswer{tripAt{rowAt{a.Input, a.Sheet, a.Row}, a.Leg}, a.Verdict, a.GUID, a.Where()}
	if a.Shown.Attempt != 0 && a.Shown.Question == importer.NoQuestion {
		given.about = a.Shown.Attempt
	}
	if a.AboutWord() {
		var ids []string
		for _, w := range words[rowAt{a.Input, a.Sheet, a.Row}] {
			id := idOf(&w)
			ids = append(ids, id.column+"\n"+id.word)
		}
		given.about = strings.Join(ids, "\n")
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

// takeAnswer records an answer. It returns why the answer is not taken, or nil.
func (j *job) takeAnswer(ctx context.Context, a *returned.Answer) (*judge.Refusal, error) {
	if _, fits := a.Verdict.RuleOf(&a.Shown); !fits {
		if !a.Shown.Asks() && a.Verdict == importer.NoVerdict && !a.KeepsUnsent() {
			return nil, nil //nolint:nilnil // it is taken // a remark
		}
		return &judge.Refusal{Reason: unclearAnswer(&a.Shown)}, nil
	}
	if a.Verdict == importer.RiderIsRight {
		return nil, nil //nolint:nilnil // it is taken
	}
	given := j.answerOf(a)
	if given.Trip == 0 || a.Verdict == importer.DoneByHand {
		row, err := j.rowAt(a)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(row.Trips, func(t importer.Trip) bool { return t.Leg == a.Leg })
		switch {
		case i >= 0:
			known, err := j.target.ledger.Look(ctx, j.address, []*importer.Mapped{row})
			if err != nil {
				return nil, err
			}
			given.Places = &row.Trips[i]
			if known[0].Row == given.Row { // hashes of another row can't be compared
				given.Own = &known[0].Own[i]
			}
		case given.Trip == 0 && len(row.Trips) > 0:
			return j.otherLegs(a, row.Trips), nil
		}
	}
	_, refusal, err := recordAnswer(ctx, j.target.ledger, given)
	return refusal, err
}

// answerOf returns an answer in a workbook in the form in which the judge takes it: about its
// trip, or about its row if the trip was never sent. The person looked no later than the workbook
// was saved.
func (a *App) answerOf(given *returned.Answer) importer.Answer {
	by, o := a.personOf(given), &given.Shown
	answer := importer.Answer{
		Row: o.RowNumber, Leg: given.Leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Verdict: given.Verdict, GUID: given.GUID,
		Who: by.Who, Host: by.Host, Where: given.Where(), At: by.When,
	}
	if !given.Saved.IsZero() && given.Saved.Before(answer.At) {
		answer.At = given.Saved
	}
	if aboutTrip(given) {
		answer.Trip = o.Attempt
	} else {
		answer.Other = o.Attempt
	}
	return answer
}

// aboutTrip reports whether an answer that fits is about a trip that was sent, and not about what
// its row says now.
func aboutTrip(a *returned.Answer) bool { return isOwn(&a.Shown) }

// rowAt returns the answer's row as the results have it now, without trips if they do not have it.
func (j *job) rowAt(a *returned.Answer) (*importer.Mapped, error) {
	for _, in := range j.inputs {
		if in.Source.Hash() != a.Input {
			continue
		}
		for row, err := range in.Source.Rows() {
			if err != nil {
				return nil, err
			}
			if row.Num == a.Row && row.Sheet == a.Sheet {
				mapped := in.Mapper.Map(row.Clone(), nil)
				return &mapped, nil
			}
		}
	}
	return &importer.Mapped{}, nil
}

// otherLegs refuses an answer about a leg that its row does not make any more, and holds the legs
// back that it makes now: the answer may be about one of them.
func (j *job) otherLegs(a *returned.Answer, now []importer.Trip) *judge.Refusal {
	for i := range now {
		j.untaken[tripAt{rowAt{j.inputNamed(a.Input), a.Sheet, a.Row}, now[i].Leg}] = untakenAnswer{*a, false}
	}
	return &judge.Refusal{Reason: fmt.Sprintf("`%s` was not taken: the row makes other legs now; write for each what holds, such as `outbound: %s`", a.Verdict, a.Verdict)}
}

// askedWords returns the words that nobody has approved, of the rows that have an answer about a
// word.
func (j *job) askedWords(all []returned.Answer) (map[rowAt][]importer.NewWord, error) {
	words := map[rowAt][]importer.NewWord{}
	for i := range all {
		if all[i].AboutWord() {
			words[rowAt{all[i].Input, all[i].Sheet, all[i].Row}] = nil
		}
	}
	if len(words) == 0 {
		return nil, nil
	}
	for _, in := range j.inputs {
		bound, ok := in.Mapper.(wordMapper)
		if !ok {
			continue
		}
		for row, err := range in.Source.Rows() {
			if err != nil {
				return nil, err
			}
			at := rowAt{in.Source.Hash(), row.Sheet, row.Num}
			if _, answered := words[at]; answered {
				words[at] = bound.Bound.Map(row.Clone(), nil).NewWords
			}
		}
	}
	return words, nil
}

// takeWord records what becomes of all rows that have the new words of the answer's row. It returns
// why the answer is not taken, or nil. If somebody answered otherwise about the same list, neither
// counts.
func (j *job) takeWord(ctx context.Context, a *returned.Answer, words []importer.NewWord) (*judge.Refusal, error) {
	if len(words) == 0 {
		return &judge.Refusal{Reason: fmt.Sprintf("`%s` was not taken: nobody is asked about a word of its row any more", a.Verdict), Again: true}, nil
	}
	var open []importer.NewWord
	for i := range words {
		w := &words[i]
		before, answered := j.words.known[idOf(w)]
		switch v := j.words.verdict(w); {
		case v == a.Verdict:
		case answered && before.Event > a.Shown.Saw:
			if err := j.decideWord(ctx, w.Column, w.Text, importer.NoVerdict, j.personOf(a)); err != nil {
				return nil, err
			}
			return judge.Contradiction(before.Who, before.verdict, before.At), nil
		case v == importer.NoVerdict:
			open = append(open, *w)
		case answered: // any other word is one that nobody is asked about
			return &judge.Refusal{Reason: fmt.Sprintf("`%s` was not taken: rows with the word count as answered `%s`; if that is wrong, change words in %s", a.Verdict, v, j.mapping.File())}, nil
		}
	}
	if len(open) > 1 && a.Verdict == importer.LeaveOut {
		return &judge.Refusal{Reason: "the row has several new words: add the one that leaves rows out to words in " + j.mapping.File()}, nil
	}
	for i := range open {
		if err := j.decideWord(ctx, open[i].Column, open[i].Text, a.Verdict, j.personOf(a)); err != nil {
			return nil, err
		}
	}
	return nil, nil //nolint:nilnil // it is taken
}

const (
	seeResults = "look at the new results"
	guidTaken  = "another trip has this GUID: look again which of the two it belongs to"
)

// unclearAnswer says which answers fit a trip.
func unclearAnswer(o *importer.Outcome) string {
	return "the answer does not say clearly what was found, or does not fit: write " + o.VerdictWords()
}

// A givenAnswer is one of several answers that are given together and may contradict each
// other.
type givenAnswer struct {
	about   any // identifies what the answer is about: a trip, a leg of a row or a word
	verdict importer.Verdict
	guid    string
	at      string
}

// contradicting returns for each answer why it can't be taken, or nil. Two answers contradict
// each other if they say different things about the same trip, or give the same GUID to two
// trips. Neither of them may be taken.
func contradicting(all []givenAnswer) []*judge.Refusal {
	why := make([]*judge.Refusal, len(all))
	refuse := func(i int, format string, at string) { why[i] = &judge.Refusal{Reason: fmt.Sprintf(format, at)} }
	first, byGUID := map[any]int{}, map[string]int{}
	for i, a := range all {
		if k, ok := first[a.about]; !ok {
			first[a.about] = i
		} else if b := all[k]; a.verdict != b.verdict || a.guid != b.guid {
			refuse(i, "not taken: %s says something else about the same trip or word", b.at)
			refuse(k, "not taken: %s says something else about the same trip or word", a.at)
		}
		key := importer.GUIDKey(a.guid)
		if k, ok := byGUID[key]; key != "" && ok && all[k].about != a.about {
			refuse(i, "not taken: %s gives another trip the same GUID", all[k].at)
			refuse(k, "not taken: %s gives another trip the same GUID", a.at)
		}
		byGUID[key] = i
	}
	return why
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
