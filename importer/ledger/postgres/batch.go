package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger/tables"
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

// ask adds a statement that returns one row, which Flush scans.
func (c *batchConn) ask(scan func(pgx.Row) error, query string, args ...any) {
	c.waiting.Queue(query, args...).QueryRow(scan)
}

// Flush implements tables.Queue.
func (c *batchConn) Flush(ctx context.Context) error {
	if c.waiting.Len() == 0 {
		return nil
	}
	batch := c.waiting
	c.waiting = pgx.Batch{}
	err := c.pgx(func(conn *pgx.Conn) error { return conn.SendBatch(ctx, &batch).Close() })
	if c.failed == nil {
		c.failed = err
	}
	return err
}

// Each implements tables.Queue.
func (c *batchConn) Each(ctx context.Context, scan func(tables.Scanner) error, query string, args ...any) error {
	c.waiting.Queue(query, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return c.Flush(ctx)
}

// isClosed reports whether the connection is lost.
func (c *batchConn) isClosed() bool {
	closed := true
	_ = c.pgx(func(conn *pgx.Conn) error { // a connection that can't be used is closed
		closed = conn.IsClosed()
		return nil
	})
	return closed
}

// pgx calls use with the driver's connection.
func (c *batchConn) pgx(use func(*pgx.Conn) error) error {
	return c.Raw(func(conn any) error {
		open, ok := conn.(*stdlib.Conn)
		if !ok {
			return errors.New("the connection is not one of pgx")
		}
		return use(open.Conn())
	})
}
