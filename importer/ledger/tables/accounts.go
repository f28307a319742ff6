package tables

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

const (
	accountSQL    = "SELECT id, api_key FROM accounts WHERE service = ? AND provider = ?"
	addAccountSQL = "INSERT INTO accounts (id, service, provider, api_key) VALUES (?, ?, ?, ?)"
	aheadSQL      = `SELECT a.service, a.provider, a.api_key, COUNT(t.id) FROM accounts a LEFT JOIN trips t ON t.account = a.id
		AND t.day >= ? AND t.state IN ('booked', 'unclear', 'sending') GROUP BY a.service, a.provider, a.api_key ORDER BY a.service, a.provider`
)

// factAddress is the kind of the facts that say to which service an address belongs.
const factAddress = "address"

// accountID returns the number of an account, and adds a new one. The account's service must be
// the address that Service returns.
func (w *Writer) accountID(ctx context.Context, a importer.Account, hashes *keyed.Hashes) (int64, error) {
	if id, known := w.accounts[a]; known {
		return id, nil
	}
	apiKey := ""
	if a.Provider != "" {
		apiKey = hashes.APIKey(a)
	}
	key := ""
	id, err := QueryOne(ctx, w, func(row Scanner) (id int64, err error) { err = row.Scan(&id, &key); return id, err }, accountSQL, a.Service, a.Provider)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		if id, err = QueryOne(ctx, w, ScanOne[int64], "SELECT COALESCE(MAX(id), 0) + 1 FROM accounts"); err == nil {
			w.put(ctx, addAccountSQL, id, a.Service, a.Provider, apiKey)
		}
	case err != nil:
	case key != apiKey && key != "" && apiKey != "":
		return 0, refuse(ledger.KeyChangedError(a.Provider))
	default:
		w.accounts[a] = id
	}
	return id, err
}

// An ahead is an account with the number of its trips that are booked, or may be, from a day on.
type ahead struct {
	service, provider, key string
	trips                  int
}

// CheckAccounts proves that each provider has the key that the ledger has for it, and that no
// trips are booked ahead at an address that may be the same as a new one.
func (l *Ledger) CheckAccounts(ctx context.Context, accounts []importer.Account, today importer.Date) error {
	known, err := Query(ctx, l.Readers, func(row Scanner) (a ahead, err error) {
		return a, row.Scan(&a.service, &a.provider, &a.key, &a.trips)
	}, aheadSQL, today.String())
	if err != nil {
		return l.readError(ctx, err)
	}
	for i := range accounts {
		if err := l.checkAccount(&accounts[i], known); err != nil {
			return err
		}
	}
	return nil
}

// checkAccount is CheckAccounts for one account.
func (l *Ledger) checkAccount(a *importer.Account, known []ahead) error {
	var atService bool
	var elsewhere []string
	for _, k := range known {
		switch {
		case k.service == a.Service && k.provider == a.Provider && k.key != l.Hashes.APIKey(*a):
			return ledger.KeyChangedError(a.Provider)
		case k.service == a.Service:
			atService = true
		case k.trips > 0 && !slices.Contains(elsewhere, k.service):
			elsewhere = append(elsewhere, k.service)
		}
	}
	if atService || len(elsewhere) == 0 {
		return nil
	}
	return ledger.ServiceMovedError(a.Service, elsewhere)
}

// Service returns the address that records have for the service at an address.
func (l *Ledger) Service(ctx context.Context, address string) (string, error) {
	facts, err := l.Facts(ctx, factAddress)
	known := importer.First(facts, func(f *ledger.Fact) bool { return f.Subject == address && f.Value != "" })
	return cmp.Or(known, &ledger.Fact{Value: address}).Value, err
}

// SetAddress records whether an address belongs to the service that is known under another
// address, or to a service of its own if known is empty.
func (l *Ledger) SetAddress(ctx context.Context, known, address string, by ledger.Person) error {
	if known == "" {
		known = address
	} else if first, err := l.Service(ctx, known); err != nil {
		return err
	} else if known = first; known == address {
		return nil // it is the address under which the service is known
	}
	booked, err := QueryOne(ctx, l.Readers, ScanOne[bool], "SELECT EXISTS (SELECT 1 FROM accounts WHERE service = ?)", known)
	if err != nil {
		return l.readError(ctx, err)
	}
	if !booked && known != address {
		return ledger.NewError("ledger-service-unknown", "name with --same-as the address where the trips were booked", "the ledger has no trips of the service at %s", known)
	}
	if err := l.SetFact(ctx, ledger.Fact{Kind: factAddress, Subject: address, Value: known, Who: by.Who, Host: by.Host, At: by.When}); err != nil {
		return err
	}
	if known != address {
		return nil
	}
	// An account without trips says that the address is known.
	return l.Write(func(ctx context.Context, w *Writer) error {
		_, err := w.accountID(ctx, importer.Account{Service: address}, l.Hashes)
		return err
	})
}

// Rekey records the account's key as the new key of its provider.
func (l *Ledger) Rekey(ctx context.Context, account importer.Account, by ledger.Person) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return l.Write(func(ctx context.Context, w *Writer) error {
		w.put(ctx, "UPDATE accounts SET api_key = ? WHERE service = ? AND provider = ?", l.Hashes.APIKey(account), account.Service, account.Provider)
		l.addEvent(ctx, w, event{at: by.When, kind: "rekeyed", detail: ledger.EventDetail{Who: by.Who, Host: by.Host, Note: account.Provider + " has another key"}})
		return nil
	})
}
