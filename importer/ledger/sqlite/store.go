package sqlite

import (
	"context"
	"errors"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// A Store keeps each ledger in a SQLite file of its own. Locations are paths.
// The zero Store is ready for use.
type Store struct{}

var _ ledger.Store = Store{}

// Open implements ledger.Store. It waits for the lock for at least a quarter of a second,
// whatever the options say.
func (Store) Open(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	return tables.Opened(open(ctx, path, o, false))
}

// Adopt implements ledger.Store.
func (Store) Adopt(ctx context.Context, path string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	o.ReadOnly, o.Sound = false, true
	l, err := open(ctx, path, o, true)
	if err != nil {
		return nil, err
	}
	return l.Adopt(l, enter, o)
}

// Backup implements ledger.Store. The copy is a file at dest with its hash key
// beside it, both for this user alone.
func (Store) Backup(ctx context.Context, path, dest string) error {
	l, err := open(ctx, path, ledger.Options{ReadOnly: true, Sound: true}, false)
	if err != nil {
		return err
	}
	return errors.Join(l.backup(ctx, dest), l.Close())
}
