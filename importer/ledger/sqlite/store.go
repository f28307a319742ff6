package sqlite

import (
	"context"
	"errors"

	"tripimport/importer/ledger"
)

// A Store keeps each ledger in a SQLite file of its own. The zero Store is ready
// for use.
type Store struct{ hooks }

var _ ledger.Store = Store{}

// options are how a ledger is opened.
type options struct {
	ledger.Options
	hooks
	// adopt takes an older copy as well, as the ledger in use from now on.
	adopt bool
	// look takes a backup as well, which nothing is to be written to but a new
	// schema.
	look bool
}

// hooks are what tests put in the place of the real thing.
type hooks struct {
	// network names the network file system that a folder is on; nil asks the
	// operating system.
	network func(folder string) string
	// steps are the schema's; nil for today's.
	steps []string
}

// Open opens the ledger in the file at a path, as ledger.Store says. It waits at
// most a quarter of a second longer than the options say.
func (s Store) Open(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	return given(open(ctx, path, options{Options: o, hooks: s.hooks}))
}

// Create makes a new ledger at a path, with its hash key and its lock beside it,
// as ledger.Store says. The files are for this user alone, and so are folders
// that it makes.
func (s Store) Create(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	o.ReadOnly = false
	return given(create(ctx, path, options{Options: o, hooks: s.hooks}))
}

// Adopt opens a backup, or another older copy, as ledger.Store says.
func (s Store) Adopt(ctx context.Context, path string, o ledger.Options) (ledger.Ledger, error) {
	o.ReadOnly = false
	return given(open(ctx, path, options{Options: o, hooks: s.hooks, adopt: true}))
}

// Backup copies the ledger at a path to a new file at dest with its hash key
// beside it, both for this user alone, as ledger.Store says.
func (s Store) Backup(ctx context.Context, path, dest string) error {
	l, err := open(ctx, path, options{Options: ledger.Options{ReadOnly: true}, hooks: s.hooks})
	if err != nil {
		return err
	}
	return errors.Join(l.backup(ctx, dest), l.Close())
}

// given keeps a nil pointer from becoming an interface that is not nil.
func given(l *Ledger, err error) (ledger.Ledger, error) {
	if err != nil {
		return nil, err
	}
	return l, nil
}
