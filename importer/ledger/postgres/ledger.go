package postgres

import (
	"context"
	"errors"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// A Ledger is a ledger in a PostgreSQL database, open.
type Ledger struct {
	*tables.Ledger

	engine *engine
}

var _ ledger.Ledger = (*Ledger)(nil)

// Number implements ledger.Ledger. It returns the number of the last event of any process.
// While the server can't be reached, it returns the last number that this process knows.
func (l *Ledger) Number() int64 {
	ctx, cancel := context.WithTimeout(context.Background(), lastTry)
	defer cancel()
	known := l.engine.number.Load()
	now, err := tables.EventsIn(ctx, l.Readers)
	if err != nil {
		return known
	}
	return max(known, now)
}

// lapsedSQL selects the runs whose processes do not renew their leases any more.
const lapsedSQL = tables.UnendedSQL + " AND COALESCE(leased_until < clock_timestamp(), TRUE)"

// endLapsed ends the runs whose leases have ended.
func (e *engine) endLapsed(ctx context.Context, w *tables.Writer) error {
	return tables.EndBrokenRuns(ctx, w, e.hashes, lapsedSQL)
}

// endLapsedRuns ends the runs of other processes whose leases have ended, if there are any.
func (l *Ledger) endLapsedRuns(ctx context.Context) error {
	lapsed, err := tables.Query(ctx, l.Readers, tables.ScanOne[int64], lapsedSQL)
	if err != nil || len(lapsed) == 0 {
		return err
	}
	return l.Write(l.engine.endLapsed)
}

// Location implements ledger.Ledger.
func (l *Ledger) Location() string { return l.engine.location.String() }

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	l.engine.leases.stop()
	return errors.Join(l.Ledger.Close(), l.engine.close())
}
