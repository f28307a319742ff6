package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// A Store keeps each ledger in a SQLite file of its own. Locations are paths.
// The zero Store is ready for use.
type Store struct{ hooks }

var _ ledger.Store = Store{}

// hooks are what tests replace.
type hooks struct {
	// networkDrive names the network file system that a folder is on; nil asks
	// the operating system.
	networkDrive func(folder string) string
	// steps are those of the schema; nil for the program's own.
	steps []string
}

// options are how a ledger is opened.
type options struct {
	ledger.Options
	hooks
	// adopt takes a copy that is refused otherwise, to be adopted.
	adopt bool
	// departure takes a ledger whose move was broken off: it is filled in with where to.
	departure *Departure
}

// Open implements ledger.Store. It may wait for a quarter of a second more than
// the options say.
func (s Store) Open(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	return tables.Opened(open(ctx, path, options{Options: o, hooks: s.hooks}))
}

// Create implements ledger.Store. It makes the hash key and the lock beside the
// ledger. The files are for this user alone, and so are folders that it makes.
func (s Store) Create(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	o.ReadOnly = false
	return tables.Opened(create(ctx, path, options{Options: o, hooks: s.hooks}))
}

// Adopt implements ledger.Store.
func (s Store) Adopt(ctx context.Context, path string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	o.ReadOnly = false
	all := options{Options: o, hooks: s.hooks, adopt: true}
	l, err := open(ctx, path, all)
	if err != nil {
		return nil, err
	}
	return tables.Adopt(l, enter, func(seen int64) error { return l.adopt(all, seen) })
}

// Backup implements ledger.Store. The copy is a file at dest with its hash key
// beside it, both for this user alone.
func (s Store) Backup(ctx context.Context, path, dest string) error {
	l, err := open(ctx, path, options{Options: ledger.Options{ReadOnly: true}, hooks: s.hooks})
	if err != nil {
		return err
	}
	return errors.Join(l.backup(ctx, dest), l.Close())
}

// Remove removes the ledger at a path with its key, its lock and the backups of
// its upgrades. Only ledgers that record nothing real may be removed, such as
// those of rehearsals.
func Remove(path string) error {
	files, err := filepath.Glob(path + ".schema*")
	if err != nil {
		return err
	}
	for _, file := range append(files, path, path+"-wal", path+"-shm", keyPath(path), lockPath(path)) {
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
