package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// A batchConn is a connection on which statements may wait for those after them: each way
// to the server and back that is saved is one for which all other processes wait less.
type batchConn struct {
	*sql.Conn

	waiting pgx.Batch
	// failed is the first error of statements that waited. Those after it fail only because
	// of it.
	failed error
}

// Queue implements tables.Queue.
func (c *batchConn) Queue(query string, args ...any) { c.waiting.Queue(query, args...) }

// Flush implements tables.Queue.
func (c *batchConn) Flush(ctx context.Context) error { return c.send(ctx, nil) }

// send executes what waits. The last statement's row goes to row, unless that is nil.
func (c *batchConn) send(ctx context.Context, row []any) error {
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
		results := open.Conn().SendBatch(ctx, &batch)
		for range batch.Len() - 1 {
			if _, err := results.Exec(); err != nil {
				return errors.Join(err, results.Close())
			}
		}
		var err error
		if row != nil {
			err = results.QueryRow().Scan(row...)
		} else {
			_, err = results.Exec()
		}
		return errors.Join(err, results.Close())
	})
	if c.failed == nil {
		c.failed = err
	}
	return err
}
