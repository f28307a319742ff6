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
	bound   map[string]string // statements of package tables in PostgreSQL's form
	// failed is the first error of Flush. Later errors are only consequences of it.
	failed error
}

func newBatchConn(conn *sql.Conn) *batchConn {
	return &batchConn{Conn: conn, bound: map[string]string{}}
}

// Queue adds a statement to those that Flush executes.
func (c *batchConn) Queue(query string, args ...any) *pgx.QueuedQuery {
	text, ok := c.bound[query]
	if !ok {
		text = bind(query)
		c.bound[query] = text
	}
	return c.waiting.Queue(text, args...)
}

// Exec implements tables.Database.
func (c *batchConn) Exec(_ context.Context, query string, args ...any) error {
	c.Queue(query, args...)
	return nil
}

// ask adds a statement that returns one value, which Flush scans.
func (c *batchConn) ask(value any, query string, args ...any) {
	c.Queue(query, args...).QueryRow(func(row pgx.Row) error { return row.Scan(value) })
}

// Flush executes the statements that wait.
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

// Each implements tables.Querier. It executes the statements that wait, too.
func (c *batchConn) Each(ctx context.Context, scan func(tables.Scanner) error, query string, args ...any) error {
	c.Queue(query, args...).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			if err := scan(rows); err != nil {
				return err
			}
		}
		return rows.Err()
	})
	return c.Flush(ctx)
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
