package app

import (
	"context"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Hold records that the booked trips with that trip id or GUID must not be changed any more,
// because they were changed in the service itself. With release they may be changed again. It
// looks among the trips of today and later at the service of the settings, and returns those
// that it found. If they are of several days, day says which are meant.
func (a *App) Hold(ctx context.Context, trip string, day importer.Date, release bool) (held []importer.Standing, err error) {
	today := a.env.Clock.Wall(nil).Date
	err = a.changeLedger("hold", func(l ledger.Ledger, by ledger.Person) error {
		address, err := a.addressIn(ctx, l)
		if err != nil {
			return err
		}
		found, err := takenTrips(ctx, l, address, ledger.Search{Trip: trip, From: today})
		if err != nil {
			return err
		}
		if found == nil {
			return Usage("look at its trip id or GUID in the results", "no booked trip of today or later has that id or GUID")
		}
		if held, err = onOneDay(found, day); err != nil {
			return err
		}
		return l.Record(ctx, importer.Each(held, func(s importer.Standing) importer.Effect {
			return importer.Effect{
				Answer: importer.Answer{Trip: s.Number, Row: s.Row, Leg: s.Leg, Saw: s.Event, Who: by.Who, Host: by.Host, Where: "terminal", At: by.When},
				Saw:    []importer.LastEvent{{Trip: s.Number, Event: s.Event}},
				Keep:   true, Hold: !release, Release: release,
			}
		})...)
	})
	return held, err
}

// takenTrips returns the trips of a service that are booked, or may be, among those that a search finds.
func takenTrips(ctx context.Context, l ledger.Ledger, address string, s ledger.Search) (taken []importer.Standing, err error) {
	all, err := l.Find(ctx, s)
	for _, found := range all {
		if found.Account.Service == address && found.State.Taken() {
			taken = append(taken, found.Standing)
		}
	}
	return taken, err
}

// onOneDay returns the trips of a day among those that were found. They must be of one day if none is
// given.
func onOneDay(found []importer.Standing, day importer.Date) (chosen []importer.Standing, err error) {
	days := slices.Compact(importer.Each(found, func(s importer.Standing) string { return s.Day.Spoken() }))
	chosen = slices.DeleteFunc(slices.Clone(found), func(s importer.Standing) bool { return s.Day != day })
	switch {
	case day.IsZero() && len(days) == 1:
		return found, nil
	case len(chosen) == 0:
		return nil, Usage("name the day with --day", "the trips with that id or GUID are of %s", strings.Join(days, ", "))
	}
	return chosen, nil
}
