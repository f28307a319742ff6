package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/tables"
)

// An engine is SQLite, with the one connection that writes. One caller uses it at a time.
type engine struct {
	path   string
	db     *sql.DB // the writing connection's; nil where the ledger is opened for reading only
	conn   *sql.Conn
	writer *tables.Writer
	mark   *mark.Keeper
	// lastRun is the run that was begun last.
	lastRun string
	commits atomic.Int64 // in the ledger's life
}

var _ tables.Engine = (*engine)(nil)

// Bind implements tables.Engine. While this process has the lock, no other is at any run.
func (e *engine) Bind(statement string) string {
	return strings.NewReplacer(
		"listed(?1)", "SELECT value FROM json_each(?1)",
		"live(a.run)", "0", "live(g.run)", "0", "live(r.num)", "0", "broken(r)", "1",
		"commits()", "(SELECT CAST(value AS INTEGER) FROM meta WHERE name = '"+metaCommits+"')",
	).Replace(statement)
}

// Transact implements tables.Engine. It counts the commit in the same transaction.
func (e *engine) Transact(ask func(*tables.Writer), work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a commit that was cut off is one that nobody knows of
	if _, err := e.writer.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}

	ask(e.writer)
	err := work(ctx, e.writer)
	commits := e.commits.Load() + 1
	if err == nil {
		_, err = e.writer.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = '"+metaCommits+"'", fmt.Sprint(commits))
	}
	if err == nil {
		_, err = e.writer.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// Its error tells nothing: SQLite may have rolled back by itself.
		_, _ = e.writer.ExecContext(ctx, "ROLLBACK")
		return err
	}

	for _, run := range e.writer.Begun {
		e.lastRun = run.ID
	}
	e.writer.Begun, e.writer.Ended, e.writer.AccountsChanged = nil, nil, false
	e.commits.Store(commits)
	// The commit is durable, whatever this returns. If the mark names fewer
	// commits than there are, an older copy is only harder to notice.
	_ = e.writeMark(commits)
	return nil
}

// writeMark writes the mark of a commit.
func (e *engine) writeMark(commits int64) error {
	return e.mark.Write(mark.Point{Number: commits, Run: e.lastRun})
}

// Read implements tables.Engine: a file is not away.
func (e *engine) Read(ctx context.Context, ask func(context.Context) error) error { return ask(ctx) }

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

// Verify implements tables.Engine: it asks SQLite whether the file is whole, and whether
// what refers to something finds it.
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

	broken := map[string]int{}
	all, err = tables.Query(ctx, q, tables.ScanOne[string], `SELECT "table" FROM pragma_foreign_key_check`)
	for _, table := range all {
		broken[table]++
	}
	for table, n := range broken {
		v.Wrong = append(v.Wrong, fmt.Sprintf("%d rows of its table %s refer to something that is not there", n, table))
	}
	return err
}
