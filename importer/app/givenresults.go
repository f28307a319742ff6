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

// givenResults says which of the files of a command is a results file; false where
// all are schedules. Results have the columns of their schedule, and must never be
// read as one: their rows would get other numbers, and nothing would hold the rows
// together.
func givenResults(paths []string) (returned.Trace, bool) {
	for _, path := range paths {
		if trace, ok := returned.TraceOf(path); ok {
			return trace, true
		}
	}
	return returned.Trace{}, false
}

// refuseResults refuses a results file where a schedule is meant.
func refuseResults(path string) error {
	if _, ok := givenResults([]string{path}); ok {
		return Usage("use the schedule itself", "%s has results, not a schedule", filepath.Base(path))
	}
	return nil
}

// importResults books the rows of a rehearsal's results for real: the schedule, with
// the cells that were fixed in them. It says which command takes other results.
func (a *App) importResults(ctx context.Context, command string, o Options, e Events, given returned.Trace, files int) (err error) {
	name := filepath.Base(given.Path)
	switch {
	case given.Morning:
		return Usage("run `tripimport morning --take`", "%s is a list of the morning", name)
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
	return j.runEdited(ctx, a.keyOfKnown, nil)
}

// noteRehearsed has the ledger know what the schedule says of the rows that were fixed
// in a rehearsal's results, so that the old values are no changes when the schedule is
// imported again. It does nothing where the schedule is not there any more.
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
			rehearsed[row.Num] = textsOf(seed, row)
		}
		isFixed := func(row importer.Row) bool {
			was, ok := rehearsed[row.Num]
			return ok && was != textsOf(seed, row)
		}
		if err := j.noteRows(ctx, in, isFixed); err != nil {
			return err
		}
	}
	return nil
}

// textsOf returns a digest of the texts of a row's cells.
func textsOf(seed maphash.Seed, row importer.Row) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range row.Cells {
		_, _ = h.WriteString(row.Cells[i].Text + "\xff") // never fails
	}
	return h.Sum64()
}

// noteRows has the ledger know what the schedule of an input says of some of its rows.
func (j *job) noteRows(ctx context.Context, in results.Input, noted func(importer.Row) bool) error {
	schedules, err := bindSheets(in.Path, j.mapping, "")
	if err != nil {
		return nil //nolint:nilerr // it was moved, or is another one now
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
		mapped := source.Mapper.Map(row, nil)
		booked, err := j.target.ledger.RowTrips(ctx, j.address, &mapped)
		if err != nil {
			return err
		}
		for i := range mapped.Trips {
			if i < len(booked.Matched) && booked.Matched[i] != nil {
				continue // what counts is what the schedule had before
			}
			if err := j.target.ledger.NoteSchedule(ctx, mapped.Key, &mapped.Trips[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkResults checks edited results as a retry would read them.
func (a *App) checkResults(ctx context.Context, o Options, e Events, given returned.Trace, files int) error {
	if files > 1 {
		return Usage("give it a command of its own", "%s is a results file", filepath.Base(given.Path))
	}
	j := a.newBareJob("check", o, e, given.Path)
	if err := j.openAccess(ctx); err != nil {
		return err
	}
	return j.runEdited(ctx, a.keyOfKnown, nil)
}

// keyOfKnown returns the key of results of the office's ledger, or of the rehearsals'.
func (a *App) keyOfKnown(identity string) ([]byte, error) {
	for _, path := range []string{a.Settings.Text("ledger"), a.Folders.rehearsalLedger()} {
		l, err := a.open(context.Background(), path, ledger.Options{ReadOnly: true, Rehearsal: true})
		if err != nil {
			continue // it can't be the one
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
