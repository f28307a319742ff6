package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

//go:embed schema/*.sql
var schemaFiles embed.FS

// metaSchema is the name of the entry with the number of a ledger's schema.
const metaSchema = "schema"

// readSchema returns the statements that lead from an empty database to today's schema,
// in steps. The number of a ledger's schema is the number of steps that were applied to
// it. A released step is never changed.
func readSchema() ([]string, error) {
	names, err := fs.Glob(schemaFiles, "schema/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var steps []string
	for _, name := range names {
		text, err := schemaFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		steps = append(steps, string(text))
	}
	return steps, nil
}

// version returns the number of a ledger's schema, or 0 if the database has no ledger.
func version(ctx context.Context, q tables.Querier) (int, error) {
	text, err := tables.Meta(ctx, q, metaSchema)
	var server *pgconn.PgError
	const noTable, noSchema, noColumn = "42P01", "3F000", "42703"
	switch {
	case errors.As(err, &server) && (server.Code == noTable || server.Code == noSchema || server.Code == noColumn):
		var mayUse bool
		err := q.QueryRowContext(ctx, "SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = 'tripimport'").Scan(&mayUse)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return 0, nil
		case err == nil && mayUse:
			return 0, foreignError()
		case err == nil:
			return 0, noRightsError()
		}
		return 0, err
	case errors.As(err, &server) && server.Code == noPrivilege:
		return 0, noRightsError()
	}
	if err != nil || text == "" {
		return 0, err
	}
	var n int
	_, err = fmt.Sscan(text, &n)
	return n, err
}

// migrate upgrades a database from a schema to today's, completely or not at all.
func migrate(ctx context.Context, db *sql.DB, from int) error {
	steps, err := readSchema()
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to roll back after the commit
	if from > 0 {
		// Machines that upgrade at once wait for each other here.
		var now int
		if _, err := tx.ExecContext(ctx, "LOCK TABLE meta IN EXCLUSIVE MODE"); err != nil {
			return err
		}
		if now, err = version(ctx, tx); err != nil || now >= len(steps) {
			return err
		}
		from = now
	}
	if err := addSteps(ctx, tx, steps, from); err != nil {
		return err
	}
	return tx.Commit()
}

// addSteps applies the steps after from, in the caller's transaction.
func addSteps(ctx context.Context, e tables.Execer, steps []string, from int) error {
	for _, statements := range steps[from:] {
		if _, err := e.ExecContext(ctx, statements); err != nil {
			return err
		}
	}
	_, err := e.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value", metaSchema, fmt.Sprint(len(steps)))
	return err
}

// noRightsError refuses a user whom the owner of the ledger has given no rights.
func noRightsError() *ledger.Error {
	return ledger.NewError("ledger-access", "have the user who made the ledger execute what `tripimport ledger grants` prints, with this user's name",
		"the ledger is there, and this user has no rights to it")
}

// makingError returns the error for a ledger that could not be made.
func (l Location) makingError(ctx context.Context, err error) error {
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == noPrivilege {
		return ledger.NewError("ledger-access", "have the server's administrator make this user the owner of the database, or name the user who owns it in the ledger's URL",
			"this user may not make a ledger at %s", l).Because(err)
	}
	return l.errorOf(ctx, err)
}

// foreignError refuses a database whose schema tripimport is no ledger.
func foreignError() *ledger.Error {
	return ledger.NewError("ledger-foreign", "name another database; or, if nobody needs what is in that schema, have the server's administrator drop it",
		"the database has a schema named tripimport that is not a ledger: another program's, or left over")
}

// olderError refuses a ledger of an earlier version of the program that this user may not
// upgrade, or opens only for reading.
func olderError(ctx context.Context, q tables.Querier, l Location) *ledger.Error {
	owner := "the user who made it"
	_ = q.QueryRowContext(ctx, "SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'tripimport'").Scan(&owner) // after an error the default stays
	return ledger.NewError("ledger-older",
		"have "+owner+" run `tripimport ledger rate` with this version, which upgrades it; until then the earlier version can still be used, and afterwards all offices need this one",
		"the ledger at %s is of an earlier tripimport", l)
}

// newerError refuses a ledger of a newer version of the program.
func newerError(l Location) *ledger.Error {
	return ledger.NewError("ledger-newer", "install the newest tripimport on this computer",
		"the ledger at %s was written by a newer tripimport", l)
}
