package tables

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer/ledger"
)

// An Engine does what differs between databases.
type Engine interface {
	// Bind translates a statement of this package into the engine's form. Besides
	// parameters, which are written ? or ?1, it translates: CROSS JOIN, which fixes the
	// order of the joins; listed(?1), a select of the numbers of a JSON list;
	// live(r.num), which is true if the process of the run with that number is still
	// working, as far as the database knows; broken(r), which is true for a run without
	// an end if its process certainly is not; and commits(), the ledger's number of
	// commits.
	Bind(statement string) string
	// Transact does work in one transaction, and returns nil when that is durable. It
	// first calls ask, which asks ahead what work will need. If the transaction failed
	// and certainly left nothing behind, Transact may call both again. It returns the
	// first error of work, or that of the commit.
	Transact(ask func(*Writer), work func(context.Context, *Writer) error) error
	// Verify adds what is wrong with the database itself, one sentence each.
	Verify(ctx context.Context, q Querier, v *ledger.Verification) error
	// Read calls ask, and calls it again if the database could not be reached and may
	// come back. If nothing is to be asked any more, it calls ask with a context that has
	// ended.
	Read(ctx context.Context, ask func(context.Context) error) error
	// ReadError and WriteError return the *ledger.Error for an error of reading or
	// writing.
	ReadError(err error) error
	WriteError(err error) error
}

// The names of a ledger's entries in the table meta.
const (
	MetaIdentity = "identity"
	MetaKeyCheck = "key_check"
	MetaBackup   = "backup"         // when the backup was made; the ledger in use has no such entry
	MetaCopied   = "copied"         // the last attempt that the ledger had when a copy was last adopted
	MetaAdopted  = "adopted"        // the number of commits when a copy was last adopted
	MetaAttempts = "attempts_after" // after a copy was adopted, attempts are numbered from here on
	// MetaOldRows says that the ledger has trips from before ledgers had row ids; see
	// keyed.Hashes.OldRow.
	MetaOldRows = "old_rows"
)

// LastIDsSQL selects the numbers of the last trip and of the last attempt.
const LastIDsSQL = `SELECT (SELECT COALESCE(MAX(id), 0) FROM trips),
	(SELECT MAX(n) FROM (SELECT COALESCE(MAX(id), 0) AS n FROM attempts
		UNION ALL SELECT CAST(value AS BIGINT) FROM meta WHERE name = '` + MetaAttempts + `') AS known)`

// EndBrokenRuns ends the runs that their processes did not end and do not continue.
func EndBrokenRuns(ctx context.Context, e Execer) error {
	_, err := e.ExecContext(ctx, endBrokenRunsSQL)
	return err
}

// Meta reads an entry of the table meta. It returns "" if there is none.
func Meta(ctx context.Context, q Querier, name string) (string, error) {
	var value string
	err := q.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = '"+name+"'").Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}
