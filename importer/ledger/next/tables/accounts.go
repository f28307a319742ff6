package tables

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	accountsSQL     = "SELECT num, address, service, provider, name, api_key FROM accounts ORDER BY num"
	addAccountSQL   = "INSERT INTO accounts (num, address, service, provider, name, api_key) VALUES (?, ?, ?, ?, ?, ?)"
	rekeySQL        = "UPDATE accounts SET provider = ?, name = ?, api_key = ? WHERE num = ?"
	dropAccountSQL  = "DELETE FROM accounts WHERE num = ? AND NOT EXISTS (SELECT 1 FROM trips t WHERE t.account = accounts.num)"
	bookedAheadSQL  = "SELECT t.account, COUNT(*) FROM trips t WHERE t.day >= ? AND t.state IN ('booked', 'unclear', 'sending') GROUP BY t.account"
	tripsOfSQL      = "SELECT COUNT(*) FROM trips t WHERE t.account = ?"
	moveAccountsSQL = "UPDATE accounts SET service = ? WHERE num = ?"
)

// An account is an importer.Account as it is stored.
type account struct {
	number                           int64
	address, service, provider, name string
	key                              []byte
}

func readAccounts(ctx context.Context, q Querier) ([]account, error) {
	return Query(ctx, q, func(row Scanner) (a account, err error) {
		err = row.Scan(&a.number, &a.address, &a.service, &a.provider, &a.name, &a.key)
		return a, err
	}, accountsSQL)
}

// claimAccount returns the number of the account under which a trip is claimed. It adds a
// new account.
func (l *Ledger) claimAccount(ctx context.Context, w *Writer, a importer.Account) (int64, error) {
	if number, ok := w.accounts[a]; ok {
		return number, nil
	}
	all, err := readAccounts(ctx, w)
	if err != nil {
		return 0, err
	}
	here, err := l.findAccount(all, a, func(b *account) bool { return b.address == a.Service })
	if err != nil {
		return 0, refuse(err)
	}
	if here == nil {
		if here, err = l.addAccount(ctx, w, a); err != nil {
			return 0, err
		}
	}
	w.accounts[a] = here.number
	return here.number, nil
}

// findAccount returns the account with the key, or nil if there is none. It returns a
// *ledger.Error if only the provider's name is known, with another key. An account without
// a key is found by the name.
func (l *Ledger) findAccount(all []account, a importer.Account, among func(*account) bool) (*account, error) {
	key := l.Hashes.APIKey(a)
	var named *account
	for i := range all {
		switch b := &all[i]; {
		case !among(b):
		case bytes.Equal(b.key, key):
			return b, nil
		case b.name == nameKey(a.Provider):
			named = b
		}
	}
	if named != nil && !a.Key.Empty() {
		return named, ledger.KeyChangedError(a.Provider)
	}
	return named, nil
}

func (l *Ledger) addAccount(ctx context.Context, w *Writer, a importer.Account) (*account, error) {
	services, err := readServices(ctx, w)
	if err != nil {
		return nil, err
	}
	number, err := w.addEvent(ctx, event{kind: eventLedger, what: "new account"})
	if err == nil && services[a.Service] == nil {
		services[a.Service] = &service{address: a.Service, known: number}
		err = w.saveService(ctx, a.Service, services[a.Service])
	}
	if err != nil {
		return nil, err
	}
	here := &account{number: number, address: a.Service, service: services[a.Service].address}
	return here, w.Later(ctx, addAccountSQL, number, a.Service, here.service, a.Provider, nameKey(a.Provider), l.Hashes.APIKey(a))
}

// CheckAccounts implements next.Ledger. A provider with a new name and its old key gets the
// new name in the ledger.
func (l *Ledger) CheckAccounts(ctx context.Context, accounts []importer.Account, access importer.Access, today importer.Date) error {
	var renamed []renaming
	err := l.read(ctx, func(q Querier) error {
		known, err := readAccounts(ctx, q)
		if err != nil {
			return err
		}
		services, err := readServices(ctx, q)
		if err != nil {
			return err
		}
		ahead, err := readAhead(ctx, q, today)
		for _, a := range accounts {
			r, checkErr := l.checkAccount(known, services, ahead, a, access)
			err = cmp.Or(err, checkErr)
			renamed = append(renamed, r...)
		}
		return err
	})
	if err != nil || len(renamed) == 0 || l.ReadOnly {
		return err
	}
	return l.rename(renamed)
}

// checkAccount returns the accounts that have another name by now.
func (l *Ledger) checkAccount(known []account, services services, ahead map[int64]int, a importer.Account, access importer.Access) ([]renaming, error) {
	at := services.of(a.Service)
	of := func(b *account) bool { return b.service == at }
	same, err := l.findAccount(known, a, of)
	if err != nil {
		return nil, err
	}
	if others := services.undecided(a.Service, countServices(known, ahead)); len(others) > 0 {
		return nil, ledger.ServiceMovedError(a.Service, others)
	}
	if same == nil {
		if gone := l.unlisted(known, of, ahead, access); len(gone) > 0 {
			return nil, ledger.ProviderMovedError(a.Provider, gone)
		}
		return nil, nil
	}
	if same.name == nameKey(a.Provider) {
		return nil, nil
	}
	return []renaming{{same.number, a}}, nil
}

