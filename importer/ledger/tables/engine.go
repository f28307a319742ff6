package tables

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer/ledger"
)

// An Engine is what a database does in its own way.
type Engine interface {
	// Bind gives a statement of this package in the form that the engine takes.
	// Parameters are written ? or ?1, and so are: CROSS JOIN where the order of the
	// joins is meant; listed(?1) for the numbers of a JSON list, as a select;
	// live(r.num) for whether the process of the run of that number is still at it, as
	// far as the database tells; broken(r) for whether it certainly is not, for a run
	// without an end; and commits() for how many commits the ledger has.
	Bind(statement string) string
	// Transact does work in one transaction, and returns nil once that is durable. Before,
	// ask has the writer ask ahead what work will need. Transact calls both again where the
	// first transaction certainly left nothing behind. Its error is the first one of work,
	// or that of the commit.
	Transact(ask func(*Writer), work func(context.Context, *Writer) error) error
	// Verify adds what is wrong with the database itself, one sentence each.
	Verify(ctx context.Context, q Querier, v *ledger.Verification) error
	// Read asks, and asks again where the database is away and may come back. It may give
	// ask a context that has ended, where nothing is to be asked any more.
	Read(ctx context.Context, ask func(context.Context) error) error
	// ReadError says why something could not be read, and WriteError why something
	// could not be written: *ledger.Error, both.
	ReadError(err error) error
	WriteError(err error) error
}

// The names of what a ledger says about itself in the table meta.
const (
	MetaIdentity = "identity"
	MetaKeyCheck = "key_check"
	MetaBackup   = "backup"         // when a backup was made; the ledger in use has none
	MetaCopied   = "copied"         // the last attempt that the ledger had when a copy was adopted last
	MetaAdopted  = "adopted"        // the number of commits when a copy was adopted last
	MetaAttempts = "attempts_after" // attempts are numbered from there on, once a copy was adopted
	// MetaOldRows says that trips are in it whose rows are known by what their trip ids
	// have in common.
	MetaOldRows = "old_rows"
)

// LastIDsSQL gives the numbers of the last trip and of the last attempt.
const LastIDsSQL = `SELECT (SELECT COALESCE(MAX(id), 0) FROM trips),
	(SELECT MAX(n) FROM (SELECT COALESCE(MAX(id), 0) AS n FROM attempts
		UNION ALL SELECT CAST(value AS BIGINT) FROM meta WHERE name = '` + MetaAttempts + `') AS known)`

// EndBrokenRuns ends the runs that their processes did not end and are not at any more.
func EndBrokenRuns(ctx context.Context, e Execer) error {
	_, err := e.ExecContext(ctx, endBrokenRunsSQL)
	return err
}

// Meta reads what a ledger says about itself; it is empty for nothing.
func Meta(ctx context.Context, q Querier, name string) (string, error) {
	var value string
	err := q.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = '"+name+"'").Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}
