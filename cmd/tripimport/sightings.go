package main

import (
	"errors"
	"path/filepath"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/returned"
	"tripimport/importer/run"
)

// A sightings knows trips by where they stood: the ledger has no names, places
// and times, so they are read from the file that the trips came from.
type sightings map[stand]importer.Trip

// A stand is where a trip stood: the file's SHA-256, the row's number, the leg.
type stand struct {
	input string
	row   int
	leg   importer.Leg
}

// of gives the trip of an entry, where the file was given. The trip id must
// agree: another sheet of the file has rows of the same numbers.
func (s sightings) of(e ledger.Entry) (importer.Trip, bool) {
	t, ok := s[stand{e.Input, e.Row, e.Leg}]
	return t, ok && t.ID == e.TripID
}

// look reads the trips of the open entries from the input of their run, or from
// a results workbook of it.
func (a *app) look(l ledger.Ledger, open []ledger.Entry, input, workbook string) (_ sightings, err error) {
	if input == "" && workbook == "" {
		return nil, nil
	}
	wanted := map[stand]bool{}
	for _, e := range open {
		wanted[stand{e.Input, e.Row, e.Leg}] = true
	}
	in, closer, err := a.inputsOf(l, input, workbook)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, closer()) }()
	return see(in, wanted)
}

// see maps the rows of inputs and keeps the trips that are wanted.
func see(in []run.Input, wanted map[stand]bool) (sightings, error) {
	seen := sightings{}
	for _, i := range in {
		for row, err := range i.Source.Rows() {
			if err != nil {
				return nil, err
			}
			for _, t := range i.Mapper.Map(row).Trips {
				if at := (stand{i.Source.Hash(), row.Num, t.Leg}); wanted[at] {
					seen[at] = t
				}
			}
		}
	}
	return seen, nil
}

// inputsOf opens a schedule, or the results of one.
func (a *app) inputsOf(l ledger.Ledger, input, workbook string) ([]run.Input, func() error, error) {
	if input != "" {
		schedules, err := a.openSchedules([]string{input})
		return inputs(schedules), func() error { closeSchedules(schedules); return nil }, err
	}
	back, err := returned.Open(workbook, func(identity string) ([]byte, error) {
		if identity != l.Identity() {
			return nil, usage("use the results of a run of this ledger", "%s belongs to another ledger than %s", filepath.Base(workbook), l.Location())
		}
		return l.Key("results"), nil
	})
	if err != nil {
		return nil, nil, err
	}
	j := &job{app: a, path: workbook}
	if err := j.bindReturned(back); err != nil {
		return nil, nil, errors.Join(err, back.Close())
	}
	return j.inputs, back.Close, nil
}
