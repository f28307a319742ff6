package sqlite

import (
	"context"
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

	if err := refuseNetworkDrive(path); err != nil {
		return nil, err
	}

	// Refuse another program's file before anything beside it is made or looked for.
	if err := checkFile(ctx, path, o); err != nil {
		return nil, err
	}

	key, err := readKey(path)
	if err != nil {
		return nil, err
	}

	l := &Ledger{
		path:   path,
		key:    key,
		hashes: keyed.New(key.Key),
		engine: &engine{path: path},
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
	return keyfile.Read(keyPath(path), "put the key file back beside the ledger: every backup of the ledger has it beside it")
}

func (l *Ledger) openToWrite(ctx context.Context, o options) error {
	lock := newLock(l.path)
	if err := lock.take(ctx, l.path, o.LockWait, o.Waiting); err != nil {
		return err
	}

	l.lock = lock
	l.engine.mark = mark.New(o.Marks, l.hashes.Key("mark "+o.Machine), o.Who)

	e := l.engine
	var err error
	if e.statements, err = openWriter(ctx, l.path); err != nil {
		return errorOf(l.path, err)
	}
	e.writer = tables.NewWriter(e.statements)
	if err = relaxRehearsal(ctx, e.writer); err == nil {
		err = l.prepareFile(ctx, o)
	}
	if err == nil {
		err = lock.write(holder{o.Who, o.Host, os.Getpid(), o.Command, time.Now().UTC().Truncate(time.Second)})
	}
	if err == nil {
		err = mark.Error(e.writeMark(e.events.Load()))
	}
	if err != nil {
		return errorOf(l.path, err)
	}
	return l.openReaders(ctx, l.path, tables.Config{})
}

// prepareFile proves that the file is sound, that its key fits, and that it is the newest. It binds
// it to the machine and ends the runs that were broken off.
func (l *Ledger) prepareFile(ctx context.Context, o options) error {
	w := l.engine.writer
	err := l.checkKey(ctx, w)
	if err == nil && o.Sound {
		err = quickCheck(ctx, l.path, w)
	}
	if err == nil {
		err = l.checkNewest(ctx, o)
	}
	if err == nil {
		err = w.Exec(ctx, bindMachineSQL, l.machineHash(o.Machine))
	}
	if err != nil {
		return err
	}
	// While this process has the lock, no other process has a run.
	return l.engine.Transact(nil, func(ctx context.Context, w *tables.Writer) error {
		return tables.EndBrokenRuns(ctx, w, l.hashes, tables.UnendedSQL)
	})
}

func (l *Ledger) openToRead(ctx context.Context, o options) error {
	heldByOther := newLock(l.path).held()
	if err := l.openReaders(ctx, l.path, tables.Config{ReadOnly: true, HeldByOther: heldByOther}); err != nil {
		return err
	}

	err := l.checkKey(ctx, l.Readers)
	if err == nil && o.Sound {
		err = quickCheck(ctx, l.path, l.Readers)
	}
	if err == nil {
		var event int64
		event, err = tables.EventsIn(ctx, l.Readers)
		l.engine.events.Store(event)
	}
	if err != nil {
		return errorOf(l.path, err)
	}
	return nil
}

// openReaders opens the connections that read, and makes the tables.Ledger.
func (l *Ledger) openReaders(ctx context.Context, path string, c tables.Config) (err error) {
	c.LedgerIdentity, c.Hashes, c.Engine = l.key.Identity, l.hashes, l.engine
	if c.Readers, err = openReaders(path); err == nil {
		l.Ledger, err = tables.New(ctx, c)
	}
	if err != nil {
		return errorOf(l.path, err)
	}
	return nil
}

func refuseMissing(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return missingError(path)
	case err != nil:
		return errorOf(path, err)
	case !info.Mode().IsRegular():
		return ledger.NewError("ledger-other-file", "name the ledger itself, not its folder",
			"%s is not a file", path)
	}
	return nil
}

// refuseNetworkDrive refuses a path that is on a network file system after symbolic links
// are resolved.
func refuseNetworkDrive(path string) error {
	folder := filepath.Dir(path)
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}

	if kind := networkDrive(folder); kind != "" {
		return ledger.NewError("ledger-network", "keep the ledger on a disk of the one computer that imports",
			"the ledger %s is on a network drive (%s), where two computers can't be kept from writing at once", path, kind)
	}
	return nil
}

// quickCheck refuses a file in which SQLite finds damage. SQLite reads every page for it.
func quickCheck(ctx context.Context, path string, q tables.Querier) error {
	result, err := tables.QueryOne(ctx, q, tables.ScanOne[string], "PRAGMA quick_check(1)")
	if err != nil {
		return err
	}
	if result != "ok" {
		return damagedError(path, nil)
	}
	return nil
}

func (l *Ledger) checkKey(ctx context.Context, q tables.Querier) error {
	return tables.CheckKey(ctx, q, l.key.Identity, l.hashes, keyPath(l.path), "put the ledger's own key file beside it: both come from the same backup")
}
