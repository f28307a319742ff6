package app

import (
	"context"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// An ImportedSchedule is a schedule that was imported: the SHA-256 of its file in hex, when that was read, and how
// many trips it has on the days that were asked about.
type ImportedSchedule struct {
	Input string
	Read  time.Time
	Trips map[importer.Date]int
}

// Imported returns the schedules of a mapping's broker with trips on one of the days that were imported since an
// instant, by anybody. One of which a run left trips to be sent, because it was broken off or told to send some rows
// alone, is none of them until a later run has sent these. name is as for TryMapping.
func (a *App) Imported(ctx context.Context, name string, days []importer.Date, since time.Time) (imported []ImportedSchedule, err error) {
	m, err := ReadMapping(name)
	if err != nil || len(days) == 0 {
		return nil, err
	}
	broker := importer.BrokerText(m.Name())
	return imported, a.ReadLedger(ctx, func(l ledger.Ledger) error {
		all, err := l.Arrivals(ctx, broker, slices.MinFunc(days, importer.Date.Compare))
		if err != nil {
			return err
		}
		all = slices.DeleteFunc(all, func(a importer.Arrival) bool { return a.Read.Before(since) })
		if len(all) == 0 {
			return nil
		}
		runs, err := l.Runs(ctx, 0)
		if err != nil {
			return err
		}
		trips, err := a.tripsOf(ctx, l, broker, days)
		for i := range all {
			of := &all[i]
			if trips[of.Number] != nil && slices.ContainsFunc(runs, func(r ledger.Run) bool { return sentAll(&r, of.Input) }) {
				imported = append(imported, ImportedSchedule{of.Input, of.Read, trips[of.Number]})
			}
		}
		return err
	})
}

// tripsOf counts the trips on some days that the newest schedules of a broker have, by the numbers of their arrivals.
func (a *App) tripsOf(ctx context.Context, l ledger.Ledger, broker string, days []importer.Date) (map[int64]map[importer.Date]int, error) {
	address, err := a.addressIn(ctx, l)
	if err != nil {
		return nil, err
	}
	trips := map[int64]map[importer.Date]int{}
	for known, err := range l.Schedule(ctx, address, broker, days) {
		if err != nil {
			return nil, err
		}
		word := known.Word()
		if word == nil || word.Says != importer.SaysLive {
			continue
		}
		if trips[word.Arrival] == nil {
			trips[word.Arrival] = map[importer.Date]int{}
		}
		trips[word.Arrival][word.Day] += len(word.Legs)
	}
	return trips, nil
}

// sentAll reports whether a run read an input to its end and left none of its trips to a later run.
func sentAll(r *ledger.Run, input string) bool {
	return !r.Ended.IsZero() && r.Totals.Trips[importer.NotSent] == 0 && slices.ContainsFunc(r.Inputs, func(in importer.InputInfo) bool { return in.Hash == input })
}
