package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/tables"
)

// A Store keeps each ledger in a database of its own, in the schema tripimport. Locations
// are URLs; see ParseLocation.
type Store struct {
	// Folder is a folder of this user for files that belong to the ledgers and must not
	// be in their databases: the hash keys, and answers that could not be recorded.
	Folder string
	// Password is ConnectOptions.Password.
	Password func(context.Context) (string, error)
	// Lease is how long a run counts as working after the last message of its process, and
	// Patience how long a process tries to reach a server that can't be reached. If they
	// are zero, they are a minute and 30 seconds.
	Lease, Patience time.Duration
	// Notice, if set, is called with a sentence in lower case for a person when the program
	// begins to wait for something and when the wait is over. It is called from any
	// goroutine.
	Notice func(string)
	// Silence is ConnectOptions.Silence.
	Silence time.Duration
}

var _ ledger.Store = Store{}

// Open implements ledger.Store. Any number of processes may have the ledger open, and
// nobody waits for another.
func (s Store) Open(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	return tables.Opened(s.open(ctx, location, o, false))
}

// Create implements ledger.Store. The database must exist, and its user must be allowed
// to make a schema in it. The hash key is written into s.Folder, and is not in the
// database.
func (s Store) Create(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	o.ReadOnly = false
	at, err := ParseLocation(location)
	if err != nil {
		return nil, err
	}
	db, err := at.Connect(ctx, ConnectOptions{Password: s.Password, Silence: s.Silence})
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // what it wrote is committed

	has, err := version(ctx, db)
	if err != nil {
		return nil, at.errorOf(ctx, err)
	}
	if has > 0 {
		return nil, ledger.NewError("ledger-exists", "use it as it is: `tripimport ledger join --key FILE` brings its key to this machine; offices that share a ledger have one",
			"there is a ledger at %s already", at)
	}

	if keys, _ := filepath.Glob(s.KeyPath("*")); len(keys) > 0 {
		return nil, ledger.NewError("ledger-second", "name that ledger in tripimport.yaml or with --ledger; if the offices have given it up, move "+keys[0]+" away",
			"this machine has the key of another ledger that offices share, and a second ledger would book the trips of that one again")
	}

	key := keyfile.New(keyfile.NewIdentity())
	hashes, err := keyed.New(key.Key)
	if err != nil {
		return nil, err
	}
	if err := s.writeKey(key); err != nil {
		return nil, err
	}
	err = migrate(ctx, db, 0)
	if err == nil {
		_, err = db.ExecContext(ctx, "INSERT INTO tripimport.meta (name, value) VALUES ($1, $2), ($3, $4)",
			tables.MetaIdentity, key.Identity, tables.MetaKeyCheck, hashes.Check())
	}
	if err != nil {
		return nil, errors.Join(at.makingError(ctx, err), os.Remove(s.KeyPath(key.Identity)))
	}
	return tables.Opened(s.open(ctx, location, o, false))
}

// Backup implements ledger.Store. It returns an error that says how to back up the
// database with the server's own tools.
func (s Store) Backup(_ context.Context, location, _ string) error {
	at, err := ParseLocation(location)
	if err != nil {
		return err
	}
	return ledger.NewError("ledger-backup-elsewhere",
		fmt.Sprintf("have the server's administrator run `pg_dump --format=custom --file=FILE --schema=tripimport \"%s\"` every night, and keep the key file of `tripimport ledger where` in another place: a backup can't be used without it", at),
		"the ledger at %s is in PostgreSQL, whose own tools back it up", at)
}

