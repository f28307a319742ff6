package tables

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	serviceSQL = `SELECT s.address FROM addresses d JOIN addresses s ON s.id = d.service WHERE d.address = ?`
	// A new address is a service of its own.
	addAddressSQL = `INSERT INTO addresses (id, address, service)
		SELECT n, ?, n FROM (SELECT COALESCE(MAX(id), 0) + 1 AS n FROM addresses) AS next WHERE true ON CONFLICT DO NOTHING`
	// CROSS JOIN makes the database begin with the services, so that it reads no trips if
	// all of them are known to be other ones than that of the address, as they nearly
	// always are.
	undecidedSQL = `WITH here AS (SELECT s.id, s.separate FROM addresses d JOIN addresses s ON s.id = d.service WHERE d.address = ?)
		SELECT s.address, NULL, COUNT(*) FROM addresses s LEFT JOIN here h ON true
		CROSS JOIN trips t ON t.service = s.id AND t.taken = 1 AND t.service_date >= ?
		WHERE s.service = s.id AND (h.id IS NULL OR s.id <> h.id AND s.separate < h.id AND h.separate < s.id)
		GROUP BY s.id ORDER BY 3 DESC`
	accountsAheadSQL = `SELECT c.provider, c.api_key, COUNT(*) FROM accounts c
		CROSS JOIN trips t ON t.account = c.id AND t.taken = 1 AND t.service_date >= ?
		WHERE c.service = (` + serviceSQL + `) GROUP BY c.id ORDER BY 3 DESC`
	aheadSQL = entryColumns + `WHERE t.attempt = a.id AND t.taken = 1 AND t.service_date >= ?
		AND t.service = (SELECT d.service FROM addresses d WHERE d.address = ?)
		ORDER BY COALESCE(s.guid, '') || COALESCE(v.guid, '') = '', t.service_date, t.minute LIMIT ?`
)

// The statements that move trips to the service of the address where they were sent,
// after that service has changed. Only trips that are booked or may be booked are moved
// there. A trip that may be sent again and has the same id as one of these is moved out
// of the way, to an account without a service. If two booked trips have the same id, both
// stay where they are.
const (
	addNowhereSQL = `INSERT INTO accounts (service, provider, name, api_key) SELECT '', provider, name, api_key FROM accounts
		WHERE true ON CONFLICT DO NOTHING`
	yieldingSQL = `SELECT t.id, t.service, (SELECT n.id FROM accounts n JOIN accounts o ON n.name = o.name OR n.api_key = o.api_key
			WHERE n.service = '' AND o.id = t.account ORDER BY n.id LIMIT 1)
		FROM trips t WHERE t.taken = 0 AND EXISTS (SELECT 1 FROM trips m JOIN addresses d ON d.id = m.address
			WHERE m.trip_id = t.trip_id AND m.taken = 1 AND m.service <> d.service AND d.service = t.service) ORDER BY t.id`
	addThereSQL = `INSERT INTO accounts (service, provider, name, api_key)
		SELECT DISTINCT s.address, c.provider, c.name, c.api_key FROM trips t
		JOIN addresses d ON d.id = t.address AND d.service <> t.service
		JOIN addresses s ON s.id = d.service
		JOIN accounts c ON c.id = t.account WHERE t.taken = 1 ON CONFLICT DO NOTHING`
	misplacedSQL = `SELECT t.id, d.service, (SELECT n.id FROM accounts o JOIN accounts n ON n.name = o.name OR n.api_key = o.api_key
			JOIN addresses s ON s.address = n.service
			WHERE o.id = t.account AND s.id = d.service ORDER BY n.api_key = o.api_key DESC LIMIT 1)
		FROM trips t JOIN addresses d ON d.id = t.address WHERE t.taken = 1 AND t.service <> d.service ORDER BY t.id`
	moveTripSQL = `UPDATE trips SET service = ?1, account = ?2 WHERE id = ?3
		AND NOT EXISTS (SELECT 1 FROM trips o WHERE o.account = ?2 AND o.trip_id = trips.trip_id AND o.id <> trips.id)
		AND NOT EXISTS (SELECT 1 FROM trips o WHERE o.input = trips.input AND o.row_num = trips.row_num AND o.leg = trips.leg
			AND o.sheet = trips.sheet AND o.service = ?1 AND o.taken = 1 AND trips.taken = 1 AND o.id <> trips.id)`
)

// moveTrips moves trips to the services to which they belong.
func (w *Writer) moveTrips(ctx context.Context) error {
	for _, step := range []struct{ accounts, trips string }{{addNowhereSQL, yieldingSQL}, {addThereSQL, misplacedSQL}} {
		if _, err := w.ExecContext(ctx, step.accounts); err != nil {
			return err
		}
		type move struct {
			trip, service int64
			account       sql.NullInt64
		}
		moves, err := Query(ctx, w, func(row Scanner) (m move, err error) {
			err = row.Scan(&m.trip, &m.service, &m.account)
			return m, err
		}, step.trips)
		if err != nil {
			return err
		}
		for _, m := range moves {
			if !m.account.Valid {
				continue
			}
			if _, err := w.ExecContext(ctx, moveTripSQL, m.service, m.account.Int64, m.trip); err != nil {
				return err
			}
		}
	}
	return nil
}

