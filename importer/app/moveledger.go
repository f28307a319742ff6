package app

import (
	"context"
	"errors"

	"tripimport/importer/ledger/move"
	"tripimport/importer/ledger/postgres"
)

// A MovedLedger is a ledger that was moved to a database.
type MovedLedger struct {
	*move.Moved

	// Grants are the statements of postgres.Grants.
	Grants []string
}

// MoveLedger moves the office's ledger from its file to the database of a URL, where other
// machines can use it too. A move that was broken off is finished, or begun again. An error
// beside the result says what keeps this machine from using the moved ledger.
func (a *App) MoveLedger(ctx context.Context, url string) (*MovedLedger, error) {
	if !postgres.IsLocation(url) {
		return nil, Usage("name the database as postgres://USER@HOST/DATABASE", "a ledger is moved to a PostgreSQL database")
	}
	path, o, err := a.ledgerToWrite("ledger move")
	if err != nil {
		return nil, err
	}
	if a.IsShared() {
		return nil, Usage("name the file that is moved with --ledger", "the settings name a ledger that is in a database already")
	}
	o.Folder = a.Folders.sharedLedgers()
	moved, err := move.Mover{To: a.databases(), Options: o}.Move(ctx, path, url)
	if moved == nil {
		return nil, err
	}
	return &MovedLedger{moved, postgres.Grants("IMPORTER")}, errors.Join(err, a.share(moved.Key))
}
