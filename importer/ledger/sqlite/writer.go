package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
)

// A writer is the one connection that writes, with its prepared statements and
// the ids that it has looked up. Only the committer uses it, one job after the
// other.
type writer struct {
	*statements
	conn *sql.Conn
	// texts and runs are ids by text and by the run's id. Nothing need be taken
	// out of them: after a rollback the writer is not used any more.
	texts map[string]int64
	runs  map[string]int64
	// The lock leaves one process that writes, so it counts the ids. If there
	// were a second one, the tables would refuse its ids.
	lastTrip, lastAttempt int64
}

func newCommitter(ctx context.Context, l *Ledger, conn *sql.Conn, commits int64) (*committer, error) {
	w := &writer{statements: newStatements(conn), conn: conn, texts: map[string]int64{}, runs: map[string]int64{}}
	err := conn.QueryRowContext(ctx, `SELECT (SELECT COALESCE(MAX(id), 0) FROM trips),
		MAX((SELECT COALESCE(MAX(id), 0) FROM attempts),
		COALESCE((SELECT CAST(value AS INTEGER) FROM meta WHERE name = '`+metaAttempts+`'), 0))`).Scan(&w.lastTrip, &w.lastAttempt)
	if err != nil {
		return nil, err
	}

	c := &committer{path: l.path, writer: w, turn: make(chan struct{}, 1), onCommit: l.writeMark}
	c.commits.Store(commits)
	return c, nil
}

// commit commits the transaction, and in it the number of commits that the
// ledger then has.
func (w *writer) commit(ctx context.Context, commits int64) error {
	_, err := w.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = '"+metaCommits+"'", strconv.FormatInt(commits, 10))
	if err == nil {
		_, err = w.ExecContext(ctx, "COMMIT")
	}
	return err
}

// rollback takes the transaction back. Its error tells nothing: SQLite may have
// rolled back by itself.
func (w *writer) rollback(ctx context.Context) { _, _ = w.ExecContext(ctx, "ROLLBACK") }

// textID gives the id of a text, which is added where it is new.
func (w *writer) textID(ctx context.Context, text string) (int64, error) {
	if id, ok := w.texts[text]; ok {
		return id, nil
	}

	var id int64
	err := w.QueryRowContext(ctx, "SELECT id FROM texts WHERE text = ?", text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		id, err = inserted(w.ExecContext(ctx, "INSERT INTO texts (text) VALUES (?)", text))
	}

	if err != nil {
		return 0, err
	}

	w.texts[text] = id
	return id, nil
}

// inserted gives the id of a row that was inserted.
func inserted(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// textIDs gives the ids of texts.
func (w *writer) textIDs(ctx context.Context, texts ...string) ([]int64, error) {
	ids := make([]int64, len(texts))
	for i, text := range texts {
		var err error
		if ids[i], err = w.textID(ctx, text); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

func (w *writer) close() error { return errors.Join(w.statements.close(), w.conn.Close()) }
