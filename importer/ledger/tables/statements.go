package tables

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// A Querier reads: one connection, several, or their prepared statements.
type Querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// An Execer executes a statement: a connection, a transaction, or prepared statements.
type Execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

// A Database is one connection or several, for which statements can be prepared.
type Database interface {
	Querier
	Execer
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
}

// A Queue is a Database that can send several statements together, because the round trip to the
// server is most of the cost of each.
type Queue interface {
	// Queue adds a statement to the queue.
	Queue(query string, args ...any)
	// Flush executes the queue.
	Flush(ctx context.Context) error
	// Each executes the queue and then the query, together, and calls scan for each row that the
	// query finds, until it fails. scan must not use the database.
	Each(ctx context.Context, scan func(Scanner) error, query string, args ...any) error
}

// statements prepares each statement when it is first used, and keeps it, so that its
// text is parsed only once. It is a Querier and an Execer, and safe for concurrent use.
type statements struct {
	db   Database
	bind func(string) string
	// readAgain reports whether a reading that failed may succeed on another connection.
	readAgain func(error) bool
	queue     Queue // db if it is a Queue; nil otherwise
	mu        sync.Mutex
	prepared  map[string]*sql.Stmt
	bound     map[string]string // the texts of queued statements in the engine's form
}

func newStatements(db Database, bind func(string) string, readAgain func(error) bool) *statements {
	queue, _ := db.(Queue)
	return &statements{db: db, bind: bind, readAgain: readAgain, queue: queue, prepared: map[string]*sql.Stmt{}, bound: map[string]string{}}
}

// own returns s, also for those that extend it.
func (s *statements) own() *statements { return s }

// boundText returns a statement in the engine's form.
func (s *statements) boundText(query string) string {
	text, ok := s.bound[query]
	if !ok {
		text = s.bind(query)
		s.bound[query] = text
	}
	return text
}

// flush executes what is queued.
func (s *statements) flush(ctx context.Context) error {
	if s.queue == nil {
		return nil
	}
	return s.queue.Flush(ctx)
}

// of returns the prepared statement for a text. It holds no lock while it waits for a
// connection.
func (s *statements) of(ctx context.Context, query string) (*sql.Stmt, error) {
	if err := s.flush(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	stmt := s.prepared[query]
	s.mu.Unlock()
	if stmt != nil {
		return stmt, nil
	}

	stmt, err := s.db.PrepareContext(ctx, s.bind(query))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.prepared[query]; other != nil {
		return other, stmt.Close() //nolint:sqlclosecheck // the other is kept
	}
	s.prepared[query] = stmt
	return stmt, nil
}

func (s *statements) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := s.of(ctx, query) //nolint:sqlclosecheck // kept, until close
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := s.of(ctx, query) //nolint:sqlclosecheck // kept, until close
	if err != nil {
		return nil, err
	}
	return stmt.QueryContext(ctx, args...) //nolint:rowserrcheck,sqlclosecheck // the caller's
}

func (s *statements) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	stmt, err := s.of(ctx, query) //nolint:sqlclosecheck // kept, until close
	if err != nil {
		return s.db.QueryRowContext(ctx, s.bind(query), args...) // the row has the same error
	}
	return stmt.QueryRowContext(ctx, args...)
}

func (s *statements) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, stmt := range s.prepared {
		errs = append(errs, stmt.Close())
	}
	return errors.Join(errs...)
}

// A Scanner is a row of a result.
type Scanner interface{ Scan(dest ...any) error }

// Query returns the results of scan for each row that a query finds.
func Query[T any](ctx context.Context, q Querier, scan func(Scanner) (T, error), text string, args ...any) (all []T, err error) {
	s, prepared := q.(interface{ own() *statements })
	if prepared && s.own().queue != nil {
		err = s.own().queue.Each(ctx, func(row Scanner) error {
			one, err := scan(row)
			all = append(all, one)
			return err
		}, s.own().boundText(text), args...)
		return all, err
	}
	all, err = queryRows(ctx, q, scan, text, args...)
	if prepared && err != nil && ctx.Err() == nil && s.own().readAgain(err) {
		all, err = queryRows(ctx, q, scan, text, args...)
	}
	return all, err
}

func queryRows[T any](ctx context.Context, q Querier, scan func(Scanner) (T, error), text string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// QueryOne returns the result of scan for the first row that a query finds, or sql.ErrNoRows.
func QueryOne[T any](ctx context.Context, q Querier, scan func(Scanner) (T, error), text string, args ...any) (one T, err error) {
	all, err := Query(ctx, q, scan, text, args...)
	if err != nil {
		return one, err
	}
	if len(all) == 0 {
		return one, sql.ErrNoRows
	}
	return all[0], nil
}

// ScanOne reads a row of one column.
func ScanOne[T any](row Scanner) (value T, err error) {
	err = row.Scan(&value)
	return value, err
}
