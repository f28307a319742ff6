package app

import (
	"errors"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// tripsOf reads trips, by their numbers, from the schedule that their run read, or from its
// results: the ledger has no names, places and times. It returns none if neither is named.
func (a *App) tripsOf(l ledger.Ledger, wanted []importer.Standing, schedule, workbook string) (_ map[int64]importer.Trip, err error) {
	if schedule == "" && workbook == "" {
		return nil, nil
	}
	in, closer, err := a.openInputs(l, schedule, workbook)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closer()) }()
	return readTrips(l, in, wanted)
}

// readTrips maps the rows of the inputs and returns the trips that are wanted.
func readTrips(l ledger.Ledger, in []run.Input, wanted []importer.Standing) (map[int64]importer.Trip, error) {
	ofRow := map[string][]*importer.Standing{}
	for i := range wanted {
		ofRow[wanted[i].RowID] = append(ofRow[wanted[i].RowID], &wanted[i])
	}
	trips := map[int64]importer.Trip{}
	for _, i := range in {
		for row, err := range i.Source.Rows() {
			if err != nil {
				return nil, err
			}
			mapped := i.Mapper.Map(row, nil)
			run.Identify(&mapped)
			for _, s := range ofRow[l.RowID(mapped.Key)] {
				for _, t := range mapped.Trips {
					if t.Leg == s.Leg && (t.ID == s.TripID || t.Date() == s.Day) {
						trips[s.Number] = t
					}
				}
			}
		}
	}
	return trips, nil
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
