package app

import (
	"context"
	"errors"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/move"
	"tripimport/importer/ledger/postgres"
)

// A MovedLedger is a ledger that was moved to a database.
type MovedLedger struct {
	*move.Moved

	// Grants are the statements of postgres.Grants for the placeholder role IMPORTER, and URL
	// is the ledger's URL for that role.
	Grants []string
	URL    string
}

// importerRole is a placeholder for the role with which offices import.
const importerRole = "IMPORTER"

// betweenNotices is the time between two notices about the progress of a move.
const betweenNotices = 5 * time.Second

// MoveLedger moves the office's ledger from its file to the database of a URL, where other
// machines can use it too. A move that was broken off is finished or begun again. If the
// ledger was moved but this machine can't use it, the result and the error are both set.
func (a *App) MoveLedger(ctx context.Context, url string) (*MovedLedger, error) {
	if !postgres.IsLocation(url) {
		return nil, Usage("name the database as postgres://USER@HOST/DATABASE", "a ledger is moved to a PostgreSQL database")
	}
	path, o, err := a.ledgerToWrite("ledger move")
	if err != nil {
		return nil, err
	}
	target, err := postgres.ParseLocation(url)
	if err != nil {
		return nil, err
	}
	if from, err := postgres.ParseLocation(path); err == nil && from.String() == target.String() {
		return nil, Usage("nothing is left to do: `tripimport ledger where` shows it and its key", "the ledger is at %s already", target)
	}
	if a.IsShared() {
		return nil, Usage("name the file that is moved with --ledger", "the settings name a ledger that is in a database already")
	}
	told := time.Now()
	moved, err := move.Mover{To: a.databases(), Options: o, Progress: func(rows int) {
		if a.env.Notice != nil && time.Since(told) >= betweenNotices {
			told = time.Now()
			a.env.Notice(importer.Counted(rows, "row is", "rows are") + " copied")
		}
	}}.Move(ctx, path, url)
	if moved == nil {
		return nil, err
	}
	return &MovedLedger{moved, postgres.Grants(importerRole), target.As(importerRole)}, errors.Join(err, a.share(moved.Key))
}
