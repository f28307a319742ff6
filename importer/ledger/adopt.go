package ledger

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"
)

// Adopt opens a backup, or another older copy, that a person takes into use
// knowing that trips booked since it was made are not in it. Who and when are
// recorded.
func Adopt(path string, o Options) (*Ledger, error) {
	o.ReadOnly = false
	return open(background(), path, o, true)
}

// adoptFile marks the file as the ledger in use, and gives its new number of
// commits: more than were ever seen.
func adoptFile(ctx context.Context, conn *sql.Conn, seen int64, o Options) (_ int64, err error) {
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
	if err := addChange(ctx, tx, "taken into use from an older copy", Person{o.Who, o.Host, time.Now()}); err != nil {
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

func addChange(ctx context.Context, e execer, what string, by Person) error {
	_, err := e.ExecContext(ctx, "INSERT INTO changes (what, who, host, changed_at) VALUES (?, ?, ?, ?)",
		what, by.Who, by.Host, instant(by.When))
	return err
}
