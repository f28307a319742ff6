package app

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// factFolder is the kind of the facts that name folders with morning workbooks, and factResults
// of those that name results.
const factFolder, factResults = "folder", "results"

// An issuedFile is what the ledger has of results: how the file was when they were written, or
// when the answers in them were taken last, and the last day of service that they are about.
type issuedFile struct {
	Size  int64
	Saved time.Time
	Until importer.Date
}

// issue records that the run wrote results, in which people will answer.
func (r *reporter) issue(written []string) error {
	until := r.last
	if until.IsZero() {
		until = r.job.clock.Wall(nil).AddDays(keptOpen)
	}
	var facts []ledger.Fact
	for _, path := range written {
		path, err := filepath.Abs(path)
		if err != nil {
			continue
		}
		if fact, ok := issuedFact(path, until, r.clock.Now()); ok {
			facts = append(facts, fact)
		}
	}
	return r.target.ledger.SetFact(context.Background(), facts...)
}

// issuedFact returns the fact about a file as it is now, and false if it is not there.
func issuedFact(path string, until importer.Date, at time.Time) (ledger.Fact, bool) {
	info, err := os.Stat(path)
	if err != nil {
		return ledger.Fact{}, false
	}
	text, err := json.Marshal(issuedFile{info.Size(), info.ModTime().UTC(), until})
	return ledger.Fact{Kind: factResults, Subject: path, Value: string(text), At: at}, err == nil
}

// takeIssued takes the answers in the workbooks that the ledger issued, before anything is
// planned. What can't be taken is told. Results that were not saved since are not read.
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
		j.tellTaken(&taken)
	}
	return j.takeIssuedResults(ctx)
}

func (j *job) tellTaken(taken *Taken) {
	if j.unread == nil {
		j.unread = unread{}
	}
	maps.Copy(j.unread, taken.unread)
	for _, note := range taken.Notes {
		j.notice("%s", note)
	}
	if taken.Answers > 0 {
		j.notice("%s taken that people wrote since", importer.Counted(taken.Answers, "answer was", "answers were"))
	}
}

// takeIssuedResults takes the answers in results that were saved since they were read last, and
// forgets results of days that are past.
func (j *job) takeIssuedResults(ctx context.Context) error {
	facts, err := j.target.ledger.Facts(ctx, factResults)
	if err != nil {
		return err
	}
	var news []ledger.Fact
	var list *openList
	since := j.env.Clock.Wall(nil).AddDays(-keptOpen)
	for _, f := range facts {
		var was issuedFile
		if err := json.Unmarshal([]byte(f.Value), &was); err != nil || was.Until.Compare(since) < 0 {
			news = append(news, ledger.Fact{Kind: factResults, Subject: f.Subject, At: j.env.Clock.Now()})
			continue
		}
		info, err := os.Stat(f.Subject)
		if err != nil || info.Size() == was.Size && info.ModTime().Equal(was.Saved) {
			continue
		}
		if list == nil {
			if list, err = j.listOpen(ctx, j.target.ledger); err != nil {
				return err
			}
		}
		all, err := j.takeResults(ctx, list, f.Subject, info.ModTime())
		if err != nil {
			return err
		}
		if fact, ok := issuedFact(f.Subject, was.Until, j.env.Clock.Now()); ok && all {
			news = append(news, fact) // what was not taken holds its trip in the next run too
		}
	}
	return j.target.ledger.SetFact(ctx, news...)
}

// holdAsked holds the trips back that results ask about which can't be read: somebody may have
// answered there that they are not to be sent.
func (j *job) holdAsked(ctx context.Context, path string) error {
	items, err := openItems(ctx, j.target.ledger)
	held := unread{}
	for k := range items {
		i := &items[k]
		leg, _ := importer.ParseLeg(i.Leg)
		if filepath.Base(i.Results) == filepath.Base(path) && i.Outcome.State.Missing() {
			held[itemID{row: i.Outcome.RowNumber, leg: leg}] = filepath.Base(path)
		}
	}
	j.tellTaken(&Taken{unread: held})
	return err
}

// takeResults takes the answers in results, but for those that the job itself reads. It reports whether none of them holds a trip back.
func (j *job) takeResults(ctx context.Context, list *openList, path string, saved time.Time) (all bool, err error) {
	if own, _ := filepath.Abs(j.path); own == path {
		return true, nil // the retry took them
	}
	t := &taker{App: j.App, ledger: j.target.ledger, Taken: Taken{unread: unread{}}}
	edited, err := j.openResultsOf(t.ledger, path)
	if err != nil {
		j.notice("%s", noneTaken(path, err))
		return false, j.holdAsked(ctx, path)
	}
	defer func() { _ = edited.Close() }() // only read from
	var answers []returned.Answer
	for _, a := range edited.Answers() {
		if a.Verdict == importer.RiderIsRight || a.Verdict == importer.NoVerdict && !a.Shown.Asks() && !a.Shown.State.Missing() {
			continue // the one is about a cell that a retry sends, the other a remark
		}
		a.Saved, a.At.File = saved, filepath.Base(path)
		answers = append(answers, a)
	}
	if err := t.takeAll(ctx, list, answers); err != nil {
		return false, err
	}
	j.tellTaken(&t.Taken)
	return len(t.unread) == 0, nil
}
