package postgres

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/next"
	"tripimport/importer/ledger/next/tables"
)

// hasSeenSQL is true if the ledger has the run of a mark. A mark from before the ledger
// was adopted may name a run of the lost ledger.
const hasSeenSQL = `SELECT $1 = '' OR EXISTS (SELECT 1 FROM runs WHERE id = $1) OR $2 <= COALESCE(
	(SELECT CAST(value AS BIGINT) FROM meta WHERE name = '` + tables.MetaAdopted + `'), 0)`

// checkNewest refuses a ledger that is behind this machine's mark, because the server was
// put back to an earlier state, or a standby took over that lacked the last commits. It
// also refuses a ledger that is being adopted.
func (l *Ledger) checkNewest(ctx context.Context) error {
	marks := l.engine.mark.Seen()
	// A mark is written after its commit, so a number that is read after the marks is not
	// behind those of other processes of this machine.
	conn := l.engine.conn
	number, err := numberIn(ctx, conn)
	older := false
	for _, seen := range marks {
		var has bool
		err = errors.Join(err, conn.QueryRowContext(ctx, hasSeenSQL, seen.Run, seen.Number).Scan(&has))
		older = older || number < seen.Number || !has
	}
	backup, backupErr := tables.Meta(ctx, conn, tables.MetaBackup)
	if err := errors.Join(err, backupErr); err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	l.engine.number.Store(number)
	if !older && backup == "" {
		return nil
	}
	return ledger.NewError("ledger-older-copy",
		"have the server's newest state put in its place; if that is lost, take this one into use, as the user who made it, with the results of the runs since, which prove what they booked: `tripimport ledger adopt --results FILE`",
		"the ledger at %s is an older copy: it lacks what was booked since, and those trips would be booked again", l.engine.location)
}

// Adopt takes an older copy into use, as ledger.Store says. Only the user who made the
// ledger may adopt a copy of it.
func (s Store) Adopt(ctx context.Context, location string, o ledger.Options, enter func(next.Ledger) (int64, error)) (next.Ledger, error) {
	o.ReadOnly = false
	l, err := s.open(ctx, location, o, true)
	if err != nil {
		return nil, err
	}
	return tables.Adopt(l, enter, func(seen int64) error {
		return l.adopt(seen, ledger.Person{Who: o.Who, Host: o.Host, When: time.Now()})
	})
}

// eventsLost is greater than the number of events that the lost ledger had and this copy
// lacks. Results with their numbers exist.
const eventsLost = 1_000_000

// askAgainSQL withdraws people's answers about whether trips that are not past are in the
// service, because they may have been corrected since the copy was made. The people are
// asked again.
const askAgainSQL = `UPDATE trips SET state = 'unclear', answered = 0, open = 1
	WHERE answered = 1 AND proved = 0 AND state IN ('booked', 'not_sent') AND day >= ?`

// beginAdopting marks the ledger so that it is refused until it is adopted, and has it
// continue after the number that is greater than in any mark of this machine.
func (l *Ledger) beginAdopting(ctx context.Context) error {
	number, err := numberIn(ctx, l.engine.conn)
	if err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	l.engine.number.Store(number)
	for _, seen := range l.engine.mark.Seen() {
		number = max(number, seen.Number)
	}
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		w.Number = max(w.Number, number+eventsLost)
		_, err := w.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
			tables.MetaBackup, time.Now().UTC().Format(time.RFC3339))
		if err == nil {
			_, err = w.ExecContext(ctx, askAgainSQL, time.Now().AddDate(0, 0, -1).Format(time.DateOnly))
		}
		return err
	})
}

// adopt makes the database the ledger in use. Its number continues after seen, the
// greatest number that is known of the lost ledger.
func (l *Ledger) adopt(seen int64, by ledger.Person) error {
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		w.Number = max(w.Number, seen)
		if err := l.NoteChange(ctx, w, "taken into use from an older copy", by); err != nil {
			return err
		}
		for _, name := range []string{tables.MetaAdopted, tables.MetaCopied} {
			if _, err := w.ExecContext(ctx, tables.SetMetaSQL, name, strconv.FormatInt(w.Number, 10)); err != nil {
				return err
			}
		}
		_, err := w.ExecContext(ctx, "DELETE FROM meta WHERE name = ?", tables.MetaBackup)
		return err
	})
}
