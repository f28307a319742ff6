package app

import (
	"context"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// An ImportedSchedule is a schedule that was imported. Part reports that it has not all trips of its days, although the
// broker's files do.
type ImportedSchedule struct {
	importer.Arrival
	Part bool
}

// A DayCount counts a broker's trips on a day: those that its newest schedules have, and those of them that are booked.
type DayCount struct {
	Trips  int `json:"trips"`
	Booked int `json:"booked"`
}

// Imported returns the schedules of a mapping's broker for one of the days that were imported since an
// instant, by anybody, and counts the broker's trips. A schedule of which a run left trips to be sent, because it was
// broken off or told to send some rows alone, is none of them until a later run has sent these. name is as for
// TryMapping.
func (a *App) Imported(ctx context.Context, name string, days []importer.Date, since time.Time) (imported []ImportedSchedule, counts map[importer.Date]DayCount, err error) {
	m, err := ReadMapping(name)
	if err != nil || len(days) == 0 {
		return nil, nil, err
	}
	broker := importer.BrokerText(m.Name())
	return imported, counts, a.ReadLedger(ctx, func(l ledger.Ledger) error {
		all, err := l.Arrivals(ctx, broker, slices.MinFunc(days, importer.Date.Compare))
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(a importer.Arrival) bool {
			return a.Read.Before(since) || !slices.ContainsFunc(days, a.IsOf)
		})
		if len(all) == 0 {
			return nil
		}
		runs, err := l.Runs(ctx, 0)
		if err != nil {
			return err
		}
		var newest map[int64]bool
		counts, newest, err = a.countTrips(ctx, l, broker, days)
		for i := range all {
			of := &all[i]
			if newest[of.Number] && slices.ContainsFunc(runs, func(r ledger.Run) bool { return sentAll(&r, of.Input) }) {
				imported = append(imported, ImportedSchedule{*of, m.Complete() == "day" && !of.Whole})
			}
		}
		return err
	})
}

// CountTrips counts a broker's trips on each of some days.
func (a *App) CountTrips(ctx context.Context, broker string, days []importer.Date) (counts map[importer.Date]DayCount, err error) {
	return counts, a.ReadLedger(ctx, func(l ledger.Ledger) error {
		counts, _, err = a.countTrips(ctx, l, broker, days)
		return err
	})
}

// countTrips counts a broker's trips on some days, and returns the numbers of the arrivals that have them.
func (a *App) countTrips(ctx context.Context, l ledger.Ledger, broker string, days []importer.Date) (counts map[importer.Date]DayCount, newest map[int64]bool, err error) {
	address, err := a.addressIn(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	counts, newest = map[importer.Date]DayCount{}, map[int64]bool{}
	for _, day := range days {
		counts[day] = DayCount{}
	}
	rows, err := l.Schedule(ctx, address, broker, days)
	for _, known := range rows {
		word := known.Word()
		if word == nil || word.Says != importer.SaysLive || !slices.Contains(days, word.Day) { // of another day is one whose way home is after midnight
			continue
		}
		newest[word.Arrival] = true
		count := counts[word.Day]
		booked := 0
		for i := range known.Trips {
			booked += importer.One(known.Trips[i].State == importer.TripBooked)
		}
		count.Trips += len(word.Legs)
		count.Booked += min(booked, len(word.Legs)) // the row may make fewer than it did
		counts[word.Day] = count
	}
	return counts, newest, err
}

// sentAll reports whether a run read an input to its end and left none of its trips to a later run.
func sentAll(r *ledger.Run, input string) bool {
	return !r.Ended.IsZero() && r.Totals.Trips[importer.NotSent] == 0 && r.Input.Hash == input
}