// Join copies the hash key of the ledger at a location from the file at a path to this
// machine. It refuses the key of another ledger.
func (s Store) Join(ctx context.Context, location, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return ledger.NewError("ledger-key-unreadable", "name the key file that `tripimport ledger where` shows on a machine that uses the ledger", "%s can't be read", path).Because(err)
	}
	key, err := keyfile.Parse(path, text)
	if err != nil {
		return ledger.NewError("ledger-key-other", "name the key file that `tripimport ledger where` shows on a machine that uses the ledger", "%s is not the key of a ledger", path)
	}
	at, err := ParseLocation(location)
	if err != nil {
		return err
	}
	db, err := at.Connect(ctx, ConnectOptions{Password: s.Password, Silence: s.Silence, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it only reads
	if err := checkKey(ctx, db, at, path, key); err != nil {
		return err
	}
	if _, err := keyfile.Read(s.KeyPath(key.Identity), ""); err == nil {
		return nil // this machine has the key
	}
	return s.writeKey(key)
}

// KeyPath returns the path on this machine of the key of the ledger with that identity.
func (s Store) KeyPath(identity string) string { return filepath.Join(s.Folder, identity+".key") }

func (s Store) writeKey(key keyfile.File) error {
	path := s.KeyPath(key.Identity)
	err := os.MkdirAll(s.Folder, 0o700)
	if err == nil {
		err = key.Write(path)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return ledger.NewError("ledger-key-unwritable", "give yourself the right to write there", "the ledger's key %s can't be written", path).Because(err)
	}
	return nil
}

// checkKey refuses a database without a ledger, and the key of another ledger.
func checkKey(ctx context.Context, q tables.Querier, at Location, path string, key keyfile.File) error {
	identity, check, err := identityIn(ctx, q, at)
	if err != nil {
		return err
	}
	hashes, err := keyed.New(key.Key)
	if err != nil {
		return err
	}
	if identity != key.Identity || check != hashes.Check() {
		return ledger.NewError("ledger-key-other", "use the key file of this ledger: `tripimport ledger where` shows it on a machine that uses the ledger",
			"the hash key %s belongs to another ledger", path)
	}
	return nil
}

// identityIn returns the identity of the ledger in a database, and the text with which
// its key is checked.
func identityIn(ctx context.Context, q tables.Querier, at Location) (identity, check string, err error) {
	has, err := version(ctx, q)
	if err != nil {
		return "", "", at.errorOf(ctx, err)
	}
	if has == 0 {
		return "", "", &ledger.Error{
			Code: "ledger-missing", Missing: true,
			Reason: fmt.Sprintf("there is no ledger at %s", at),
			Fix: "if the offices have a ledger already, name it with --ledger or in tripimport.yaml: an empty second one would book the night twice; " +
				fmt.Sprintf("if they have none yet, run `tripimport ledger new --ledger \"%s\"`", at),
		}
	}
	identity, err = tables.Meta(ctx, q, tables.MetaIdentity)
	if err == nil {
		check, err = tables.Meta(ctx, q, tables.MetaKeyCheck)
	}
	if err != nil {
		return "", "", at.errorOf(ctx, err)
	}
	return identity, check, nil
}

// open opens the ledger at a location. With adopt, it accepts a copy that is refused
// otherwise.
func (s Store) open(ctx context.Context, location string, o ledger.Options, adopt bool) (_ *Ledger, err error) {
	at, err := ParseLocation(location)
	if err != nil {
		return nil, err
	}
	readers, err := at.Connect(ctx, ConnectOptions{Password: s.Password, Silence: s.Silence, ReadOnly: o.ReadOnly})
	if err != nil {
		return nil, err
	}
	readers.SetMaxOpenConns(readConnections)

	notice := s.Notice
	if notice == nil {
		notice = func(string) {}
	}
	l := &Ledger{others: others{notice: notice}, engine: &engine{
		location: at,
		session:  session{uuid.NewString(), o.Who, o.Host, o.Command},
		lease:    cmp.Or(s.Lease, leaseTime),
		outage:   outage{location: at, patience: cmp.Or(s.Patience, patience), silence: cmp.Or(s.Silence, longestSilence), notice: notice},
		runs:     map[string]int64{},
		changed:  func() {},
	}}
	c := tables.Config{Engine: l.engine, Readers: readers, ReadOnly: o.ReadOnly, Adopting: adopt}
	if err := l.prepare(ctx, s, &c); err != nil {
		return nil, errors.Join(err, readers.Close())
	}
	if l.Ledger, err = tables.New(ctx, c); err != nil {
		return nil, errors.Join(at.errorOf(ctx, err), readers.Close())
	}
	if o.ReadOnly {
		return l, nil
	}

	if err := l.openToWrite(ctx, s, o, adopt); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// readConnections is enough for any number of workers, because a look-up takes hardly
// longer than the round trip to the server.
const readConnections = 4

// prepare proves that the database has the ledger, in today's schema, and that this
// machine has its key.
func (l *Ledger) prepare(ctx context.Context, s Store, c *tables.Config) error {
	at := l.engine.location
	if err := upgrade(ctx, c.Readers, at, c.ReadOnly); err != nil {
		return err
	}

	identity, _, err := identityIn(ctx, c.Readers, at)
	if err != nil {
		return err
	}
	path := s.KeyPath(identity)
	key, err := keyfile.Read(path, "bring it from a machine that uses the ledger, where `tripimport ledger where` shows it: `tripimport ledger join --key FILE`")
	if err == nil {
		err = checkKey(ctx, c.Readers, at, path, key)
	}
	if err != nil {
		return err
	}
	c.LedgerIdentity = identity
	if c.Hashes, err = keyed.New(key.Key); err != nil {
		return err
	}
	var commits int64
	err = c.Readers.QueryRowContext(ctx, "SELECT commits, accounts FROM state").Scan(&commits, &l.engine.accounts)
	if err != nil {
		return at.errorOf(ctx, err)
	}
	l.engine.commits.Store(commits)
	return nil
}

// upgrade migrates a ledger of an earlier version of the program to today's schema, if
// this user may do so. It refuses a ledger of a newer version.
func upgrade(ctx context.Context, db *sql.DB, at Location, readOnly bool) error {
	has, err := version(ctx, db)
	if err != nil {
		return at.errorOf(ctx, err)
	}
	steps, err := readSchema()
	switch {
	case err != nil:
		return err
	case has > len(steps):
		return newerError(at)
	case has == 0 || has == len(steps):
		return nil
	case readOnly:
		return olderError(ctx, db, at)
	}

	err = migrate(ctx, db, has)
	var server *pgconn.PgError
	if errors.As(err, &server) && server.Code == noPrivilege {
		return olderError(ctx, db, at).Because(err)
	}
	if err != nil {
		return at.errorOf(ctx, err)
	}
	return nil
}

// openToWrite makes the connection that writes, and records the answers that were kept
// aside. It refuses a ledger that is behind its mark.
func (l *Ledger) openToWrite(ctx context.Context, s Store, o ledger.Options, adopt bool) (err error) {
	e := l.engine
	e.changed = l.ForgetAccounts
	e.mark = mark.New(o.Marks, l.Hashes.Key("mark "+o.Machine), o.Who)
	if e.writers, err = e.location.Connect(ctx, ConnectOptions{Password: s.Password, Silence: s.Silence}); err != nil {
		return err
	}
	if err := e.connected(ctx); err != nil {
		return e.WriteError(err)
	}
	err = e.conn.QueryRowContext(ctx, "SELECT COALESCE((SELECT id FROM runs ORDER BY num DESC LIMIT 1), '')").Scan(&e.lastRun)
	if err != nil {
		return e.location.errorOf(ctx, err)
	}
	if adopt {
		err = l.beginAdopting(ctx)
	} else {
		err = l.checkNewest(ctx)
	}
	if err == nil {
		err = mark.Error(e.writeMark(l.Number()))
	}
	if err != nil {
		return err
	}
	l.heartbeat = startHeartbeat(e)
	l.aside = newAside(s.Folder, l.LedgerIdentity)
	return l.enterAside(ctx)
}
