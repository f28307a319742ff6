package postgres

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// metaSchema is the entry of meta with the form of the tables. Ledgers of builds before the
// first release have another value there.
const (
	metaSchema   = "schema"
	schemaOfThis = "model 4"
)

// placeSQL tells the database from any other that a dump of it was restored into: the numbers that the
// server gave to the database and to the table meta.
const placeSQL = "SELECT oid || ' ' || 'meta'::regclass::oid FROM pg_database WHERE datname = current_database()"

// hasLedger reports whether the database has a ledger. It refuses one that another build of
// the program made.
func (l Location) hasLedger(ctx context.Context, q tables.Querier) (bool, error) {
	form, err := tables.QueryOne(ctx, q, tables.ScanOne[string], "SELECT value FROM tripimport.meta WHERE name = '"+metaSchema+"'")
	server, ok := errors.AsType[*pgconn.PgError](err)
	switch {
	case ok && server.Code == "42P01": // there is no such table
		return false, nil
	case err != nil && !errors.Is(err, sql.ErrNoRows):
		return false, l.errorOf(ctx, err)
	case form != schemaOfThis:
		return false, ledger.OtherBuildError(l.String())
	}
	return true, nil
}

// makeTables makes the tables of a ledger, completely or not at all. Of several processes
// that make one at once, the first does, and the others are refused.
func (l Location) makeTables(ctx context.Context, db *sql.DB, identity, keyCheck string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return l.errorOf(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // nothing is left to roll back after the commit
	_, err = tx.ExecContext(ctx, schema())
	if server, ok := errors.AsType[*pgconn.PgError](err); ok && (server.Code == "42P06" || server.Code == "23505") { // there is one, or one was made meanwhile
		return l.existsError()
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ($1, $2), ($3, $4), ($5, '0'), ($6, $7), ($8, ("+placeSQL+"))",
			tables.MetaIdentity, identity, tables.MetaKeyCheck, keyCheck, tables.MetaEvents, metaSchema, schemaOfThis, tables.MetaMachine)
	}
	if err == nil {
		err = tx.Commit()
	}
	return l.errorOf(ctx, err)
}

func (l Location) existsError() *ledger.Error {
	return ledger.NewError("ledger-exists", "use it as it is: offices that share a ledger have one",
		"there is a ledger at %s already, or something else has a schema named tripimport there", l).Or("bring its key to this machine", importer.JoinLedger, "FILE")
}
