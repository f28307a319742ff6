package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"time"

	"tripimport/importer"
)

const (
	addRunSQL = `INSERT INTO runs
		(id, first_attempt, started_at, command, mapping, mapping_hash, who, host, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	openRunSQL = `SELECT r.num FROM runs r WHERE r.id = ?
		AND NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num
			AND (e.ended_at <> '' OR NOT EXISTS (SELECT 1 FROM meta WHERE name = '` + metaBackup + `')))`
	addRunEndSQL = `INSERT INTO run_ends (run, ended_at, how, totals, last_attempt, unsettled)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run) DO UPDATE SET
		ended_at = excluded.ended_at, how = excluded.how, totals = excluded.totals, last_attempt = excluded.last_attempt, commits = NULL`
	addRaisedSQL     = "INSERT OR REPLACE INTO raised (item, attempt, run) VALUES (?, ?, ?)"
	raisedSQL        = "SELECT EXISTS (SELECT 1 FROM raised WHERE item = ?)"
	endBrokenRunsSQL = `INSERT INTO run_ends (run, ended_at, how, totals, last_attempt, unsettled, commits)
		SELECT r.num, '', '', '', (SELECT COALESCE(MAX(id), 0) FROM attempts), 1,
			(SELECT CAST(value AS INTEGER) FROM meta WHERE name = '` + metaCommits + `')
		FROM runs r WHERE NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num)`
)

// Begin implements importer.Ledger.
func (l *Ledger) Begin(_ context.Context, r importer.RunInfo) error {
	err := l.commits.do(func(ctx context.Context, w *writer) error { return l.begin(ctx, w, r) })
	if err != nil {
		return err
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.liveRuns[r.ID] = true
	return nil
}

func (l *Ledger) begin(ctx context.Context, w *writer, r importer.RunInfo) error {
	var known bool
	err := w.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", r.ID).Scan(&known)
	if err != nil {
		return err
	}

	if known && l.adopting { // it was broken off
		_, err := w.openRun(ctx, r.ID)
		return err
	}
	if known || r.ID == "" {
		return refuse(fmt.Errorf("run %q was begun before", r.ID))
	}

	if err := l.noteSchedule(ctx, w, r); err != nil {
		return err
	}

	num, err := inserted(w.ExecContext(ctx, addRunSQL,
		r.ID, w.lastAttempt+1, instant(r.Started), r.Command, r.Mapping, r.MappingHash, r.Who, r.Host, r.Version))
	if err != nil {
		return err
	}

	l.lastRun = r.ID
	if err := freeAnswered(ctx, w, r.Started); err != nil {
		return err
	}

	for i, input := range r.Inputs {
		_, err := w.ExecContext(ctx, "INSERT INTO run_inputs (run, position, hash, name) VALUES (?, ?, ?, ?)",
			num, i, input.Hash, l.hashes.Encrypt(input.Name))
		if err != nil {
			return err
		}
	}
	return nil
}

// openRun gives the number of a run that was begun and has not ended. While a copy is
// adopted, it opens again a run that was broken off.
func (w *writer) openRun(ctx context.Context, id string) (int64, error) {
	if num, ok := w.runs[id]; ok {
		return num, nil
	}

	var num int64
	err := w.QueryRowContext(ctx, openRunSQL, id).Scan(&num)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, refuse(fmt.Errorf("run %q was not begun, or has ended", id))
	}

	if err != nil {
		return 0, err
	}

	w.runs[id] = num
	return num, nil
}

// End implements importer.Ledger. A claim that the run has not settled by then
// is unknown from now on.
func (l *Ledger) End(_ context.Context, run string, t importer.Totals, ended time.Time, how string, raised ...importer.Item) error {
	totals, err := marshalTotals(t)
	if err != nil {
		return err
	}

	err = l.commits.do(func(ctx context.Context, w *writer) error {
		num, err := w.openRun(ctx, run)
		if err != nil {
			return err
		}
		delete(w.runs, run)
		for _, item := range raised {
			if _, err := w.ExecContext(ctx, addRaisedSQL, l.hashes.Item(item), item.Attempt, num); err != nil {
				return err
			}
		}
		_, err = w.ExecContext(ctx, addRunEndSQL, num, instant(ended), how, totals, w.lastAttempt, l.hasUnsettled(run))
		return err
	})
	if err != nil {
		return err
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.liveRuns, run)
	for attempt, c := range l.open {
		if c.run == run {
			delete(l.open, attempt)
		}
	}
	maps.DeleteFunc(l.changes, func(_ int64, of string) bool { return of == run })
	return nil
}

// Raised implements importer.Ledger.
func (l *Ledger) Raised(ctx context.Context, item importer.Item) (raised bool, err error) {
	err = l.readers.QueryRowContext(ctx, raisedSQL, l.hashes.Item(item)).Scan(&raised)
	return raised, l.readError(ctx, err)
}

// hasUnsettled reports whether the run has claims that are not settled.
func (l *Ledger) hasUnsettled(run string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		if c.run == run && !c.settled {
			return true
		}
	}
	return false
}

// endBrokenRuns ends the runs that their processes did not end. Who has the lock
// knows that those processes are gone.
func endBrokenRuns(ctx context.Context, e execer) error {
	_, err := e.ExecContext(ctx, endBrokenRunsSQL)
	return err
}
