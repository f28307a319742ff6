package postgres

import (
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

// lapsedSQL selects the runs whose processes do not renew their leases any more.
const lapsedSQL = tables.UnendedSQL + " AND COALESCE(leased_until < clock_timestamp(), TRUE)"

// Location implements ledger.Ledger.
func (l *Ledger) Location() string { return l.engine.location.String() }

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	l.engine.leases.stop()
	return errors.Join(l.Ledger.Close(), l.engine.close())
}
