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
	conn     *sql.Conn
	stmts    statements
	prepared []*sql.Stmt // all of them, to be closed
	// texts and runs are ids by text and by the run's id. Nothing need be taken
	// out of them: after a rollback the writer is not used any more.
	texts map[string]int64
	runs  map[string]int64
	// The lock leaves one process that writes, so it counts the ids. If there
	// were a second one, the tables would refuse its ids.
	lastTrip, lastAttempt int64
}

// statements are the prepared statements that write.
type statements struct {
	begin, commit, rollback, setCommits *sql.Stmt

	findText, addText, openRun *sql.Stmt

	addTrip, findTrip, rowTrip, claimAgain *sql.Stmt
	addAttempt, addIdentity, addRider      *sql.Stmt
	openAttempt, addSettlement, freeTrip   *sql.Stmt
	rowTrips, similar                      *sql.Stmt

	recordOf, addChange, pointToChange, addChangeSettlement, addAccepted, accept *sql.Stmt
}

func newCommitter(ctx context.Context, l *Ledger, conn *sql.Conn, commits int64) (*committer, error) {
	w := &writer{conn: conn, texts: map[string]int64{}, runs: map[string]int64{}}
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}

	err := conn.QueryRowContext(ctx, `SELECT (SELECT COALESCE(MAX(id), 0) FROM trips),
		MAX((SELECT COALESCE(MAX(id), 0) FROM attempts),
		COALESCE((SELECT CAST(value AS INTEGER) FROM meta WHERE name = '`+metaAttempts+`'), 0))`).Scan(&w.lastTrip, &w.lastAttempt)
	if err != nil {
		return nil, errors.Join(err, closeAll(w.prepared))
	}

	c := &committer{path: l.path, writer: w, turn: make(chan struct{}, 1), onCommit: l.writeMark}
	c.commits.Store(commits)
	return c, nil
}

func (w *writer) prepare(ctx context.Context) error {
	s := &w.stmts
	var err error
	w.prepared, err = prepareAll(ctx, w.conn, map[**sql.Stmt]string{
		// IMMEDIATE takes the right to write at once, so that it can't be
		// refused half way.
		&s.begin:         "BEGIN IMMEDIATE",
		&s.commit:        "COMMIT",
		&s.rollback:      "ROLLBACK",
		&s.setCommits:    "UPDATE meta SET value = ? WHERE name = '" + metaCommits + "'",
		&s.findText:      "SELECT id FROM texts WHERE text = ?",
		&s.addText:       "INSERT INTO texts (text) VALUES (?)",
		&s.openRun:       openRunSQL,
		&s.addTrip:       addTripSQL,
		&s.findTrip:      findTripSQL,
		&s.rowTrip:       rowTripSQL,
		&s.claimAgain:    claimAgainSQL,
		&s.addAttempt:    addAttemptSQL,
		&s.addIdentity:   addIdentitySQL,
		&s.addRider:      addRiderSQL,
		&s.openAttempt:   openAttemptSQL,
		&s.addSettlement: addSettlementSQL,
		&s.freeTrip:      freeTripSQL,
		&s.rowTrips:      rowTripsSQL,
		&s.similar:       similarSQL,

		&s.recordOf: recordOfSQL, &s.addChange: addChangeSQL, &s.pointToChange: pointToChangeSQL,
		&s.addChangeSettlement: addChangeSettlementSQL, &s.addAccepted: addAcceptedSQL, &s.accept: acceptSQL,
	})
	return err
}

// A preparer prepares statements: one connection or several.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// prepareAll prepares the statements, and gives all of them to be closed: SQLite
// does not let go of a file while statements are open.
func prepareAll(ctx context.Context, p preparer, statements map[**sql.Stmt]string) ([]*sql.Stmt, error) {
	var prepared []*sql.Stmt
	for target, query := range statements {
		stmt, err := p.PrepareContext(ctx, query) //nolint:sqlclosecheck // closeAll closes it
		if err != nil {
			return nil, errors.Join(err, closeAll(prepared))
		}
		*target = stmt
		prepared = append(prepared, stmt)
	}
	return prepared, nil
}

func closeAll(prepared []*sql.Stmt) error {
	var errs []error
	for _, stmt := range prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(errs...)
}

// commit commits the transaction, and in it the number of commits that the
// ledger then has.
func (w *writer) commit(ctx context.Context, commits int64) error {
	if _, err := w.stmts.setCommits.ExecContext(ctx, strconv.FormatInt(commits, 10)); err != nil {
		return err
	}
	_, err := w.stmts.commit.ExecContext(ctx)
	return err
}

// rollback takes the transaction back. Its error tells nothing: SQLite may have
// rolled back by itself.
func (w *writer) rollback(ctx context.Context) { _, _ = w.stmts.rollback.ExecContext(ctx) }

// textID gives the id of a text, which is added where it is new.
func (w *writer) textID(ctx context.Context, text string) (int64, error) {
	if id, ok := w.texts[text]; ok {
		return id, nil
	}

	var id int64
	err := w.stmts.findText.QueryRowContext(ctx, text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		id, err = inserted(w.stmts.addText.ExecContext(ctx, text))
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

func (w *writer) close() error { return errors.Join(closeAll(w.prepared), w.conn.Close()) }
