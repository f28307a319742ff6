package sqlite

import (
	"context"

	"tripimport/importer"
)

const (
	addRiderSQL = `INSERT INTO riders (account, rider, attempt) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
	newRiderSQL = `SELECT EXISTS (SELECT 1 FROM riders r
		JOIN attempts a ON a.id = r.attempt
		JOIN runs q ON q.num = a.run
		WHERE r.account = ? AND r.rider = ? AND q.id = ?)`
)

// NewRider implements ledger.Ledger.
func (l *Ledger) NewRider(ctx context.Context, run string, account importer.Account, riderID string) (bool, error) {
	id, known, err := l.accountID(ctx, account)
	if err != nil || !known {
		return false, l.readFault(ctx, err)
	}
	var isNew bool
	err = l.read.newRider.QueryRowContext(ctx, id, l.hash.rider(id, riderID), run).Scan(&isNew)
	return isNew, l.readFault(ctx, err)
}

// noteRider keeps that the claim's account was sent a trip of its rider. The
// hash waits for the account's id, so it is made here and not by the worker.
func (l *Ledger) noteRider(ctx context.Context, w *writer, k *claim) error {
	if k.Trip.RiderID == "" {
		return nil
	}
	_, err := w.stmts.addRider.ExecContext(ctx, k.account, l.hash.rider(k.account, k.Trip.RiderID), k.attempt)
	return err
}
