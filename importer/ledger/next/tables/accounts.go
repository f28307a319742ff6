package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next"
)

const (
	accountSQL    = "SELECT id, api_key FROM accounts WHERE service = ? AND provider = ?"
	addAccountSQL = "INSERT INTO accounts (id, service, provider, api_key) VALUES (?, ?, ?, ?)"
	aheadSQL      = `SELECT a.service, a.provider, a.api_key, COUNT(*) FROM trips t JOIN accounts a ON a.id = t.account
		WHERE t.day >= ? AND t.state IN ('booked', 'unclear', 'sending') GROUP BY a.service, a.provider, a.api_key ORDER BY a.service, a.provider`
)

// factAddress is the kind of the facts that say to which service an address belongs.
const factAddress = "address"

// accountID returns the number of an account, and adds a new one. The account's service must be
// the address that Service returns.
func (w *Writer) accountID(ctx context.Context, a importer.Account, apiKey string) (int64, error) {
	var id int64
	var known string
	err := w.QueryRowContext(ctx, accountSQL, a.Service, a.Provider).Scan(&id, &known)
	if !errors.Is(err, sql.ErrNoRows) {
		return id, err
	}
	if err := w.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) + 1 FROM accounts").Scan(&id); err != nil {
		return 0, err
	}
	_, err = w.ExecContext(ctx, addAccountSQL, id, a.Service, a.Provider, apiKey)
	return id, err
}

// An ahead counts trips that are booked, or may be, from a day on.
type ahead struct {
	service, provider, key string
	trips                  int
}

// CheckAccounts proves that each provider has the key that the ledger has for it, and that no
// trips are booked ahead at an address or under a provider that may be the same as a new one.
func (l *Ledger) CheckAccounts(ctx context.Context, accounts []importer.Account, access importer.Access, today importer.Date) error {
	booked, err := Query(ctx, l.lookUps, func(row Scanner) (a ahead, err error) {
		return a, row.Scan(&a.service, &a.provider, &a.key, &a.trips)
	}, aheadSQL, today.String())
	if err != nil {
		return l.readError(ctx, err)
	}
	known, err := Query(ctx, l.lookUps, func(row Scanner) (a ahead, err error) {
		return a, row.Scan(&a.service, &a.provider, &a.key)
	}, "SELECT service, provider, api_key FROM accounts")
	if err != nil {
		return l.readError(ctx, err)
	}
	for i := range accounts {
		if err := l.checkAccount(&accounts[i], known, booked, access); err != nil {
			return err
		}
	}
	return nil
}

// checkAccount is CheckAccounts for one account.
func (l *Ledger) checkAccount(a *importer.Account, known, booked []ahead, access importer.Access) error {
	key := l.Hashes.APIKey(*a)
	atService := false
	for _, k := range known {
		if k.service != a.Service {
			continue
		}
		atService = true
		if k.provider == a.Provider && k.key != key {
			return ledger.NewError("ledger-key-changed", "if the service changed the key, run `tripimport ledger rekey "+a.Provider+"`; otherwise ask the service",
				"the API key of %s is another one than before: its booked trips may be another provider's", a.Provider)
		}
		if k.provider == a.Provider {
			return nil
		}
	}
	for _, b := range booked {
		switch {
		case b.service != a.Service && !atService:
			return ledger.NewError("ledger-moved", "if it is the same system, run `tripimport ledger address --same-as "+b.service+"`; if it is another one, `tripimport ledger address --new`",
				"%d trips are booked ahead at %s, and nobody has said whether %s is the same system", b.trips, b.service, a.Service)
		case b.service == a.Service && b.key == key:
			return ledger.NewError("ledger-provider-renamed", "run `tripimport ledger rekey "+a.Provider+" --was "+b.provider+"`",
				"%s has the API key of %s, under which %d trips are booked ahead: it seems to have a new name", a.Provider, b.provider, b.trips)
		case b.service == a.Service && !lists(access, b.provider):
			return ledger.NewError("ledger-provider-new", "if it is "+b.provider+" under a new name, run `tripimport ledger rekey "+a.Provider+" --was "+b.provider+"`; if it is a new one, `tripimport ledger rekey "+a.Provider+" --new`",
				"%s is new, and %d trips are booked ahead under %s, which the service does not list any more", a.Provider, b.trips, b.provider)
		}
	}
	return nil
}

func lists(access importer.Access, provider string) bool {
	_, ok := access.Provider(provider)
	return ok
}

// Service returns the address that records have for the service at an address.
func (l *Ledger) Service(ctx context.Context, address string) (string, error) {
	facts, err := l.Facts(ctx, factAddress)
	if err != nil {
		return "", err
	}
	for _, f := range facts {
		if f.Subject == address && f.Value != "" {
			return f.Value, nil
		}
	}
	return address, nil
}

// SetAddress records whether an address belongs to the service that is known under another
// address, or to a service of its own if known is empty.
func (l *Ledger) SetAddress(ctx context.Context, known, address string, by ledger.Person) error {
	if known == "" {
		known = address
	}
	if err := l.SetFact(ctx, next.Fact{Kind: factAddress, Subject: address, Value: known, Who: by.Who, Host: by.Host, At: by.When}); err != nil {
		return err
	}
	if known != address {
		return nil
	}
	// An account without trips says that the address is known.
	return l.Write(func(ctx context.Context, w *Writer) error {
		_, err := w.accountID(ctx, importer.Account{Service: address}, "")
		return err
	})
}

// Rekey records the account's key as the new key of its provider. was is the provider's earlier
// name, or empty.
func (l *Ledger) Rekey(ctx context.Context, account importer.Account, was string, by ledger.Person) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.Write(func(ctx context.Context, w *Writer) error {
		name := account.Provider
		if was != "" {
			name = was
		}
		result, err := w.ExecContext(ctx, "UPDATE accounts SET provider = ?, api_key = ? WHERE service = ? AND provider = ?",
			account.Provider, l.Hashes.APIKey(account), account.Service, name)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			if err == nil {
				_, err = w.accountID(ctx, account, l.Hashes.APIKey(account))
			}
			return err
		}
		return l.noteRekey(ctx, w, fmt.Sprintf("%s has another key", account.Provider), by)
	})
}

func (l *Ledger) noteRekey(ctx context.Context, w *Writer, what string, by ledger.Person) error {
	w.LastEvent++
	return l.addEvent(ctx, w, w.LastEvent, event{at: by.When, kind: "rekeyed", detail: eventDetail{Who: by.Who, Host: by.Host, Note: what}})
}
