package app

import (
	"context"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Update changes booked trips in the service to what the files say now. It books no new trips.
// It first shows what it would change, and changes nothing until a person agrees. The error is
// nil if every trip is as the files have it; otherwise StatusOf says how the update ended.
func (a *App) Update(ctx context.Context, o Options, e Events, paths ...string) error {
	return a.runSchedules(ctx, "update", o, e, paths)
}

// Hold records that the booked trips with that trip id or GUID must not be changed any more,
// because they were changed in the service itself. With release they may be changed again. It
// looks among the trips of today and later, and returns those that it found.
func (a *App) Hold(ctx context.Context, trip string, release bool) (held []ledger.Entry, err error) {
	today := a.env.Clock.Wall(nil).Date
	address, err := a.homeAddress()
	if err != nil {
		return nil, err
	}
	err = a.changeLedger("hold", func(l ledger.Ledger, by ledger.Person) error {
		address, err := l.Service(ctx, address)
		if err != nil {
			return err
		}
		const all = 1 << 20
		booked, err := l.Ahead(ctx, address, today, all)
		if err != nil {
			return err
		}
		for _, e := range booked {
			if e.TripID != trip && e.ListedID() != trip && !importer.SameGUID(e.GUID, trip) {
				continue
			}
			if err := l.Hold(ctx, e.Attempt, !release, by); err != nil {
				return err
			}
			held = append(held, e)
		}
		return nil
	})
	if err == nil && len(held) == 0 {
		err = Usage("look at its trip id or GUID in the results", "no booked trip of today or later has that id or GUID")
	}
	return held, err
}
