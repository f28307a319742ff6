package app

import (
	"cmp"
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

// factFolder is the kind of the facts that name folders with morning lists, and factIssued of those
// that name workbooks in which people answer: results, lists, and copies of them.
const factFolder, factIssued = "folder", "issued"

// An issuedFile is what the ledger has of a workbook: how the file was when it was written, or when the
// answers in it were taken last, and the last day of service that it is about.
type issuedFile struct {
	Size  int64
	Saved time.Time
	Until importer.Date
	// Run is the run whose results they are.
	Run string `json:",omitempty"`
	// List reports that it is a morning list, and Typed that something is written in it. Missing
	// reports that people were told that it is not there.
	List, Typed, Missing bool
	// Fixed reports that cells were fixed in it that no retry has sent. Refused reports that it could not be
	// read as it is, and that the trips wait about which somebody may have answered in it.
	Fixed, Refused bool
}

func (f *issuedFile) isAs(info os.FileInfo) bool {
	return info.Size() == f.Size && info.ModTime().Equal(f.Saved)
}

func (f issuedFile) fact(path string, at time.Time) ledger.Fact {
	text, _ := json.Marshal(f) // it has only plain fields
	return ledger.Fact{Kind: factIssued, Subject: path, Value: string(text), At: at}
}

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
	var own, beside []string
	given := 0
	if j.edited != nil { // the retry took them
		for _, path := range []string{j.path, j.list} {
			full, _ := filepath.Abs(path)
			own = append(own, full)
		}
		given = len(j.edited.Answers())
	}
	for _, path := range append(j.inputPaths(), j.output(results.XLSX)) {
		if full, err := filepath.Abs(path); err == nil {
			beside = append(beside, filepath.Dir(full))
		}
	}
	taken, err := j.App.takeIssued(ctx, j.target.ledger, j.target.address, given, beside, own...)
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
	*taker
	known map[string]issuedFile
	news  []ledger.Fact
	since importer.Date
	there map[string]bool // the runs whose results are there, under whatever name
	given int             // the number of answers in the workbook that is retried
}

