package app

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// issue records that the run wrote results, in which people will answer.
func (r *reporter) issue(written []string) error {
	until := cmp.Or(r.last, r.job.clock.Wall(nil).AddDays(keptOpen))
	var facts []ledger.Fact
	for _, path := range written {
		path, pathErr := filepath.Abs(path)
		if info, err := os.Stat(path); err == nil && pathErr == nil {
			facts = append(facts, issuedFile{Size: info.Size(), Saved: info.ModTime().UTC(), Until: until, Run: r.job.start.Run.ID}.fact(path, r.clock.Now()))
		}
	}
	return r.ledger.SetFact(context.Background(), facts...)
}

// takeIssued takes what people wrote in the workbook that the job retries, and in those that the ledger
// issued, before anything is planned. What can't be taken is told.
func (j *job) takeIssued(ctx context.Context) error {
	if j.service == nil || j.opts.Rehearsal && j.edited == nil {
		return nil
	}
	r, err := j.newTaker(ctx, j.ledger, j.address)
	if err != nil {
		return err
	}
	r.job = j
	err = r.takeAll(ctx)
	j.tellTaken(&r.Taken)
	return err
}

// folders returns the folders of the job's files and results.
func (j *job) folders() (folders []string) {
	for _, file := range []string{j.inputPath(), j.source(), j.path, j.output()} {
		if full, err := filepath.Abs(file); err == nil {
			folders = append(folders, filepath.Dir(full))
		}
	}
	return folders
}

func (j *job) tellTaken(taken *Taken) {
	j.notTaken += taken.untaken
	for _, note := range slices.Concat(taken.Notes, taken.newlyMissing) {
		j.notice("%s", note)
	}
	if taken.Answers > 0 {
		j.notice("%s taken that people wrote since", importer.Counted(taken.Answers, "answer was", "answers were"))
	}
}

func (a *App) newTaker(ctx context.Context, l ledger.Ledger, address string) (*taker, error) {
	known, err := issuedFiles(ctx, l)
	return &taker{App: a, ledger: l, began: l.Number(), address: address, known: known, there: map[string]bool{}, since: a.env.Clock.Wall(nil).AddDays(-keptOpen)}, err
}

// takeAll takes what people wrote in all workbooks; in a rehearsal, in the one that is retried. Nothing is
// taken if the ledger is not the newest.
func (t *taker) takeAll(ctx context.Context) (err error) {
	var found []foundFile
	if t.job == nil || !t.job.opts.Rehearsal {
		if found, err = t.find(ctx); err != nil {
			return err
		}
	}
	if t.job != nil && t.job.edited != nil {
		if err := t.takeEdited(ctx, t.job, t.job.edited, time.Time{}); err != nil {
			return err
		}
	}
	for i := range found {
		if err := t.takeFile(ctx, &found[i]); err != nil {
			return err
		}
	}
	if err := t.tellMissing(ctx); err != nil {
		return err
	}
	slices.Sort(t.Notes)
	return t.ledger.SetFact(ctx, t.news...)
}

// A foundFile is a file that may be a workbook of ours, with what it says of its run.
type foundFile struct {
	path  string
	info  os.FileInfo
	trace returned.Trace
	ours  bool
	// isRead reports that it was not saved since it was read last. A ledger that was put back has perhaps read it,
	// and lacks its run all the same.
	isRead bool
}

// find returns the files in the job's folders, and in those that the ledger knows, that were written or
// saved since they were read last. It refuses a ledger that lacks a run, or the end of a run, whose results
// are in the job's folders: the trips of that run would be booked again.
func (t *taker) find(ctx context.Context) (found []foundFile, err error) {
	folders, err := t.ledger.Facts(ctx, factFolder)
	if err != nil {
		return nil, err
	}
	var own, lost []string
	if t.job != nil {
		own = t.job.folders()
	}
	dirs := slices.Clone(own)
	for _, f := range folders {
		dirs = append(dirs, f.Subject)
		lists, _ := fs.Glob(os.DirFS(f.Subject), "*/morning*.xlsx") // somebody put them away
		for _, list := range lists {
			dirs = append(dirs, filepath.Join(f.Subject, filepath.Dir(filepath.FromSlash(list))))
		}
	}
	for path := range t.known {
		dirs = append(dirs, filepath.Dir(path))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		for _, f := range t.findIn(dir, slices.Contains(own, dir)) {
			isLost, err := t.isLost(ctx, &f)
			switch {
			case err != nil:
				return nil, err
			case isLost && slices.Contains(own, dir):
				lost = append(lost, f.path)
			case !f.isRead:
				found = append(found, f)
			}
		}
	}
	return found, refuseLost(t.ledger, lost)
}

