package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	resolveTargetSQL = `SELECT t.id, t.account, t.attempt, a.claimed_at, ` + outcomeColumns + `
		FROM attempts a
		JOIN trips t ON t.id = a.trip
		LEFT JOIN settlements s ON s.attempt = a.id
		LEFT JOIN resolutions v ON v.id = (SELECT MAX(w.id) FROM resolutions w WHERE w.attempt = a.id)
		WHERE a.id = ?`
	addResolutionSQL = `INSERT INTO resolutions
		(attempt, account, verdict, guid, guid_key, who, resolved_at, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
	rowTakenSQL = `SELECT EXISTS (SELECT 1 FROM trips t JOIN trips o
		ON o.input = t.input AND o.row_num = t.row_num AND o.leg = t.leg AND o.sheet = t.sheet AND o.service = t.service
		WHERE t.id = ? AND o.taken = 1 AND o.id <> t.id)`
	// Open to an answer are the attempts that are settled so, and those that
	// runs left without a settlement, as far as they count for their trips.
	unresolvedSQL = entryColumns + `WHERE t.attempt = a.id AND a.id IN
		(SELECT attempt FROM settlements WHERE state = 'unknown' OR guid_missing = 1
		UNION
		SELECT b.id FROM runs q
		LEFT JOIN run_ends e ON e.run = q.num
		JOIN attempts b ON b.id >= q.first_attempt AND b.id <= COALESCE(e.last_attempt, b.id) AND b.run = q.num
		LEFT JOIN settlements z ON z.attempt = b.id
		WHERE z.attempt IS NULL AND COALESCE(e.unsettled, 1) = 1)
		ORDER BY t.service_date, t.minute, a.id`
)

// Unresolved implements ledger.Ledger.
func (l *Ledger) Unresolved(ctx context.Context) ([]ledger.Entry, error) {
	var unresolved []ledger.Entry
	for e, err := range l.entries(ctx, unresolvedSQL) {
		if err != nil {
			return nil, err
		}
		if e.Resolved == ledger.Later {
			unresolved = append(unresolved, e)
		}
	}
	return unresolved, nil
}

// Resolve implements ledger.Ledger.
func (l *Ledger) Resolve(ctx context.Context, r ledger.Resolution) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.commits == nil {
		return ledger.ReadOnlyError()
	}
	if r.Verdict == ledger.Later {
		return nil
	}
	return l.commits.do(func(ctx context.Context, w *writer) error { return l.resolve(ctx, w, r) })
}

func (l *Ledger) resolve(ctx context.Context, w *writer, r ledger.Resolution) error {
	trip, account, err := l.openToAnswer(ctx, w, r)
	if err != nil {
		return err
	}

	var g storedGUID
	if r.Verdict == ledger.There {
		g = newStoredGUID(r.GUID)
	}

	if err := refuseTaken(ctx, w, trip, g); err != nil {
		return err
	}

	added, err := w.conn.ExecContext(ctx, addResolutionSQL, r.Attempt, account, verdictCode(r.Verdict), g.text, g.key,
		r.Who, instant(r.When), l.hashes.Encrypt(r.Note))
	if err != nil {
		return err
	}

	id, err := added.LastInsertId()
	if err != nil {
		return err
	}

	_, err = w.conn.ExecContext(ctx, "UPDATE trips SET resolution = ?, taken = ? WHERE id = ?", id, r.Verdict == ledger.There, trip)
	return err
}

// openToAnswer gives the trip and the account of the attempt, and refuses a trip
// that is not, or not yet, open to the answer.
func (l *Ledger) openToAnswer(ctx context.Context, w *writer, r ledger.Resolution) (trip, account int64, err error) {
	var last int64
	var claimed string
	var o outcome
	err = w.conn.QueryRowContext(ctx, resolveTargetSQL, r.Attempt).
		Scan(append([]any{&trip, &account, &last, &claimed}, o.targets()...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, refuse(ledger.NoAttemptError(r.Attempt))
	}

	if err != nil {
		return 0, 0, err
	}

	e := ledger.Entry{Attempt: r.Attempt, Resolved: parseVerdict(o.verdict)}
	var unreadable error
	e.ClaimedAt, unreadable = parseInstant(claimed)
	if err := errors.Join(unreadable, o.fill(&e.Record)); err != nil {
		return 0, 0, err
	}

	e.InFlight = !o.known() && l.inFlight(r.Attempt)
	if err := ledger.CheckAnswer(e, last != r.Attempt, r); err != nil {
		return 0, 0, refuse(err)
	}
	return trip, account, nil
}

// refuseTaken refuses a GUID that another trip has, and a trip whose row has
// made another trip since.
func refuseTaken(ctx context.Context, w *writer, trip int64, g storedGUID) error {
	var taken bool
	if err := w.conn.QueryRowContext(ctx, "SELECT "+guidTakenSQL, g.key, g.key).Scan(&taken); err != nil {
		return err
	}

	if taken {
		return refuse(importer.ErrGUIDTaken)
	}

	if err := w.conn.QueryRowContext(ctx, rowTakenSQL, trip).Scan(&taken); err != nil {
		return err
	}

	if taken {
		return refuse(ledger.RowSentAgainError())
	}
	return nil
}
