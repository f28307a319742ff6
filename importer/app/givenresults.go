package app

import (
	"context"
	"path/filepath"

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
// is the job's own ledger or that of the rehearsals.
func (j *job) resultsKey(identity string) ([]byte, error) {
	if j.ledger != nil && identity == j.ledger.Identity() {
		return j.ledger.Key("results"), nil
	}
	l, err := j.open(context.Background(), j.Folders.rehearsalLedger(), ledger.Options{ReadOnly: true, Rehearsal: true})
	if err == nil && identity == l.Identity() {
		return l.Key("results"), l.Close()
	}
	if err == nil {
		_ = l.Close() // only read from
	}
	return nil, Usage("use it where it was written, or read the schedule itself", "the file belongs to another ledger")
}
