package sqlite

import (
	"context"
	"os"
	"regexp"
	"strconv"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

var _ tables.Engine = (*Ledger)(nil)

// bind translates a statement of package tables into SQLite's form.
func bind(statement string) string {
	statement = live.ReplaceAllString(statement, "1 = 1") // the ledger is locked while a run goes on
	return lists.ReplaceAllString(statement, "SELECT value FROM json_each($1)")
}

var (
	lists = regexp.MustCompile(`(?:listed|numbers)\((\?\d*)\)`)
	live  = regexp.MustCompile(`live\([a-z.]+\)`)
)

// Transact implements tables.Engine. One caller uses it at a time.
func (l *Ledger) Transact(q *tables.Question, work func(context.Context, *tables.Writer) error) error {
	ctx := context.Background() // a cancelled commit would leave it unknown whether it was made
	w := l.writer
	if now, err := os.Stat(l.path); err != nil || !os.SameFile(now, l.file) {
		return ledger.NewError("ledger-moved", "put it back where it was, with the files beside it, and do the same again", "the ledger %s was moved, removed or replaced while it was used", l.path)
	}
	if err := w.Exec(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}

	before := w.Number()
	w.LastEvent = before
	err := w.Ask(ctx, q)
	if err == nil {
		err = work(ctx, w)
	}
	if err == nil && w.LastEvent != before {
		err = w.Exec(ctx, tables.SetMetaSQL, tables.MetaEvents, strconv.FormatInt(w.LastEvent, 10))
	}
	if err == nil {
		err = w.Exec(ctx, "COMMIT")
	}
	if err != nil {
		// The error of ROLLBACK means nothing, because SQLite may have rolled back by itself.
		_ = w.Exec(ctx, "ROLLBACK")
		w.Forget()
		return err
	}

	w.Committed()
	return nil
}

// Error implements tables.Engine.
func (l *Ledger) Error(err error) error { return errorOf(l.path, err) }

// damageSQL has SQLite check that the file is whole.
const damageSQL = "SELECT 'the file is damaged: ' || integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok' LIMIT 10"
