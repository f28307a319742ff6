package tables

import (
	"context"
	"database/sql"
	_ "embed" // for Schema
	"errors"

	"tripimport/importer/ledger"
)

// Schema are the statements that make the tables. An engine translates the types.
//
//go:embed schema.sql
var Schema string

// An Engine does what differs between databases.
type Engine interface {
	// Bind translates a statement of this package into the engine's form. Besides
	// parameters, which are written ? or ?1, it translates listed(?1) for any parameter,
	// a select of the numbers of a JSON list as the column value; live(t.run) and live(r.num), which are true
	// if the process of the run with that number is still working, as far as the ledger
	// knows; and broken(r), which is true for a run without a last event if its process
	// certainly is not.
	Bind(statement string) string
	// Transact does work in one transaction, and returns nil when that is durable. Before
	// it calls work it sets Writer.Number to the ledger's number, which no other process
	// changes until the end of the transaction, and after work it stores the number again.
	// If the transaction failed and certainly left nothing behind, Transact may call
	// Writer.Forget and begin again. It returns the first error of work, or that of the
	// commit.
	Transact(work func(context.Context, *Writer) error) error
	// Verify adds what is wrong with the database itself, one sentence each.
	Verify(ctx context.Context, q Querier, v *ledger.Verification) error
	// ReadError and WriteError return the *ledger.Error for an error of reading or
	// writing.
	ReadError(err error) error
	WriteError(err error) error
}

// The names of a ledger's entries in the table meta.
const (
	MetaIdentity = "identity"
	MetaKeyCheck = "key_check"
	MetaNumber   = "number"  // the number of the last event
	MetaBackup   = "backup"  // when the backup was made; the ledger in use has no such entry
	MetaCopied   = "copied"  // the last event that the ledger had when a copy was last adopted
	MetaAdopted  = "adopted" // the number after which it continued then
	metaAddress  = "address "
)

// Meta reads an entry of the table meta. It returns "" if there is none.
func Meta(ctx context.Context, q Querier, name string) (string, error) {
	var value string
	err := q.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = '"+name+"'").Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// SetMetaSQL sets an entry of the table meta.
const SetMetaSQL = "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
