package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"strconv"

	"tripimport/importer/ledger/tables"
)

const (
	// numberSQL locks the row that numbers the events, which all transactions that write
	// change.
	numberSQL = "SELECT value::bigint FROM meta WHERE name = '" + tables.MetaEvents + "' FOR UPDATE"
	// liveSQL is false if the lease of this process's run has ended, and leaseSQL begins one, unless others have
	// ended the run.
	liveSQL  = "SELECT $1::bigint = 0 OR EXISTS (SELECT 1 FROM runs WHERE num = $1 AND ended = '' AND broken = 0 AND leased_until > clock_timestamp())"
	leaseSQL = "UPDATE runs SET leased_until = clock_timestamp() + $2 * INTERVAL '1 second' WHERE num = $1 AND ended = '' AND broken = 0"
)

// An engine is the tables.Engine for PostgreSQL, with the only connection of this process
// that writes. One caller writes at a time. The connection is never made again: what came of a
// commit whose answer was lost, and what another server has, would have to be found out first.
type engine struct {
	location Location
	writers  *sql.DB // nil if the ledger is opened only for reading
	lease    *lease
	writer   *tables.Writer
	conn     *batchConn // that of the writer
}

var _ tables.Engine = (*engine)(nil)

// Transact implements tables.Engine.
func (e *engine) Transact(q *tables.Question, work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	err := e.begin(ctx, q)
	if err == nil {
		err = work(ctx, e.writer)
	}
	if err == nil {
		err = e.commit(ctx)
	}
	if err != nil {
		// The error of ROLLBACK means nothing, because the connection may be lost.
		_, _ = e.conn.ExecContext(ctx, "ROLLBACK")
		return cmp.Or(e.conn.failed, err)
	}
	e.lease.take(e.writer.Begun, e.writer.Ended)
	e.writer.Committed()
	return nil
}

// begin begins a transaction. Everything that is asked in it is as the last commit of any
// process left it, because the first statement waits for the transactions of the others.
func (e *engine) begin(ctx context.Context, q *tables.Question) error {
	var working bool
	run := e.lease.holds()
	e.conn.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	e.conn.ask(&e.writer.LastEvent, numberSQL)
	e.conn.ask(&working, liveSQL, run.Number)
	if err := cmp.Or(e.writer.Ask(ctx, q), e.conn.Flush(ctx)); err != nil {
		return err
	}
	if !working { // the lease begins anew unless others have ended the run
		e.lease.told(run.Number, 0, 0) // others may have its share until the next renewal
		e.writer.Forget()
		e.conn.Queue(leaseSQL, run.Number, e.lease.length.Seconds())
	}
	return nil
}

// commit flushes the queue, writes the ledger's number, and commits.
func (e *engine) commit(ctx context.Context) error {
	if e.conn.failed != nil { // a caller may have ignored the error
		return e.conn.failed
	}
	e.conn.Queue("UPDATE meta SET value = $1 WHERE name = '"+tables.MetaEvents+"'", strconv.FormatInt(e.writer.LastEvent, 10))
	for _, run := range e.writer.Begun {
		e.conn.Queue(leaseSQL, run.Number, e.lease.length.Seconds())
	}
	e.conn.Queue("COMMIT")
	return e.conn.Flush(ctx)
}

// close closes the connections that write.
func (e *engine) close() error {
	if e.writers == nil {
		return nil
	}
	if e.conn != nil {
		_ = e.conn.Close() // the connection may be lost
	}
	return e.writers.Close()
}

// Error implements tables.Engine.
func (e *engine) Error(err error) error { return e.location.errorOf(context.Background(), err) }

// damageSQL selects what only a fault of the program can leave. The server itself checks its pages
// (data_checksums).
const damageSQL = "SELECT 'run ' || id || ' counts as broken off while its process is working' FROM runs WHERE broken <> 0 AND leased_until > clock_timestamp() AND ended = ''"
