package app

import (
	"context"
	"errors"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/pace"
	"tripimport/importer/sandbox"
	"tripimport/importer/service"
)

// A target is a service and the ledger that records what is sent to it: the real service with
// the office's ledger, or the sandbox with the ledger of the rehearsals.
type target struct {
	service importer.Service
	address string // in canonical form
	ledger  ledger.Ledger
	pace    pace.Config
	// allow makes the sandbox accept the providers and funding sources of the files.
	allow func([]importer.Pair)
	close func() error
}

// realTarget opens the office's ledger, which must exist, and prepares the client. It sends
// nothing.
func (a *App) realTarget(command string, lockWait time.Duration) (*target, error) {
	client, address, err := a.client()
	if err != nil {
		return nil, err
	}

	l, err := a.openLedgerForRun(command, lockWait)
	if err != nil {
		return nil, err
	}

	known, err := l.Service(context.Background(), address)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return &target{
		service: client, address: known, ledger: l, pace: a.paceWith(l, false),
		allow: func([]importer.Pair) {},
		close: l.Close,
	}, nil
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

// openLedgerForRun is openLedger for a run that sends trips: it fails if there is no room for
// what the run records.
func (a *App) openLedgerForRun(command string, lockWait time.Duration) (ledger.Ledger, error) {
	if err := a.tryLedgerFolder(a.ledgerPath(), roomForLedger); err != nil {
		return nil, err
	}
	return a.openLedger(command, lockWait, true)
}

// openLedger opens the office's ledger; it never makes one. sound proves that no part of it is damaged,
// as ledger.Options say.
func (a *App) openLedger(command string, lockWait time.Duration, sound bool) (ledger.Ledger, error) {
	path, o, err := a.ledgerToWrite(command)
	if err != nil {
		return nil, err
	}
	o.LockWait, o.Sound = lockWait, sound
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

// burst is how many requests may go at once, within the rate.
const burst = 10

// rehearsalAddress is the address of the sandbox in the rehearsals' ledger.
const rehearsalAddress = "rehearsal"

// rehearsalToken is the token of the sandbox. It protects nothing.
const rehearsalToken = "rehearsal"

// rehearsalTarget starts the sandbox in this process, with a ledger of its own, which is kept from
// one rehearsal to the next.
func (a *App) rehearsalTarget(command string) (*target, error) {
	dir := a.Folders.rehearsal()
	if err := makePrivate(dir); err != nil {
		return nil, err
	}

	// No Machine: a rehearsals' ledger may be used on any machine.
	o := ledger.Options{Rehearsal: true, Command: command + " --sandbox", LockWait: 10 * time.Second}
	o.Who, o.Host = a.whoAmI()
	path := a.Folders.rehearsalLedger()
	l, err := a.open(context.Background(), path, o)
	if wrong, ok := errors.AsType[*ledger.Error](err); ok && wrong.Missing {
		l, err = a.store(path).Create(context.Background(), path, o)
	}

	if err != nil {
		return nil, rehearsalLedgerError(err)
	}

	box, err := sandbox.New(sandbox.Config{Token: rehearsalToken, Rehearsal: true})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}

	server, err := box.Listen(context.Background(), sandbox.AnyPort)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}

	client, err := service.New(service.Config{
		BaseURL:   server.URL(),
		Token:     tokenSource{text: rehearsalToken},
		UserAgent: "tripimport/" + Version(),
	})
	if err != nil {
		return nil, errors.Join(err, server.Close(context.Background()), l.Close())
	}

	return &target{
		service: client, address: rehearsalAddress, ledger: l, pace: a.paceWith(l, true),
		allow: func(pairs []importer.Pair) {
			for _, p := range pairs {
				box.Allow(p.Provider, p.FundingSource)
			}
		},
		close: func() error { return errors.Join(server.Close(context.Background()), l.Close()) },
	}, nil
}
