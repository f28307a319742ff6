package app

import (
	"context"
	"errors"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/pace"
	"tripimport/importer/run"
)

// store returns the store for a ledger at a location, which is a file of this machine or a
// database that offices share.
func (a *App) store(location string) ledger.Store {
	if postgres.IsLocation(location) {
		return a.databases()
	}
	return sqlite.Store{}
}

// open opens the ledger at a location. If there is none, the error names the ledger that this
// machine has elsewhere, if it has one.
func (a *App) open(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	o.Waiting = a.env.Notice
	done := a.waits().On("ledger", func() string { return "waiting for the ledger " + location + ": it has not opened for some seconds" })
	l, err := a.store(location).Open(ctx, location, o)
	done()
	if missing, ok := errors.AsType[*ledger.Error](err); ok && missing.Missing && !o.Rehearsal {
		if own, _ := a.ownLedger(); own != "" {
			elsewhere := *missing
			elsewhere.Reason += ", and this machine has a ledger of its own, " + own
			elsewhere.Fix, elsewhere.Steps = useOwnLedger, nil
			return nil, &elsewhere
		}
	}
	return l, err
}

// databases returns the store of the ledgers that offices share.
func (a *App) databases() postgres.Store {
	return postgres.Store{Folder: a.Folders.sharedLedgers()}
}

// IsShared reports whether the office's ledger is in a database, which its server's
// administrator backs up.
func (a *App) IsShared() bool { return postgres.IsLocation(a.Settings.Text("ledger")) }

// JoinLedger copies the hash key of the shared ledger that the settings name to this machine,
// and returns the path of the copy.
func (a *App) JoinLedger(ctx context.Context, keyFile string) (path string, err error) {
	location, o, err := a.ledgerToWrite("ledger join")
	if err != nil {
		return "", err
	}
	if !a.IsShared() {
		return "", Usage("write `ledger: postgres://…` into "+a.Folders.Settings()+"", "the ledger %s is a file: only machines that share a ledger in a database join it", location)
	}
	if err := a.databases().Join(ctx, location, keyFile); err != nil {
		return "", err
	}
	l, err := a.open(ctx, location, o)
	if err != nil {
		return "", err
	}
	path = a.KeyPath(l)
	return path, errors.Join(l.Close(), a.share(path))
}

// KeyPath returns where this machine keeps the hash key of a ledger.
func (a *App) KeyPath(l ledger.Ledger) string {
	if a.IsShared() {
		return a.databases().KeyPath(l.Identity())
	}
	return l.Location() + ".key"
}

// defaultRate is the rate, in requests a second, of a ledger that offices share and that was made
// without one.
const defaultRate = 10

// shareRate divides the rate among the runs of all machines, if the ledger is one that offices share:
// the run is told its share, and stops if it loses the ledger.
func shareRate(ctx context.Context, l ledger.Ledger, runID string, gate *pace.Gate) error {
	shared, ok := l.(*postgres.Ledger)
	if !ok {
		return nil
	}
	return shared.Share(ctx, runID, defaultRate, gate.Tell, func(err error) { gate.Stop(run.LedgerStop(err)) })
}

// paceWith returns how fast a run may send requests. With a ledger that offices share it waits for its
// share of their rate, and a rate in its own settings limits it further. A rehearsal burdens no service, and
// goes as fast as it can unless a rate is set.
func (a *App) paceWith(l ledger.Ledger, rehearsal bool) pace.Config {
	own := pace.Config{Rate: a.Settings.number("rate"), Burst: burst}
	shared, ok := l.(*postgres.Ledger)
	if ok {
		own.Shared, own.Pausing = true, shared.Pause
	}
	if (ok || rehearsal) && a.Settings["rate"].Origin == "default" {
		own.Rate = 0
	}
	return own
}
