package sqlitetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	_ "modernc.org/sqlite" // the driver
)

// Age makes every attempt in the closed ledger at path older, as if so much time
// had passed: the answer that a trip is not there is taken only after a while.
func Age(ctx context.Context, path string, by time.Duration) (err error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, db.Close()) }()
	var trigger string // it keeps attempts from being changed
	if err := db.QueryRowContext(ctx, "SELECT sql FROM sqlite_master WHERE name = 'attempts_stay'").Scan(&trigger); err != nil {
		return err
	}

	_, err = db.ExecContext(ctx, fmt.Sprintf(`DROP TRIGGER attempts_stay;
		UPDATE attempts SET claimed_at = strftime('%%Y-%%m-%%dT%%H:%%M:%%f000Z', claimed_at, '-%d seconds');
		%s`, int(by.Seconds()), trigger))
	return err
}
