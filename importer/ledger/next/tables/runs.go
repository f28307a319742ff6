package tables

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	runNumberSQL = "SELECT num FROM runs WHERE id = ?"
	openRunSQL   = "SELECT num FROM runs WHERE id = ? AND last = 0"
	addRunSQL    = `INSERT INTO runs (num, id, started_at, command, mapping, mapping_hash, who, host, version, inputs, last, ended_at, how, totals)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, '', '', '')`
	reopenRunSQL = "UPDATE runs SET last = 0 WHERE num = ? AND ended_at = ''"
	endRunSQL    = "UPDATE runs SET last = ?, ended_at = ?, how = ?, totals = ? WHERE num = ?"
	brokenSQL    = "SELECT r.num FROM runs r WHERE r.last = 0 AND broken(r)"
	runColumns   = `SELECT r.num, r.id, r.started_at, r.command, r.mapping, r.mapping_hash, r.who, r.host, r.version, r.inputs, r.last,
		r.ended_at, r.how, r.totals, live(r.num) FROM runs r `
	settledInSQL = `SELECT e.what, COUNT(*) FROM events e WHERE e.num > ?1 AND (?2 = 0 OR e.num <= ?2) AND e.run = ?1
		AND e.kind = ?3 GROUP BY e.what`
)

// EndBrokenRuns ends the runs that their processes did not end and do not continue. What
// they claimed and did not settle is unclear from then on.
func EndBrokenRuns(ctx context.Context, w *Writer) error {
	runs, err := Query(ctx, w, ScanOne[int64], brokenSQL)
	for _, run := range runs {
		number, eventErr := w.addEvent(ctx, event{kind: eventBroken, run: run})
		err = errors.Join(err, eventErr, w.Later(ctx, "UPDATE runs SET last = ? WHERE num = ?", number, run))
	}
	return errors.Join(err, w.flushEvents(ctx))
}

// Begin implements next.Ledger.
func (l *Ledger) Begin(_ context.Context, r importer.RunInfo) error {
	inputs, err := json.Marshal(r.Inputs)
	if err != nil {
		return err
	}
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		known, err := Query(ctx, w, ScanOne[int64], runNumberSQL, r.ID)
		switch {
		case err != nil:
			return err
		case len(known) > 0 && l.Adopting: // the run was broken off
			return w.Later(ctx, reopenRunSQL, known[0])
		case len(known) > 0 || r.ID == "":
			return refuse(fmt.Errorf("run %q was begun before", r.ID))
		case !l.Alone:
			err = EndBrokenRuns(ctx, w)
		}
		if err != nil {
			return err
		}
		number, err := w.addEvent(ctx, event{kind: eventBegan, at: r.Started, run: w.Number + 1})
		if err != nil {
			return err
		}
		clear(w.accounts) // another process may have changed them since the last run
		w.Begun = append(w.Begun, BegunRun{r.ID, number})
		return w.Later(ctx, addRunSQL, number, r.ID, instant(r.Started), r.Command, r.Mapping, r.MappingHash, r.Who, r.Host, r.Version,
			l.Hashes.Seal(string(inputs)))
	})
}

// openRun returns the number of a run that has begun and not ended.
func (w *Writer) openRun(ctx context.Context, id string) (int64, error) {
	if number, ok := w.runs[id]; ok {
		return number, nil
	}
	number, err := Query(ctx, w, ScanOne[int64], openRunSQL, id)
	if err != nil {
		return 0, err
	}
	if len(number) == 0 {
		return 0, refuse(ledger.RunEndedError())
	}
	w.runs[id] = number[0]
	return number[0], nil
}

// End implements next.Ledger. A claim that the run has not settled by then is unclear from
// now on.
func (l *Ledger) End(_ context.Context, run string, t importer.Totals, ended time.Time, how string) error {
	totals, err := MarshalTotals(t)
	if err != nil {
		return err
	}
	return l.commits.do(func(ctx context.Context, w *Writer) error {
		number, err := w.openRun(ctx, run)
		if err != nil {
			return err
		}
		delete(w.runs, run)
		last, err := w.addEvent(ctx, event{kind: eventEnded, what: how, at: ended, run: number})
		if err != nil {
			return err
		}
		w.Ended = append(w.Ended, run)
		return w.Later(ctx, endRunSQL, last, instant(ended), how, totals, number)
	})
}

// Runs implements next.Ledger.
func (l *Ledger) Runs(ctx context.Context, limit int) ([]ledger.Run, error) {
	query := runColumns + "ORDER BY r.num DESC"
	if limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", limit)
	}
	return l.readRuns(ctx, query)
}

// Run implements next.Ledger.
func (l *Ledger) Run(ctx context.Context, id string) (ledger.Run, error) {
	runs, err := l.readRuns(ctx, runColumns+"WHERE r.id = ?", id)
	if err != nil {
		return ledger.Run{}, err
	}
	if len(runs) == 0 {
		return ledger.Run{}, ledger.ErrNoRun
	}
	return runs[0], nil
}

// A storedRun is a run with the numbers of its first and last event.
type storedRun struct {
	ledger.Run
	first, last int64
}

func (l *Ledger) readRuns(ctx context.Context, query string, args ...any) (all []ledger.Run, err error) {
	err = l.read(ctx, func(q Querier) error {
		runs, err := Query(ctx, q, l.scanRun, query, args...)
		for i := range runs {
			if r := &runs[i]; r.Ended.IsZero() {
				err = errors.Join(err, r.count(ctx, q))
			}
			all = append(all, runs[i].Run)
		}
		return err
	})
	return all, err
}

func (l *Ledger) scanRun(row Scanner) (r storedRun, err error) {
	var inputs []byte
	err = row.Scan(&r.first, &r.ID, instantColumn(&r.Started), &r.Command, &r.Mapping, &r.MappingHash, &r.Who, &r.Host, &r.Version, &inputs,
		&r.last, instantColumn(&r.Ended), &r.How, column[importer.Totals]{&r.Totals, unmarshalTotals}, &r.Live)
	if err != nil {
		return r, err
	}
	if r.Ended.IsZero() {
		r.BrokenOffAt = r.last
	}
	text, err := l.Hashes.Open(inputs)
	if err == nil {
		err = json.Unmarshal([]byte(text), &r.Inputs)
	}
	return r, err
}

// count counts the trips that a run without an end sent or changed.
func (r *storedRun) count(ctx context.Context, q Querier) error {
	for kind, states := range map[string]map[importer.TripState]importer.State{
		eventSettled: {
			importer.TripBooked: importer.Created, importer.TripRefused: importer.Refused,
			importer.TripNotSent: importer.NotSent, importer.TripUnclear: importer.Unknown,
		},
		eventChanged: {
			importer.TripBooked: importer.Updated, importer.TripRefused: importer.ChangeRefused, importer.TripUnclear: importer.ChangeUnknown,
		},
	} {
		err := eachRow(ctx, q, func(row Scanner) error {
			var code string
			var n int
			err := row.Scan(&code, &n)
			state, known := importer.ParseTripState(code)
			if as, counts := states[state]; known && counts {
				r.Totals.Trips[as] += n
			}
			return err
		}, settledInSQL, r.first, r.last, kind)
		if err != nil {
			return err
		}
	}
	return nil
}