// takeIssued takes what people wrote in the workbooks that the ledger issued, and in copies beside
// them, and in the folders beside. Files that were not saved since they were read are not read. own are files to
// leave out, with so many answers given.
func (a *App) takeIssued(ctx context.Context, l ledger.Ledger, address string, given int, beside []string, own ...string) (Taken, error) {
	facts, err := l.Facts(ctx, factIssued)
	if err != nil {
		return Taken{}, err
	}
	folders, err := l.Facts(ctx, factFolder)
	if err != nil {
		return Taken{}, err
	}
	r := &issuedReader{taker: &taker{App: a, ledger: l, address: address}, known: map[string]issuedFile{}, there: map[string]bool{}, given: given, since: a.env.Clock.Wall(nil).AddDays(-keptOpen)}
	dirs := beside
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
		if err := r.takeFolder(ctx, dir, own); err != nil {
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
func (r *issuedReader) takeFolder(ctx context.Context, dir string, own []string) error {
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
		switch {
		case err != nil || known && was.isAs(info) && !was.Refused:
		case !slices.Contains(own, path):
			err = r.takeFile(ctx, path, info, known)
		default: // it was read before
			err = r.lift(ctx, path, was.Run, r.given)
			if !was.List { // retryList tells when all of a list was taken
				was.Size, was.Saved, was.Typed, was.Refused = info.Size(), info.ModTime().UTC(), true, false
				r.news = append(r.news, was.fact(path, r.env.Clock.Now()))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	if note, once := r.told(path, &trace); once {
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
// answers were taken under its earlier name.
func (r *issuedReader) told(path string, trace *returned.Trace) (note string, once bool) {
	switch {
	case strings.HasSuffix(path, asideEnding):
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
		if err := j.bindEdited(edited, edited.Mapping().Path); err != nil {
			j.inputs = nil // without its mapping, the answers count for what the schedule says
		}
	}
	if err := r.takeWorkbook(ctx, j, edited.Answers(), saved); err != nil {
		return err
	}
	for _, fix := range edited.Fixes() {
		r.Notes = append(r.Notes, filepath.Base(path)+", "+fix.At.String()+": "+importer.Do("what was fixed there is sent once the list is retried", importer.RetryResults, path).Say(r.env.Spell))
	}
	return nil
}

// isListName reports whether a file is called as a morning list is.
func isListName(path string) bool {
	name, base := filepath.Base(path), strings.TrimSuffix(morningName, ".xlsx")
	return strings.HasPrefix(name, base+".") || strings.HasPrefix(name, base+"-") || strings.HasPrefix(name, base+" (")
}

// isRefused returns why a file is refused that may be a workbook of ours: one without its record, because a sheet
// was saved apart, or one that was saved in another format. It returns nil for any other.
func (r *issuedReader) isRefused(path string, lost bool) error {
	if lost {
		return returned.WithoutRecord(filepath.Base(path))
	}
	if r.twin(path) != "" && !slices.Contains([]string{".xlsx", ".csv"}, strings.ToLower(filepath.Ext(path))) {
		return returned.OtherFormat(filepath.Base(path))
	}
	return nil
}

// twin returns the workbook that the ledger issued under the name of a file, in another format; "" if there is none.
func (r *issuedReader) twin(path string) string {
	stem := func(path string) string { return strings.TrimSuffix(path, filepath.Ext(path)) }
	for known := range r.known {
		if known != path && stem(known) == stem(path) {
			return known
		}
	}
	return ""
}

// refuse names a workbook that can't be read. If somebody may have answered in it, the trips that it may ask
// about wait, until it can be read again, or somebody answers elsewhere.
func (r *issuedReader) refuse(ctx context.Context, path string, is issuedFile, why error) error {
	name := filepath.Base(path)
	note := "no answer in " + name + " was taken: " + why.Error()
	if in := (*importer.InputError)(nil); errors.As(why, &in) {
		note += "; " + in.Fix
	}
	r.Notes, r.Refused = append(r.Notes, note), append(r.Refused, name)
	was, known := r.known[path]
	if known && was.Refused && was.Size == is.Size && was.Saved.Equal(is.Saved) {
		return nil // its trips wait
	}
	is.Run, is.List, is.Refused = cmp.Or(is.Run, was.Run, r.known[r.twin(path)].Run), is.List || was.List || isListName(path), returned.Answered(path)
	if is.Refused || !known { // a copy without an answer is named once
		r.news = append(r.news, is.fact(path, r.env.Clock.Now()))
	}
	if is.Refused {
		return r.wait(ctx, name, &is)
	}
	return nil
}

// wait lets the trips wait about which somebody may have answered in a file with the name that can't be read.
func (r *issuedReader) wait(ctx context.Context, name string, is *issuedFile) error {
	of, err := r.ledger.Run(ctx, is.Run)
	if err != nil && !errors.Is(err, ledger.ErrNoRun) {
		return err
	}
	return r.eachUnsent(ctx, func(i *openItem, answer importer.Answer) error {
		if broker := importer.BrokerText(of.RowIDs.Broker); is.List || broker == "" || broker == importer.BrokerText(i.Broker) {
			answer.Note, answer.Where = importer.UnreadableFile, name
			_, _, err := recordAnswer(ctx, r.ledger, answer)
			return err
		}
		return nil
	})
}

// lift lets the trips go that wait because a workbook could not be read, once it can be, under whatever name, and has
// answers, but none about them. One without an answer is a fresh copy: what was written is lost.
func (r *issuedReader) lift(ctx context.Context, path, run string, answers int) error {
	if answers == 0 {
		return nil
	}
	for refused, was := range r.known {
		if !was.Refused || refused != path && (was.List || run == "" || was.Run != run) {
			continue
		}
		if err := r.liftAll(ctx, filepath.Base(refused)); err != nil {
			return err
		}
		was.Refused = false
		r.news = append(r.news, was.fact(refused, r.env.Clock.Now()))
	}
	return nil
}

// liftAll lets all trips go that wait because of the file with the name.
func (r *issuedReader) liftAll(ctx context.Context, name string) error {
	return r.eachUnsent(ctx, func(_ *openItem, answer importer.Answer) error {
		known, _, err := r.ledger.Row(ctx, answer.Row)
		word := known.WordOf(answer.Row)
		if err != nil || word == nil {
			return err
		}
		for _, a := range slices.Backward(word.Answers) {
			if a.Leg != answer.Leg || a.Other != 0 {
				continue
			}
			if a.Doubt.In == name && a.Doubt.Note == importer.UnreadableFile && len(a.Doubt.Sides) == 0 {
				answer.Verdict, answer.Shown, answer.Question, answer.Where = importer.Book, importer.Held, importer.AskAgain, name
				_, _, err = recordAnswer(ctx, r.ledger, answer)
			}
			return err
		}
		return nil
	})
}

// eachUnsent calls do for each open item about a leg that was not sent, with the beginning of an answer about it.
func (r *issuedReader) eachUnsent(ctx context.Context, do func(*openItem, importer.Answer) error) error {
	items, err := openItems(ctx, r.ledger)
	by := r.thisPerson()
	for k := range items {
		i := &items[k]
		o := &i.Outcome
		if err == nil && o.State.Missing() && o.RowNumber != 0 {
			leg, _ := importer.ParseLeg(i.Leg)
			err = do(i, importer.Answer{Row: o.RowNumber, Leg: leg, Question: o.Question, Saw: o.Saw, Shown: o.State, Host: by.Host, At: by.When})
		}
	}
	return err
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
