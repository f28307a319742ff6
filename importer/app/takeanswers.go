package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/results/seal"
	"tripimport/importer/returned"
)

// Taken says what became of what people wrote in workbooks.
type Taken struct {
	// Answers counts the answers that were taken. Notes say why others were not taken; their
	// trips wait. They have no row content.
	Answers int
	Notes   []string
	// Refused are the names of the workbooks of which no answer was taken.
	Refused []string
	// Fixed are the lists in which cells were fixed that no retry has sent.
	Fixed []string
	// Missing are the results that are not where they were written, and of which something may
	// have to be answered.
	Missing []results.MissingResults

	// newlyMissing are sentences about those of them that nobody was told of before.
	newlyMissing []string

	// untaken counts what people wrote that was not taken, and for which something waits.
	untaken int
}

// A taker takes what people wrote at the terminal, in the workbooks that the ledger issued, in copies of them, and
// in the workbook that a job retries.
type taker struct {
	*App
	Taken

	ledger ledger.Ledger
	began  int64 // the ledger's last event before it took any
	list   *openList
	// address is the service's. rows has the rows of a workbook as it has them now, by their
	// numbers; none for a list.
	address string
	rows    map[int]*workbookRow
	said    []string // the answers that were read in the workbook before

	job   *job                  // nil for none
	known map[string]issuedFile // what the ledger has of workbooks, by their paths
	news  []ledger.Fact         // what it is to have
	since importer.Date
	there map[string]bool // the runs whose results are there, under whatever name
}

// A workbookRow is a row of results as they have it now, or the row of an item, with its words alone.
type workbookRow struct {
	importer.Mapped
	broker string
	// apart reports that another row of the workbook has the row's id too.
	apart bool
}

func rowWithWords(i *results.OpenItem) *workbookRow {
	return &workbookRow{Mapped: importer.Mapped{NewWords: i.Words}, broker: i.Broker}
}

// takeAnswers takes answers. What is not taken is told, and holds its trip until a person answers
// about that.
func (t *taker) takeAnswers(ctx context.Context, all []returned.Answer) error {
	for i := range all {
		a := &all[i]
		if a.Verdict == importer.NoVerdict && !a.Shown.Asks() && !a.Shown.State.Missing() {
			t.refused(a.At.File, &judge.Refusal{Reason: "what stands beside trips about which nothing is asked changes nothing"})
			continue
		}
		isNew, refusal, err := t.take(ctx, a)
		switch {
		case err != nil:
			return err
		case refusal != nil:
			t.refused(a.Where(), refusal)
		case isNew:
			t.Answers++
		}
	}
	return nil
}

// refused tells why what a person wrote at a place was not taken.
func (t *taker) refused(at string, refusal *judge.Refusal) {
	if note := at + ": " + refusal.Reason; !slices.Contains(t.Notes, note) {
		t.Notes = append(t.Notes, note)
	}
	t.untaken += importer.One(refusal.Waits)
}

// take takes an answer, with what its row says in the workbook now. It returns whether the answer is recorded now, and not before,
// and why it is not taken, or nil.
func (t *taker) take(ctx context.Context, a *returned.Answer) (isNew bool, refusal *judge.Refusal, err error) {
	given := t.answerOf(a)
	switch wrong := t.misfit(a); {
	case wrong != "":
		refusal, err = recordUnclear(ctx, t.ledger, given, wrong)
		return false, refusal, err
	case a.Verdict == importer.RiderIsRight: // it is about a cell that a retry sends
		return false, nil, nil
	case a.Verdict.AboutWords(a.Shown.Question):
		return t.takeWords(ctx, a, given)
	}
	row := t.rows[a.Row]
	switch {
	case row == nil || given.Trip != 0 && a.Verdict != importer.DoneByHand:
	case row.TripOf(a.Leg) >= 0:
		err = t.addRow(ctx, row, &given)
	case given.Trip == 0 && a.Shown.State != importer.CancelByHand:
		refusal, err = t.refuseLegs(ctx, row, given)
	}
	if err != nil || refusal != nil {
		return false, refusal, err
	}
	return recordAnswer(ctx, t.ledger, given)
}

