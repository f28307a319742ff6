package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
)

const findRunSQL = `SELECT r.num FROM runs r WHERE r.id = ?
	AND NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num)`

// Begin implements importer.Ledger.
func (l *Ledger) Begin(_ context.Context, r importer.RunInfo) error {
	if l.commits == nil {
		return lookingFault()
	}
	err := l.commits.do(func(ctx context.Context, w *writer) error { return l.begin(ctx, w, r) })
	if err != nil {
		return err
	}
	l.mu.Lock()
	l.began[r.ID] = true
	l.mu.Unlock()
	return nil
}

func (l *Ledger) begin(ctx context.Context, w *writer, r importer.RunInfo) error {
	var known int
	err := w.conn.QueryRowContext(ctx, "SELECT COUNT(*) FROM runs WHERE id = ?", r.ID).Scan(&known)
	if err != nil {
		return err
	}
	if known > 0 || r.ID == "" {
		return refuse(fmt.Errorf("run %q was begun before", r.ID))
	}
	_, err = w.conn.ExecContext(ctx, `INSERT INTO runs
		(id, first_attempt, started_at, command, mapping, mapping_hash, who, host, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, w.lastAttempt+1, instant(r.Started), r.Command, r.Mapping, r.MappingHash, r.Who, r.Host, r.Version)
	if err != nil {
		return err
	}
	num, err := w.run(ctx, r.ID)
	if err != nil {
		return err
	}
	for i, input := range r.Inputs {
		_, err := w.conn.ExecContext(ctx, "INSERT INTO run_inputs (run, position, hash, name) VALUES (?, ?, ?, ?)",
			num, i, input.Hash, l.seal.seal(input.Name))
		if err != nil {
			return err
		}
	}
	return nil
}

// run gives the number of a run that was begun and has not ended.
func (w *writer) run(ctx context.Context, id string) (int64, error) {
	if num, ok := w.runs[id]; ok {
		return num, nil
	}
	var num int64
	err := w.stmts.findRun.QueryRowContext(ctx, id).Scan(&num)
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
func (l *Ledger) End(_ context.Context, run string, t importer.Totals, ended time.Time, how string) error {
	if l.commits == nil {
		return lookingFault()
	}
	totals, err := marshalTotals(t)
	if err != nil {
		return err
	}
	err = l.commits.do(func(ctx context.Context, w *writer) error {
		num, err := w.run(ctx, run)
		if err != nil {
			return err
		}
		delete(w.runs, run)
		_, err = w.conn.ExecContext(ctx, `INSERT INTO run_ends (run, ended_at, how, totals, last_attempt, unsettled)
			VALUES (?, ?, ?, ?, ?, ?)`, num, instant(ended), how, totals, w.lastAttempt, l.hasOpen(run))
		return err
	})
	if err != nil {
		return err
	}
	l.forgetRun(run)
	return nil
}

func (l *Ledger) forgetRun(run string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.began, run)
	for attempt, c := range l.open {
		if c.run == run {
			delete(l.open, attempt)
		}
	}
}

// hasOpen reports whether the run has claims that are not settled.
func (l *Ledger) hasOpen(run string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		if c.run == run && !c.settled {
			return true
		}
	}
	return false
}

// endBroken ends the runs that their processes did not: who has the lock knows
// that they are gone.
func endBroken(ctx context.Context, e execer) error {
	_, err := e.ExecContext(ctx, `INSERT INTO run_ends (run, ended_at, how, totals, last_attempt, unsettled)
		SELECT r.num, '', '', '', (SELECT COALESCE(MAX(id), 0) FROM attempts), 1
		FROM runs r WHERE NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num)`)
	return err
}
