package app

import (
	"context"
	"errors"
	"hash/maphash"
	"path/filepath"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/results"
	"tripimport/importer/returned"
)

// givenResults returns the first results file among the files of a command, and false if all
// are schedules. Results have the columns of their schedule but must never be read as a
// schedule: their rows would get other numbers, and cells that moved between rows would go
// unnoticed.
func givenResults(paths []string) (returned.Trace, bool) {
	for _, path := range paths {
		if trace, ok := returned.TraceOf(path); ok {
			return trace, true
		}
	}
	return returned.Trace{}, false
}

// refuseResults refuses a results file where a schedule is expected.
func refuseResults(path string) error {
	if _, ok := givenResults([]string{path}); ok {
		return Usage("use the schedule itself", "%s is a results file, not a schedule", filepath.Base(path))
	}
	return nil
}

// importResults books the rows of a rehearsal's results for real: those of the schedule, with
// the cells that were fixed in the results. For other results its error says which command
// takes them.
func (a *App) importResults(ctx context.Context, command string, o Options, e Events, given returned.Trace, files int) (err error) {
	name := filepath.Base(given.Path)
	switch {
	case given.Morning:
		return Usage("run `tripimport morning --take`", "%s is a morning list", name)
	case given.Check:
		return Usage("fix the schedule itself, then "+command+" that", "%s comes from a check: nothing of it was ever sent", name)
	case given.Rehearsal && o.Rehearsal:
		return Usage("run `tripimport retry --sandbox "+Quoted(given.Path)+"`", "%s has the results of a rehearsal", name)
	case !given.Rehearsal:
		return Usage("send what you fixed in it with `tripimport retry "+Quoted(given.Path)+"`, or "+command+" the schedule", "%s has the results of a run", name)
	case command != "import" || files > 1:
		return Usage("run `tripimport import "+Quoted(given.Path)+"`", "%s has the results of a rehearsal, and needs an import of its own", name)
	}

	j := a.newBareJob("retry", o, e, given.Path)
	if err := j.openTarget(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.target.close()) }()
	return j.runEdited(ctx, a.resultsKey, nil)
}

// noteRehearsed records in the ledger what the schedule says about the rows that were fixed
// in a rehearsal's results. When the schedule is imported again, its old values then do not
// count as changes. It does nothing if the schedule is not there any more.
func (j *job) noteRehearsed(ctx context.Context) error {
	if !j.fromRehearsal(j.edited) {
		return nil
	}
	seed := maphash.MakeSeed()
	for i, in := range j.described {
		rehearsed := map[int]uint64{}
		for row, err := range j.inputs[i].Source.Rows() {
			if err != nil {
				return err
			}
			rehearsed[row.Num] = rowDigest(seed, row)
		}
		isFixed := func(row importer.Row) bool {
			was, ok := rehearsed[row.Num]
			return ok && was != rowDigest(seed, row)
		}
		if err := j.noteRows(ctx, in, isFixed); err != nil {
			return err
		}
	}
	return nil
}

// rowDigest returns a digest of the texts of a row's cells.
func rowDigest(seed maphash.Seed, row importer.Row) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range row.Cells {
		_, _ = h.WriteString(row.Cells[i].Text + "\xff") // never fails
	}
	return h.Sum64()
}

// noteRows records in the ledger what the schedule of an input says about the rows for which
// noted returns true.
func (j *job) noteRows(ctx context.Context, in results.Input, noted func(importer.Row) bool) error {
	schedules, err := bindSheets(in.Path, j.mapping, "")
	if err != nil {
		return nil //nolint:nilerr // the file was moved or replaced
	}
	defer closeSchedules(schedules)

	at := slices.IndexFunc(schedules, func(s *schedule) bool { return s.file.Hash() == in.Hash && s.file.SheetName() == in.Sheet })
	if at < 0 {
		return nil
	}
	source := inputs(schedules[at : at+1])[0]
	for row, err := range source.Source.Rows() {
		if err != nil {
			return err
		}
		if !noted(row) {
			continue
		}
		if err := j.noteRow(ctx, source.Mapper, row); err != nil {
			return err
		}
	}
	return nil
}

// noteRow records in the ledger what a schedule says about a row, except for trips that are
// booked: the values that they were booked with count.
func (j *job) noteRow(ctx context.Context, mapper importer.Mapper, row importer.Row) error {
	mapped := mapper.Map(row, nil)
	booked, err := j.target.ledger.RowTrips(ctx, j.address, &mapped)
	if err != nil {
		return err
	}
	for i := range mapped.Trips {
		if i < len(booked.Matched) && booked.Matched[i] != nil {
			continue
		}
		if err := j.target.ledger.NoteSchedule(ctx, mapped.Key, &mapped.Trips[i]); err != nil {
			return err
		}
	}
	return nil
}

// checkResults checks edited results as a retry reads them.
func (a *App) checkResults(ctx context.Context, o Options, e Events, given returned.Trace, files int) error {
	if files > 1 {
		return Usage("give it a command of its own", "%s is a results file", filepath.Base(given.Path))
	}
	j := a.newBareJob("check", o, e, given.Path)
	if err := j.openAccess(ctx); err != nil {
		return err
	}
	return j.runEdited(ctx, a.resultsKey, nil)
}

// resultsKey returns the key with which the ledger of that identity seals its results, if it
// is the office's ledger or that of the rehearsals.
func (a *App) resultsKey(identity string) ([]byte, error) {
	for _, path := range []string{a.Settings.Text("ledger"), a.Folders.rehearsalLedger()} {
		l, err := a.open(context.Background(), path, ledger.Options{ReadOnly: true, Rehearsal: true})
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
	return nil, Usage("use it where it was written, or read the schedule itself", "the file belongs to a ledger that is not on this machine")
}