// misfit returns why an answer can't be taken by itself, whatever became of its trip; "" if it can.
func (t *taker) misfit(a *returned.Answer) string {
	_, fits := a.Verdict.RuleOf(&a.Shown)
	switch {
	case fits && strings.HasPrefix(a.GUID, importer.RehearsedGUID) && t.address != rehearsalAddress:
		return guidRehearsed
	case fits && a.Verdict.AboutWords(a.Shown.Question) && strings.HasPrefix(strings.ToLower(a.Text), a.Leg.String()+":"):
		return fmt.Sprintf("`%s` is about both legs of all rows with the word, and stands alone; `leave it` and `booked by hand` may be about one leg", a.Verdict)
	case fits:
		return ""
	}
	why := "the answer does not say clearly what was found, or does not fit: write " + a.Shown.VerdictWords() + " under " + seal.AnswerHeader
	if a.Leg != importer.OnlyLeg {
		why += fmt.Sprintf(", and for one leg alone begin with `%s:`", a.Leg)
	}
	return why
}

// answerOf returns an answer in a workbook in the form in which the judge takes it: about its
// trip, or about its row if the trip was never sent. The person looked no later than the workbook
// was saved.
func (t *taker) answerOf(given *returned.Answer) importer.Answer {
	by, o := t.thisPerson(), &given.Shown
	answer := importer.Answer{
		Row: o.RowNumber, Leg: given.Leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Verdict: given.Verdict, GUID: given.GUID,
		Who: cmp.Or(given.Who, by.Who), Host: by.Host, Where: given.Where(), In: given.At.File, At: by.When, Note: given.Text,
		Again: slices.Contains(t.said, said(*given)),
	}
	if !given.Saved.IsZero() && given.Saved.Before(answer.At) {
		answer.At = given.Saved
	}
	if o.State.Missing() {
		answer.Day = o.Begins.Date
	}
	if isOwn(o) {
		answer.Trip = o.Attempt
	} else {
		answer.Other = o.Attempt
	}
	return answer
}

// addRow adds to an answer what its row says of the leg in the workbook now: the places of a trip that was not sent, and the values that a person has changed a booked one to.
func (t *taker) addRow(ctx context.Context, row *workbookRow, given *importer.Answer) error {
	i := row.TripOf(given.Leg)
	known, err := t.ledger.Look(ctx, t.address, []*importer.Mapped{&row.Mapped})
	if err != nil {
		return err
	}
	given.Places, given.Day = &row.Trips[i], cmp.Or(row.Trips[i].Date(), given.Day)
	if known[0].Row == given.Row { // hashes of another row can't be compared
		given.Own, given.Apart = &known[0].Own[i], row.apart
	}
	return nil
}

// refuseLegs refuses an answer about a leg that its row does not make any more. The legs that it makes
// now wait: the answer may be about one of them.
func (t *taker) refuseLegs(ctx context.Context, row *workbookRow, given importer.Answer) (*judge.Refusal, error) {
	v := given.Verdict
	for i := range row.Trips {
		given.Leg = row.Trips[i].Leg
		if _, err := recordUnclear(ctx, t.ledger, given, ""); err != nil {
			return nil, err
		}
	}
	return &judge.Refusal{
		Reason: fmt.Sprintf("`%s` was not taken: the row makes other legs now; write for each what holds, such as `outbound: %s`", v, v), Waits: true,
	}, nil
}

// takeWords records what an answer does about the words of its row, as the judge decides, and about what is in doubt of the
// row too.
func (t *taker) takeWords(ctx context.Context, a *returned.Answer, given importer.Answer) (isNew bool, refusal *judge.Refusal, err error) {
	row := cmp.Or(t.rows[a.Row], t.list.asked[idOfItem(&a.Shown, a.Leg)], &workbookRow{})
	known, err := readWords(ctx, t.ledger)
	if err != nil {
		return false, nil, err
	}
	known.addTo(row.NewWords, row.broker)
	changed, refusal := judge.TakeWords(given, row.NewWords)
	facts := make([]ledger.Fact, len(changed))
	for i := range changed {
		facts[i] = wordFact(row.broker, &changed[i], &given)
	}
	switch err = t.ledger.SetFact(ctx, facts...); {
	case errors.Is(err, importer.ErrMeanwhile): // somebody has answered at another machine
		return t.takeWords(ctx, a, given)
	case err == nil && refusal == nil:
		_, _, err = recordAnswer(ctx, t.ledger, given)
	}
	// Whoever answers beside several trips with a word is told that all of these answers were taken.
	isNew = len(changed) > 0 || slices.ContainsFunc(row.NewWords, func(w importer.NewWord) bool { return w.Answer.Event > t.began })
	return isNew, refusal, err
}

