package sqlitetest

import (
	"context"
	"database/sql"
	"errors"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Age makes every attempt of a closed ledger older, as if so much time had
// passed: a person's word that a trip is not there is taken only after a while.
func Age(ctx context.Context, path string, by time.Duration) (err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var guard string
	if err := db.QueryRowContext(ctx, "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'attempts_stay'").Scan(&guard); err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, "DROP TRIGGER attempts_stay"); err != nil {
		return err
	}
	claimed, err := claimTimes(ctx, db)
	if err != nil {
		return err
	}
	for id, text := range claimed {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, "UPDATE attempts SET claimed_at = ? WHERE id = ?", at.Add(-by).UTC().Format("2006-01-02T15:04:05.000000Z"), id); err != nil {
			return err
		}
	}
	_, err = db.ExecContext(ctx, guard)
	return err
}

// claimTimes gives when each attempt was claimed.
func claimTimes(ctx context.Context, db *sql.DB) (map[int64]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT id, claimed_at FROM attempts")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // only read from
	claimed := map[int64]string{}
	for rows.Next() {
		var id int64
		var at string
		if err := rows.Scan(&id, &at); err != nil {
			return nil, err
		}
		claimed[id] = at
	}
	return claimed, rows.Err()
}
