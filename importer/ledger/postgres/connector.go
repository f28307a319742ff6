package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"time"

	"tripimport/importer/ledger"
)

// A server that is away is noticed within silence. Then
// the process tries to reach it for the time of patience, and then each caller tries once
// more, for lastTry at most. Together they are less than 15 seconds, in which a run has to end.
const (
	silence      = 4 * time.Second
	patience     = 7 * time.Second
	lastTry      = 1500 * time.Millisecond
	pauseBetween = 250 * time.Millisecond
)

// A connector makes the connections of a sql.DB. Once the first one was made, it waits for a
// server that can't be reached, until that has lasted as long as the patience. After that
// each caller tries once, so that nobody waits for long.
type connector struct {
	driver.Connector

	at       Location
	patience time.Duration
	opened   atomic.Bool
	away     *atomic.Bool // that lasted; all connections of a ledger share it
}

// Connect implements driver.Connector.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if !c.opened.Load() {
		return c.Connector.Connect(ctx)
	}
	limit := c.patience
	if c.away.Load() {
		limit = min(limit, lastTry)
	}
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	var last error
	for {
		conn, err := c.Connector.Connect(within)
		if err == nil {
			c.away.Store(false)
			return conn, nil
		}
		if last == nil || within.Err() == nil {
			last = err // says more than the end of the time
		}
		if c.away.Load() || !c.at.isAway(err) {
			return nil, err
		}
		select {
		case <-time.After(pauseBetween):
		case <-within.Done():
		}
		if within.Err() != nil {
			c.away.Store(ctx.Err() == nil)
			return nil, last
		}
	}
}

// isAway reports whether an error says that the server can't be reached now.
func (l Location) isAway(err error) bool {
	var failed *ledger.Error
	return err != nil && errors.As(l.errorOf(context.Background(), err), &failed) && failed.Later
}
