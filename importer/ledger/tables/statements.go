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
	db       Database
	engine   Engine
	queue    Queue // db if it is a Queue; nil otherwise
	mu       sync.Mutex
	prepared map[string]*sql.Stmt
	bound    map[string]string // the texts of queued statements in the engine's form
}

func newStatements(db Database, e Engine) *statements {
	queue, _ := db.(Queue)
	return &statements{db: db, engine: e, queue: queue, prepared: map[string]*sql.Stmt{}, bound: map[string]string{}}
}

// boundText returns a statement in the engine's form.
func (s *statements) boundText(query string) string {
	text, ok := s.bound[query]
	if !ok {
		text = s.engine.Bind(query)
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

	stmt, err := s.db.PrepareContext(ctx, s.engine.Bind(query))
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
		return s.db.QueryRowContext(ctx, s.engine.Bind(query), args...) // the row has the same error
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
