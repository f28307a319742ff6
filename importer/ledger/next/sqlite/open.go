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
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/next/keyed"
	"tripimport/importer/ledger/next/tables"
)

// metaMachine is the name of the entry in the table meta that only SQLite's ledgers have.
const metaMachine = "machine"

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

func (l *Ledger) openToWrite(ctx context.Context, o options) (err error) {
	lock := newLock(l.path)
	if err := lock.take(ctx, l.path, o.LockWait); err != nil {
		return err
	}

	l.lock = lock
	l.engine.mark = mark.New(o.Marks, l.hashes.Key("mark "+o.Machine), o.Who)

	// Refuse another program's file before anything in it is changed.
	if err := checkVersion(ctx, l.path, o); err != nil {
		return err
	}

	e := l.engine
	e.working = true
	if e.db, e.conn, err = openWriter(ctx, l.path); err != nil {
		return openError(l.path, err)
	}

	e.writer = tables.NewWriter(e.conn, e)
	if err := relaxRehearsal(ctx, e.conn); err != nil {
		return openError(l.path, err)
	}
	number, err := l.prepareFile(ctx, e.conn, o)
	e.number.Store(number)
	if err == nil {
		err = e.Transact(tables.EndBrokenRuns)
	}
	if err == nil {
		err = lock.write(holder{o.Who, o.Host, os.Getpid(), o.Command, time.Now().UTC().Truncate(time.Second)})
	}

	if err == nil {
		err = mark.Error(e.writeMark(e.number.Load()))
	}

	if err != nil {
		return openError(l.path, err)
	}

	return l.openReaders(tables.Config{Alone: true, Adopting: o.adopt})
}

// prepareFile proves that the file is sound, that its key fits, and that it is the
// newest. It returns its number.
func (l *Ledger) prepareFile(ctx context.Context, conn *sql.Conn, o options) (number int64, err error) {
	if err := quickCheck(ctx, l.path, conn); err != nil {
		return 0, err
	}

	if err := l.checkKey(ctx, conn); err != nil {
		return 0, err
	}

	if o.adopt {
		number, err = l.beginAdopting(ctx, conn, o)
	} else {
		number, err = l.checkNewest(ctx, conn, o)
	}

	if err != nil {
		return 0, err
	}

	if _, err := conn.ExecContext(ctx, bindMachineSQL, l.machineHash(o.Machine)); err != nil {
		return 0, err
	}

	err = conn.QueryRowContext(ctx, "SELECT COALESCE((SELECT id FROM runs ORDER BY num DESC LIMIT 1), '')").Scan(&l.engine.lastRun)
	return number, err
}

func (l *Ledger) openToRead(ctx context.Context, o options) error {
	l.engine.working = newLock(l.path).held()
	if err := checkVersion(ctx, l.path, o); err != nil {
		return err
	}

	if err := l.openReaders(tables.Config{ReadOnly: true}); err != nil {
		return err
	}

	err := quickCheck(ctx, l.path, l.Readers)
	if err == nil {
		err = l.checkKey(ctx, l.Readers)
	}

	if err == nil {
		var number int64
		number, err = numberIn(ctx, l.Readers)
		l.engine.number.Store(number)
	}

	if err != nil {
		return openError(l.path, err)
	}
	return nil
}

// openReaders opens the connections that read, and makes the tables.Ledger.
func (l *Ledger) openReaders(c tables.Config) (err error) {
	c.LedgerIdentity, c.Hashes, c.Engine = l.identity, l.hashes, l.engine
	c.Snapshot = sql.TxOptions{ReadOnly: true}
	if c.Readers, err = openReaders(l.path); err != nil {
		return openError(l.path, err)
	}
	l.Ledger = tables.New(c)
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
