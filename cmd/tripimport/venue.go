package main

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
	"tripimport/importer/run"
	"tripimport/importer/sandbox"
	"tripimport/importer/service"
)

// A venue is where trips are sent and where that is recorded: the real service
// with the office's ledger, or the rehearsal with its own.
type venue struct {
	service   importer.Service
	address   string // canonical
	ledger    ledger.Ledger
	rehearsal bool
	// allow prepares the venue for the names that the spreadsheet uses.
	allow func([]run.Pair)
	close func() error
}

// serviceKeys are the settings of commands that talk to the service.
func serviceKeys() []string {
	return []string{"base_url", "token_file", "token_command", "timeout", "guid_field"}
}

// realVenue opens the ledger, which must be there, and prepares the client. It
// sends nothing.
func (a *app) realVenue(command string, lockWait time.Duration, tokenStdin bool) (*venue, error) {
	client, address, err := a.client(tokenStdin)
	if err != nil {
		return nil, err
	}
	l, err := a.openLedger(command, lockWait)
	if err != nil {
		return nil, err
	}
	return &venue{
		service: client, address: address, ledger: l,
		allow: func([]run.Pair) {},
		close: l.Close,
	}, nil
}

// client makes the client of the real service, with a token that is there.
func (a *app) client(tokenStdin bool) (*service.Client, string, error) {
	base := a.settings.text("base_url")
	if base == "" {
		return nil, "", usage("write `base_url: https://…` into tripimport.yaml, or give --base-url; to rehearse without an account, add --sandbox",
			"the address of the service is not set")
	}
	address, err := service.CanonicalAddress(base)
	if err != nil {
		return nil, "", usage("", "base_url is wrong: %s", err)
	}
	tokens, err := a.tokens(tokenStdin)
	if err != nil {
		return nil, "", err
	}
	client, err := service.New(service.Config{
		BaseURL:     base,
		Token:       tokens,
		UserAgent:   "tripimport/" + version(),
		Timeout:     a.settings.duration("timeout"),
		GUIDField:   a.settings.text("guid_field"),
		Connections: a.settings.count("workers"),
	})
	if err != nil {
		return nil, "", usage("", "%s", err)
	}
	return client, address, nil
}

// tokens finds where the token comes from, and proves that there is one.
func (a *app) tokens(fromStdin bool) (service.TokenSource, error) {
	var source service.TokenSource
	switch env := a.env("TRIPIMPORT_TOKEN"); {
	case fromStdin:
		source = &tokenOnce{in: a.In}
	case a.settings.text("token_command") != "":
		source = tokenCommand{a.settings.text("token_command")}
	case a.settings.text("token_file") != "":
		source = tokenFile{a.settings.text("token_file"), "see the setting token_file"}
	case env != "":
		token, err := cleanToken(env, "TRIPIMPORT_TOKEN")
		if err != nil {
			return nil, err
		}
		source = tokenText{token}
	default:
		source = tokenFile{a.folders.token(), "get one from the service and store it with `tripimport token set`"}
	}
	_, err := source.Token(context.Background())
	return source, err
}

// ledgers is where ledgers are kept.
func ledgers() ledger.Store { return sqlite.Store{} }

// openLedger opens the office's ledger; it never makes one.
func (a *app) openLedger(command string, lockWait time.Duration) (ledger.Ledger, error) {
	who, host := whoami()
	return ledgers().Open(context.Background(), a.settings.text("ledger"), ledger.Options{LockWait: lockWait, Who: who, Host: host, Command: command})
}

// rehearsalFault says how to mend a rehearsal's ledger: it is worth nothing.
func rehearsalFault(err error) error {
	var fault *ledger.Error
	if errors.As(err, &fault) && !fault.Locked {
		return usage("`tripimport sandbox reset` forgets all rehearsals, then rehearse again", "%s", fault.Reason)
	}
	return err
}

// rehearsalToken is what the sandbox is started with; it guards nothing.
const rehearsalToken = "rehearsal"

// rehearsalVenue starts the sandbox in this process, with a ledger of its own.
// Both are kept together from one rehearsal to the next.
func (a *app) rehearsalVenue(command string) (*venue, error) {
	dir := a.folders.rehearsal()
	if err := private(dir); err != nil {
		return nil, err
	}
	who, host := whoami()
	o := ledger.Options{Who: who, Host: host, Command: command + " --sandbox", LockWait: 10 * time.Second}
	path := a.folders.rehearsalLedger()
	l, err := ledgers().Open(context.Background(), path, o)
	var held *ledger.Error
	if errors.As(err, &held) && held.Missing {
		l, err = ledgers().Create(context.Background(), path, o)
	}
	if err != nil {
		return nil, rehearsalFault(err)
	}
	box, err := sandbox.New(sandbox.Config{Token: rehearsalToken, GUIDPrefix: "00000000-", State: filepath.Join(dir, "trips.jsonl")})
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	server, err := box.Listen("127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	client, err := service.New(service.Config{
		BaseURL: server.URL(), Token: tokenText{importer.NewSecret(rehearsalToken)},
		UserAgent: "tripimport/" + version(), Connections: a.settings.count("workers"),
	})
	if err != nil {
		return nil, errors.Join(err, server.Close(context.Background()), l.Close())
	}
	return &venue{
		service: client, address: "rehearsal", ledger: l, rehearsal: true,
		allow: func(pairs []run.Pair) {
			for _, p := range pairs {
				box.Allow(p.Provider, p.FundingSource)
			}
		},
		close: func() error { return errors.Join(server.Close(context.Background()), box.Close(), l.Close()) },
	}, nil
}
