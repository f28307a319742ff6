package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
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
	// Other processes of this machine may have committed and written marks since the
	// ledger was opened. A mark is written after its commit, so a number of commits that
	// is read after the marks is not behind them.
	var commits int64
	if err := l.engine.conn.QueryRowContext(ctx, "SELECT commits FROM state").Scan(&commits); err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	l.engine.commits.Store(commits)
	older := false
	for _, seen := range marks {
		var has bool
		if err := l.engine.conn.QueryRowContext(ctx, hasSeenSQL, seen.Run, seen.Number).Scan(&has); err != nil {
			return l.engine.location.errorOf(ctx, err)
		}
		older = older || l.Number() < seen.Number || !has
	}
	backup, err := tables.Meta(ctx, l.engine.conn, tables.MetaBackup)
	if err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	if !older && backup == "" {
		return nil
	}
	return ledger.NewError("ledger-older-copy",
		"have the server's newest state put in its place; if that is lost, take this one into use, as the user who made it, with the results of the runs since, which prove what they booked: `tripimport ledger adopt --results FILE`",
		"the ledger at %s is an older copy: it lacks what was booked since, and those trips would be booked again", l.engine.location)
}

// lost is greater than the number of commits, and of attempts, that a lost ledger had and
// this one lacks, so that this one is not behind any machine's mark.
const lost = 1_000_000

// askAgainSQL withdraws people's answers about whether trips are in the service, because
// they may have been corrected since the copy was made. The people are asked again. A trip
// whose row has made another trip since stays free. Answers that come from results have a
// note, and stay.
const askAgainSQL = `UPDATE trips SET taken = 1, resolution = NULL WHERE resolution IN
	(SELECT id FROM resolutions WHERE verdict IN ('there', 'not there', 'booked by hand') AND note IS NULL)
	AND NOT EXISTS (SELECT 1 FROM trips o WHERE o.input = trips.input AND o.row_num = trips.row_num AND o.leg = trips.leg
		AND o.sheet = trips.sheet AND o.service = trips.service AND o.taken = 1 AND o.id <> trips.id)`

// Adopt implements ledger.Store. Only the user who made the ledger may adopt a copy of it.
func (s Store) Adopt(ctx context.Context, location string, o ledger.Options, enter func(ledger.Ledger) (int64, error)) (ledger.Ledger, error) {
	o.ReadOnly = false
	l, err := s.open(ctx, location, o, true)
	if err != nil {
		return nil, err
	}
	return tables.Adopt(l, enter, func(seen int64) error {
		return l.adopt(seen, ledger.Person{Who: o.Who, Host: o.Host, When: time.Now()})
	})
}

// beginAdopting marks the ledger so that it is refused until it is adopted, and makes its
// number greater than in any mark of this machine.
func (l *Ledger) beginAdopting(ctx context.Context) error {
	commits := l.Number()
	for _, seen := range l.engine.mark.Seen() {
		commits = max(commits, seen.Number)
	}
	err := l.Write(func(ctx context.Context, w *tables.Writer) error {
		var adopting bool
		err := w.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM meta WHERE name = '"+tables.MetaBackup+"')").Scan(&adopting)
		if err == nil && !adopting {
			w.LastAttempt += lost
			_, err = w.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ('"+tables.MetaBackup+"', $1)", time.Now().UTC().Format(time.RFC3339))
		}
		if err == nil {
			_, err = w.ExecContext(ctx, askAgainSQL)
		}
		return err
	})
	return errors.Join(err, l.goOnBehind(ctx, commits))
}

// adopt makes the database the ledger in use. Its number continues after seen, the
// greatest number that is known of the lost ledger.
func (l *Ledger) adopt(seen int64, by ledger.Person) error {
	if err := l.goOnBehind(context.Background(), max(seen, l.Number())+lost); err != nil {
		return err
	}
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		const set = "INSERT INTO meta (name, value) SELECT $1, %s ON CONFLICT (name) DO UPDATE SET value = excluded.value"
		for name, value := range map[string]string{
			tables.MetaAdopted: "(SELECT commits FROM state)::text",
			tables.MetaCopied:  "(SELECT COALESCE(MAX(id), 0) FROM attempts)::text",
		} {
			if _, err := w.ExecContext(ctx, fmt.Sprintf(set, value), name); err != nil {
				return err
			}
		}
		if _, err := w.ExecContext(ctx, "DELETE FROM meta WHERE name = '"+tables.MetaBackup+"'"); err != nil {
			return err
		}
		return w.AddChange(ctx, "taken into use from an older copy", by)
	})
}

// goOnBehind makes the number of commits at least commits, so that the next one is
// greater.
func (l *Ledger) goOnBehind(ctx context.Context, commits int64) error {
	_, err := l.engine.conn.ExecContext(ctx, "UPDATE state SET commits = GREATEST(commits, $1)", commits)
	if err != nil {
		return l.engine.location.errorOf(ctx, err)
	}
	l.engine.commits.Store(max(l.Number(), commits))
	return nil
}
