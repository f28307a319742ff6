package postgres

import (
	"context"
	"errors"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// A Ledger is a ledger in a PostgreSQL database, open.
type Ledger struct {
	*tables.Ledger

	engine *engine
	others others
	// For writing; nil if the ledger is opened only for reading.
	heartbeat *heartbeat
	aside     *aside
}

var _ ledger.Ledger = (*Ledger)(nil)

// Number implements ledger.Ledger. It returns the number of the last commit of any
// process. While the server can't be reached, it returns the last number that this
// process knows.
func (l *Ledger) Number() int64 {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	known := l.engine.commits.Load()
	var now int64
	if l.engine.outage.ended() != nil || l.Readers.QueryRowContext(ctx, "SELECT commits FROM state").Scan(&now) != nil {
		return known
	}
	return max(known, now)
}

// Location implements ledger.Ledger.
func (l *Ledger) Location() string { return l.engine.location.String() }

// Settle implements importer.Ledger. If the server can't be reached, it keeps the answer
// durably on this machine, and the answer is recorded when the ledger is opened again.
// Until then, others see a trip that may be booked.
func (l *Ledger) Settle(ctx context.Context, c importer.Claimed, s importer.Settlement) error {
	err := l.Ledger.Settle(ctx, c, s)
	return l.keep(err, keptAnswer{Attempt: c.Attempt, Settlement: s})
}

// SettleChange implements importer.Ledger, as Settle does.
func (l *Ledger) SettleChange(ctx context.Context, c importer.ClaimedChange, s importer.Settlement) error {
	err := l.Ledger.SettleChange(ctx, c, s)
	return l.keep(err, keptAnswer{Change: c.Number, Settlement: s})
}

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	if l.heartbeat != nil {
		l.heartbeat.stop()
	}
	return errors.Join(l.Ledger.Close(), l.engine.close())
}