// findIn returns the files of a folder that were written or saved since they were read last, or all of them. A
// folder that is not there was moved, or is on another machine: tellMissing names what was there.
func (t *taker) findIn(dir string, all bool) (found []foundFile) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		f := foundFile{path: filepath.Join(dir, entry.Name())}
		var err error
		if f.info, err = os.Stat(f.path); err != nil || !isSpreadsheet(f.info) && !t.reads(f.path) { // a link is what it leads to
			continue // or it was removed just now
		}
		was, known := t.known[f.path]
		t.there[was.Run] = t.there[was.Run] || !was.List // a list has the rows of a run, and is not its results
		f.isRead = known && was.isRead(f.info) && !t.reads(f.path)
		if f.isRead && was.Fixed {
			t.noteFixes(filepath.Base(f.path), f.path)
		}
		if f.isRead && !all {
			continue
		}
		f.trace, f.ours = returned.TraceOf(f.path)
		t.there[f.trace.Run] = t.there[f.trace.Run] || !f.trace.Morning
		found = append(found, f)
	}
	return found
}

// isSpreadsheet reports whether a file is named as a spreadsheet, and not as the lock of one that is open.
func isSpreadsheet(f os.FileInfo) bool {
	name := strings.ToLower(f.Name())
	isLock := strings.HasPrefix(name, "~$") || strings.HasPrefix(name, ".")
	isOther := slices.Contains([]string{".xlsm", ".xlsb", ".txt", ".tsv", ".ods", ".xls", ".numbers"}, filepath.Ext(name))
	return f.Mode().IsRegular() && !isLock && (isOther || results.FormatOf(name) != "")
}

// isLost reports whether a file has results of a run that the ledger lacks, or of which it lacks the end.
func (t *taker) isLost(ctx context.Context, f *foundFile) (bool, error) {
	if !f.ours || f.trace.Morning || f.trace.Ledger != t.ledger.Identity() {
		return false, nil
	}
	known, err := t.ledger.Run(ctx, f.trace.Run)
	if errors.Is(err, ledger.ErrNoRun) {
		return f.trace.Number > 0, nil
	}
	return f.trace.Number > t.ledger.Number() || known.BrokenOffAt > 0 && f.trace.Number > known.BrokenOffAt, err
}

// reads reports whether the job reads a file itself: the results that it retries, or the list in which these
// were fixed.
func (t *taker) reads(path string) bool {
	return t.retries() && slices.ContainsFunc([]string{t.job.path, t.job.list}, func(own string) bool {
		full, _ := filepath.Abs(own)
		return full == path
	})
}

// retries reports whether the job retries results.
func (t *taker) retries() bool { return t.job != nil && t.job.edited != nil }

// takeFile takes what people wrote in a file that the ledger issued, or in a copy of one.
func (t *taker) takeFile(ctx context.Context, f *foundFile) error {
	was, known := t.known[f.path]
	if t.reads(f.path) {
		if was.Changed = t.job.edited.Changed; !f.trace.Morning { // retryList tells when all of a list was taken
			t.noteTaken(f, was, t.job.edited)
		}
		return nil
	}
	is, ours, err := t.identify(ctx, f)
	if err != nil || !ours {
		return err
	}
	edited, err := returned.Open(f.path, keyOf(t.ledger, f.path))
	if err != nil {
		return t.refuse(ctx, f.path, is, err)
	}
	defer func() { _ = edited.Close() }() // only read from
	j := t.newBareJob("retry", Options{}, Silent{}, f.path)
	if !edited.Morning {
		if err := j.bindEdited(edited, j.mappingOf(edited)); err != nil {
			j.bound = nil
		}
	}
	if err := t.takeEdited(ctx, j, edited, f.info.ModTime()); err != nil {
		return err
	}
	for _, fix := range edited.Fixes {
		t.noteFixes(filepath.Base(f.path)+", "+fix.InList.String(), f.path)
	}
	if !slices.Contains([]uint64{0, was.Changed}, edited.Changed) {
		t.noteFixes(filepath.Base(f.path), f.path)
	}
	if is.Changed = was.Changed; known && !edited.Morning {
		is.Until = was.Until
	}
	t.noteTaken(f, is, edited)
	return nil
}

// noteTaken notes that what people wrote in a file was taken.
func (t *taker) noteTaken(f *foundFile, is issuedFile, edited *returned.Results) {
	answers, fixes := len(edited.Answers), len(edited.Fixes)
	is.Size, is.Saved, is.Said = f.info.Size(), f.info.ModTime().UTC(), importer.Each(edited.Answers, said)
	is.List, is.Typed, is.Fixed = edited.Morning, answers+fixes > 0, fixes > 0
	_, isAside := movedAside(f.path) // it stays there
	is.Apart = is.Apart || isAside
	is.Refused = t.known[f.path].Refused && answers == 0 // a fresh copy lets nothing go
	t.note(f.path, is)
}

// note notes how a file is now.
func (t *taker) note(path string, is issuedFile) {
	t.known[path] = is
	t.news = append(t.news, is.fact(path, t.env.Clock.Now()))
}