// Service implements ledger.Ledger.
func (l *Ledger) Service(ctx context.Context, address string) (string, error) {
	service := address
	err := l.lookUps.QueryRowContext(ctx, serviceSQL, address).Scan(&service)
	if errors.Is(err, sql.ErrNoRows) {
		return address, nil
	}
	return service, l.readError(ctx, err)
}

// Ahead implements ledger.Ledger.
func (l *Ledger) Ahead(ctx context.Context, address string, from importer.Date, limit int) ([]ledger.Entry, error) {
	var ahead []ledger.Entry
	for e, err := range l.entries(ctx, aheadSQL, from.String(), address, limit) {
		if err != nil {
			return nil, err
		}
		ahead = append(ahead, e)
	}
	return ahead, nil
}

// CheckMoved implements ledger.Ledger.
func (l *Ledger) CheckMoved(ctx context.Context, accounts []importer.Account, access importer.Access, today importer.Date) error {
	for _, a := range accounts {
		others, err := l.countAhead(ctx, undecidedSQL, a.Service, today.String())
		if err == nil && len(others) > 0 {
			err = ledger.ServiceMovedError(a.Service, others)
		}
		if err == nil {
			err = l.checkProviderMoved(ctx, a, access, today)
		}
		if err != nil {
			return l.readError(ctx, err)
		}
	}
	return nil
}

// checkProviderMoved refuses an unknown provider if trips are booked ahead under a
// provider that is no longer listed.
func (l *Ledger) checkProviderMoved(ctx context.Context, a importer.Account, access importer.Access, today importer.Date) error {
	_, known, err := l.accountID(ctx, a)
	if err != nil || known {
		return err
	}

	gone, err := l.countAhead(ctx, accountsAheadSQL, today.String(), a.Service)
	for _, p := range access.Providers {
		key := l.Hashes.APIKey(importer.Account{Key: p.Key})
		gone = slices.DeleteFunc(gone, func(c ledger.AheadCount) bool {
			return nameKey(c.Name) == nameKey(p.Name) || bytes.Equal(c.Key, key)
		})
	}

	if err != nil || len(gone) == 0 {
		return err
	}
	return ledger.ProviderMovedError(a.Provider, gone)
}

func (l *Ledger) countAhead(ctx context.Context, text string, args ...any) ([]ledger.AheadCount, error) {
	return Query(ctx, l.lookUps, func(row Scanner) (c ledger.AheadCount, err error) {
		err = row.Scan(&c.Name, &c.Key, &c.Trips)
		return c, err
	}, text, args...)
}

// Link implements ledger.Ledger.
func (l *Ledger) Link(ctx context.Context, known, address string, by ledger.Person) error {
	var service string
	err := l.lookUps.QueryRowContext(ctx, serviceSQL, known).Scan(&service)
	if errors.Is(err, sql.ErrNoRows) {
		return ledger.UnknownServiceError(known)
	}

	if err != nil {
		return l.readError(ctx, err)
	}

	return l.changeServices(fmt.Sprintf("%s is the service at %s", address, known), by, address, [][]any{
		{`UPDATE addresses SET service = (SELECT k.service FROM addresses k WHERE k.address = ?)
			WHERE service = (SELECT d.service FROM addresses d WHERE d.address = ?)`, known, address},
	})
}

// Separate implements ledger.Ledger.
func (l *Ledger) Separate(_ context.Context, address string, by ledger.Person) error {
	return l.changeServices(address+" is a service of its own", by, address, [][]any{
		{`UPDATE addresses SET service = id WHERE address = ? OR service = (SELECT d.id FROM addresses d WHERE d.address = ?)`, address, address},
		{`UPDATE addresses SET separate = (SELECT MAX(id) FROM addresses) WHERE address = ?`, address},
	})
}

// changeServices adds the address, executes the statements, and moves the trips to the
// services to which they belong then.
func (l *Ledger) changeServices(what string, by ledger.Person, address string, statements [][]any) error {
	statements = append([][]any{{addAddressSQL, address}}, statements...)
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		for _, s := range statements {
			text, _ := s[0].(string)
			if _, err := w.ExecContext(ctx, text, s[1:]...); err != nil {
				return err
			}
		}
		if err := w.moveTrips(ctx); err != nil {
			return err
		}
		w.AccountsChanged = true
		l.ForgetAccounts()
		return w.AddChange(ctx, what, by)
	})
}

// SeparateProvider implements ledger.Ledger.
func (l *Ledger) SeparateProvider(_ context.Context, a importer.Account, by ledger.Person) error {
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		id, known, err := l.lookUpAccount(ctx, w, a)
		var e *ledger.Error
		switch {
		case errors.As(err, &e): // known with another key
			return refuse(err)
		case err == nil && !known:
			id, err = l.addAccount(ctx, w, a)
		}

		if err != nil || known {
			return err
		}
		return w.AddChange(ctx, fmt.Sprintf("account %d is a new provider", id), by)
	})
}
