package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/tables"
)

// An Arriving is a ledger that is being moved to a database: its schema and all its rows,
// in one transaction. Nobody sees any of it before Commit.
type Arriving struct {
	// Querier reads in the transaction, once Begin has returned.
	tables.Querier

	store Store
	at    Location
	db    *sql.DB
	conn  *sql.Conn // nil before Begin
	key   string    // the path of the key file, if Begin made it
}

// Arrive connects to the database of a location.
func (s Store) Arrive(ctx context.Context, location string) (*Arriving, error) {
	at, err := ParseLocation(location)
	if err != nil {
		return nil, err
	}
	const wholeLedger = time.Hour // reading it may take long, and nobody else waits
	db, err := at.Connect(ctx, ConnectOptions{Password: s.Password, Silence: wholeLedger})
	if err != nil {
		return nil, err
	}
	return &Arriving{store: s, at: at, db: db}, nil
}

// Location returns the location of the database for a person. It holds no password.
func (a *Arriving) Location() string { return a.at.String() }

// Is reports whether a location is this database with the same user, whatever its other
// options are.
func (a *Arriving) Is(location string) bool {
	one, err := parse(location)
	other, otherErr := parse(a.Location())
	differs := func(name string) bool { return one[name] != other[name] }
	return err == nil && otherErr == nil && !slices.ContainsFunc(whereabouts(), differs)
}

// Error returns the *ledger.Error for an error of the database, or nil for nil.
func (a *Arriving) Error(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	return a.at.errorOf(ctx, err)
}

// Identity returns the identity of the ledger that the database has; empty for none.
func (a *Arriving) Identity(ctx context.Context) (string, error) {
	has, err := version(ctx, a.db)
	if err != nil || has == 0 {
		return "", a.Error(ctx, err)
	}
	identity, _, err := identityIn(ctx, a.db, a.at)
	return identity, err
}

// HasEnded reports whether a transaction was committed or can't be committed any more. A
// transaction that the server does not know is lost.
func (a *Arriving) HasEnded(ctx context.Context, transaction string) (bool, error) {
	var status sql.NullString
	err := a.db.QueryRowContext(ctx, "SELECT pg_xact_status($1::xid8)", transaction).Scan(&status)
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == "22023" { // an id that this server has not used yet
		return true, nil
	}
	return status.String != "in progress", a.Error(ctx, err)
}

// Begin begins the transaction, makes the tables in it, and writes the ledger's key into
// the store's folder. It returns the server's id of the transaction. It refuses a
// database that has a ledger.
func (a *Arriving) Begin(ctx context.Context, key keyfile.File) (transaction string, err error) {
	has, err := version(ctx, a.db)
	if err != nil {
		return "", a.Error(ctx, err)
	}
	if has > 0 {
		return "", a.existsError()
	}
	if err := a.writeKey(key); err != nil {
		return "", err
	}

	steps, err := readSchema()
	if err != nil {
		return "", err
	}
	if a.conn, err = a.db.Conn(ctx); err != nil {
		return "", a.Error(ctx, err)
	}
	a.Querier = a.conn
	if _, err := a.conn.ExecContext(ctx, "BEGIN"); err != nil {
		return "", a.Error(ctx, err)
	}
	err = addSteps(ctx, a.conn, steps, 0)
	var server *pgconn.PgError
	const duplicateSchema, duplicateKey = "42P06", "23505"
	if errors.As(err, &server) && (server.Code == duplicateSchema || server.Code == duplicateKey) {
		return "", a.existsError() // somebody made one meanwhile
	}
	if err != nil {
		return "", a.at.makingError(ctx, err)
	}
	err = a.conn.QueryRowContext(ctx, "SELECT pg_current_xact_id()::text").Scan(&transaction)
	return transaction, a.Error(ctx, err)
}

func (a *Arriving) existsError() error {
	return ledger.NewError("ledger-exists", "name a database that has none: two ledgers can't become one", "there is a ledger at %s already", a.at)
}

// writeKey writes the key file, unless it exists.
func (a *Arriving) writeKey(key keyfile.File) error {
	path := a.store.KeyPath(key.Identity)
	if there, err := keyfile.Read(path, ""); err == nil {
		if string(there.Bytes()) != string(key.Bytes()) {
			return ledger.NewError("ledger-key-other", "move that file elsewhere", "the hash key %s belongs to another ledger", path)
		}
		return nil
	}
	if err := a.store.writeKey(key); err != nil {
		return err
	}
	a.key = path
	return nil
}

// CopyRows adds rows to a table.
func (a *Arriving) CopyRows(ctx context.Context, table string, columns []string, rows pgx.CopyFromSource) error {
	return a.Error(ctx, a.conn.Raw(func(c any) error {
		conn, ok := c.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("the connection is a %T", c)
		}
		_, err := conn.Conn().CopyFrom(ctx, pgx.Identifier{"tripimport", table}, columns, rows)
		return err
	}))
}

// An Origin describes the ledger that was moved: its last numbers, and who moved it.
type Origin struct {
	Commits, LastTrip, LastAttempt int64

	By ledger.Person
}

// settleSQL selects statements that set the number of the next row of each table, and
// that update the server's statistics.
const settleSQL = `SELECT format('SELECT setval(pg_get_serial_sequence(%L, %L), max(%I)) FROM %I HAVING count(*) > 0', 'tripimport.' || table_name, column_name, column_name, table_name)
	FROM information_schema.columns WHERE table_schema = 'tripimport' AND is_identity = 'YES'
	UNION ALL SELECT format('ANALYZE %I', table_name) FROM information_schema.tables WHERE table_schema = 'tripimport'`

// Continue makes the ledger continue where its origin ended. The move itself counts as a
// commit, so that everything that is left of the origin is an older copy.
func (a *Arriving) Continue(ctx context.Context, o Origin) error {
	_, err := a.conn.ExecContext(ctx, "UPDATE state SET commits = $1 + 1, last_trip = $2, last_attempt = $3", o.Commits, o.LastTrip, o.LastAttempt)
	if err != nil {
		return a.Error(ctx, err)
	}
	statements, err := tables.Query(ctx, a.conn, tables.ScanOne[string], settleSQL)
	for _, statement := range statements {
		if err == nil {
			_, err = a.conn.ExecContext(ctx, statement)
		}
	}
	if err == nil {
		w := tables.NewWriter(a.conn, &engine{})
		err = errors.Join(w.AddChange(ctx, "moved here from a file", o.By), w.Close())
	}
	return a.Error(ctx, err)
}

// Commit commits the ledger. After an error it may or may not be there, unless the server
// refused the commit: call HasEnded and then Identity to find out.
func (a *Arriving) Commit(ctx context.Context) error {
	a.key = ""
	_, err := a.conn.ExecContext(ctx, "COMMIT")
	return a.Error(ctx, err)
}

// Close rolls back what was not committed.
func (a *Arriving) Close() error {
	if a.conn != nil { // the connection may be lost, so errors mean nothing
		_, _ = a.conn.ExecContext(context.Background(), "ROLLBACK")
		_ = a.conn.Close()
	}
	var err error
	if a.key != "" {
		err = os.Remove(a.key)
	}
	return errors.Join(err, a.db.Close())
}

// OwnMeta returns the names of the entries in the table meta that are about the database
// and not about the ledger.
func OwnMeta() []string { return []string{metaSchema} }
