package app

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// retryList takes what people wrote in a morning list, and retries the results of the rows that they
// fixed there, or that an answer there sets free.
func (a *App) retryList(ctx context.Context, o Options, e Events, path string) error {
	j := a.newBareJob("retry", o, e, path)
	fixes, err := j.takeList(ctx)
	if err != nil {
		return err
	}
	if len(fixes) == 0 {
		j.notice("%s has nothing that is to be sent", filepath.Base(path))
	}
	ended := Done
	switch {
	case j.notTaken > 0:
		ended = NeedsPerson
	case j.outdated:
		ended = Listed
	}
	plans := o.Planning
	for _, workbook := range slices.Sorted(maps.Keys(fixes)) {
		if plans != nil {
			o.Planning = &Plan{}
		}
		o.Fixes = fixes[workbook]
		retry := a.newBareJob("retry", o, e, workbook)
		retry.list = path
		err = retry.doResults(ctx)
		if plans != nil {
			plans.ID, plans.Start = strings.TrimSpace(plans.ID+" "+o.Planning.ID), o.Planning.Start
			plans.Asks = append(plans.Asks, o.Planning.Asks...)
		}
		if own := (*Error)(nil); err != nil && (!errors.As(err, &own) || own.Reason != "") {
			return err
		}
		ended = ended.OrWorse(StatusOf(err))
	}
	if plans != nil {
		return nil
	}
	if j.notTaken > 0 { // the list stays where it is
		return &Error{Status: ended}
	}
	if err := a.markTaken(ctx, o, path); err != nil || ended == Done {
		return err
	}
	return &Error{Status: ended}
}

// markTaken records that all that is written in a list was taken, so that it can be moved aside.
func (a *App) markTaken(ctx context.Context, o Options, path string) error {
	info, statErr := os.Stat(path)
	full, pathErr := filepath.Abs(path)
	if err := errors.Join(statErr, pathErr); err != nil {
		return err
	}
	is := issuedFile{Size: info.Size(), Saved: info.ModTime().UTC(), Until: a.env.Clock.Wall(nil).AddDays(keptOpen), List: true, Typed: true}
	return a.writeLedger("retry", o.LockWait, func(l ledger.Ledger) error { return l.SetFact(ctx, is.fact(full, a.env.Clock.Now())) })
}

// OrWorse returns the status of two runs together.
func (s Status) OrWorse(other Status) Status {
	for _, worse := range []Status{Interrupted, Unexpected, Blocked, Later, Locked, NotSetUp, BadInput, NeedsPerson, FixRows, Listed} {
		if s == worse || other == worse {
			return worse
		}
	}
	return Done
}

// takeList takes the answers in the list, and returns the fixes of the results that are to be retried,
// by the paths of these. There is an empty list of fixes for results of which only answers tell.
func (j *job) takeList(ctx context.Context) (fixes map[string][]Fix, err error) {
	if j.opts.Rehearsal {
		return nil, Usage("only a schedule is rehearsed: retry this for real", "%s is a list of what is really open", filepath.Base(j.path))
	}
	defer func() { err = errors.Join(err, j.close()) }()
	if err := j.openTarget(ctx); err != nil {
		return nil, err
	}
	list, err := returned.Open(j.path, keyOf(j.ledger, j.path))
	if err != nil {
		return nil, err
	}
	j.closers = append(j.closers, list.Close)
	j.noticeOpen(j.path)
	if _, err := j.ledger.Run(ctx, list.After); err != nil && list.After != "" {
		if errors.Is(err, ledger.ErrNoRun) {
			err = Usage("answer in a list of this ledger", "%s was written by a newer ledger than %s", filepath.Base(j.path), j.ledger.Location())
		}
		return nil, err
	}
	return j.takeListed(ctx, list)
}

// takeListed is takeList with the list open.
func (j *job) takeListed(ctx context.Context, list *returned.Results) (map[string][]Fix, error) {
	t, err := j.newTaker(ctx, j.ledger, j.address)
	if err != nil {
		return nil, err
	}
	if err := t.takeEdited(ctx, j, list, fileTime(j.path)); err != nil {
		return nil, err
	}
	fixes := map[string][]Fix{}
	for _, a := range list.Answers {
		if item := t.list.items[idOfItem(&a.Shown, a.Leg)]; item != nil && a.Verdict != importer.NoVerdict && !a.Verdict.KeepsUnsent() {
			t.addFix(fixes, item)
		}
	}
	for _, f := range list.Fixes {
		item, refusal := t.place(&f, j.path)
		if refusal != nil {
			t.refused(f.InList.File+", "+f.InList.String(), refusal)
			j.outdated = j.outdated || !refusal.Waits
			continue
		}
		t.addFix(fixes, item, f.Fix)
	}
	j.tellTaken(&t.Taken)
	return fixes, t.ledger.SetFact(ctx, t.news...)
}

// place adds the place of its row to what was fixed in a list. It returns what is open of the row, and why the fix does not
// hold any more, or nil.
func (t *taker) place(f *returned.LineFix, list string) (*results.OpenItem, *judge.Refusal) {
	f.InList.File = filepath.Base(list)
	item := t.list.items[idOfItem(&f.Shown, f.Leg)]
	if item == nil {
		return nil, judge.TakeFix(f.Shown.Saw, nil)
	}
	f.Input, f.At.Sheet, f.At.Row = item.Input, item.Sheet, item.Row
	return item, judge.TakeFix(f.Shown.Saw, &item.Outcome)
}

func fileTime(path string) (at time.Time) {
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	return at
}

// addFix adds fixes to those of the results of an item.
func (t *taker) addFix(fixes map[string][]Fix, item *results.OpenItem, all ...Fix) {
	if _, err := os.Stat(item.Results); err != nil {
		t.Notes = append(t.Notes, "there are no results of "+item.File+" where they were written: fix the schedule, and import it")
		t.untaken++
		return
	}
	fixes[item.Results] = append(fixes[item.Results], all...)
}
