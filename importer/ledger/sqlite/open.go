package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/tables"
)

// The names of the entries in the table meta that only SQLite's ledgers have.
const (
	metaCommits = "commits"
	metaMachine = "machine"
)

// open opens the ledger at a path.
func open(ctx context.Context, path string, o options) (_ *Ledger, err error) {
	path, err = absolute(path)
	if err != nil {
		return nil, err
	}
	// The lock and the key are beside the file itself, by whatever link it is opened.
	if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target
		}
	}

	if err := refuseMissing(path); err != nil {
		return nil, err
	}

	if err := refuseNetworkDrive(path, o); err != nil {
		return nil, err
	}

	key, err := readKey(path)
	if err != nil {
		return nil, err
	}

	hashes, err := keyed.New(key.Key)
	if err != nil {
		return nil, err
	}

	l := &Ledger{
		path:     path,
		identity: key.Identity,
		key:      key.Key,
		hashes:   hashes,
		engine:   &engine{path: path},
	}

	if o.ReadOnly {
		err = l.openToRead(ctx, o)
	} else {
		err = l.openToWrite(ctx, o)
	}

	if err != nil {
		_ = l.Close() // the first error says what is wrong
		return nil, err
	}
	return l, nil
}

// keyPath returns the path of the key file of the ledger at path.
func keyPath(path string) string { return path + ".key" }

func readKey(path string) (keyfile.File, error) {
	return keyfile.Read(keyPath(path), "put the key file back beside the ledger: every backup made by `tripimport ledger backup FILE` has it")
}

func (l *Ledger) openToWrite(ctx context.Context, o options) error {
	lock := newLock(l.path)
	if err := lock.take(ctx, l.path, o.LockWait); err != nil {
		return err
	}

	l.lock = lock
	l.engine.mark = mark.New(o.Marks, l.hashes.Key("mark "+o.Machine), o.Who)

	// Refuse another program's file before anything in it is changed.
	steps, err := o.schema()
	if err != nil {
		return err
	}

	if _, err := checkVersion(ctx, l.path, steps, o); err != nil {
		return err
	}

	e := l.engine
	if e.db, e.conn, err = openWriter(ctx, l.path); err != nil {
		return openError(l.path, err)
	}

	e.writer = tables.NewWriter(e.conn, e)
	if o.departure != nil {
		// The marks say nothing about a file whose ledger may be in a database.
		*o.departure, _, err = readDeparture(ctx, e.conn)
		if err == nil && o.departure.To != "" {
			return l.checkKey(ctx, e.conn)
		}
		if err != nil {
			return openError(l.path, err)
		}
	}
	if err := relaxRehearsal(ctx, e.conn); err != nil {
		return openError(l.path, err)
	}
	commits, err := l.prepareFile(ctx, e.conn, steps, o)
	e.commits.Store(commits)
	if err == nil {
		err = lock.write(holder{o.Who, o.Host, os.Getpid(), o.Command, time.Now().UTC().Truncate(time.Second)})
	}

	if err == nil {
		err = mark.Error(e.writeMark(commits))
	}

	if err == nil {
		err = e.conn.QueryRowContext(ctx, tables.LastIDsSQL).Scan(&e.writer.LastTrip, &e.writer.LastAttempt)
	}

	if err != nil {
		return openError(l.path, err)
	}

	return l.openReaders(ctx, l.path, tables.Config{Alone: true, Trips: e.writer.LastTrip, Adopting: o.adopt})
}

// prepareFile proves that the file is sound, that its key fits, and that it is the
// newest. It upgrades the schema, ends the runs that were broken off, and returns the
// number of commits.
func (l *Ledger) prepareFile(ctx context.Context, conn *sql.Conn, steps []string, o options) (commits int64, err error) {
	if err := quickCheck(ctx, l.path, conn); err != nil {
		return 0, err
	}

	if err := l.checkKey(ctx, conn); err != nil {
		return 0, err
	}

	if o.adopt {
		commits, err = l.beginAdopting(ctx, conn, o)
	} else {
		commits, err = l.checkNewest(ctx, conn, o)
	}

	if err != nil {
		return 0, err
	}

	if err := l.upgrade(ctx, conn, steps); err != nil {
		return 0, err
	}

	if _, err := conn.ExecContext(ctx, bindMachineSQL, l.machineHash(o.Machine)); err != nil {
		return 0, err
	}

	err = conn.QueryRowContext(ctx, "SELECT COALESCE((SELECT id FROM runs ORDER BY num DESC LIMIT 1), '')").Scan(&l.engine.lastRun)
	if err != nil {
		return 0, err
	}
	return commits, tables.EndBrokenRuns(ctx, l.engine.writer)
}

