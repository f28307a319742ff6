package sqlite

import (
	"context"
	"regexp"
	"strconv"

	"tripimport/importer/ledger/tables"
)

// An engine is the tables.Engine for SQLite, with the connection that writes. One caller
// uses it at a time.
type engine struct {
	path       string
	statements *tables.Statements // of the connection that writes; nil if the ledger is opened only for reading
	writer     *tables.Writer
}

var _ tables.Engine = (*engine)(nil)

// bind translates a statement of package tables into SQLite's form.
func bind(statement string) string {
	statement = live.ReplaceAllString(statement, "1 = 1") // the ledger is locked while a run goes on
	return lists.ReplaceAllString(statement, "SELECT value FROM json_each($1)")
}

var (
	lists = regexp.MustCompile(`(?:listed|numbers)\((\?\d*)\)`)
	live  = regexp.MustCompile(`live\([a-z.]+\)`)
)

// Transact implements tables.Engine.
func (e *engine) Transact(q *tables.Question, work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	if err := e.writer.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}

	before := e.writer.Number()
	e.writer.LastEvent = before
	err := e.writer.Ask(ctx, q)
	if err == nil {
		err = work(ctx, e.writer)
	}
	if err == nil && e.writer.LastEvent != before {
		err = e.writer.Exec(ctx, tables.SetMetaSQL, tables.MetaEvents, strconv.FormatInt(e.writer.LastEvent, 10))
	}
	if err == nil {
		err = e.writer.Exec(ctx, "COMMIT")
	}
	if err != nil {
		// The error of ROLLBACK means nothing, because SQLite may have rolled back by itself.
		_ = e.writer.Exec(ctx, "ROLLBACK")
		e.writer.Forget()
		return err
	}

	e.writer.Committed()
	return nil
}

// Error implements tables.Engine.
func (e *engine) Error(err error) error { return errorOf(e.path, err) }

// close closes the connection that writes.
func (e *engine) close() error {
	if e.statements == nil {
		return nil
	}
	return e.statements.Close()
}

// damageSQL has SQLite check that the file is whole.
const damageSQL = "SELECT 'the file is damaged: ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10"
