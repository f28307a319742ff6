package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next/tables"
)

// beginAdopting marks the file so that it is refused until it is adopted. It returns the
// number from which the file continues, which is greater than in any mark.
func (l *Ledger) beginAdopting(ctx context.Context, conn *sql.Conn, o options) (int64, error) {
	number, err := numberIn(ctx, conn)
	if err != nil {
		return 0, err
	}

	_, err = conn.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
		tables.MetaBackup, time.Now().UTC().Format(time.RFC3339))
	if err == nil {
		yesterday := time.Now().AddDate(0, 0, -1).Format(time.DateOnly)
		_, err = conn.ExecContext(ctx, askAgainSQL, yesterday)
	}
	for _, seen := range l.engine.mark.Seen() {
		number = max(number, seen.Number)
	}
	return number + eventsLost, err
}

// askAgainSQL withdraws people's answers about whether trips that are not past are in the
// service, because they may have been corrected since the copy was made. The people are
// asked again.
const askAgainSQL = `UPDATE trips SET state = 'unclear', answered = 0, open = 1
	WHERE answered = 1 AND proved = 0 AND state IN ('booked', 'not_sent') AND day >= ?`

// eventsLost is greater than the number of events that the lost ledger had and this copy
// lacks. Results with their numbers exist.
const eventsLost = 1_000_000

// adopt makes the file the ledger in use, on this machine. Its number continues after
// seen, the greatest number that is known of the lost ledger.
func (l *Ledger) adopt(o options, seen int64) error {
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		w.Number = max(w.Number, seen)
		by := ledger.Person{Who: o.Who, Host: o.Host, When: time.Now()}
		if err := l.NoteChange(ctx, w, "taken into use from an older copy", by); err != nil {
			return err
		}
		if _, err := w.ExecContext(ctx, "DELETE FROM meta WHERE name = ?", tables.MetaBackup); err != nil {
			return err
		}
		for name, value := range map[string]string{
			metaMachine:        l.machineHash(o.Machine),
			tables.MetaAdopted: strconv.FormatInt(w.Number, 10),
			tables.MetaCopied:  strconv.FormatInt(w.Number, 10),
		} {
			if _, err := w.ExecContext(ctx, tables.SetMetaSQL, name, value); err != nil {
				return err
			}
		}
		return nil
	})
}

// inTransaction does work in a transaction of its own, completely or not at all.
func inTransaction(ctx context.Context, conn *sql.Conn, work func(*sql.Tx) error) error {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
