package tables

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer/ledger"
)

// A Writer is the only connection of a process that writes, with its prepared statements
// and the ids that it has looked up. Jobs use it one after the other.
type Writer struct {
	*statements
	// texts has the ids of texts, and runs the numbers of runs. Their entries stay valid,
	// because after a rollback the writer is not used any more.
	texts map[string]int64
	runs  map[string]int64
	// LastTrip and LastAttempt are the last numbers of trips and attempts. During a
	// transaction no other process assigns numbers; the tables would refuse duplicates.
	LastTrip, LastAttempt int64
	// Begun and Ended are the runs that were begun and ended; the engine resets them.
	// AccountsChanged reports that accounts have changed, so that other processes have to
	// forget theirs.
	Begun           []BegunRun
	Ended           []string
	AccountsChanged bool
	// absent are the questions that askAhead asked and the answer was no, without those
	// to which the transaction has added something since.
	absent map[question]bool
}

// A BegunRun is a run that was begun.
type BegunRun struct {
	ID     string
	Number int64
}

// NewWriter returns the writer of a connection.
func NewWriter(conn Database, e Engine) *Writer {
	return &Writer{statements: newStatements(conn, e), texts: map[string]int64{}, runs: map[string]int64{}, absent: map[question]bool{}}
}

// Forget makes the writer look up again whether its runs have ended.
func (w *Writer) Forget() { clear(w.runs) }

// Later executes a statement whose result nobody needs, at the latest together with the
// next one of the transaction.
func (w *Writer) Later(ctx context.Context, query string, args ...any) error {
	if w.queue == nil {
		_, err := w.ExecContext(ctx, query, args...)
		return err
	}
	w.queue.Queue(w.boundText(query), args...)
	return nil
}

// textID returns the id of a text, and adds a new text.
func (w *Writer) textID(ctx context.Context, text string) (int64, error) {
	if id, ok := w.texts[text]; ok {
		return id, nil
	}

	id, err := scanID(w.QueryRowContext(ctx, "SELECT id FROM texts WHERE text = ?", text))
	if errors.Is(err, sql.ErrNoRows) {
		id, err = scanID(w.QueryRowContext(ctx, "INSERT INTO texts (text) VALUES (?) RETURNING id", text))
	}

	if err != nil {
		return 0, err
	}

	w.texts[text] = id
	return id, nil
}

// scanID returns the id that a statement returns.
func scanID(row *sql.Row) (id int64, err error) {
	err = row.Scan(&id)
	return id, err
}

// textIDs returns the ids of texts.
func (w *Writer) textIDs(ctx context.Context, texts ...string) ([]int64, error) {
	ids := make([]int64, len(texts))
	for i, text := range texts {
		var err error
		if ids[i], err = w.textID(ctx, text); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// AddChange records a change of the ledger as a whole.
func (w *Writer) AddChange(ctx context.Context, what string, by ledger.Person) error {
	_, err := w.ExecContext(ctx, "INSERT INTO changes (what, who, host, changed_at) VALUES (?, ?, ?, ?)",
		what, by.Who, by.Host, instant(by.When))
	return err
}

// Close closes the prepared statements.
func (w *Writer) Close() error { return w.close() }

// flag returns the stored form of a truth: a number, which all engines have.
func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
