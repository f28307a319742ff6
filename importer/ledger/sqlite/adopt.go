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
// commits: more than the lock file has seen of any copy.
func adoptFile(ctx context.Context, conn *sql.Conn, seen int64, o options) (int64, error) {
	commits, err := commitsIn(ctx, conn)
	if err != nil {
		return 0, err
	}

	commits = max(commits, seen) + 1

	err = inTransaction(ctx, conn, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "DELETE FROM meta WHERE name = ?", metaBackup); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = ?", strconv.FormatInt(commits, 10), metaCommits)
		if err != nil {
			return err
		}
		return addChange(ctx, tx, "taken into use from an older copy", ledger.Person{Who: o.Who, Host: o.Host, When: time.Now()})
	})
	return commits, err
}

// inTransaction does work in a transaction of its own, whole or not at all.
func inTransaction(ctx context.Context, conn *sql.Conn, work func(*sql.Tx) error) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// An execer executes a statement: a connection or a transaction.
type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// addChange records a change of the ledger as a whole.
func addChange(ctx context.Context, e execer, what string, by ledger.Person) error {
	_, err := e.ExecContext(ctx, "INSERT INTO changes (what, who, host, changed_at) VALUES (?, ?, ?, ?)",
		what, by.Who, by.Host, instant(by.When))
	return err
}
