package tables

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
		return false, l.readError(ctx, err)
	}
	var isNew bool
	err = l.lookUps.QueryRowContext(ctx, newRiderSQL, id, l.Hashes.Rider(id, riderID), run).Scan(&isNew)
	return isNew, l.readError(ctx, err)
}
