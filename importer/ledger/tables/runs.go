package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	addRunSQL = `INSERT INTO runs
		(id, first_attempt, started_at, command, mapping, mapping_hash, who, host, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING num`
	openRunSQL = `SELECT r.num FROM runs r WHERE r.id = ?
		AND NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num
			AND (e.ended_at <> '' OR NOT EXISTS (SELECT 1 FROM meta WHERE name = '` + MetaBackup + `')))`
	addRunEndSQL = `INSERT INTO run_ends (run, ended_at, how, totals, last_attempt, unsettled)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (run) DO UPDATE SET
		ended_at = excluded.ended_at, how = excluded.how, totals = excluded.totals, last_attempt = excluded.last_attempt, commits = NULL`
	addRaisedSQL     = "INSERT INTO raised (item, attempt, run) VALUES (?, ?, ?) ON CONFLICT (item) DO UPDATE SET attempt = excluded.attempt, run = excluded.run"
	raisedSQL        = "SELECT EXISTS (SELECT 1 FROM raised WHERE item = ?)"
	endBrokenRunsSQL = `INSERT INTO run_ends (run, ended_at, how, totals, last_attempt, unsettled, commits)
		SELECT r.num, '', '', '', (SELECT COALESCE(MAX(id), 0) FROM attempts), 1,
			commits()
		FROM runs r WHERE broken(r) AND NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num)`
)

// Begin implements importer.Ledger.
func (l *Ledger) Begin(ctx context.Context, r importer.RunInfo) error {
	if err := l.readDecisions(ctx); err != nil { // for DecidedBefore
		return l.readError(ctx, err)
	}
	err := l.commits.do(func(ctx context.Context, w *Writer) error { return l.begin(ctx, w, r) })
	if err != nil {
		return err
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	l.liveRuns[r.ID] = true
	return nil
}

func (l *Ledger) begin(ctx context.Context, w *Writer, r importer.RunInfo) error {
	var known bool
	err := w.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", r.ID).Scan(&known)
	if err != nil {
		return err
	}

	if known && l.Adopting { // the run was broken off
		_, err := w.openRun(ctx, r.ID)
		return err
	}
	if known || r.ID == "" {
		return refuse(fmt.Errorf("run %q was begun before", r.ID))
	}

	if !l.Alone {
		if err := EndBrokenRuns(ctx, w); err != nil {
			return err
		}
	}
	if err := l.noteSchedule(ctx, w, r); err != nil {
		return err
	}

	num, err := scanID(w.QueryRowContext(ctx, addRunSQL,
		r.ID, w.LastAttempt+1, instant(r.Started), r.Command, r.Mapping, r.MappingHash, r.Who, r.Host, r.Version))
	if err != nil {
		return err
	}

	w.Begun = append(w.Begun, BegunRun{r.ID, num})
	if err := freeAnswered(ctx, w, r.Started); err != nil {
		return err
	}

	for i, input := range r.Inputs {
		_, err := w.ExecContext(ctx, "INSERT INTO run_inputs (run, position, hash, name) VALUES (?, ?, ?, ?)",
			num, i, input.Hash, l.Hashes.Encrypt(input.Name))
		if err != nil {
			return err
		}
	}
	return nil
}

// openRun returns the number of a run that has begun and not ended. While a copy is
// adopted, it also accepts a run that was broken off.
func (w *Writer) openRun(ctx context.Context, id string) (int64, error) {
	if num, ok := w.runs[id]; ok {
		return num, nil
	}

	var num int64
	err := w.QueryRowContext(ctx, openRunSQL, id).Scan(&num)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, refuse(ledger.RunEndedError())
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
	totals, err := MarshalTotals(t)
	if err != nil {
		return err
	}

	err = l.commits.do(func(ctx context.Context, w *Writer) error {
		num, err := w.openRun(ctx, run)
		if err != nil {
			return err
		}
		delete(w.runs, run)
		for _, item := range raised {
			if _, err := w.ExecContext(ctx, addRaisedSQL, l.Hashes.Item(item), item.Attempt, num); err != nil {
				return err
			}
		}
		_, err = w.ExecContext(ctx, addRunEndSQL, num, instant(ended), how, totals, w.LastAttempt, flag(l.hasUnsettled(run)))
		w.Ended = append(w.Ended, run)
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
	err = l.lookUps.QueryRowContext(ctx, raisedSQL, l.Hashes.Item(item)).Scan(&raised)
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
