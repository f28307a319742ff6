package sqlite

import (
	"context"
	"database/sql"
	"strconv"
	"time"

	"tripimport/importer/ledger/tables"
)

// eventsLost is greater than the number of events that the lost ledger had and this copy lacks:
// workbooks with these numbers exist, and a number must never be given twice.
const eventsLost = 10_000_000

// beginAdopting marks the file so that it is refused until it is adopted. It returns the number
// from which its events continue, which is greater than in any mark.
func (l *Ledger) beginAdopting(ctx context.Context, conn *sql.Conn) (int64, error) {
	event, err := eventsIn(ctx, conn)
	if err != nil {
		return 0, err
	}
	_, err = conn.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
		tables.MetaBackup, time.Now().UTC().Format(time.RFC3339))
	if err != nil {
		return 0, err
	}
	for _, seen := range l.engine.mark.Seen() {
		event = max(event, seen.Number)
	}
	event += eventsLost
	for name, value := range map[string]int64{tables.MetaEvents: event, tables.MetaCopied: event} {
		if _, err := conn.ExecContext(ctx, tables.SetMetaSQL, name, strconv.FormatInt(value, 10)); err != nil {
			return 0, err
		}
	}
	return event, nil
}

// adopt makes the file the ledger in use, on this machine. Its numbers continue after seen, the
// greatest number that is known of the lost ledger.
func (l *Ledger) adopt(o options, seen int64) error {
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		w.LastEvent = max(w.LastEvent, seen) + 1
		if _, err := w.ExecContext(ctx, tables.SetMetaSQL, tables.MetaMachine, l.machineHash(o.Machine)); err != nil {
			return err
		}
		if _, err := w.ExecContext(ctx, "DELETE FROM meta WHERE name = '"+tables.MetaBackup+"'"); err != nil {
			return err
		}
		return l.NoteAdopted(ctx, w, o.Who, o.Host)
	})
}
