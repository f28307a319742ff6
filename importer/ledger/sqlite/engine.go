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

// An engine is the tables.Engine for SQLite, with the connection that writes. One caller
// uses it at a time.
type engine struct {
	path   string
	db     *sql.DB // the database of conn; nil if the ledger is opened only for reading
	conn   *sql.Conn
	writer *tables.Writer
	mark   *mark.Keeper
	// lastRun is the id of the run that began last.
	lastRun string
	commits atomic.Int64 // the number of commits since the ledger was made
}

var _ tables.Engine = (*engine)(nil)

// Bind implements tables.Engine. While this process has the lock, no other process has a
// run.
func (e *engine) Bind(statement string) string {
	return strings.NewReplacer(
		"listed(?1)", "SELECT value FROM json_each(?1)",
		"live(a.run)", "0", "live(g.run)", "0", "live(r.num)", "0", "broken(r)", "1",
		"commits()", "(SELECT CAST(value AS INTEGER) FROM meta WHERE name = '"+metaCommits+"')",
	).Replace(statement)
}

// Transact implements tables.Engine. It counts the commit in the same transaction.
func (e *engine) Transact(ask func(*tables.Writer), work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
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
		// The error of ROLLBACK means nothing, because SQLite may have rolled back by
		// itself.
		_, _ = e.writer.ExecContext(ctx, "ROLLBACK")
		return err
	}

	for _, run := range e.writer.Begun {
		e.lastRun = run.ID
	}
	e.writer.Begun, e.writer.Ended, e.writer.AccountsChanged = nil, nil, false
	e.commits.Store(commits)
	// The commit is durable even if this fails. If the mark has a smaller number, an older
	// copy is only harder to notice.
	_ = e.writeMark(commits)
	return nil
}

// writeMark writes the mark of a commit.
func (e *engine) writeMark(commits int64) error {
	return e.mark.Write(mark.Point{Number: commits, Run: e.lastRun})
}

// Read implements tables.Engine. It calls ask once, because a file does not go away and
// come back.
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

// Verify implements tables.Engine. SQLite checks that the file is whole, and that all
// references between tables are valid.
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
		v.Wrong = append(v.Wrong, fmt.Sprintf("%d rows of its table %s refer to rows that do not exist", n, table))
	}
	return err
}
