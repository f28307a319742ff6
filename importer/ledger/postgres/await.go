package postgres

import (
	"context"
	"time"

	"tripimport/importer"
)

// longestAwait is how long a run waits for what comes of a trip that another run is
// sending: longer than a request usually takes. The lease of a run that died ends before.
const longestAwait = 2 * time.Minute

// Find implements importer.Ledger. While another process is sending the trip, it waits
// for what comes of that.
func (l *Ledger) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (r importer.Record, found bool, err error) {
	err = l.await(ctx, func() (inFlight bool, err error) {
		r, found, err = l.Ledger.Find(ctx, account, trip)
		return l.isElsewhere(&r), err
	})
	return r, found, err
}

// RowTrips implements importer.Ledger. While another process is sending one of the trips,
// it waits for what comes of that.
func (l *Ledger) RowTrips(ctx context.Context, service string, row *importer.Mapped) (trips importer.RowTrips, err error) {
	err = l.await(ctx, func() (inFlight bool, err error) {
		trips, err = l.Ledger.RowTrips(ctx, service, row)
		for i := range trips.Matched {
			inFlight = inFlight || l.isElsewhere(trips.Matched[i]) || l.isElsewhere(trips.Unclear[i])
		}
		for i := range trips.Dropped {
			inFlight = inFlight || l.isElsewhere(&trips.Dropped[i])
		}
		return inFlight, err
	})
	return trips, err
}

// await asks until nothing that was found is in flight elsewhere. What only reads does not
// wait.
func (l *Ledger) await(ctx context.Context, ask func() (inFlight bool, err error)) error {
	const pause = 100 * time.Millisecond
	for end := time.Now().Add(longestAwait); ; {
		inFlight, err := ask()
		if err != nil || !inFlight || l.ReadOnly || time.Now().After(end) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// isElsewhere reports whether another process is sending the trip of a record, or a change
// of it.
func (l *Ledger) isElsewhere(r *importer.Record) bool {
	return r != nil && (r.InFlight || r.Change != nil && r.Change.InFlight) && !l.IsHere(r)
}
