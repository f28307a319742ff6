package postgres

import (
	"context"
	"errors"
	"strconv"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// hasSeenSQL is true if the ledger has the run of a mark. A mark from before the ledger
// was adopted may name a run of the lost ledger.
const hasSeenSQL = `SELECT $1 = '' OR EXISTS (SELECT 1 FROM runs WHERE id = $1) OR $2 <= COALESCE(
	(SELECT CAST(value AS BIGINT) FROM meta WHERE name = '` + tables.MetaCopied + `'), 0)`

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
func (s Store) Adopt(ctx context.Context, location string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	o.ReadOnly = false
	l, err := s.open(ctx, location, o, true)
	if err != nil {
		return nil, err
	}
	return tables.Adopt(l, enter, func(seen int64) error { return l.adopt(o, seen) })
}

// eventsLost is greater than the number of events that the lost ledger had and this copy
// lacks. Results with their numbers exist.
const eventsLost = 1_000_000

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
	return l.engine.Transact(nil, func(ctx context.Context, w *tables.Writer) error {
		w.LastEvent = max(w.LastEvent, number+eventsLost)
		err := w.Later(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", tables.MetaBackup, time.Now().UTC().Format(time.RFC3339))
		if err == nil {
			err = w.Later(ctx, tables.SetMetaSQL, tables.MetaCopied, strconv.FormatInt(w.LastEvent, 10))
		}
		return err
	})
}

// adopt makes the database the ledger in use. Its number continues after seen, the
// greatest number that is known of the lost ledger.
func (l *Ledger) adopt(o ledger.Options, seen int64) error {
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		w.LastEvent = max(w.LastEvent, seen) + 1
		if err := w.Later(ctx, "DELETE FROM meta WHERE name = ?", tables.MetaBackup); err != nil {
			return err
		}
		return l.NoteAdopted(ctx, w, o.Who, o.Host)
	})
}
