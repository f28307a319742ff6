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

// schemaSQL selects whether the user may use the schema of a ledger, if there is one, and whether it has
// a table like meta.
const schemaSQL = `SELECT has_schema_privilege(n.oid, 'USAGE'), EXISTS (SELECT 1 FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
	WHERE c.relnamespace = n.oid AND c.relname = 'meta' AND a.attname = 'value') FROM pg_namespace n WHERE n.nspname = 'tripimport'`

// hasLedger reports whether the database has a ledger. It refuses one that another build of
// the program made, and a schema that is no ledger.
func (l Location) hasLedger(ctx context.Context, q tables.Querier) (bool, error) {
	has, mayUse, hasMeta := false, false, false
	err := q.Each(ctx, func(row tables.Scanner) error {
		has = true
		return row.Scan(&mayUse, &hasMeta)
	}, schemaSQL)
	form := ""
	if err == nil && mayUse && hasMeta {
		form, err = tables.Meta(ctx, q, metaSchema)
	}
	switch {
	case err != nil:
		return false, l.errorOf(ctx, err)
	case has && !mayUse:
		return false, ledger.NewError("ledger-access", "have the user who made the ledger give this user the rights to the schema tripimport and its tables",
			"the ledger is there, and this user has no rights to it")
	case has && form != schemaOfThis:
		return false, ledger.NewError("ledger-older", "install the newest tripimport, which may have made it; otherwise keep it, see in the service which of its trips are booked, and make a new ledger in another database",
			"the database at %s has a schema named tripimport that this build can't read: of another build of tripimport, or of another program", l)
	}
	return has, nil
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
		"there is a ledger at %s already", l).Or("bring its key to this machine", importer.JoinLedger, "FILE")
}
