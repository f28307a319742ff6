package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/next/tables"
)

// An engine is the tables.Engine for SQLite, with the connection that writes. One caller
// uses it at a time.
type engine struct {
	path   string
	db     *sql.DB // the database of conn; nil if the ledger is opened only for reading
	conn   *sql.Conn
	writer *tables.Writer
	mark   *mark.Keeper
	// working reports that a process with a run may be writing: this one or another.
	working bool
	// lastRun is the id of the run that began last.
	lastRun string
	number  atomic.Int64 // the number of the last event
}

var _ tables.Engine = (*engine)(nil)

var listed = regexp.MustCompile(`listed\((\?\d*)\)`)

// Bind implements tables.Engine. While a process has the lock, no other process has a run,
// and the runs that are not its own have ended.
func (e *engine) Bind(statement string) string {
	live := func(run string) string {
		if !e.working {
			return "0"
		}
		return "EXISTS (SELECT 1 FROM runs live WHERE live.num = " + run + " AND live.last = 0)"
	}
	statement = listed.ReplaceAllString(statement, "SELECT value FROM json_each($1)")
	return strings.NewReplacer("live(t.run)", live("t.run"), "live(r.num)", live("r.num"), "broken(r)", "1").Replace(statement)
}

// Transact implements tables.Engine.
func (e *engine) Transact(work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	if _, err := e.writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}

	before := e.number.Load()
	e.writer.Number = before
	err := work(ctx, e.writer)
	number := e.writer.Number
	if err == nil && number != before {
		_, err = e.writer.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = '"+tables.MetaNumber+"'", strconv.FormatInt(number, 10))
	}
	if err == nil {
		_, err = e.writer.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// The error of ROLLBACK means nothing, because SQLite may have rolled back by
		// itself.
		_, _ = e.conn.ExecContext(ctx, "ROLLBACK")
		return err
	}

	for _, run := range e.writer.Begun {
		e.lastRun = run.ID
	}
	e.writer.Begun, e.writer.Ended = nil, nil
	e.number.Store(number)
	// The commit is durable even if this fails. If the mark has a smaller number, an older
	// copy is only harder to notice.
	_ = e.writeMark(number)
	return nil
}

// writeMark writes the mark of a commit.
func (e *engine) writeMark(number int64) error {
	return e.mark.Write(mark.Point{Number: number, Run: e.lastRun})
}

// ReadError implements tables.Engine.
func (e *engine) ReadError(err error) error { return openError(e.path, err) }

// WriteError implements tables.Engine.
func (e *engine) WriteError(err error) error { return writeError(e.path, err) }

// close closes the connection that writes.
func (e *engine) close() error {
	if e.db == nil {
		return nil
	}
	var err error
	if e.writer != nil {
		err = e.writer.Close()
	}
	return errors.Join(err, e.conn.Close(), e.db.Close())
}

// Verify implements tables.Engine. SQLite checks that the file is whole.
func (e *engine) Verify(ctx context.Context, q tables.Querier, v *ledger.Verification) error {
	all, err := tables.Query(ctx, q, tables.ScanOne[string], "PRAGMA integrity_check(10)")
	if err != nil {
		return err
	}
	for _, said := range all {
		if said != "ok" {
			v.Wrong = append(v.Wrong, "the file is damaged: "+said)
		}
	}

	return nil
}
