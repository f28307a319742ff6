package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"

	"tripimport/importer/ledger"
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

// A Ledger is a ledger in a PostgreSQL database, open, with the only connection of this process
// that writes. One caller writes at a time. The connection is never made again: what came of a
// commit whose answer was lost, and what another server has, would have to be found out first.
type Ledger struct {
	*tables.Ledger

	location Location
	writers  *sql.DB // nil if the ledger is opened only for reading
	lease    *lease
	writer   *tables.Writer
	conn     *batchConn // that of the writer
}

var (
	_ ledger.Ledger = (*Ledger)(nil)
	_ tables.Engine = (*Ledger)(nil)
)

// Transact implements tables.Engine.
func (l *Ledger) Transact(q *tables.Question, work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	err := l.begin(ctx, q)
	if err == nil {
		err = work(ctx, l.writer)
	}
	if err == nil {
		err = l.commit(ctx)
	}
	if err != nil {
		// The error of ROLLBACK means nothing, because the connection may be lost.
		_, _ = l.conn.ExecContext(ctx, "ROLLBACK")
		return cmp.Or(l.conn.failed, err)
	}
	l.lease.take(l.writer.Begun, l.writer.Ended)
	l.writer.Committed()
	return nil
}

// begin begins a transaction. Everything that is asked in it is as the last commit of any
// process left it, because the first statement waits for the transactions of the others.
func (l *Ledger) begin(ctx context.Context, q *tables.Question) error {
	var working bool
	run := l.lease.holds()
	l.conn.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	l.conn.ask(&l.writer.LastEvent, numberSQL)
	l.conn.ask(&working, liveSQL, run.Number)
	if err := cmp.Or(l.writer.Ask(ctx, q), l.conn.Flush(ctx)); err != nil {
		return err
	}
	if !working { // the lease begins anew unless others have ended the run
		l.lease.told(run.Number, 0, 0) // others may have its share until the next renewal
		l.writer.Forget()
		l.conn.Queue(leaseSQL, run.Number, l.lease.length.Seconds())
	}
	return nil
}

// commit flushes the queue, writes the ledger's number, and commits.
func (l *Ledger) commit(ctx context.Context) error {
	if l.conn.failed != nil { // a caller may have ignored the error
		return l.conn.failed
	}
	l.conn.Queue("UPDATE meta SET value = $1 WHERE name = '"+tables.MetaEvents+"'", strconv.FormatInt(l.writer.LastEvent, 10))
	for _, run := range l.writer.Begun {
		l.conn.Queue(leaseSQL, run.Number, l.lease.length.Seconds())
	}
	l.conn.Queue("COMMIT")
	return l.conn.Flush(ctx)
}

// Close implements ledger.Ledger.
func (l *Ledger) Close() error {
	l.lease.stop()
	return errors.Join(l.Ledger.Close(), l.closeWriters())
}

func (l *Ledger) closeWriters() error {
	if l.conn != nil {
		_ = l.conn.Close() // the connection may be lost
	}
	if l.writers != nil {
		return l.writers.Close()
	}
	return nil
}

// Error implements tables.Engine.
func (l *Ledger) Error(err error) error { return l.location.errorOf(context.Background(), err) }

// damageSQL selects what only a fault of the program can leave. The server itself checks its pages
// (data_checksums).
const damageSQL = "SELECT 'run ' || id || ' counts as broken off while its process is working' FROM runs WHERE broken <> 0 AND leased_until > clock_timestamp() AND ended = ''"
