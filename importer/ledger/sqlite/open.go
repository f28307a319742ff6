package sqlite

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/mark"
	"tripimport/importer/ledger/tables"
)

// open opens the ledger at a path. With adopt, it accepts a copy that is refused otherwise.
func open(ctx context.Context, path string, o ledger.Options, adopt bool) (_ *Ledger, err error) {
	path, err = absolute(path)
	if err != nil {
		return nil, err
	}
	if err := refuseMissing(path); err != nil {
		return nil, err
	}

	if err := refuseNetworkDrive(path); err != nil {
		return nil, err
	}

	// Refuse another program's file before anything beside it is made or looked for.
	if err := checkFile(ctx, path); err != nil {
		return nil, err
	}

	key, err := keyfile.Read(keyPath(path), "put the key file back beside the ledger: every backup of the ledger has it beside it")
	if err != nil {
		return nil, err
	}

	l := &Ledger{
		path:   path,
		key:    key,
		hashes: keyed.New(key.Key),
	}

	if o.ReadOnly {
		err = l.openToRead(ctx, o)
	} else {
		err = l.openToWrite(ctx, o, adopt)
	}

	if err != nil {
		_ = l.Close() // the first error says what is wrong
		return nil, err
	}
	return l, nil
}

// keyPath returns the path of the key file of the ledger at path.
func keyPath(path string) string { return path + ".key" }

func (l *Ledger) openToWrite(ctx context.Context, o ledger.Options, adopt bool) error {
	lock := newLock(l.path)
	if err := lock.take(ctx, l.path, o.LockWait, o.Waiting); err != nil {
		return err
	}
	l.lock = lock
	var err error
	if l.writing, err = openWriter(ctx, l.path, o.Rehearsal); err == nil {
		l.file, err = os.Stat(l.path)
	}
	if err == nil {
		err = lock.write(holderOf(o))
	}
	if err == nil {
		err = l.checkSound(ctx, l.writing, o)
	}
	if err != nil {
		return errorOf(l.path, err)
	}
	l.writer = tables.NewWriter(l.writing, mark.New(o.Marks, l.hashes.Key("mark "+o.Machine), o.Who))
	return l.openReaders(ctx, tables.Config{
		Writer: l.writer, Place: l.machineHash(o.Machine), Adopting: adopt,
		Broken: tables.UnendedSQL, // while this process has the lock, no other process has a run
	})
}

// machineHash returns the hash of a machine's id that the file stores. It is empty for no
// id.
func (l *Ledger) machineHash(id string) string {
	if id == "" {
		return ""
	}
	return hex.EncodeToString(l.hashes.Key("machine " + id)[:16])
}

// checkSound proves that the file's key fits and, if that is asked for, that the file is sound.
func (l *Ledger) checkSound(ctx context.Context, q tables.Querier, o ledger.Options) error {
	err := tables.CheckKey(ctx, q, l.key.Identity, l.hashes, keyPath(l.path), "put the ledger's own key file beside it: both come from the same backup")
	if err != nil || !o.Sound {
		return err
	}
	result, err := tables.QueryOne(ctx, q, tables.ScanOne[string], "PRAGMA quick_check(1)") // it reads every page
	if err == nil && result != "ok" {
		return damagedError(l.path, nil)
	}
	return err
}

func (l *Ledger) openToRead(ctx context.Context, o ledger.Options) error {
	if err := l.openReaders(ctx, tables.Config{HeldByOther: newLock(l.path).held()}); err != nil {
		return err
	}
	if err := l.checkSound(ctx, l.Readers, o); err != nil {
		return errorOf(l.path, err)
	}
	return nil
}

// openReaders opens the connections that read, and makes the tables.Ledger.
func (l *Ledger) openReaders(ctx context.Context, c tables.Config) (err error) {
	c.LedgerIdentity, c.LedgerLocation, c.Hashes, c.Engine, c.Damage = l.key.Identity, l.path, l.hashes, l, damageSQL
	if c.Readers, err = openReaders(l.path); err != nil {
		return errorOf(l.path, err)
	}
	l.Ledger, err = tables.New(ctx, c)
	return err
}

func refuseMissing(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ledger.MissingError(path)
	case err != nil:
		return errorOf(path, err)
	case info.Mode()&(fs.ModeDir|fs.ModeSymlink) != 0: // the lock and the key are beside the file itself
		return ledger.NewError("ledger-other-file", "name the ledger's own file, not its folder or a link to it",
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
