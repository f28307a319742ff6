package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
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
			return l.readFault(ctx, err)
		}
	}
	return nil
}

// rename gives the account the provider's name of today, unless another account
// has it.
func (l *Ledger) rename(ctx context.Context, id int64, a importer.Account) error {
	var name string
	err := l.readers.QueryRowContext(ctx, "SELECT name FROM accounts WHERE id = ?", id).Scan(&name)
	if err != nil || name == providerName(a.Provider) {
		return err
	}
	return l.commits.do(func(ctx context.Context, w *writer) error {
		_, err := w.conn.ExecContext(ctx, `UPDATE accounts SET provider = ?, name = ? WHERE id = ? AND NOT EXISTS
			(SELECT 1 FROM accounts o WHERE o.service = accounts.service AND o.name = ?)`,
			a.Provider, providerName(a.Provider), id, providerName(a.Provider))
		return err
	})
}

// accountID gives the account's id and whether the ledger knows it.
func (l *Ledger) accountID(ctx context.Context, a importer.Account) (int64, bool, error) {
	l.mu.Lock()
	id, ok := l.accounts[a]
	l.mu.Unlock()
	if ok {
		return id, true, nil
	}
	id, ok, err := l.lookUpAccount(ctx, l.readers, a)
	if err == nil && ok {
		l.rememberAccount(a, id)
	}
	return id, ok, err
}

func (l *Ledger) rememberAccount(a importer.Account, id int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.accounts[a] = id
}

// lookUpAccount finds the account by its key. Its error is a *ledger.Error, beside the
// account's id, where the provider's name is known with another key.
func (l *Ledger) lookUpAccount(ctx context.Context, q querier, a importer.Account) (int64, bool, error) {
	var id int64
	var sameKey bool
	// One question for both, so that no commit can come between.
	key := l.hash.apiKeyHash(a)
	err := q.QueryRowContext(ctx, `SELECT id, api_key = ? FROM accounts
		WHERE service = ? AND (api_key = ? OR name = ?) ORDER BY 2 DESC`,
		key, canonicalService(a.Service), key, providerName(a.Provider)).Scan(&id, &sameKey)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case !sameKey:
		return id, false, keyChangedFault(a.Provider)
	}
	return id, true, nil
}

// bookingAccount gives the id of the account that a trip is booked under; a new
// account is written down.
func (l *Ledger) bookingAccount(ctx context.Context, w *writer, a importer.Account) (int64, error) {
	l.mu.Lock()
	id, ok := l.accounts[a]
	l.mu.Unlock()
	if ok {
		return id, nil
	}
	id, ok, err := l.lookUpAccount(ctx, w.conn, a)
	var f *ledger.Error
	if errors.As(err, &f) {
		return 0, refuse(err)
	}
	if err != nil {
		return 0, err
	}
	if !ok {
		if id, err = w.addAccount(ctx, l, a); err != nil {
			return 0, err
		}
	}
	// Should the commit fail, the ledger is of no use any more and nor is this.
	l.rememberAccount(a, id)
	return id, nil
}

func (w *writer) addAccount(ctx context.Context, l *Ledger, a importer.Account) (int64, error) {
	_, err := w.conn.ExecContext(ctx, "INSERT INTO accounts (service, provider, name, api_key) VALUES (?, ?, ?, ?)",
		canonicalService(a.Service), a.Provider, providerName(a.Provider), l.hash.apiKeyHash(a))
	if err != nil {
		return 0, err
	}
	id, _, err := l.lookUpAccount(ctx, w.conn, a)
	return id, err
}

// Rekey implements ledger.Ledger.
func (l *Ledger) Rekey(_ context.Context, a importer.Account, by ledger.Person) error {
	if l.commits == nil {
		return lookingFault()
	}
	return l.commits.do(func(ctx context.Context, w *writer) error {
		id, known, err := l.lookUpAccount(ctx, w.conn, a)
		var f *ledger.Error
		switch {
		case errors.As(err, &f): // another key: what we are here for
		case err != nil:
			return err
		case known:
			return nil
		default:
			return refuse(unknownProviderFault(a.Provider))
		}
		_, err = w.conn.ExecContext(ctx, "UPDATE accounts SET api_key = ? WHERE id = ?", l.hash.apiKeyHash(a), id)
		if err != nil {
			return err
		}
		l.forgetAccounts()
		return addChange(ctx, w.conn, fmt.Sprintf("new key of account %d", id), by)
	})
}

// forgetAccounts makes the next look-up of each account ask the file: a key
// that was replaced must not be known any more.
func (l *Ledger) forgetAccounts() {
	l.mu.Lock()
	defer l.mu.Unlock()
	clear(l.accounts)
}

// canonicalService gives one form for all ways to write the service's address:
// scheme and host in lower case, no default port, no slash at the end.
func canonicalService(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return strings.TrimRight(strings.TrimSpace(address), "/")
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	if host, port, err := net.SplitHostPort(u.Host); err == nil &&
		(u.Scheme == "https" && port == "443" || u.Scheme == "http" && port == "80") {
		u.Host = host
		if strings.Contains(host, ":") {
			u.Host = "[" + host + "]"
		}
	}
	return strings.TrimRight(u.String(), "/")
}

// providerName gives the form by which names of providers are compared, that of
// importer.Access: letters' case and runs of spaces disregarded.
func providerName(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}

func keyChangedFault(provider string) *ledger.Error {
	return &ledger.Error{
		Code:   "ledger-provider-key",
		Reason: fmt.Sprintf("the API key of %s is not the one under which its trips were booked", provider),
		Fix: fmt.Sprintf("ask the service whether it changed the key; if it did, run: tripimport ledger rekey %q; "+
			"if not, the provider's name now belongs to someone else: do not import", provider),
	}
}

func unknownProviderFault(provider string) *ledger.Error {
	return &ledger.Error{
		Code:   "ledger-provider-unknown",
		Reason: fmt.Sprintf("the ledger has no trips of %s", provider),
		Fix:    "nothing need be done: the key is taken with the first trip",
	}
}
