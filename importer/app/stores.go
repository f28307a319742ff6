package app

import (
	"context"
	"errors"
	"os"
	"strings"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
)

// stores is the store of all ledgers: of those in files of this machine, and of those
// that offices share in a database.
type stores struct{ app *App }

var _ ledger.Store = stores{}

// ledgers returns the store of all ledgers.
func (a *App) ledgers() ledger.Store { return stores{a} }

// of returns the store of a location, and the options with what that store needs of this
// machine.
func (s stores) of(location string, o ledger.Options) (ledger.Store, ledger.Options) {
	if !postgres.IsLocation(location) {
		return sqlite.Store{}, o
	}
	o.Folder = s.app.Folders.sharedLedgers()
	return s.app.databases(), o
}

// Open implements ledger.Store. Where there is no ledger it names the one that this machine
// has elsewhere.
func (s stores) Open(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	store, o := s.of(location, o)
	l, err := store.Open(ctx, location, o)
	var missing *ledger.Error
	if errors.As(err, &missing) && missing.Missing && !o.Rehearsal {
		if own, fix, _ := s.app.ownLedger(); own != "" {
			elsewhere := *missing
			elsewhere.Reason += ", and this machine has a ledger of its own, " + own
			elsewhere.Fix = fix
			return nil, &elsewhere
		}
	}
	return l, err
}

// Create implements ledger.Store.
func (s stores) Create(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	store, o := s.of(location, o)
	return store.Create(ctx, location, o)
}

// Adopt implements ledger.Store.
func (s stores) Adopt(ctx context.Context, location string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	store, o := s.of(location, o)
	return store.Adopt(ctx, location, o, enter)
}

// Backup implements ledger.Store.
func (s stores) Backup(ctx context.Context, location, dest string) error {
	store, _ := s.of(location, ledger.Options{})
	return store.Backup(ctx, location, dest)
}

// databases returns the store of the ledgers that offices share.
func (a *App) databases() postgres.Store {
	return postgres.Store{Password: a.databasePassword(), Notice: a.env.Notice}
}

// databasePassword returns what asks for the password of the ledger's database; nil where
// the settings name neither a file nor a command, and PostgreSQL's own ways are used.
func (a *App) databasePassword() func(context.Context) (string, error) {
	file, command := a.Settings["ledger_password_file"], a.Settings["ledger_password_command"]
	if file.Text == "" && command.Text == "" {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		if command.Text != "" {
			text, err := commandOutput(ctx, command.Text, a.folderOf(command), "password")
			return strings.TrimRight(text, "\r\n"), err
		}
		text, err := readPrivate(file.Text, "password")
		if errors.Is(err, os.ErrNotExist) {
			return "", Usage("write the password to it, or name another file with ledger_password_file", "there is no file %s with the password of the ledger's database", file.Text)
		}
		return strings.TrimRight(text, "\r\n"), err
	}
}

// folderOf returns the folder in which a command of the settings runs: what the user's
// own settings name is never looked for beside the work.
func (a *App) folderOf(command Value) string {
	if strings.HasPrefix(command.Origin, a.Folders.Settings()+":") {
		return a.Folders.Config
	}
	return ""
}

// IsShared reports whether the office's ledger is in a database, which its server's
// administrator backs up.
func (a *App) IsShared() bool { return postgres.IsLocation(a.Settings.Text("ledger")) }

// JoinLedger brings the hash key of the shared ledger that the settings name to this
// machine, and returns where it is kept.
func (a *App) JoinLedger(ctx context.Context, keyFile string) (path string, err error) {
	location, o, err := a.ledgerToWrite("ledger join")
	if err != nil {
		return "", err
	}
	if !a.IsShared() {
		return "", Usage("name the offices' ledger with --ledger postgres://… or in tripimport.yaml", "the ledger %s is a file: only machines that share a ledger in a database join it", location)
	}
	o.Folder = a.Folders.sharedLedgers()
	if err := a.databases().Join(ctx, location, keyFile, o); err != nil {
		return "", err
	}
	l, err := a.ledgers().Open(ctx, location, o)
	if err != nil {
		return "", err
	}
	path = postgres.KeyPath(o.Folder, l.Identity())
	return path, errors.Join(l.Close(), a.share(path))
}

// KeyPath returns where this machine keeps the hash key of a ledger.
func (a *App) KeyPath(l ledger.Ledger) string {
	if a.IsShared() {
		return postgres.KeyPath(a.Folders.sharedLedgers(), l.Identity())
	}
	return l.Location() + ".key"
}

// Grants returns the statements by which the user who made a shared ledger lets another
// one import; empty for a ledger in a file.
func (a *App) Grants() []string {
	if !a.IsShared() {
		return nil
	}
	return postgres.Grants("IMPORTER")
}