// A renaming is an account whose provider has another name than the ledger has.
type renaming struct {
	number int64
	now    importer.Account
}

func (l *Ledger) rename(all []renaming) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		known, err := readAccounts(ctx, w)
		for _, r := range all {
			i := slices.IndexFunc(known, func(b account) bool { return b.number == r.number })
			taken := slices.ContainsFunc(known, func(b account) bool { return b.address == known[i].address && b.name == nameKey(r.now.Provider) })
			if err != nil || i < 0 || taken {
				continue
			}
			err = w.Later(ctx, rekeySQL, r.now.Provider, nameKey(r.now.Provider), known[i].key, r.number)
			if err == nil {
				_, err = w.addEvent(ctx, event{kind: eventLedger, what: fmt.Sprintf("new name of account %d", r.number)})
			}
		}
		return err
	})
}

// unlisted returns the providers with trips ahead that access lists neither by name nor by
// key.
func (l *Ledger) unlisted(known []account, of func(*account) bool, ahead map[int64]int, access importer.Access) (gone []ledger.AheadCount) {
	for i := range known {
		b := &known[i]
		listed := slices.ContainsFunc(access.Providers, func(p importer.Provider) bool {
			return nameKey(p.Name) == b.name || bytes.Equal(l.Hashes.APIKey(importer.Account{Key: p.Key}), b.key)
		})
		if of(b) && !listed && ahead[b.number] > 0 {
			gone = append(gone, ledger.AheadCount{Name: b.provider, Key: b.key, Trips: ahead[b.number]})
		}
	}
	return gone
}

// readAhead counts the trips that are booked, or may be, for the day or later, by account.
func readAhead(ctx context.Context, q Querier, from importer.Date) (map[int64]int, error) {
	ahead := map[int64]int{}
	return ahead, eachRow(ctx, q, func(row Scanner) error {
		var number int64
		var n int
		err := row.Scan(&number, &n)
		ahead[number] = n
		return err
	}, bookedAheadSQL, from.String())
}

// Rekey implements next.Ledger. If was is empty and the ledger does not know the provider,
// it records that the provider is a new one.
func (l *Ledger) Rekey(_ context.Context, a importer.Account, was string, by ledger.Person) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		all, err := readAccounts(ctx, w)
		if err != nil {
			return err
		}
		clear(w.accounts)
		services, err := readServices(ctx, w)
		if err != nil {
			return err
		}
		at := services.of(a.Service)
		known := slices.DeleteFunc(all, func(b account) bool { return b.service != at })
		old := cmp.Or(was, a.Provider)
		named := slices.DeleteFunc(slices.Clone(known), func(b account) bool { return b.name != nameKey(old) })
		switch {
		case len(named) == 0 && was == "":
			_, err := l.addAccount(ctx, w, a)
			return err
		case len(named) == 0:
			return refuse(ledger.UnknownProviderError(old))
		case was != "":
			if err := l.dropSecond(ctx, w, known, named, a); err != nil {
				return err
			}
		}
		for i := range named {
			err = errors.Join(err, w.Later(ctx, rekeySQL, a.Provider, nameKey(a.Provider), l.Hashes.APIKey(a), named[i].number))
		}
		if err != nil {
			return err
		}
		return l.noteChange(ctx, w, fmt.Sprintf("new key of account %d", named[0].number), by)
	})
}

// dropSecond removes the accounts with the new name or key. It refuses if one of them has
// trips.
func (l *Ledger) dropSecond(ctx context.Context, w *Writer, known, named []account, a importer.Account) error {
	var second []int64
	for _, b := range known {
		is := b.name == nameKey(a.Provider) || bytes.Equal(b.key, l.Hashes.APIKey(a))
		if !is || slices.ContainsFunc(named, func(n account) bool { return n.number == b.number }) {
			continue
		}
		trips, err := Query(ctx, w, ScanOne[int], tripsOfSQL, b.number)
		if err != nil {
			return err
		}
		if trips[0] > 0 {
			return refuse(ledger.ProviderBookedError(a.Provider))
		}
		second = append(second, b.number)
	}
	for _, number := range second {
		if err := w.Later(ctx, dropAccountSQL, number); err != nil {
			return err
		}
	}
	return nil
}

// noteChange records a change of the ledger as a whole.
func (l *Ledger) noteChange(ctx context.Context, w *Writer, what string, by ledger.Person) error {
	detail, err := l.sealDetail(eventDetail{Who: by.Who, Host: by.Host})
	if err == nil {
		_, err = w.addEvent(ctx, event{kind: eventLedger, what: what, at: by.When, detail: detail})
	}
	return err
}

// NoteChange records a change of the ledger as a whole, for an engine.
func (l *Ledger) NoteChange(ctx context.Context, w *Writer, what string, by ledger.Person) error {
	return l.noteChange(ctx, w, what, by)
}

// nameKey returns the form in which names of providers are compared, as in
// importer.Access: without regard to case and runs of spaces.
func nameKey(name string) string {
	return strings.ToLower(strings.Join(strings.Fields(name), " "))
}
