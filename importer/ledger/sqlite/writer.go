package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A writer is the one connection that writes, with its statements prepared and
// with what it has looked up before. Only the committer uses it, one job after
// the other.
type writer struct {
	conn  *sql.Conn
	stmts statements
	ready []*sql.Stmt // all of them, to be closed
	// texts and runs remember ids. Nothing need ever be taken out of them: a
	// transaction that is rolled back is the writer's last.
	texts map[string]int64
	runs  map[string]int64
	// The ledger's lock leaves one process that writes, so ids are counted
	// here. Were there a second one after all, the tables would refuse its ids.
	lastTrip, lastAttempt int64
}

// statements are prepared once; the names are those of their uses.
type statements struct {
	begin, commit, rollback, setCommits *sql.Stmt

	findText, addText *sql.Stmt
	findRun           *sql.Stmt

	addTrip, tripByID, tripBySource, claimAgain, addAttempt, addIdentity *sql.Stmt
	addRider                                                             *sql.Stmt
	openAttempt, addSettlement, free                                     *sql.Stmt
}

func newCommitter(ctx context.Context, l *Ledger, conn *sql.Conn, commits int64) (*committer, error) {
	w := &writer{conn: conn, texts: map[string]int64{}, runs: map[string]int64{}}
	if err := w.prepare(ctx); err != nil {
		return nil, err
	}
	for query, last := range map[string]*int64{
		"SELECT COALESCE(MAX(id), 0) FROM trips":    &w.lastTrip,
		"SELECT COALESCE(MAX(id), 0) FROM attempts": &w.lastAttempt,
	} {
		if err := conn.QueryRowContext(ctx, query).Scan(last); err != nil {
			return nil, err
		}
	}
	return &committer{
		path: l.path, writer: w, count: commits,
		turn: make(chan struct{}, 1), noted: l.lock.count,
	}, nil
}

func (w *writer) prepare(ctx context.Context) error {
	s := &w.stmts
	var err error
	w.ready, err = prepareAll(ctx, w.conn, map[**sql.Stmt]string{
		// IMMEDIATE takes the right to write at once, so that it can't be
		// refused half way.
		&s.begin:         "BEGIN IMMEDIATE",
		&s.commit:        "COMMIT",
		&s.rollback:      "ROLLBACK",
		&s.setCommits:    "UPDATE meta SET value = ? WHERE name = '" + metaCommits + "'",
		&s.findText:      "SELECT id FROM texts WHERE text = ?",
		&s.addText:       "INSERT INTO texts (text) VALUES (?)",
		&s.findRun:       findRunSQL,
		&s.addTrip:       addTripSQL,
		&s.tripByID:      tripByIDSQL,
		&s.tripBySource:  tripBySourceSQL,
		&s.claimAgain:    claimAgainSQL,
		&s.addAttempt:    addAttemptSQL,
		&s.addIdentity:   addIdentitySQL,
		&s.addRider:      addRiderSQL,
		&s.openAttempt:   openAttemptSQL,
		&s.free:          freeSQL,
		&s.addSettlement: addSettlementSQL,
	})
	return err
}

// A preparer prepares statements: one connection, or several.
type preparer interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// prepareAll prepares the statements, and gives those that it has prepared to be
// closed: SQLite does not let go of a file whose statements are open.
func prepareAll(ctx context.Context, p preparer, statements map[**sql.Stmt]string) ([]*sql.Stmt, error) {
	var ready []*sql.Stmt
	for stmt, query := range statements {
		prepared, err := p.PrepareContext(ctx, query) //nolint:sqlclosecheck // closeAll closes it
		if err != nil {
			return nil, errors.Join(err, closeAll(ready))
		}
		*stmt = prepared
		ready = append(ready, prepared)
	}
	return ready, nil
}

func closeAll(ready []*sql.Stmt) error {
	var errs []error
	for _, stmt := range ready {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(errs...)
}

func (w *writer) begin(ctx context.Context) error {
	_, err := w.stmts.begin.ExecContext(ctx)
	return err
}

// commit puts the transaction on the disk, together with the number of commits
// that the ledger then has.
func (w *writer) commit(ctx context.Context, count int64) error {
	if _, err := w.stmts.setCommits.ExecContext(ctx, fmt.Sprint(count)); err != nil {
		return err
	}
	_, err := w.stmts.commit.ExecContext(ctx)
	return err
}

// rollback takes the transaction back. SQLite may have done so by itself, and
// says so with an error that is none.
func (w *writer) rollback(ctx context.Context) error {
	_, _ = w.stmts.rollback.ExecContext(ctx)
	return nil
}

// text gives the id under which a text is kept.
func (w *writer) text(ctx context.Context, text string) (int64, error) {
	if id, ok := w.texts[text]; ok {
		return id, nil
	}
	var id int64
	err := w.stmts.findText.QueryRowContext(ctx, text).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		if _, err = w.stmts.addText.ExecContext(ctx, text); err == nil {
			err = w.stmts.findText.QueryRowContext(ctx, text).Scan(&id)
		}
	}
	if err != nil {
		return 0, err
	}
	w.texts[text] = id
	return id, nil
}

// close gives the connection back, with its statements.
func (w *writer) close() error { return errors.Join(closeAll(w.ready), w.conn.Close()) }
