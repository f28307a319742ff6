package app

import (
	"context"
	"encoding/json"
	"errors"
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
	until := r.last
	if until.IsZero() {
		until = r.job.clock.Wall(nil).AddDays(keptOpen)
	}
	var facts []ledger.Fact
	for _, path := range written {
		path, pathErr := filepath.Abs(path)
		if info, err := os.Stat(path); err == nil && pathErr == nil {
			facts = append(facts, issuedFile{Size: info.Size(), Saved: info.ModTime().UTC(), Until: until, Run: r.job.start.Run.ID}.fact(path, r.clock.Now()))
		}
	}
	return r.target.ledger.SetFact(context.Background(), facts...)
}

// takeIssued takes what people wrote in the workbooks that the ledger issued, before anything is
// planned. What can't be taken is told.
func (j *job) takeIssued(ctx context.Context) error {
	if j.target == nil || j.opts.Rehearsal {
		return nil
	}
	var own jobFiles
	if j.edited != nil {
		for _, path := range []string{j.path, j.list} {
			full, _ := filepath.Abs(path)
			own.read = append(own.read, full)
		}
		own.answers = len(j.edited.Answers())
	}
	for _, path := range append(j.inputPaths(), j.output(results.XLSX)) {
		if full, err := filepath.Abs(path); err == nil {
			own.folders = append(own.folders, filepath.Dir(full))
		}
	}
	taken, err := j.App.takeIssued(ctx, j.target.ledger, j.target.address, own)
	j.tellTaken(&taken)
	return err
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

// An issuedReader reads the workbooks that the ledger issued, and copies of them.
type issuedReader struct {
	*unreadableFiles
	since importer.Date
	there map[string]bool // the runs whose results are there, under whatever name
	own   jobFiles
}

// jobFiles are those of a job: the workbooks that it read itself, with so many answers, and the folders of its
// files and results.
type jobFiles struct {
	read, folders []string
	answers       int
}

// takeIssued takes what people wrote in the workbooks that the ledger issued, and in copies beside
// them, and in the job's folders. Files that were not saved since they were read are not read.
func (a *App) takeIssued(ctx context.Context, l ledger.Ledger, address string, own jobFiles) (Taken, error) {
	facts, err := l.Facts(ctx, factIssued)
	if err != nil {
		return Taken{}, err
	}
	folders, err := l.Facts(ctx, factFolder)
	if err != nil {
		return Taken{}, err
	}
	r := &issuedReader{unreadableFiles: &unreadableFiles{taker: &taker{App: a, ledger: l, address: address}, known: map[string]issuedFile{}}, there: map[string]bool{}, own: own, since: a.env.Clock.Wall(nil).AddDays(-keptOpen)}
	dirs := slices.Clone(own.folders)
	for _, f := range folders {
		dirs = append(dirs, f.Subject)
	}
	for _, f := range facts {
		var was issuedFile
		if err := json.Unmarshal([]byte(f.Value), &was); err != nil {
			return Taken{}, err
		}
		r.known[f.Subject], dirs = was, append(dirs, filepath.Dir(f.Subject))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := r.takeFolder(ctx, dir); err != nil {
			return r.Taken, err
		}
	}
	if err := r.tellMissing(ctx); err != nil {
		return r.Taken, err
	}
	slices.Sort(r.Notes)
	return r.Taken, l.SetFact(ctx, r.news...)
}

// takeFolder takes what people wrote in the workbooks of a folder. A folder that is not there was
// moved, or is on another machine.
func (r *issuedReader) takeFolder(ctx context.Context, dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil //nolint:nilerr // tellMissing names what was there
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		ext := strings.ToLower(filepath.Ext(path))
		isLock := strings.HasPrefix(entry.Name(), "~$") || strings.HasPrefix(entry.Name(), ".")
		if !entry.Type().IsRegular() || isLock || !slices.Contains([]string{".xlsx", ".csv", ".ods", ".xls"}, ext) {
			continue
		}
		info, err := entry.Info()
		was, known := r.known[path]
		r.there[was.Run] = r.there[was.Run] || !was.List // a list has the rows of a run, and is not its results
		switch isRead := slices.Contains(r.own.read, path); {
		case err != nil:
		case known && was.isAs(info) && !was.Refused:
			r.remind(path, &was, isRead)
		case !isRead:
			err = r.takeFile(ctx, path, info, known)
		default:
			err = r.noteRead(ctx, path, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noteRead notes that the job read one of its files itself.
func (r *issuedReader) noteRead(ctx context.Context, path string, info os.FileInfo) error {
	is := r.known[path]
	err := r.lift(ctx, path, is.Run, r.own.answers)
	if !is.List { // retryList tells when all of a list was taken
		is.Size, is.Saved, is.Typed, is.Refused = info.Size(), info.ModTime().UTC(), true, is.Refused && r.own.answers == 0
		r.news = append(r.news, is.fact(path, r.env.Clock.Now()))
	}
	return err
}

// takeFile takes what people wrote in a file that the ledger issued, or in a copy of one.
func (r *issuedReader) takeFile(ctx context.Context, path string, info os.FileInfo, known bool) error {
	is, ours, err := r.identify(ctx, path, info, known)
	if err != nil || !ours {
		return err
	}
	edited, err := r.openResultsOf(r.ledger, path)
	if err != nil {
		return r.refuse(ctx, path, is, err)
	}
	defer func() { _ = edited.Close() }() // only read from
	all := edited.Answers()
	if err := r.takeEdited(ctx, path, edited, info.ModTime()); err != nil {
		return err
	}
	if err := r.lift(ctx, path, edited.Run(), len(all)); err != nil {
		return err
	}
	is.List, is.Typed, is.Fixed = edited.Morning(), len(all)+len(edited.Fixes()) > 0, len(edited.Fixes()) > 0
	if known && !is.List {
		is.Until = r.known[path].Until
	}
	is.Refused = r.known[path].Refused && len(all) == 0 // a fresh copy lets nothing go
	r.news = append(r.news, is.fact(path, r.env.Clock.Now()))
	return nil
}

// identify tells whether a file is a workbook of this ledger, and how it is now.
func (r *issuedReader) identify(ctx context.Context, path string, info os.FileInfo, known bool) (is issuedFile, ours bool, err error) {
	is = issuedFile{Size: info.Size(), Saved: info.ModTime().UTC(), Until: r.since.AddDays(2 * keptOpen)}
	trace, ours := returned.TraceOf(path)
	is.Run, is.List, r.there[trace.Run] = trace.Run, trace.Morning, r.there[trace.Run] || !trace.Morning
	seen := func() { r.news = append(r.news, is.fact(path, r.env.Clock.Now())) }
	if note, once := r.told(path, is.Saved, &trace); once {
		seen()
		if note != "" {
			r.Notes = append(r.Notes, note)
		}
		return is, false, nil
	}
	switch {
	case !ours && !known && r.isRefused(path, trace.Lost) != nil:
		return is, false, r.refuse(ctx, path, is, r.isRefused(path, trace.Lost))
	case r.isForeign(&trace, ours || known):
		return is, false, nil
	case !ours || trace.Run == "":
		return is, true, nil
	}
	_, err = r.ledger.Run(ctx, trace.Run)
	if errors.Is(err, ledger.ErrNoRun) { // of a ledger that was put back since
		seen()
		r.Notes = append(r.Notes, filepath.Base(path)+" is of a run that this ledger does not have: what people wrote in it is not taken")
		return is, false, nil
	}
	return is, err == nil, err
}

// told returns what is said once of a file that is not read: nothing of a list that was moved aside, since its
// answers were taken under its earlier name, unless somebody saved it since.
func (r *issuedReader) told(path string, saved time.Time, trace *returned.Trace) (note string, once bool) {
	const late = " was saved after it was moved aside: what was written in it since is not taken; write it in the newest list"
	put, isAside := movedAside(path)
	switch {
	case isAside && saved.After(put):
		return filepath.Base(path) + late, true
	case isAside:
		return "", true
	case (trace.Check || trace.Rehearsal) && returned.Answered(path):
		return notTakenOf(trace), true
	}
	return "", false
}

// isForeign reports whether a file is none in which people answer about what this ledger has. ours reports that
// it is a workbook of the program's.
func (r *issuedReader) isForeign(trace *returned.Trace, ours bool) bool {
	damaged := isListName(trace.Path) && !returned.Opens(trace.Path) // the ledger may not have the list
	return !ours && !damaged || trace.Ledger != "" && trace.Ledger != r.ledger.Identity() || trace.Rehearsal || trace.Check
}

// notTakenOf says that what is written in the results of a check or a rehearsal is not taken.
func notTakenOf(trace *returned.Trace) string {
	of := "check, which records nothing"
	if trace.Rehearsal {
		of = "rehearsal"
	}
	return "no answer in " + filepath.Base(trace.Path) + " was taken: it is of a " + of + ": answer in the results of an import"
}

// takeEdited takes what people wrote in a workbook.
func (r *issuedReader) takeEdited(ctx context.Context, path string, edited *returned.Results, saved time.Time) (err error) {
	if r.list == nil {
		if r.list, err = r.listOpen(ctx, r.ledger, time.Time{}); err != nil {
			return err
		}
	}
	j := r.newBareJob("retry", Options{}, Silent{}, path)
	if !edited.Morning() {
		if err := j.bindEdited(edited, j.mappingOf(edited)); err != nil {
			j.inputs = nil // without its mapping, the answers count for what the schedule says
		}
	}
	if err := r.takeProofs(ctx, edited, filepath.Base(path)); err != nil {
		return err
	}
	if err := r.takeWorkbook(ctx, j, edited.Answers(), saved); err != nil {
		return err
	}
	for _, fix := range edited.Fixes() {
		r.Notes = append(r.Notes, r.fixesWait(filepath.Base(path)+", "+fix.At.String(), path))
	}
	return nil
}

// remind says of a list that was read before that cells which were fixed in it are not sent, unless the job sends them.
func (r *issuedReader) remind(path string, was *issuedFile, isRead bool) {
	if was.Fixed && !isRead {
		r.Notes = append(r.Notes, r.fixesWait(filepath.Base(path), path))
	}
}

// fixesWait says that what was fixed in a list, at a place in it, is not sent yet.
func (r *issuedReader) fixesWait(at, list string) string {
	return at + ": " + importer.Do("what was fixed there is sent once the list is retried", importer.RetryResults, list).Say(r.env.Spell)
}

// tellMissing names each workbook of days to come that is not where it was written, and tells of it
// once. A run that left nothing to a person is none to be missed. Lists are written anew, and moved
// aside.
func (r *issuedReader) tellMissing(ctx context.Context) error {
	for _, path := range slices.Sorted(maps.Keys(r.known)) {
		was := r.known[path]
		if _, err := os.Stat(path); err == nil || r.there[was.Run] {
			continue
		}
		if was.List || was.Until.Compare(r.since) < 0 {
			r.news = append(r.news, ledger.Fact{Kind: factIssued, Subject: path, At: r.env.Clock.Now()})
			continue
		}
		of, err := r.ledger.Run(ctx, was.Run)
		if err != nil && !errors.Is(err, ledger.ErrNoRun) {
			return err
		}
		if isComplete(&of) {
			continue
		}
		missing := results.MissingResults{File: filepath.Base(path)}
		if of.Host != hostName() {
			missing.Host = of.Host
		}
		if r.Missing = append(r.Missing, missing); !was.Missing {
			was.Missing = true
			r.news = append(r.news, was.fact(path, r.env.Clock.Now()))
			r.newlyMissing = append(r.newlyMissing, missing.String())
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
