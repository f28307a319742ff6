package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/tables"
)

// A Store keeps each ledger in a database of its own, in the schema tripimport. Locations
// are URLs; see ParseLocation.
type Store struct {
	// Folder is a folder of this user for the hash keys of the ledgers, which must not be
	// in their databases.
	Folder string
	// Lease is how long a run counts as working after its lease was last renewed; zero for
	// half a minute.
	Lease time.Duration
}

// Open opens a ledger, as ledger.Store says. Any number of processes may have the ledger
// open, and nobody waits for another.
func (s Store) Open(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	return tables.Opened(s.open(ctx, location, o, false))
}

// connect connects to the database. With readOnly, it accepts a standby as well, which may lag
// behind. A server that sends nothing for as long as silence in the middle of an answer counts
// as lost. The error is a *ledger.Error or ctx's.
func (l Location) connect(ctx context.Context, readOnly bool, silence time.Duration) (*sql.DB, error) {
	config := l.config.Copy()
	config.ValidateConnect = nil
	if !readOnly {
		config.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
		config.RuntimeParams["idle_in_transaction_session_timeout"] = idleInTransaction
	}
	dial := config.DialFunc
	config.DialFunc = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &talkingConn{Conn: conn, longest: silence}, nil
	}
	db := sql.OpenDB(stdlib.GetConnector(*config, stdlib.OptionShouldPing(func(context.Context, stdlib.ShouldPingParams) bool {
		return true // a connection whose server was restarted is not used
	})))
	db.SetMaxIdleConns(connections)
	if err := db.PingContext(ctx); err != nil {
		_ = db.Close() // there is no connection
		return nil, l.errorOf(ctx, err)
	}
	return db, nil
}

// Create makes a new ledger, as ledger.Store says. The database must exist, and its user
// must be allowed to make a schema in it. The hash key is written into s.Folder, and is not
// in the database.
func (s Store) Create(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	o.ReadOnly = false
	at, err := ParseLocation(location)
	if err != nil {
		return nil, err
	}
	db, err := at.connect(ctx, false, silence)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // what it wrote is committed

	switch has, err := at.hasLedger(ctx, reading(db)); {
	case err != nil:
		return nil, err
	case has:
		return nil, at.existsError()
	}
	folder, pattern := filepath.Split(s.KeyPath("*"))
	if keys, _ := fs.Glob(os.DirFS(folder), pattern); len(keys) > 0 {
		return nil, ledger.NewError("ledger-second", "name that ledger in tripimport.yaml; if the offices have given it up, move "+folder+keys[0]+" away",
			"this machine has the key of another ledger that offices share, and a second ledger would book the trips of that one again")
	}

	key := keyfile.New()
	if err := s.writeKey(key); err != nil {
		return nil, err
	}
	if err := at.makeTables(ctx, db, key.Identity, keyed.New(key.Key).Check()); err != nil {
		return nil, errors.Join(err, os.Remove(s.KeyPath(key.Identity)))
	}
	return s.Open(ctx, location, o)
}

// Adopt takes an older copy into use, as ledger.Store says. Only the user who made the
// ledger may adopt a copy of it.
func (s Store) Adopt(ctx context.Context, location string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	o.ReadOnly = false
	l, err := s.open(ctx, location, o, true)
	if err != nil {
		return nil, err
	}
	return l.Adopt(l, enter, o)
}

// Backup returns an error that says how to back up the database with the server's own
// tools.
func (s Store) Backup(_ context.Context, location, _ string) error {
	at, err := ParseLocation(location)
	if err != nil {
		return err
	}
	return ledger.NewError("ledger-backup-elsewhere",
		fmt.Sprintf("have the server's administrator run `pg_dump --format=custom --file=FILE --schema=tripimport \"%s\"` every night, and keep the ledger's key file in another place: a backup can't be used without it", at),
		"the ledger at %s is in PostgreSQL, whose own tools back it up", at).Or("the key file is shown by", importer.FindLedger)
}