// AnswerOpen records a person's answer at the terminal about an item of the list. If it is not
// taken, note says why, and the item stays open. If it is taken, the item is as somebody sees it who
// knows the answer, so that a newer one takes it back. It holds the ledger only meanwhile.
func (a *App) AnswerOpen(ctx context.Context, item *results.OpenItem, v importer.Verdict, guid string) (note string, err error) {
	err = a.holdLedger(ctx, func(l ledger.Ledger) error {
		given := returned.Answer{At: importer.Ref{File: "terminal"}, Leg: item.Trip.Leg, Shown: item.Outcome, Verdict: v, GUID: guid}
		given.Shown.Begins = item.Begins()
		t := &taker{App: a, ledger: l, list: &openList{asked: map[itemID]*workbookRow{idOfItem(&given.Shown, given.Leg): rowWithWords(item)}}}
		_, refusal, err := t.take(ctx, &given)
		switch {
		case refusal != nil:
			note = refusal.Reason
		case err == nil:
			item.Outcome.Saw = l.Number()
		}
		return err
	})
	return note, err
}

// WhyNoAnswer says why the ledger takes no answer, and what to do about it; empty if it does, or a run holds it for now.
func (a *App) WhyNoAnswer() string {
	err := a.writeLedger("morning", 0, func(ledger.Ledger) error { return nil })
	known, ok := errors.AsType[importer.Advised](err)
	if !ok || StatusOf(err) == Locked {
		return ""
	}
	return known.Error() + "; " + importer.SayAll(known.Advice(), a.env.Spell)
}

// answerWait is how long an answer at the terminal waits for a run that holds the ledger.
const answerWait = 5 * time.Second

const (
	guidTaken     = "another trip has this GUID: look again which of the two it belongs to"
	guidRehearsed = "this is a rehearsal's GUID, and nothing is booked under it: look for the trip in the service, and write the GUID that it has there"
)

// An itemID identifies an item of the list: a trip that was sent by its number, any other by the
// ledger's number of its row and its leg.
type itemID struct {
	sent, row int64
	leg       importer.Leg
}

func idOfItem(o *importer.Outcome, leg importer.Leg) itemID {
	if isOwn(o) {
		return itemID{sent: o.Attempt}
	}
	return itemID{row: o.RowNumber, leg: leg}
}

// isOwn reports whether the number in an outcome is that of its own trip, and not of another
// trip that a question is about.
func isOwn(o *importer.Outcome) bool { return o.Attempt != 0 && !o.State.Missing() }

// rowsOf returns the rows of answers as the job's results have them now.
func (j *job) rowsOf(all []returned.Answer) (map[int]*workbookRow, error) {
	rows := map[int]*workbookRow{}
	for i := range all {
		if all[i].Row != 0 {
			rows[all[i].Row] = nil
		}
	}
	if len(rows) == 0 || j.bound == nil { // without its mapping, the answers count for what the schedule says
		return rows, nil
	}
	with := map[string]int{} // the number of rows with an id
	for row, err := range j.input.Source.Rows() {
		if err != nil {
			return nil, err
		}
		_, wanted := rows[row.Num]
		if wanted {
			row = row.Clone()
		}
		m := j.input.Mapper.Map(row, nil)
		if m.LeftOut == "" {
			with[rowIDText(&m)]++
		}
		if wanted {
			rows[row.Num] = &workbookRow{Mapped: m, broker: j.broker()}
		}
	}
	for _, row := range rows {
		if row != nil && row.Key.ID != "" {
			row.apart = with[rowIDText(&row.Mapped)] > 1
		}
	}
	return rows, nil
}

// rowIDText returns a text that two rows of a workbook share which have one id, and one day unless each id is used once.
func rowIDText(m *importer.Mapped) string {
	id := strings.Join(m.Key.Text(), "\n")
	if m.Key.IDs == importer.UniqueIDs {
		return id
	}
	return id + "\n" + m.Key.Date.String()
}

// refuseRehearsed refuses a rehearsal's results in which a person wrote about trips: those are the rehearsal's.
func refuseRehearsed(edited *returned.Results, file string) error {
	var at []string
	for i := range edited.Answers {
		if a := &edited.Answers[i]; a.Verdict != importer.RiderIsRight {
			at = append(at, fmt.Sprintf("%s: `%s`", a.At, strings.TrimSpace(a.Text)))
		}
	}
	if at == nil {
		return nil
	}
	return Usage("take it out there, and answer in the results of the import", "what is written in %s of trips is about the rehearsal, and would have no effect; nothing was sent:%s", file, listed(at))
}

// thisPerson returns the person at the machine, and the present time.
func (a *App) thisPerson() ledger.Person {
	who, host := a.whoAmI()
	return ledger.Person{Who: who, Host: host, When: a.env.Clock.Now()}
}
