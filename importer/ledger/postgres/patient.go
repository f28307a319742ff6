package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// A patientConnector makes connections for reading that outlast their server: where one
// is lost, it is made again and the question is asked again, as long as the patience
// lasts. A question that was asked twice changes nothing.
type patientConnector struct {
	driver.Connector

	patience time.Duration
}

// Connect implements driver.Connector.
func (c patientConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	inner, ok := conn.(*stdlib.Conn)
	if !ok {
		return nil, errors.Join(errors.New("the connection is not one of pgx"), conn.Close())
	}
	return &patientConn{Conn: inner, connector: c}, nil
}

// A patientConn is a connection for reading.
type patientConn struct {
	*stdlib.Conn

	connector     patientConnector
	inTransaction bool
}

// QueryContext implements driver.QueryerContext. In a transaction it asks once.
func (c *patientConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	end := time.Now().Add(c.connector.patience)
	for {
		rows, err := c.Conn.QueryContext(ctx, query, args)
		if err == nil || ctx.Err() != nil || c.inTransaction || !c.Conn.Conn().IsClosed() {
			return rows, err
		}
		for c.Conn.Conn().IsClosed() {
			if time.Now().After(end) || ctx.Err() != nil {
				return nil, err
			}
			if again, connectErr := c.connector.Connector.Connect(ctx); connectErr == nil {
				c.Conn = again.(*stdlib.Conn)
			} else {
				time.Sleep(pauseBetween)
			}
		}
	}
}

// PrepareContext implements driver.ConnPrepareContext. The statement is prepared on the
// server when it is executed first, on the connection that there is then.
func (c *patientConn) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return patientStatement{c, query}, nil
}

// Prepare implements driver.Conn.
func (c *patientConn) Prepare(query string) (driver.Stmt, error) {
	return patientStatement{c, query}, nil
}

// BeginTx implements driver.ConnBeginTx.
func (c *patientConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.BeginTx(ctx, o)
	if err != nil {
		return nil, err
	}
	c.inTransaction = true
	return patientTx{c, tx}, nil
}

// IsValid implements driver.Validator.
func (c *patientConn) IsValid() bool { return true } // a lost connection is made again

// ResetSession implements driver.SessionResetter.
func (c *patientConn) ResetSession(context.Context) error { return nil }

// A patientTx is a transaction that reads.
type patientTx struct {
	conn *patientConn
	driver.Tx
}

// Rollback implements driver.Tx.
func (t patientTx) Rollback() error {
	t.conn.inTransaction = false
	return t.Tx.Rollback()
}

// Commit implements driver.Tx.
func (t patientTx) Commit() error {
	t.conn.inTransaction = false
	return t.Tx.Commit()
}

// A patientStatement is a statement that reads.
type patientStatement struct {
	conn  *patientConn
	query string
}

// Close implements driver.Stmt.
func (s patientStatement) Close() error { return nil }

// NumInput implements driver.Stmt: the server counts them.
func (s patientStatement) NumInput() int { return -1 }

// Exec implements driver.Stmt.
func (s patientStatement) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

// Query implements driver.Stmt.
func (s patientStatement) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// ExecContext implements driver.StmtExecContext.
func (s patientStatement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.query, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s patientStatement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}
