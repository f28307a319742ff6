package app

import (
	"errors"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// tripsBySource has trips by the place from which they were read. Names, places and times are
// read from the trips' file, because the ledger does not have them.
type tripsBySource map[sourceKey]importer.Trip

// A sourceKey says where a trip was read: the file's SHA-256, the row's number and the leg. The
// trip id distinguishes rows with the same number on two sheets of a file; it is empty if it
// is not known.
type sourceKey struct {
	input string
	row   int
	leg   importer.Leg
	id    string
}

func keyOf(e ledger.Entry) sourceKey { return sourceKey{e.Input, e.Row, e.Leg, ""} }

// of returns the trip of an entry, if it was read.
func (t tripsBySource) of(e ledger.Entry) (importer.Trip, bool) {
	trip, ok := t[sourceKey{e.Input, e.Row, e.Leg, e.TripID}]
	return trip, ok
}

// readTrips maps the rows of the inputs and returns the trips whose keys, without the trip id,
// are wanted.
func readTrips(in []run.Input, wanted map[sourceKey]bool) (tripsBySource, error) {
	trips := tripsBySource{}
	for _, i := range in {
		for row, err := range i.Source.Rows() {
			if err != nil {
				return nil, err
			}
			for _, t := range i.Mapper.Map(row, nil).Trips {
				if key := (sourceKey{i.Source.Hash(), row.Num, t.Leg, ""}); wanted[key] {
					key.id = t.ID
					trips[key] = t
				}
			}
		}
	}
	return trips, nil
}

// tripsOf reads the trips of the entries from the schedule that their run read, or from its
// results. It returns none if neither is named.
func (a *App) tripsOf(l ledger.Ledger, entries []ledger.Entry, schedule, workbook string) (_ tripsBySource, err error) {
	if schedule == "" && workbook == "" {
		return nil, nil
	}

	wanted := map[sourceKey]bool{}
	for _, e := range entries {
		wanted[keyOf(e)] = true
	}

	in, closer, err := a.openInputs(l, schedule, workbook)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closer()) }()
	return readTrips(in, wanted)
}

// openInputs opens a schedule or, if schedule is empty, a results workbook.
func (a *App) openInputs(l ledger.Ledger, schedule, workbook string) ([]run.Input, func() error, error) {
	if schedule != "" {
		schedules, err := a.openSchedules([]string{schedule})
		return inputs(schedules), func() error { closeSchedules(schedules); return nil }, err
	}

	edited, err := a.openResultsOf(l, workbook)
	if err != nil {
		return nil, nil, err
	}

	j := &job{App: a, events: Silent{}, path: workbook}
	if err := j.bindEdited(edited); err != nil {
		return nil, nil, errors.Join(err, edited.Close())
	}
	return j.inputs, edited.Close, nil
}

// openResultsOf opens results, which must be those of a run of the ledger.
func (a *App) openResultsOf(l ledger.Ledger, path string) (*returned.Results, error) {
	return returned.Open(path, func(identity string) ([]byte, error) {
		if identity != l.Identity() {
			return nil, Usage("use the results of a run of this ledger", "%s belongs to another ledger than %s", filepath.Base(path), l.Location())
		}
		return l.Key("results"), nil
	})
}