// Join copies the hash key of the ledger at a location from the file at a path to this
// machine. It refuses the key of another ledger.
func (s Store) Join(ctx context.Context, location, path string) error {
	const fix = "name the ledger's key file: a machine that uses the ledger shows where it is"
	text, err := os.ReadFile(path)
	if err != nil {
		return ledger.NewError("ledger-key-unreadable", fix, "%s can't be read", path).Because(err)
	}
	key, err := keyfile.Parse(path, text)
	if err != nil {
		return ledger.NewError("ledger-key-other", fix, "%s is not the key of a ledger", path)
	}
	at, err := ParseLocation(location)
	if err != nil {
		return err
	}
	db, err := at.connect(ctx, true, silence)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it only reads
	q := reading(db)
	if _, err = at.identityIn(ctx, q); err == nil {
		_, err = at.checkKey(ctx, q, path, key)
	}
	if err != nil {
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

// checkKey refuses the key of another ledger.
func (l Location) checkKey(ctx context.Context, q tables.Querier, path string, key keyfile.File) (*keyed.Hashes, error) {
	hashes := keyed.New(key.Key)
	err := tables.CheckKey(ctx, q, key.Identity, hashes, path, "use the key file of this ledger: a machine that uses the ledger shows where it is")
	return hashes, l.errorOf(ctx, err)
}

// identityIn returns the identity of the ledger in a database.
func (l Location) identityIn(ctx context.Context, q tables.Querier) (string, error) {
	has, err := l.hasLedger(ctx, q)
	if err != nil {
		return "", err
	}
	if !has {
		return "", ledger.MissingError(l.String())
	}
	meta, err := tables.Meta(ctx, q)
	return meta[tables.MetaIdentity], l.errorOf(ctx, err)
}

// open opens the ledger at a location. With adopt, it accepts a copy that is refused
// otherwise.
func (s Store) open(ctx context.Context, location string, o ledger.Options, adopt bool) (_ *Ledger, err error) {
	at, err := ParseLocation(location)
	if err != nil {
		return nil, err
	}
	l := &Ledger{location: at, lease: &lease{at: at, length: cmp.Or(s.Lease, leaseTime), stopped: make(chan struct{})}}
	db, err := at.connect(ctx, o.ReadOnly, silence)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(connections)
	readers := reading(db)
	c := tables.Config{Engine: l, LedgerLocation: at.String(), Readers: readers, HeldByOther: true, Damage: damageSQL, Adopting: adopt, Broken: lapsedSQL}
	err = s.prepare(ctx, at, &c)
	if err == nil && !o.ReadOnly {
		err = l.openToWrite(ctx, o, &c)
	}
	if err == nil {
		l.Ledger, err = tables.New(ctx, c)
	}
	if err != nil {
		return nil, errors.Join(err, l.closeWriters(), readers.Close())
	}
	if !o.ReadOnly {
		l.lease.start(l.writers, l.EndBrokenRuns)
	}
	return l, nil
}

// prepare proves that the database has a ledger, and that this machine has its key.
func (s Store) prepare(ctx context.Context, at Location, c *tables.Config) error {
	identity, err := at.identityIn(ctx, c.Readers)
	if err != nil {
		return err
	}
	path := s.KeyPath(identity)
	key, err := keyfile.Read(path, "bring it from a machine that uses the ledger, which shows where it is", importer.Do("then join the ledger", importer.JoinLedger, "FILE"))
	if err != nil {
		return err
	}
	c.LedgerIdentity = identity
	c.Hashes, err = at.checkKey(ctx, c.Readers, path, key)
	return err
}

// openToWrite makes the connection that writes.
func (l *Ledger) openToWrite(ctx context.Context, o ledger.Options, c *tables.Config) (err error) {
	if l.writers, err = l.location.connect(ctx, false, writerSilence); err != nil {
		return err
	}
	conn, err := l.writers.Conn(ctx)
	if err == nil {
		l.conn = newBatchConn(conn)
		l.writer = tables.NewWriter(l.conn, mark.New(o.Marks, c.Hashes.Key("mark "+o.Machine), o.Who))
		c.Writer = l.writer
		c.Place, err = tables.QueryOne(ctx, l.conn, tables.ScanOne[string], placeSQL)
	}
	return l.location.errorOf(ctx, err)
}

// lapsedSQL selects the runs whose processes do not renew their leases any more.
const lapsedSQL = tables.UnendedSQL + " AND COALESCE(leased_until < clock_timestamp(), TRUE)"
