package postgres

import (
	"context"
	"fmt"
	"sync"
	"time"

	"tripimport/importer"
)

// longestAwait is how long a run waits for the outcome of a trip that another run is
// sending. It is longer than a request usually takes, and longer than the lease of a run
// that died.
const longestAwait = 2 * time.Minute

// The others are runs that are sending trips that this process wants to send as well. A
// person is told once when this process waits for them, and once when it does not wait
// any more.
type others struct {
	notice func(string) // never nil

	mu      sync.Mutex
	callers int // the number of callers that wait
	told    bool
}

// wait counts a caller who begins to wait.
func (o *others) wait() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.callers++
}

// tell tells a person about a wait that is longer than usual, unless that was told
// already.
func (o *others) tell() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.told {
		o.told = true
		o.notice(fmt.Sprintf("another run is sending a trip of this schedule: waiting for its answer, for %s at most; if its machine died, for about %s", spoken(longestAwait), spoken(leaseTime)))
	}
}

// goOn counts a caller who does not wait any more.
func (o *others) goOn() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.callers--; o.callers == 0 && o.told {
		o.told = false
		o.notice("no longer waiting for the other run")
	}
}

// Find implements importer.Ledger. While another process is sending the trip, it waits
// for the outcome.
func (l *Ledger) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (r importer.Record, found bool, err error) {
	err = l.await(ctx, func() (inFlight bool, err error) {
		r, found, err = l.Ledger.Find(ctx, account, trip)
		return l.isElsewhere(&r), err
	})
	return r, found, err
}

// RowTrips implements importer.Ledger. While another process is sending one of the trips,
// it waits for the outcome.
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

// await calls ask until nothing that it finds is in flight in another process, or
// longestAwait has passed. A ledger that is opened only for reading does not wait.
func (l *Ledger) await(ctx context.Context, ask func() (inFlight bool, err error)) error {
	const pause, usual = 100 * time.Millisecond, 3 * time.Second
	waits := false
	for began := time.Now(); ; {
		inFlight, err := patiently(ctx, l, ask)
		lasts := time.Since(began)
		if err != nil || !inFlight || l.ReadOnly || lasts > longestAwait {
			return err
		}
		if !waits {
			waits = true
			l.others.wait()
			defer l.others.goOn()
		}
		if lasts > usual {
			l.others.tell()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// Lacks implements importer.Ledger.
func (l *Ledger) Lacks(ctx context.Context, row *importer.Mapped, accounts []importer.Account, within int) (bool, error) {
	return patiently(ctx, l, func() (bool, error) { return l.Ledger.Lacks(ctx, row, accounts, within) })
}

// Similar implements importer.Ledger.
func (l *Ledger) Similar(ctx context.Context, account importer.Account, trip *importer.Trip, within int) ([]importer.Record, error) {
	return patiently(ctx, l, func() ([]importer.Record, error) { return l.Ledger.Similar(ctx, account, trip, within) })
}

// SameDay implements importer.Ledger.
func (l *Ledger) SameDay(ctx context.Context, account importer.Account, trip *importer.Trip) ([]importer.Record, error) {
	return patiently(ctx, l, func() ([]importer.Record, error) { return l.Ledger.SameDay(ctx, account, trip) })
}

// Respelt implements importer.Ledger.
func (l *Ledger) Respelt(ctx context.Context, service string, key importer.RowKey, trip *importer.Trip) ([]importer.Record, error) {
	return patiently(ctx, l, func() ([]importer.Record, error) { return l.Ledger.Respelt(ctx, service, key, trip) })
}

// Decided implements importer.Ledger.
func (l *Ledger) Decided(ctx context.Context, d importer.Decision) (importer.Verdict, error) {
	return patiently(ctx, l, func() (importer.Verdict, error) { return l.Ledger.Decided(ctx, d) })
}

// patiently calls ask, and calls it again if the connection was lost in the middle of an
// answer. It is for the queries that a run makes for each trip. Engine.Read repeats a
// statement only before its answer has begun.
func patiently[T any](ctx context.Context, l *Ledger, ask func() (T, error)) (found T, err error) {
	if over := l.engine.outage.ended(); over != nil {
		return found, over
	}
	err = l.engine.outage.await(ctx, func() error {
		found, err = ask()
		return err
	})
	return found, err
}

// isElsewhere reports whether another process is sending the trip of a record, or a change
// of it.
func (l *Ledger) isElsewhere(r *importer.Record) bool {
	return r != nil && (r.InFlight || r.Change != nil && r.Change.InFlight) && !l.IsHere(r)
}
