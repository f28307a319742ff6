package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"tripimport/importer/ledger"
)

// adoptFile marks the file as the ledger in use, and gives its new number of
// commits: more than were ever seen.
func adoptFile(ctx context.Context, conn *sql.Conn, seen int64, o options) (_ int64, err error) {
	commits, err := countOf(ctx, conn)
	if err != nil {
		return 0, err
	}
	commits = max(commits, seen) + 1
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, ignoreDone(tx.Rollback())) }()
	if _, err := tx.ExecContext(ctx, "DELETE FROM meta WHERE name = ?", metaBackup); err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = ?",
		strconv.FormatInt(commits, 10), metaCommits); err != nil {
		return 0, err
	}
	if err := addChange(ctx, tx, "taken into use from an older copy", ledger.Person{Who: o.Who, Host: o.Host, When: time.Now()}); err != nil {
		return 0, err
	}
	return commits, tx.Commit()
}

// ignoreDone drops the error of a rollback that came after a commit.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// An execer carries out a statement.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func addChange(ctx context.Context, e execer, what string, by ledger.Person) error {
	_, err := e.ExecContext(ctx, "INSERT INTO changes (what, who, host, changed_at) VALUES (?, ?, ?, ?)",
		what, by.Who, by.Host, instant(by.When))
	return err
}
