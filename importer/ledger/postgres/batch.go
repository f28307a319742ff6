package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// A batchConn is a connection that can send several statements together. All other
// processes wait for this one, so each round trip that is saved shortens their wait.
type batchConn struct {
	*sql.Conn

	waiting pgx.Batch
	// failed is the first error of Flush. Later errors are only consequences of it.
	failed error
}

// Queue implements tables.Queue.
func (c *batchConn) Queue(query string, args ...any) { c.waiting.Queue(query, args...) }

// Ask implements tables.Queue.
func (c *batchConn) Ask(answered func([]bool), n int, query string, args ...any) {
	c.waiting.Queue(query, args...).QueryRow(func(row pgx.Row) error {
		yes := make([]bool, n)
		columns := make([]any, n)
		for i := range yes {
			columns[i] = &yes[i]
		}
		if err := row.Scan(columns...); err != nil {
			return err
		}
		answered(yes)
		return nil
	})
}

// Flush implements tables.Queue.
func (c *batchConn) Flush(ctx context.Context) error {
	if c.waiting.Len() == 0 {
		return nil
	}
	batch := c.waiting
	c.waiting = pgx.Batch{}
	err := c.Raw(func(conn any) error {
		open, ok := conn.(*stdlib.Conn)
		if !ok {
			return errors.New("the connection is not one of pgx")
		}
		return open.Conn().SendBatch(ctx, &batch).Close()
	})
	if c.failed == nil {
		c.failed = err
	}
	return err
}
