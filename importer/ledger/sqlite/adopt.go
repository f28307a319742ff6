package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tripimport/importer/ledger"
	"tripimport/importer/ledger/tables"
)

// beginAdopting marks the file so that it is refused until it is adopted. It returns the
// number of commits from which the file continues, which is greater than in any mark.
func (l *Ledger) beginAdopting(ctx context.Context, conn *sql.Conn, o options) (int64, error) {
	commits, err := commitsIn(ctx, conn)
	if err != nil {
		return 0, err
	}

	// The lost ledger has numbered further attempts, and results with these numbers
	// exist.
	_, err = conn.ExecContext(ctx, "INSERT OR REPLACE INTO meta (name, value) SELECT ?, COALESCE(MAX(id), 0) + ? FROM attempts; "+askAgainSQL, tables.MetaAttempts, attemptsLost)
	if err != nil {
		return 0, err
	}

	_, err = conn.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
		tables.MetaBackup, time.Now().UTC().Format(time.RFC3339))
	for _, seen := range l.engine.mark.Seen() {
		commits = max(commits, seen.Number)
	}
	return commits + 1, err
}

// askAgainSQL withdraws people's answers about whether trips are in the service, because
// they may have been corrected since the copy was made. The people are asked again. A trip
// whose row has made another trip since stays free. Answers that come from results have a
// note, and stay.
const askAgainSQL = `UPDATE OR IGNORE trips SET taken = 1, resolution = NULL WHERE resolution IN
	(SELECT id FROM resolutions WHERE verdict IN ('there', 'not there', 'booked by hand') AND note IS NULL)`

// attemptsLost is greater than the number of attempts that the lost ledger had and this
// copy lacks.
const attemptsLost = 1_000_000

// adopt makes the file the ledger in use, on this machine. Its number continues after
// seen, the greatest number that is known of the lost ledger.
func (l *Ledger) adopt(o options, seen int64) error {
	steps, err := o.schema()
	if err != nil {
		return err
	}
	return l.Write(func(ctx context.Context, w *tables.Writer) error {
		l.engine.commits.Store(max(l.Number(), seen))
		for statement, value := range map[string]any{
			"DELETE FROM meta WHERE name = ?":                                                        tables.MetaBackup,
			"UPDATE meta SET value = ? WHERE name = '" + metaMachine + "'":                           l.machineHash(o.Machine),
			"INSERT OR REPLACE INTO meta (name, value) VALUES ('" + tables.MetaAdopted + "', ?)":     l.Number(),
			"INSERT OR REPLACE INTO meta (name, value) SELECT ?, COALESCE(MAX(id), 0) FROM attempts": tables.MetaCopied,
		} {
			if _, err := w.ExecContext(ctx, statement, value); err != nil {
				return err
			}
		}
		if err := reopenFile(ctx, w, len(steps)); err != nil {
			return err
		}
		return w.AddChange(ctx, "taken into use from an older copy", ledger.Person{Who: o.Who, Host: o.Host, When: time.Now()})
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
