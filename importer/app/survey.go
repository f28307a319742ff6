package app

import (
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/judge"
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
	// Arrivals has the days, providers, funding sources and stamp of each sheet.
	Arrivals []importer.Arrival
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
	j.arrive()
	checker := check.New(importer.Date{})
	if j.plan, err = run.MakePlan(ctx, j.inputs, checker, nil, nil); err != nil {
		return nil, err
	}
	j.plan.LeaveOut(checker.Copies())
	arrivals := slices.Clone(j.plan.Arrivals)
	s := &Survey{
		Hash: j.files()[0].Hash, PlanSummary: j.plan.PlanSummary, Whole: j.inputs[0].Mapper.Rules().Complete,
		Arrivals: arrivals, Booked: map[importer.Date]int{},
	}
	return s, a.ReadLedger(ctx, func(l ledger.Ledger) error { return s.compare(ctx, l, a, arrivals, j.plan) })
}

// compare fills in what the ledger knows about the days of the schedule.
func (s *Survey) compare(ctx context.Context, l ledger.Ledger, a *App, arrivals []importer.Arrival, plan *run.Plan) error {
	address, err := a.Settings.address()
	if err == nil {
		address, err = l.Service(ctx, address)
	}
	if err != nil {
		return err
	}
	for i := range arrivals {
		of := &arrivals[i]
		days := of.Days()
		if len(days) == 0 {
			continue
		}
		known, err := l.Arrivals(ctx, of.Broker, days[0])
		if err != nil {
			return err
		}
		s.compareArrivals(of, known)
		for k, err := range l.Schedule(ctx, address, of.Broker, days) {
			if err != nil {
				return err
			}
			for n := range k.Trips {
				if k.Trips[n].State.Taken() {
					s.Booked[k.Trips[n].Day]++
				}
			}
		}
	}
	return nil
}

// compareArrivals finds out whether later schedules were imported.
func (s *Survey) compareArrivals(a *importer.Arrival, known []importer.Arrival) {
	k := importer.Known{Arrivals: known}
	later := 0
	for _, scope := range a.Scopes {
		if newest := k.Newest(a.Broker, scope.Day, scope.Pair, false); newest != nil && newest.Newer(a) && !a.SameReading(newest) {
			later++
		}
	}
	s.Older = s.Older || later > 0
	s.Replaced = later > 0 && later == len(a.Scopes)
}

// HalfOf returns a day for which the schedule seems to be half an export: it should have all
// trips of its days, but has far fewer than are booked. It returns false if there is none.
func (s *Survey) HalfOf() (importer.DateCount, bool) {
	for _, day := range s.Dates {
		if s.Whole && judge.IsHalf(day.Trips, s.Booked[day.Date]) {
			return day, true
		}
	}
	return importer.DateCount{}, false
}
