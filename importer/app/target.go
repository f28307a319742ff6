package app

import (
	"cmp"
	"context"
	"errors"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/postgres"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/pace"
	"tripimport/importer/run"
	"tripimport/importer/sandbox"
	"tripimport/importer/service"
)

// openTarget opens the real service with the office's ledger, which must exist, or the sandbox with the ledger of
// the rehearsals. It sends nothing. A check has the access list instead that the options name, if any, with which the
// names of providers and funding sources are compared, and the office's ledger, if it can be asked.
func (j *job) openTarget(ctx context.Context) (err error) {
	switch {
	case j.command == "check":
		return cmp.Or(j.openAccess(ctx), j.openToCheck(ctx))
	case j.opts.Rehearsal:
		return j.openSandbox()
	}
	client, address, err := j.client()
	if err != nil {
		return err
	}
	if j.ledger, err = j.openLedger(j.command, j.opts.LockWait, true); err != nil {
		return err
	}
	j.closers = append(j.closers, j.ledger.Close)
	j.service = client
	j.address, err = j.ledger.Service(ctx, address)
	return err
}

// openAccess gets the access list that the options name, if any.
func (j *job) openAccess(ctx context.Context) error {
	if saved, err := j.savedAccess(); err == nil && j.opts.Saved {
		j.access = &saved
	}
	if !j.opts.Online {
		return nil
	}
	access, err := j.Access(ctx)
	j.access = &access
	return err
}

// client returns a client of the real service and the service's address in canonical form.
// It fails if there is no token.
func (a *App) client() (*service.Client, string, error) {
	address, err := a.Settings.address()
	if err != nil {
		return nil, "", err
	}

	tokens := a.tokenSource(address)
	if _, err := tokens.Token(context.Background()); err != nil {
		return nil, "", err
	}

	client, err := service.New(service.Config{
		BaseURL:   a.Settings.Text("base_url"),
		Token:     tokens,
		UserAgent: "tripimport/" + Version(),
		Timeout:   a.env.Timeout,
		GUIDField: a.Settings.Text("guid_field"),
	})
	if err != nil {
		return nil, "", Usage("", "%s", err)
	}
	return client, address, nil
}

// ledgerPath returns where the office's ledger is.
func (a *App) ledgerPath() string { return a.Settings.Text("ledger") }

// openLedger opens the office's ledger; it never makes one. For a run that sends trips it proves that no part of the
// ledger is damaged.
func (a *App) openLedger(command string, lockWait time.Duration, forRun bool) (ledger.Ledger, error) {
	path, o, err := a.ledgerToWrite(command)
	if err != nil {
		return nil, err
	}
	o.LockWait, o.Sound = lockWait, forRun
	return a.open(context.Background(), path, o)
}

// rehearsalLedgerError returns an error of the rehearsals' ledger with other advice, because
// that ledger may be thrown away, unlike the office's.
func rehearsalLedgerError(err error) error {
	if wrong, ok := errors.AsType[*ledger.Error](err); ok && !wrong.Locked {
		return usageStep(importer.Do("forget all rehearsals, then rehearse again", importer.ForgetRehearsals), "%s", wrong.Reason)
	}
	return err
}

// rehearsalAddress is the address of the sandbox in the rehearsals' ledger.
const rehearsalAddress = "rehearsal"

// rehearsalToken is the token of the sandbox. It protects nothing.
const rehearsalToken = "rehearsal"

// openSandbox starts the sandbox in this process, with a ledger of its own, which is kept from
// one rehearsal to the next.
func (j *job) openSandbox() error {
	if err := makePrivate(j.Folders.rehearsal()); err != nil {
		return err
	}

	// No Machine: a rehearsals' ledger may be used on any machine.
	o := ledger.Options{Rehearsal: true, Command: j.command + " --sandbox", LockWait: 10 * time.Second}
	o.Who, o.Host = j.whoAmI()
	path := j.Folders.rehearsalLedger()
	l, err := j.open(context.Background(), path, o)
	if wrong, ok := errors.AsType[*ledger.Error](err); ok && wrong.Missing {
		l, err = j.store(path).Create(context.Background(), path, o)
	}
	if err != nil {
		return rehearsalLedgerError(err)
	}
	j.closers = append(j.closers, l.Close)
	j.ledger, j.address = l, rehearsalAddress

	if j.sandbox, err = sandbox.New(sandbox.Config{Token: rehearsalToken, Rehearsal: true}); err != nil {
		return err
	}
	client, err := service.New(service.Config{
		BaseURL:   "https://localhost", // it is not asked
		Transport: j.sandbox,
		Token:     tokenSource{text: rehearsalToken},
		UserAgent: "tripimport/" + Version(),
	})
	j.service = client
	return err
}

// store returns the store for a ledger at a location, which is a file of this machine or a
// database that offices share.
func (a *App) store(location string) ledger.Store {
	if postgres.IsLocation(location) {
		return a.databases()
	}
	return sqlite.Store{}
}

// open opens the ledger at a location.
func (a *App) open(ctx context.Context, location string, o ledger.Options) (ledger.Ledger, error) {
	o.Waiting = a.env.Notice
	return a.store(location).Open(ctx, location, o)
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
	if !a.IsShared() {
		return "", Usage("write `ledger: postgres://…` into "+a.Folders.Settings(), "the ledger %s is a file: only machines that share a ledger in a database join it", a.ledgerPath())
	}
	if err := a.databases().Join(ctx, a.ledgerPath(), keyFile); err != nil {
		return "", err
	}
	err = a.writeLedger("ledger join", 0, func(l ledger.Ledger) error {
		path = a.KeyPath(l)
		return a.share(path)
	})
	return path, err
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

// newGate returns what says when the run may send a request. With a ledger that offices share it gets its share of their
// rate, and stops if it loses the ledger; a rate in its own settings limits it further. A rehearsal burdens no service, and
// goes as fast as it can unless a rate is set.
func (j *job) newGate(ctx context.Context) (*pace.Gate, error) {
	own := pace.Config{Rate: j.Settings.number("rate")}
	shared, ok := j.ledger.(*postgres.Ledger)
	if (ok || j.opts.Rehearsal) && j.Settings["rate"].Origin == "default" {
		own.Rate = 0
	}
	if !ok {
		return pace.New(own), nil
	}
	own.Shared, own.Pausing = true, shared.Pause
	gate := pace.New(own)
	return gate, shared.Share(ctx, j.start.Run.ID, defaultRate, gate.Tell, func(err error) { gate.Stop(run.LedgerStop(err)) })
}