func (l *Ledger) openToRead(ctx context.Context, o options) error {
	heldByOther := newLock(l.path).held()

	steps, err := o.schema()
	if err != nil {
		return err
	}

	v, err := checkVersion(ctx, l.path, steps, o)
	if err != nil {
		return err
	}

	path := l.path
	if v < len(steps) {
		if path, err = l.upgradedCopy(ctx, steps, v); err != nil {
			return openError(l.path, err)
		}
	}

	if err := l.openReaders(ctx, path, tables.Config{ReadOnly: true, HeldByOther: heldByOther}); err != nil {
		return err
	}

	err = quickCheck(ctx, l.path, l.Readers)
	if err == nil {
		err = l.checkKey(ctx, l.Readers)
	}

	if err == nil {
		var commits int64
		commits, err = commitsIn(ctx, l.Readers)
		l.engine.commits.Store(commits)
	}

	if err != nil {
		return openError(l.path, err)
	}
	return nil
}

// upgradedCopy makes a copy of a ledger with an older schema for reading, in a folder for
// this user alone, which Close removes. The ledger stays as it is, because it may be a
// backup.
func (l *Ledger) upgradedCopy(ctx context.Context, steps []string, from int) (path string, err error) {
	if l.temp, err = os.MkdirTemp("", "tripimport-ledger-"); err != nil {
		return "", err
	}

	path = filepath.Join(l.temp, "ledger.db")
	if err := l.copyTo(ctx, path); err != nil {
		return "", err
	}

	db, conn, err := openWriter(ctx, path)
	if err != nil {
		return "", err
	}
	return path, errors.Join(migrate(ctx, conn, steps, from, l.hashes), conn.Close(), db.Close())
}

// openReaders opens the connections that read, and makes the tables.Ledger.
func (l *Ledger) openReaders(ctx context.Context, path string, c tables.Config) (err error) {
	c.LedgerIdentity, c.Hashes, c.Engine = l.identity, l.hashes, l.engine
	if c.Readers, err = openReaders(path); err == nil {
		l.Ledger, err = tables.New(ctx, c)
	}
	if err != nil {
		return openError(l.path, err)
	}
	return nil
}

func refuseMissing(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missingError(path)
	case err != nil:
		return openError(path, err)
	case !info.Mode().IsRegular():
		return ledger.NewError("ledger-other-file", "name the ledger itself with --ledger, not its folder",
			"%s is not a file", path)
	}
	return nil
}

// refuseNetworkDrive refuses a path that is on a network file system after symbolic links
// are resolved.
func refuseNetworkDrive(path string, o options) error {
	networkDriveOf := o.networkDrive
	if networkDriveOf == nil {
		networkDriveOf = networkDrive
	}

	folder := filepath.Dir(path)
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}

	if kind := networkDriveOf(folder); kind != "" {
		return ledger.NewError("ledger-network", "keep the ledger on a disk of the one computer that imports",
			"the ledger %s is on a network drive (%s), where two computers can't be kept from writing at once", path, kind)
	}
	return nil
}

// quickCheck refuses a file in which SQLite finds damage. SQLite reads every page for it.
func quickCheck(ctx context.Context, path string, q tables.Querier) error {
	var result string
	if err := q.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&result); err != nil {
		return err
	}
	if result != "ok" {
		return damagedError(path, nil)
	}
	return nil
}

// checkKey refuses the key of another ledger.
func (l *Ledger) checkKey(ctx context.Context, q tables.Querier) error {
	identity, err := tables.Meta(ctx, q, tables.MetaIdentity)
	if err != nil {
		return err
	}

	check, err := tables.Meta(ctx, q, tables.MetaKeyCheck)
	if err != nil {
		return err
	}

	if identity == l.identity && check == l.hashes.Check() {
		return nil
	}

	return ledger.NewError("ledger-key-other", "put the ledger's own key file beside it: both come from the same backup",
		"the hash key %s belongs to another ledger", keyPath(l.path))
}
