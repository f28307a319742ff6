package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/keyfile"
	"tripimport/importer/ledger/tables"
)

// Create implements ledger.Store. It makes the hash key and the lock beside the ledger.
// Only this user can read the files, and the folders that it makes.
func (Store) Create(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	o.ReadOnly = false
	path, err := absolute(path)
	if err != nil {
		return nil, err
	}

	if err := refuseExisting(path); err != nil {
		return nil, err
	}

	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, notWritableError(path, err)
	}

	if err := refuseNetworkDrive(path); err != nil {
		return nil, err
	}

	key := keyfile.New()
	if err := key.Write(keyPath(path)); err != nil {
		return nil, errorOf(path, err)
	}

	if err := createFile(ctx, path, key.Identity, keyed.New(key.Key).Check(), o); err != nil {
		_ = Remove(path) // the first error says what is wrong
		return nil, errorOf(path, err)
	}
	return tables.Opened(open(ctx, path, o, false))
}

// refuseExisting refuses a path at which there is a ledger, or only its key, whose ledger
// was moved away.
func refuseExisting(path string) error {
	for _, p := range []string{path, keyPath(path)} {
		_, err := os.Lstat(p)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return notWritableError(path, err)
		}
		return ledger.NewError("ledger-exists", "use it as it is; an office has one ledger, and a second one would book trips twice",
			"%s is there already", p)
	}
	return nil
}

// createFile makes the ledger's file with today's schema.
func createFile(ctx context.Context, path, identity, keyCheck string, o ledger.Options) (err error) {
	if err := keyfile.WriteNew(path, nil); err != nil {
		return err
	}

	w, err := openWriter(ctx, path, o.Rehearsal)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, w.Close()) }()
	if err := makeTables(ctx, w); err != nil {
		return err
	}
	return w.Exec(ctx, "INSERT INTO meta (name, value) VALUES (?, ?), (?, ?), (?, '0'), (?, '')",
		tables.MetaIdentity, identity, tables.MetaKeyCheck, keyCheck, tables.MetaEvents, tables.MetaMachine)
}

// Remove removes the ledger at a path with its key and its lock. Only ledgers that record nothing
// real may be removed, such as those of rehearsals.
func Remove(path string) error {
	for _, file := range []string{path, path + "-wal", path + "-shm", keyPath(path), lockPath(path)} {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
