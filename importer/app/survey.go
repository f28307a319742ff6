package app

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/ledger"
	"tripimport/importer/run"
)

// A Survey says what a schedule holds.
type Survey struct {
	// Hash is the SHA-256 of the file, in hex.
	Hash string
	importer.PlanSummary
	// Whole reports that the schedule has all trips of its days, according to its mapping.
	Whole bool
	// Schedules has the days, providers, funding sources and stamp of each sheet.
	Schedules []importer.Schedule
	// Older reports that a later schedule was imported for one of its days with one of its
	// providers and funding sources. Replaced reports that one was imported for each of them.
	Older, Replaced bool
	// Booked counts the trips that the ledger has on each of its days, for its providers and
	// funding sources.
	Booked map[importer.Date]int
}

// Survey reads a schedule to its end and compares it with the ledger. It sends nothing and
// writes nothing. Its error is the one that an import of the file would return.
func (a *App) Survey(ctx context.Context, path string) (*Survey, error) {
	schedules, err := a.openSchedules([]string{path})
	if err != nil {
		return nil, err
	}
	defer closeSchedules(schedules)
	if err := refuseDraft(schedules[0].mapping, false); err != nil {
		return nil, err
	}

	j, err := a.newJob("check", Options{}, Silent{}, schedules)
	if err != nil {
		return nil, err
	}
	checker := check.New(importer.Date{})
	if j.plan, err = run.MakePlan(ctx, j.inputs, checker, nil, nil); err != nil {
		return nil, err
	}
	j.plan.LeaveOut(checker.Copies())
	info := j.runInfo()
	s := &Survey{
		Hash: info.Inputs[0].Hash, PlanSummary: j.plan.PlanSummary, Whole: j.inputs[0].Mapper.Rules().Complete,
		Schedules: info.Schedules, Booked: map[importer.Date]int{},
	}
	return s, a.ReadLedger(ctx, func(l ledger.Ledger) error { return s.compare(ctx, l, a, info) })
}

// compare fills in what the ledger knows about the days of the schedule.
func (s *Survey) compare(ctx context.Context, l ledger.Ledger, a *App, info importer.RunInfo) error {
	address, err := a.Settings.address()
	if err == nil {
		address, err = l.Service(ctx, address)
	}
	if err != nil {
		return err
	}
	var pairs []importer.Pair
	for i := range s.Schedules {
		pairs = append(pairs, s.Schedules[i].Pairs...)
	}
	if err := s.compareStamps(ctx, l, info); err != nil {
		return err
	}
	for _, day := range s.Dates {
		booked, err := l.TripsOfDay(ctx, address, info.RowIDs.Broker, day.Date, pairs)
		if err != nil {
			return err
		}
		for _, r := range booked {
			if !r.Cancelled {
				s.Booked[day.Date]++
			}
		}
	}
	return nil
}

// compareStamps asks the ledger whether later schedules were imported.
func (s *Survey) compareStamps(ctx context.Context, l ledger.Ledger, info importer.RunInfo) error {
	parts, later := 0, 0
	for _, all := range s.Schedules {
		for _, day := range all.Days {
			for _, pair := range all.Pairs {
				part := importer.Schedule{Input: all.Input, Days: []importer.Date{day}, Pairs: []importer.Pair{pair}}
				latest, err := l.LatestStamp(ctx, info, &part)
				if err != nil {
					return err
				}
				parts++
				if latest.After(all.Stamp) {
					later++
				}
			}
		}
	}
	s.Older, s.Replaced = later > 0, later > 0 && later == parts
	return nil
}

// HalfOf returns a day for which the schedule seems to be half an export: it should have all
// trips of its days, but has far fewer than are booked. It returns false if there is none.
func (s *Survey) HalfOf() (importer.DateCount, bool) {
	for _, day := range s.Dates {
		if s.Whole && run.IsHalf(day.Trips, s.Booked[day.Date]) {
			return day, true
		}
	}
	return importer.DateCount{}, false
}
