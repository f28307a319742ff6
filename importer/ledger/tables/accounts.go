package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// CheckAccounts implements ledger.Ledger.
func (l *Ledger) CheckAccounts(ctx context.Context, accounts []importer.Account) error {
	for _, a := range accounts {
		id, known, err := l.accountID(ctx, a)
		if err == nil && known && l.commits != nil {
			err = l.rename(ctx, id, a)
		}
		if err != nil {
			return l.readError(ctx, err)
		}
	}
	return nil
}

// rename sets the account's name to the one that its provider has today, unless another
// account of the service has that name.
func (l *Ledger) rename(ctx context.Context, id int64, a importer.Account) error {
	var name string
	err := l.lookUps.QueryRowContext(ctx, "SELECT name FROM accounts WHERE id = ?", id).Scan(&name)
	if err != nil || name == nameKey(a.Provider) {
		return err
	}

	return l.commits.do(func(ctx context.Context, w *Writer) error {
		_, err := w.ExecContext(ctx, `UPDATE accounts SET provider = ?, name = ? WHERE id = ? AND NOT EXISTS
			(SELECT 1 FROM accounts o WHERE o.service = accounts.service AND o.name = ?)`,
			a.Provider, nameKey(a.Provider), id, nameKey(a.Provider))
		return err
	})
}

// accountID returns the account's id, and reports whether the ledger has the account. An
// account without a key is found by the provider's name.
func (l *Ledger) accountID(ctx context.Context, a importer.Account) (int64, bool, error) {
	l.mu.Lock()
	id, ok := l.accounts[a]
	forgotten := l.accountsForgotten
	l.mu.Unlock()
	if ok {
		return id, true, nil
	}

	id, ok, err := l.lookUpAccount(ctx, l.lookUps, a)
	var changed *ledger.Error
	switch {
	case a.Key.Empty() && errors.As(err, &changed):
		return id, true, nil
	case err == nil && ok:
		l.rememberAccount(a, id, forgotten)
	}
	return id, ok, err
}

// rememberAccount remembers an account's id, unless ForgetAccounts was called since the
// look-up began, because the id may be out of date then.
func (l *Ledger) rememberAccount(a importer.Account, id, forgotten int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.accountsForgotten == forgotten {
		l.accounts[a] = id
	}
}

// lookUpAccount finds an account by its key. If the ledger has the provider with another
// key, it returns the account's id and a *ledger.Error.
func (l *Ledger) lookUpAccount(ctx context.Context, q Querier, a importer.Account) (int64, bool, error) {
	var id int64
	var sameKey bool
	// One statement looks for both the key and the name, so that no commit can come
	// between.
	key := l.Hashes.APIKey(a)
	err := q.QueryRowContext(ctx, `SELECT id, api_key = ? FROM accounts
		WHERE service = (`+serviceSQL+`) AND (api_key = ? OR name = ?) ORDER BY 2 DESC`,
		key, a.Service, key, nameKey(a.Provider)).Scan(&id, &sameKey)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case !sameKey:
		return id, false, ledger.KeyChangedError(a.Provider)
	}
	return id, true, nil
}

// claimAccount returns the id of the account under which a trip is claimed. It adds a new
// account.
func (l *Ledger) claimAccount(ctx context.Context, w *Writer, a importer.Account) (int64, error) {
	l.mu.Lock()
	id, ok := l.accounts[a]
	forgotten := l.accountsForgotten
	l.mu.Unlock()
	if ok {
		return id, nil
	}

	id, ok, err := l.lookUpAccount(ctx, w, a)
	var e *ledger.Error
	switch {
	case errors.As(err, &e):
		return 0, refuse(err)
	case err != nil:
		return 0, err
	case !ok:
		if id, err = l.addAccount(ctx, w, a); err != nil {
			return 0, err
		}
	}

	// If the transaction fails, the ledger writes no more, or the engine calls
	// ForgetAccounts before it begins again.
	l.rememberAccount(a, id, forgotten)
	return id, nil
}

func (l *Ledger) addAccount(ctx context.Context, w *Writer, a importer.Account) (int64, error) {
	if _, err := w.ExecContext(ctx, addAddressSQL, a.Service); err != nil {
		return 0, err
	}
	return scanID(w.QueryRowContext(ctx, "INSERT INTO accounts (service, provider, name, api_key) VALUES (("+serviceSQL+"), ?, ?, ?) RETURNING id",
		a.Service, a.Provider, nameKey(a.Provider), l.Hashes.APIKey(a)))
}

// Rekey implements ledger.Ledger.
func (l *Ledger) Rekey(_ context.Context, a importer.Account, was string, by ledger.Person) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		id, err := l.accountToRekey(ctx, w, a, was)
		if err != nil || id == 0 {
			return err
		}

		_, err = w.ExecContext(ctx, "UPDATE accounts SET provider = ?, name = ?, api_key = ? WHERE id = ?",
			a.Provider, nameKey(a.Provider), l.Hashes.APIKey(a), id)
		if err != nil {
			return err
		}
		w.AccountsChanged = true
		l.ForgetAccounts() // the replaced key must not be found any more
		return w.AddChange(ctx, fmt.Sprintf("new key of account %d", id), by)
	})
}

// accountToRekey returns the id of the account that gets the new key, or 0 if it has the
// key already. If the provider had another name, it removes an account with the new name
// or the key, provided that account has no trips.
func (l *Ledger) accountToRekey(ctx context.Context, w *Writer, a importer.Account, was string) (int64, error) {
	old := a
	if was != "" {
		old = importer.Account{Service: a.Service, Provider: was}
	}

	id, known, err := l.lookUpAccount(ctx, w, old)
	var e *ledger.Error
	switch {
	case errors.As(err, &e): // known with another key
	case err != nil || known:
		return 0, err
	default:
		return 0, refuse(ledger.UnknownProviderError(old.Provider))
	}

	if was == "" {
		return id, nil
	}

	const others = ` FROM accounts WHERE id <> ? AND service = (` + serviceSQL + `) AND (api_key = ? OR name = ?)`
	args := []any{id, a.Service, l.Hashes.APIKey(a), nameKey(a.Provider)}
	if _, err := w.ExecContext(ctx, "DELETE"+others+" AND NOT EXISTS (SELECT 1 FROM trips t WHERE t.account = accounts.id)", args...); err != nil {
		return 0, err
	}

	var booked bool
	if err := w.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1"+others+")", args...).Scan(&booked); err != nil {
		return 0, err
	}

	if booked {
		return 0, refuse(ledger.ProviderBookedError(a.Provider))
	}
	return id, nil
}

// ForgetAccounts makes the ledger look up its accounts again, and everything that it has
// under them.
func (l *Ledger) ForgetAccounts() {
	l.mu.Lock()
	clear(l.accounts)
	l.accountsForgotten++
	l.mu.Unlock()
	l.cache.forget()
}

// nameKey returns the form in which names of providers are compared, as in
// importer.Access: without regard to case and runs of spaces.
func nameKey(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}
