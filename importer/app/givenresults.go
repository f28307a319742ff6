package app

import (
	"context"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
)

// refuseResults refuses a results file where a schedule is expected. Results have the columns of their
// schedule but must never be read as a schedule: their rows would get other numbers, and cells that moved
// between rows would go unnoticed.
func refuseResults(path string) error {
	if _, ok := returned.TraceOf(path); ok {
		return Usage("use the schedule itself", "%s is a results file, not a schedule", filepath.Base(path))
	}
	return nil
}

// importResults imports a workbook of ours: the results of a rehearsal are booked for real. For any other
// its error says what takes it.
func (a *App) importResults(ctx context.Context, o Options, e Events, given returned.Trace) error {
	if given.Check || given.Rehearsal && !o.Rehearsal {
		return a.Retry(ctx, o, e, given.Path)
	}
	do := importer.RetryResults
	if o.Rehearsal && given.Rehearsal {
		do = importer.RetryRehearsal
	}
	return usageStep(importer.Do("import schedules alone; send what you fixed or answered in it", do, given.Path), "%s is a results file or a list, not a schedule", filepath.Base(given.Path))
}

// openRehearsed opens the schedule of a rehearsal's results, where it was or beside
// the results: when the rehearsal is booked for real, what the schedule says is recorded, and not
// what was fixed in the rehearsal. Otherwise a fixed value would be the broker's, and the schedule's
// own value a change.
func (j *job) openRehearsed() error {
	in := &j.described
	for _, path := range []string{in.Path, filepath.Join(filepath.Dir(j.path), filepath.Base(in.Path))} {
		s, err := openSchedule(path, j.mapping)
		if err != nil {
			continue // the file was moved or replaced
		}
		j.closers = append(j.closers, s.file.Close)
		if s.file.Hash() == in.Hash && s.file.SheetName() == in.Sheet {
			j.input.Original = &s.input
			return nil
		}
	}
	return Usage("put it there as it was, or import the schedule itself and fix it in its results",
		"%s was made from %s, which is not there any more as it was: what it says has to be recorded with what was fixed", filepath.Base(j.path), in.Path)
}

// resultsKey returns the key with which the ledger of that identity seals its results, if it
// is the job's own ledger, the office's or that of the rehearsals.
func (j *job) resultsKey(identity string) ([]byte, error) {
	if j.ledger != nil && identity == j.ledger.Identity() {
		return j.ledger.Key("results"), nil
	}
	rehearsals := j.Folders.rehearsalLedger()
	for _, path := range []string{j.Settings.Text("ledger"), rehearsals} {
		l, err := j.open(context.Background(), path, ledger.Options{ReadOnly: true, Rehearsal: path == rehearsals})
		if err != nil {
			continue // a ledger that can't be opened is not the one
		}
		key := l.Key("results")
		same := l.Identity() == identity
		if err := l.Close(); err != nil {
			return nil, err
		}
		if same {
			return key, nil
		}
	}
	return nil, Usage("use it where it was written, or read the schedule itself", "the file belongs to another ledger, which is not on this machine")
}
