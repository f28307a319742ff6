package postgres

import (
	"context"
	"errors"
	"strconv"

	"tripimport/importer/ledger/next"
	"tripimport/importer/ledger/next/tables"
)

// A Ledger is a ledger in a PostgreSQL database, open.
type Ledger struct {
	*tables.Ledger

	engine *engine
}

var _ next.Ledger = (*Ledger)(nil)

// Number implements next.Ledger. It returns the number of the last event of any process.
// While the server can't be reached, it returns the last number that this process knows.
func (l *Ledger) Number() int64 {
	ctx, cancel := context.WithTimeout(context.Background(), lastTry)
	defer cancel()
	known := l.engine.number.Load()
	now, err := numberIn(ctx, l.Readers)
	if err != nil {
		return known
	}
	return max(known, now)
}

// numberIn reads the ledger's number.
func numberIn(ctx context.Context, q tables.Querier) (int64, error) {
	text, err := tables.Meta(ctx, q, tables.MetaNumber)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(text, 10, 64)
}

// Location implements next.Ledger.
func (l *Ledger) Location() string { return l.engine.location.String() }

// Close implements next.Ledger.
func (l *Ledger) Close() error {
	l.engine.leases.stop()
	return errors.Join(l.Ledger.Close(), l.engine.close())
}
