package tables

import (
	"context"
	"iter"
	"math"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	runColumns = `SELECT r.num, r.id, r.started_at, r.command, r.mapping, r.mapping_hash,
		r.who, r.host, r.version, COALESCE(e.ended_at, ''), COALESCE(e.how, ''), COALESCE(e.totals, ''), COALESCE(e.commits, 0), live(r.num)
		FROM runs r LEFT JOIN run_ends e ON e.run = r.num `
	// An entry shows an attempt with the last answer about it, whether or not the attempt
	// still counts for its trip.
	entryColumns = "SELECT " + entryFields + entryTables
	entryFields  = `t.trip_id, t.sealed_id, c.service, c.provider, t.service_date, t.minute, t.attempt <> a.id, a.leg, a.number, a.claimed_at, r.id,
		m.text, a.id, i.text, a.row_num, COALESCE(v.who, ''), v.note, ` + outcomeColumns
	entryTables = ` FROM attempts a
		JOIN trips t ON t.id = a.trip
		JOIN accounts c ON c.id = t.account
		JOIN runs r ON r.num = a.run
		JOIN texts m ON m.id = a.mapping
		JOIN texts i ON i.id = a.input
		LEFT JOIN settlements s ON s.attempt = a.id
		LEFT JOIN resolutions v ON v.id = (SELECT MAX(w.id) FROM resolutions w WHERE w.attempt = a.id) ` + changeJoins
	runTripsSQL = entryColumns + `WHERE a.id IN
		(SELECT MAX(b.id) FROM attempts b JOIN runs q ON q.num = b.run LEFT JOIN run_ends e ON e.run = q.num
		WHERE q.id = ? AND b.id >= q.first_attempt AND b.id <= COALESCE(e.last_attempt, b.id) GROUP BY b.trip)
		ORDER BY a.id`
)

// Runs implements ledger.Ledger.
func (l *Ledger) Runs(ctx context.Context, limit int) ([]ledger.Run, error) {
	if limit <= 0 {
		limit = math.MaxInt32 // all of them
	}
	return l.runs(ctx, "ORDER BY r.num DESC LIMIT ?", limit)
}

// Run implements ledger.Ledger.
func (l *Ledger) Run(ctx context.Context, id string) (ledger.Run, error) {
	runs, err := l.runs(ctx, "WHERE r.id = ?", id)
	if err != nil {
		return ledger.Run{}, err
	}
	if len(runs) == 0 {
		return ledger.Run{}, ledger.ErrNoRun
	}
	return runs[0], nil
}

func (l *Ledger) runs(ctx context.Context, which string, args ...any) (runs []ledger.Run, _ error) {
	err := eachRow(ctx, l.lookUps, func(row Scanner) error {
		num, r, err := scanRun(row)
		if err == nil {
			r.Inputs, err = l.inputs(ctx, num)
		}
		if err == nil && r.Ended.IsZero() {
			err = l.countTrips(ctx, num, &r)
		}
		r.Live = r.Ended.IsZero() && (r.Live || l.isLive(r.ID, len(runs) == 0))
		runs = append(runs, r)
		return err
	}, runColumns+which, args...)
	return runs, l.readError(ctx, err)
}

// countTrips sets the totals of a run without an end.
func (l *Ledger) countTrips(ctx context.Context, num int64, r *ledger.Run) error {
	err := eachRow(ctx, l.lookUps, func(row Scanner) error {
		var code string
		var n int
		err := row.Scan(&code, &n)
		if state, ok := importer.ParseState(code); ok {
			r.Totals.Trips[state] = n
		}
		return err
	}, countChangesSQL, num)
	if err != nil {
		return err
	}
	_, r.Totals.TripsRead = r.Totals.Sum()
	for e, err := range l.Trips(ctx, r.ID) {
		if err != nil {
			return err
		}
		r.Totals.TripsRead++
		r.Totals.Trips[e.State]++
	}
	return nil
}

// isLive reports whether a run without an end goes on in this process, or in the process
// that holds the lock. The newest run is then that process's.
func (l *Ledger) isLive(id string, newest bool) bool {
	if l.HeldByOther {
		return newest
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.liveRuns[id]
}

func scanRun(row Scanner) (num int64, r ledger.Run, err error) {
	err = row.Scan(&num, &r.ID, instantColumn(&r.Started), &r.Command, &r.Mapping, &r.MappingHash,
		&r.Who, &r.Host, &r.Version, instantColumn(&r.Ended), &r.How, totalsColumn(&r.Totals), &r.BrokenOffAt, &r.Live)
	return num, r, err
}

// inputs returns the input files of a run.
func (l *Ledger) inputs(ctx context.Context, run int64) ([]importer.InputInfo, error) {
	return Query(ctx, l.lookUps, func(row Scanner) (in importer.InputInfo, err error) {
		err = row.Scan(&in.Hash, l.secretColumn(&in.Name))
		return in, err
	}, "SELECT hash, name FROM run_inputs WHERE run = ? ORDER BY position", run)
}

// Trips implements ledger.Ledger.
func (l *Ledger) Trips(ctx context.Context, run string) iter.Seq2[ledger.Entry, error] {
	return l.entries(ctx, runTripsSQL, run)
}

// entries returns the entries that a query of entryColumns finds.
func (l *Ledger) entries(ctx context.Context, query string, args ...any) iter.Seq2[ledger.Entry, error] {
	return func(yield func(ledger.Entry, error) bool) {
		rows, err := l.lookUps.QueryContext(ctx, query, args...)
		if err != nil {
			yield(ledger.Entry{}, l.readError(ctx, err))
			return
		}
		defer func() { _ = rows.Close() }() // rows.Err has its error

		for rows.Next() {
			e, err := l.scanEntry(rows)
			if !yield(e, l.readError(ctx, err)) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(ledger.Entry{}, l.readError(ctx, err))
		}
	}
}

// scanEntry scans entryFields, and the columns after them.
func (l *Ledger) scanEntry(row Scanner, after ...any) (ledger.Entry, error) {
	var e ledger.Entry
	var o outcome
	var minute int
	var sealed []byte
	err := row.Scan(append([]any{
		&e.TripID, &sealed, &e.Account.Service, &e.Account.Provider, dayColumn(&e.Date), &minute, &e.Superseded, legColumn(&e.Leg),
		&e.Attempts, instantColumn(&e.ClaimedAt), &e.Run,
		&e.MappingHash, &e.Attempt, &e.Input, &e.Row, &e.ResolvedBy, l.secretColumn(&e.Note),
	}, append(o.targets(), after...)...)...)
	if err != nil {
		return ledger.Entry{}, err
	}

	o.fill(&e.Record)
	e.Time, e.Proved, e.ResolvedAt = timeAt(e.Date, minute), o.proved(), o.answeredAt
	e.Resolved, _, _ = importer.ParseVerdict(o.verdict)
	l.fillInFlight(&e.Record, &o)
	return e, l.unsealID(&e.Record, sealed)
}