// takeEdited takes what people wrote in a workbook. The rows of results are those of the job. saved is when the
// workbook was saved; zero if it is read at once.
func (t *taker) takeEdited(ctx context.Context, j *job, edited *returned.Results, saved time.Time) (err error) {
	file := filepath.Base(j.path)
	if j.fromRehearsal(edited) {
		return refuseRehearsed(edited, file)
	}
	if t.list == nil {
		if t.list, err = t.listOpen(ctx, t.ledger, time.Time{}); err != nil {
			return err
		}
	}
	all := edited.Answers
	full, _ := filepath.Abs(j.path)
	if t.said = t.saidIn(full); saved.IsZero() { // who retries it may mean them still
		t.said = nil
	}
	if err := t.takeProofs(ctx, edited, file); err != nil {
		return err
	}
	for i := range all {
		all[i].Saved, all[i].At.File = saved, file
	}
	if t.rows, err = j.rowsOf(all); err != nil {
		return err
	}
	if err := t.takeAnswers(ctx, all); err != nil {
		return err
	}
	if len(all) == 0 {
		return nil
	}
	return t.lift(ctx, full, edited.Run, !saved.IsZero())
}

// saidIn returns the answers that were read in a file before, also where it was before it was moved or copied.
func (t *taker) saidIn(file string) (said []string) {
	info, err := os.Stat(file)
	for path, was := range t.known {
		if path == file || err == nil && was.isAs(info) {
			said = append(said, was.Said...)
		}
	}
	return said
}

// identify tells whether a file is a workbook in which people answer about what this ledger has, and how it
// is now. What else people may take for one is named once.
func (t *taker) identify(ctx context.Context, f *foundFile) (is issuedFile, ours bool, err error) {
	name, trace := filepath.Base(f.path), &f.trace
	is = issuedFile{Size: f.info.Size(), Saved: f.info.ModTime().UTC(), Until: t.since.AddDays(2 * keptOpen), Run: trace.Run, List: trace.Morning}
	was, known := t.known[f.path]
	known = known && !was.Apart
	put, isAside := movedAside(f.path)
	other := t.whyOther(trace)
	switch {
	case isAside && !is.Saved.After(put): // its answers were taken under its earlier name
	case other != "":
		if returned.Answered(f.path) {
			t.Notes = append(t.Notes, "no answer in "+name+" was taken: "+other+": answer in the results of an import")
		}
	case !f.ours && !known:
		return is, false, t.refuseDamaged(ctx, f, is)
	case !f.ours, trace.Run == "":
		return is, true, nil // it is refused when it is opened
	default:
		if _, err = t.ledger.Run(ctx, trace.Run); !errors.Is(err, ledger.ErrNoRun) {
			return is, err == nil, err
		}
		t.Notes = append(t.Notes, name+" is of a run that this ledger does not have: what people wrote in it is not taken") // it was put back since
	}
	is.Apart = true
	t.note(f.path, is)
	return is, false, nil
}

// whyOther says why answers in a workbook of ours have no effect here, whatever they are; empty if they may have one.
func (t *taker) whyOther(trace *returned.Trace) string {
	switch {
	case trace.Check:
		return "it is of a check, which records nothing"
	case trace.Rehearsal:
		return "it is of a rehearsal"
	case trace.Ledger != "" && trace.Ledger != t.ledger.Identity():
		return "it belongs to another ledger"
	}
	return ""
}

// noteFixes notes that what was fixed in a list, at a place in it, is not sent yet.
func (t *taker) noteFixes(at, list string) {
	if !slices.Contains(t.Fixed, list) {
		t.Fixed = append(t.Fixed, list)
	}
	t.Notes = append(t.Notes, at+": "+importer.Do("what was fixed there is not sent until it is retried", importer.RetryResults, list).Say(t.env.Spell))
}

// tellMissing names each workbook of days to come that is not where it was written, and tells of it
// once. A run that left nothing to a person is none to be missed. Lists are written anew, and moved
// aside.
func (t *taker) tellMissing(ctx context.Context) error {
	for _, path := range slices.Sorted(maps.Keys(t.known)) {
		was := t.known[path]
		if _, err := os.Stat(path); err == nil || t.there[was.Run] {
			continue
		}
		if was.List || was.Apart || was.Until.Compare(t.since) < 0 {
			t.news = append(t.news, ledger.Fact{Kind: factIssued, Subject: path, At: t.env.Clock.Now()})
			continue
		}
		of, err := t.ledger.Run(ctx, was.Run)
		if err != nil && !errors.Is(err, ledger.ErrNoRun) {
			return err
		}
		if isComplete(&of) {
			continue
		}
		missing := results.MissingResults{File: filepath.Base(path), Host: cmp.Or(of.Host, hostName())}
		if t.Missing = append(t.Missing, missing); !was.Missing {
			was.Missing = true
			t.news = append(t.news, was.fact(path, t.env.Clock.Now()))
			t.newlyMissing = append(t.newlyMissing, missing.String())
		}
	}
	return nil
}

// isComplete reports whether a run ended and left nothing to a person.
func isComplete(of *ledger.Run) bool {
	for state, n := range of.Totals.Trips {
		if n > 0 && importer.State(state).Urgency() != importer.NoAction {
			return false
		}
	}
	return !of.Ended.IsZero() && of.Totals.GUIDMissing == 0
}
