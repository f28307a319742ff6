package tables

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	isHiddenSQL = "SELECT b.hidden FROM brokers b JOIN texts t ON t.id = b.broker WHERE t.text = ?"
	// Trips of older ledgers have the mapping's name as their broker.
	clearIDsSQL = `SELECT id, trip_id FROM trips WHERE sealed_id IS NULL
		AND broker IN (SELECT id FROM texts WHERE text IN (?, ?))`
	hideIDSQL = "UPDATE trips SET trip_id = ?, sealed_id = ? WHERE id = ?"
)

// unsealID sets TripID and Alias of a trip whose id is stored as a hash, which TripID
// has, and encrypted in sealed. Other trips are stored with their ids in clear.
func (l *Ledger) unsealID(r *importer.Record, sealed []byte) (err error) {
	if sealed == nil {
		return nil
	}
	r.Alias = keyed.Alias(r.TripID)
	r.TripID, err = l.Hashes.Decrypt(sealed)
	return err
}

// hideIDs encrypts the broker's trip ids that are stored in clear, if the mapping makes
// trip ids that tell who the rider is. There are such ids if the broker's last run did
// not hide them.
func (l *Ledger) hideIDs(ctx context.Context, w *Writer, r importer.RunInfo) error {
	if !r.RowIDs.Private {
		return nil
	}

	var hidden bool
	broker := l.Hashes.Broker(r.RowIDs.Broker)
	err := w.QueryRowContext(ctx, isHiddenSQL, broker).Scan(&hidden)
	if hidden || err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}

	ids := map[int64]string{}
	err = eachRow(ctx, w, func(row Scanner) error {
		var trip int64
		var id string
		err := row.Scan(&trip, &id)
		ids[trip] = id
		return err
	}, clearIDsSQL, broker, l.Hashes.Broker(r.Mapping))
	if err != nil {
		return err
	}

	for trip, id := range ids {
		if _, err := w.ExecContext(ctx, hideIDSQL, l.Hashes.TripID(id), l.Hashes.Encrypt(id), trip); err != nil {
			return err
		}
	}
	l.cache.forget()
	return nil
}
