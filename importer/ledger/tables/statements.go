package tables

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// A Scanner is a row of a result.
type Scanner interface{ Scan(dest ...any) error }

// A Querier reads.
type Querier interface {
	// Each executes a query in this package's form, and calls scan for each row that it finds,
	// until scan fails. scan must not use the database.
	Each(ctx context.Context, scan func(Scanner) error, query string, args ...any) error
}

// A Database is one connection that reads and writes.
type Database interface {
	Querier
	// Exec executes a statement in this package's form whose result nobody needs, at the latest
	// together with the next query or the commit: for a server, the round trip is most of its cost.
	Exec(ctx context.Context, query string, args ...any) error
}

// Statements prepares each statement when it is first used, and keeps it, so that its text is
// parsed only once. It is a Database, and safe for concurrent use.
type Statements struct {
	db       connections
	bind     func(string) string
	prepared sync.Map // each *sql.Stmt by its query
}

// connections are a *sql.DB or a *sql.Conn.
type connections interface {
	PrepareContext(ctx context.Context, query string) (*sql.Stmt, error)
	Close() error
}

// NewStatements returns the statements of connections, which Close closes. bind translates a
// statement of this package into the database's form. Besides parameters, which are written ? or ?1,
// it translates listed(?1) and numbers(?1): selects of the texts, or of the numbers, of a JSON list,
// and live(t.run), which is true while the process of the run with that number may be working.
func NewStatements(db connections, bind func(string) string) *Statements {
	return &Statements{db: db, bind: bind}
}

// of returns the prepared statement for a text. It holds no lock while it waits for a
// connection.
func (s *Statements) of(ctx context.Context, query string) (*sql.Stmt, error) {
	if stmt, ok := s.prepared.Load(query); ok {
		return stmt.(*sql.Stmt), nil
	}
	stmt, err := s.db.PrepareContext(ctx, s.bind(query))
	if err != nil {
		return nil, err
	}
	if other, loaded := s.prepared.LoadOrStore(query, stmt); loaded {
		return other.(*sql.Stmt), stmt.Close() //nolint:sqlclosecheck // the other is kept
	}
	return stmt, nil
}

// Exec implements Database.
func (s *Statements) Exec(ctx context.Context, query string, args ...any) error {
	stmt, err := s.of(ctx, query) //nolint:sqlclosecheck // kept, until Close
	if err == nil {
		_, err = stmt.ExecContext(ctx, args...)
	}
	return err
}

// Each implements Querier.
func (s *Statements) Each(ctx context.Context, scan func(Scanner) error, query string, args ...any) (err error) {
	stmt, err := s.of(ctx, query) //nolint:sqlclosecheck // kept, until Close
	if err != nil {
		return err
	}
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Close closes the prepared statements and the connections.
func (s *Statements) Close() error {
	var errs []error
	s.prepared.Range(func(_, stmt any) bool {
		errs = append(errs, stmt.(*sql.Stmt).Close())
		return true
	})
	return errors.Join(append(errs, s.db.Close())...)
}

// Query returns the results of scan for each row that a query finds.
func Query[T any](ctx context.Context, q Querier, scan func(Scanner) (T, error), text string, args ...any) (all []T, err error) {
	err = q.Each(ctx, func(row Scanner) error {
		one, err := scan(row)
		all = append(all, one)
		return err
	}, text, args...)
	return all, err
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
