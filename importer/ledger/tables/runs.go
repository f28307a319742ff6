package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	addRunSQL  = "INSERT INTO runs (num, id, info, last_day, ended, how, totals, broken) VALUES (?, ?, ?, '', '', '', '', 0)"
	runColumns = "SELECT r.id, r.info, r.ended, r.how, r.totals, r.broken, live(r.num) FROM runs r "
)

// Statements that leave the trips of broken runs unclear: ?1 is a JSON list of the runs' numbers.
const (
	leaveUnclearSQL = "UPDATE trips SET state = 'unclear' WHERE open AND state = 'sending' AND run IN (numbers(?1))"
	changesOfSQL    = "SELECT " + tripColumns + fromTrips + "WHERE t.open AND t.state = 'booked' AND t.run IN (numbers(?1))"
)

// Begin opens a run.
func (l *Ledger) Begin(ctx context.Context, r importer.RunInfo) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	info := l.Hashes.Encrypt(marshal(r))
	return l.Write(func(ctx context.Context, w *Writer) error {
		num, err := l.openAgain(ctx, w, r.ID)
		if err != nil {
			return err
		}
		if num == 0 {
			num = w.LastEvent + 1
			w.put(ctx, addRunSQL, num, r.ID, info)
		}
		w.Begun = append(w.Begun, BegunRun{r.ID, num})
		l.addEvent(ctx, w, event{at: r.Started, kind: "begun", what: r.Command, run: num})
		return nil
	})
}

// openAgain opens a run that was broken off, and returns its number; 0 if the run is new.
func (l *Ledger) openAgain(ctx context.Context, w *Writer, id string) (num int64, err error) {
	broken, err := QueryOne(ctx, w, func(row Scanner) (broken int64, err error) {
		err = row.Scan(&num, &broken)
		return broken, err
	}, "SELECT num, broken FROM runs WHERE id = ?", id)
	switch {
	case errors.Is(err, sql.ErrNoRows) && id != "":
		return 0, nil
	case err == nil && broken == 0:
		return 0, refuse(fmt.Errorf("run %q was begun before", id))
	case err != nil:
		return 0, err
	}
	w.put(ctx, "UPDATE runs SET broken = 0 WHERE num = ?", num)
	return num, nil
}

// openRun returns the number of a run that has begun and not ended.
func (w *Writer) openRun(ctx context.Context, id string) (int64, error) {
	if num, ok := w.runs[id]; ok {
		return num, nil
	}
	num, err := QueryOne(ctx, w, ScanOne[int64], "SELECT num FROM runs WHERE id = ? AND ended = '' AND broken = 0", id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, refuse(ledger.RunEndedError())
	}
	if err == nil {
		w.runs[id] = num
	}
	return num, err
}

// End closes a run. What it has not settled by then is unclear from now on.
func (l *Ledger) End(_ context.Context, run string, t importer.Totals, ended time.Time, how string) error {
	return l.Write(func(ctx context.Context, w *Writer) error {
		num, err := w.openRun(ctx, run)
		if err != nil {
			return err
		}
		delete(w.runs, run)
		w.Ended = append(w.Ended, run)
		w.put(ctx, "UPDATE runs SET ended = ?, how = ?, totals = ? WHERE num = ?", instant(ended), how, marshal(t), num)
		l.addEvent(ctx, w, event{at: ended, kind: "ended", what: how, run: num})
		return l.leaveUnclear(ctx, w, []int64{num})
	})
}

// UnendedSQL selects the numbers of the runs that have not ended.
const UnendedSQL = "SELECT num FROM runs WHERE ended = '' AND broken = 0"

// EndBrokenRuns ends the runs that Config.Broken selects among those of UnendedSQL: their processes did
// not end them and do not continue. What they have not settled is unclear from now on.
func (l *Ledger) EndBrokenRuns(ctx context.Context) error {
	broken, err := Query(ctx, l.Readers, ScanOne[int64], l.Broken)
	if err != nil || len(broken) == 0 {
		return err
	}
	return l.Write(func(ctx context.Context, w *Writer) error {
		runs, err := Query(ctx, w, ScanOne[int64], l.Broken) // some may go on by now
		if err != nil {
			return err
		}
		w.put(ctx, "UPDATE runs SET broken = ?1 WHERE num IN (numbers(?2))", w.LastEvent, list(runs))
		return l.leaveUnclear(ctx, w, runs)
	})
}

// leaveUnclear makes everything unclear that the runs have claimed and not settled.
func (l *Ledger) leaveUnclear(ctx context.Context, w *Writer, runs []int64) error {
	w.put(ctx, leaveUnclearSQL, list(runs))
	all, err := Query(ctx, w, func(row Scanner) (*trip, error) {
		var stored storedTrip
		if err := row.Scan(stored.columns()...); err != nil {
			return nil, err
		}
		return l.open(&stored)
	}, changesOfSQL, list(runs))
	for _, t := range all {
		if t != nil && t.Change != nil && t.Change.State == importer.ChangeSending {
			t.Change.State = importer.ChangeUnclear
			t.Seen = t.Seen.Forget(t.Change.Keys)
			l.save(ctx, w, t)
		}
	}
	return err
}

// Runs returns the latest runs, newest first; all of them if limit is 0.
func (l *Ledger) Runs(ctx context.Context, limit int) ([]ledger.Run, error) {
	if limit <= 0 {
		limit = 1 << 40
	}
	all, err := Query(ctx, l.Readers, l.scanRun, runColumns+"ORDER BY r.num DESC LIMIT ?", limit)
	return all, l.readError(ctx, err)
}

// Run returns the run with the id, or ledger.ErrNoRun.
func (l *Ledger) Run(ctx context.Context, id string) (ledger.Run, error) {
	r, err := QueryOne(ctx, l.Readers, l.scanRun, runColumns+"WHERE r.id = ?", id)
	if errors.Is(err, sql.ErrNoRows) {
		return r, ledger.ErrNoRun
	}
	return r, l.readError(ctx, err)
}

func (l *Ledger) scanRun(row Scanner) (r ledger.Run, err error) {
	var live bool
	err = row.Scan(&r.ID, sealedColumn(l.Hashes, jsonColumn(&r.RunInfo)), instantColumn(&r.Ended), &r.How, jsonColumn(&r.Totals), &r.BrokenOffAt, &live)
	r.Live = r.Ended.IsZero() && r.BrokenOffAt == 0 && live && (l.HeldByOther || l.Writer != nil)
	return r, err
}
