package tables

import (
	"context"
	"database/sql"

	"tripimport/importer"
)

// A Writer is the only connection of a process that writes, with its prepared statements
// and the names that it has looked up. Jobs use it one after the other.
type Writer struct {
	*statements
	// Number is the number of the last event. During a transaction no other process
	// changes it.
	Number int64
	// Begun and Ended are the runs that were begun and ended; the engine resets them.
	Begun []BegunRun
	Ended []string
	// OthersWrote is the number of the last event before which another process may have
	// written something. The engine sets it before each transaction.
	OthersWrote int64

	// failed is the first error of a statement. No other statement is executed after it,
	// because a database may end a transaction by itself, and what is written then is
	// written alone.
	failed   error
	events   []any // the arguments of events that wait to be written
	names    names
	arrivals arrivals
	runs     map[string]int64           // the numbers of runs that go on
	accounts map[importer.Account]int64 // the numbers of accounts
}

// A BegunRun is a run that was begun.
type BegunRun struct {
	ID     string
	Number int64
}

// NewWriter returns the writer of a connection.
func NewWriter(conn Database, e Engine) *Writer {
	return &Writer{statements: newStatements(conn, e), names: newNames(), arrivals: newArrivals(), runs: map[string]int64{}, accounts: map[importer.Account]int64{}}
}

// Forget makes the writer forget what a transaction did that was rolled back.
func (w *Writer) Forget() {
	w.names.forget()
	w.arrivals.forget()
	clear(w.runs)
	clear(w.accounts)
	w.events = nil
	w.Begun, w.Ended, w.failed = nil, nil, nil
}

// ExecContext implements Execer.
func (w *Writer) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if w.failed != nil {
		return nil, w.failed
	}
	result, err := w.statements.ExecContext(ctx, query, args...)
	w.failed = err
	return result, err
}

// ForgetOthers makes the writer forget what other processes may have changed since its last
// transaction.
func (w *Writer) ForgetOthers() {
	clear(w.runs)
	clear(w.accounts)
}

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

// ask executes a query as eachRow does, at the latest together with the next one.
func (w *Writer) ask(ctx context.Context, scan func(Scanner) error, query string, args ...any) error {
	if w.queue == nil {
		return eachRow(ctx, w, scan, query, args...)
	}
	w.queue.Ask(scan, w.boundText(query), args...)
	return nil
}

// boundText returns a statement in the engine's form.
func (w *Writer) boundText(query string) string {
	text, ok := w.bound[query]
	if !ok {
		text = w.engine.Bind(query)
		w.bound[query] = text
	}
	return text
}

// Close closes the prepared statements.
func (w *Writer) Close() error { return w.close() }
