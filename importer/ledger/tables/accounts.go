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
// trips are booked ahead at an address or under a provider that may be the same as a new one.
func (l *Ledger) CheckAccounts(ctx context.Context, accounts []importer.Account, access importer.Access, today importer.Date) error {
	known, err := Query(ctx, l.Readers, func(row Scanner) (a ahead, err error) {
		return a, row.Scan(&a.service, &a.provider, &a.key, &a.trips)
	}, aheadSQL, today.String())
	if err != nil {
		return l.readError(ctx, err)
	}
	for i := range accounts {
		if err := l.checkAccount(&accounts[i], known, access); err != nil {
			return err
		}
	}
	return nil
}

// checkAccount is CheckAccounts for one account.
func (l *Ledger) checkAccount(a *importer.Account, known []ahead, access importer.Access) error {
	key := l.Hashes.APIKey(*a)
	atService := false
	for _, k := range known {
		switch {
		case k.service != a.Service:
			continue
		case k.provider == a.Provider && k.key != key:
			return ledger.KeyChangedError(a.Provider)
		case k.provider == a.Provider:
			return nil
		}
		atService = true
	}

	return movedAhead(a, key, atService, known, access)
}

// movedAhead refuses a new account while trips are booked ahead that may be its own, under another
// address or name. atService reports that the ledger knows its service.
func movedAhead(a *importer.Account, key string, atService bool, booked []ahead, access importer.Access) error {
	elsewhere, moved := map[string]int{}, map[string]int{}
	for _, b := range booked {
		_, listed := access.Provider(b.provider)
		switch {
		case b.trips == 0:
		case b.service != a.Service && !atService:
			elsewhere[b.service] += b.trips
		case b.service == a.Service && (b.key == key || !listed):
			moved[b.provider] += b.trips
		}
	}
	switch {
	case len(elsewhere) > 0:
		return ledger.ServiceMovedError(a.Service, elsewhere)
	case len(moved) > 0:
		return ledger.ProviderMovedError(a.Provider, moved)
	}
	return nil
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

// Rekey records the account's key as the new key of its provider. was is the name that the ledger
// has for the provider; empty for a provider that is another one than those it knows.
func (l *Ledger) Rekey(ctx context.Context, account importer.Account, was string, by ledger.Person) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	key, note := l.Hashes.APIKey(account), account.Provider+" has another key"
	return l.Write(func(ctx context.Context, w *Writer) error {
		known, err := Query(ctx, w, ScanOne[string], "SELECT provider FROM accounts WHERE service = ? AND provider IN (?, ?)", account.Service, account.Provider, was)
		switch {
		case err != nil:
			return err
		case was != account.Provider && slices.Contains(known, account.Provider):
			return refuse(ledger.NewError("ledger-provider-booked", "look in the service whether trips of the two are booked twice, and cancel the second ones there",
				"the ledger has trips of %s as a provider of its own", account.Provider))
		case was == "":
			note = account.Provider + " is a new provider"
			if _, err := w.accountID(ctx, account, l.Hashes); err != nil {
				return err
			}
		case !slices.Contains(known, was):
			return refuse(ledger.NewError("ledger-provider-unknown", "nothing has to be done: the ledger takes the key with the first trip", "the ledger has no trips of %s", was))
		default:
			w.put(ctx, "UPDATE accounts SET provider = ?, api_key = ? WHERE service = ? AND provider = ?", account.Provider, key, account.Service, was)
		}
		l.addEvent(ctx, w, event{at: by.When, kind: "rekeyed", detail: ledger.EventDetail{Who: by.Who, Host: by.Host, Note: note}})
		return nil
	})
}
