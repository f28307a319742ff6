package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	entrySQL         = entryColumns + "WHERE a.id = ?"
	addResolutionSQL = `INSERT INTO resolutions
		(attempt, account, verdict, state, cancelled, guid, guid_key, layout, properties, who, resolved_at, note)
		SELECT a.id, t.account, ?, ?, ?, ?, ?, COALESCE(?, v.layout), COALESCE(?, v.properties), ?, ?, ?
		FROM attempts a JOIN trips t ON t.id = a.trip LEFT JOIN resolutions v ON v.id = t.resolution WHERE a.id = ?`
	// lastAnswerSQL holds for the last answer r about an attempt.
	lastAnswerSQL = `r.id = (SELECT MAX(w.id) FROM resolutions w WHERE w.attempt = r.attempt)`
	rowTakenSQL   = `SELECT EXISTS (SELECT 1 FROM trips t JOIN trips o
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
	// freeAnsweredSQL frees the trips that a person said are not there, once that
	// can be known.
	freeAnsweredSQL = `UPDATE trips SET taken = 0 WHERE taken = 1 AND resolution IN
		(SELECT v.id FROM resolutions v JOIN attempts a ON a.id = v.attempt WHERE v.state = 'not_sent' AND a.claimed_at <= ?)`
	moveTripSQL = "UPDATE trips SET service_date = ?, minute = ?, pickup_place = ?, dropoff_place = ? WHERE id = ?"
)

// Unresolved implements ledger.Ledger.
func (l *Ledger) Unresolved(ctx context.Context) ([]ledger.Entry, error) {
	var unresolved []ledger.Entry
	for e, err := range l.entries(ctx, unresolvedSQL) {
		if err != nil {
			return nil, err
		}
		if e.Resolved == importer.NoVerdict {
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
	if r.Verdict == importer.NoVerdict {
		return nil
	}
	return l.commits.do(func(ctx context.Context, w *writer) error { return l.resolve(ctx, w, r) })
}

// Entry implements ledger.Ledger.
func (l *Ledger) Entry(ctx context.Context, attempt int64) (ledger.Entry, error) {
	e, err := l.entry(ctx, l.readers, attempt)
	var wrong *ledger.Error
	if errors.As(err, &wrong) {
		return e, err
	}
	return e, l.readError(ctx, err)
}

func (l *Ledger) entry(ctx context.Context, q querier, attempt int64) (ledger.Entry, error) {
	e, err := l.scanEntry(q.QueryRowContext(ctx, entrySQL, attempt))
	if errors.Is(err, sql.ErrNoRows) {
		return e, ledger.NoAttemptError(attempt)
	}
	return e, err
}

func (l *Ledger) resolve(ctx context.Context, w *writer, r ledger.Resolution) error {
	e, err := l.entry(ctx, w.conn, r.Attempt)
	var wrong *ledger.Error
	if errors.As(err, &wrong) {
		return refuse(err)
	}
	if err != nil {
		return err
	}
	if err := ledger.CheckAnswer(e, r); err != nil {
		return refuse(err)
	}

	var trip int64
	if err := w.conn.QueryRowContext(ctx, "SELECT trip FROM attempts WHERE id = ?", r.Attempt).Scan(&trip); err != nil {
		return err
	}

	now := ledger.Answered(e, r)
	var g storedGUID
	if now.State == importer.Created {
		g = newStoredGUID(now.GUID)
	}
	if err := refuseTaken(ctx, w, trip, g); err != nil {
		return err
	}

	var layout, properties any
	if r.Trip != nil {
		if layout, properties, err = l.acceptValues(ctx, w, e, trip, r.Trip); err != nil {
			return err
		}
	}

	added, err := w.conn.ExecContext(ctx, addResolutionSQL, r.Verdict.String(), now.State.Code(), now.Cancelled, g.text, g.key,
		layout, properties, r.Who, instant(r.When), l.hashes.Encrypt(r.Note), r.Attempt)
	if err != nil {
		return err
	}

	id, err := added.LastInsertId()
	if err != nil {
		return err
	}

	if _, err := w.conn.ExecContext(ctx, "DELETE FROM raised WHERE attempt = ?", r.Attempt); err != nil {
		return err
	}
	_, err = w.conn.ExecContext(ctx, "UPDATE trips SET resolution = ?, taken = ? WHERE id = ?", id, now.Taken, trip)
	return err
}

// acceptValues has a trip found at the day, the time and the places that it has
// now, and gives the layout and the hashes of its values.
func (l *Ledger) acceptValues(ctx context.Context, w *writer, e ledger.Entry, id int64, now *importer.Trip) (layout, properties any, err error) {
	same := *now
	same.ID = e.TripID // the stored hashes are bound to it
	fingerprint := l.hashes.Fingerprint(&same)
	text, err := w.textID(ctx, fingerprint.Keys)
	if err != nil {
		return nil, nil, err
	}

	begins := now.Time()
	var rowKey []byte
	if err := w.conn.QueryRowContext(ctx, "SELECT row_key FROM trips WHERE id = ?", id).Scan(&rowKey); err != nil {
		return nil, nil, err
	}
	pickup, dropoff := l.hashes.Places(rowKey, now)
	if _, err := w.conn.ExecContext(ctx, moveTripSQL, begins.Date.String(), minuteOf(begins.TimeOfDay), pickup, dropoff, id); err != nil {
		return nil, nil, err
	}
	identities := l.hashes.IdentityRows(now)
	l.cache.mu.Lock()
	l.cache.addIdentities(identities)
	l.cache.mu.Unlock()
	for _, r := range identities {
		_, err := w.conn.ExecContext(ctx, addIdentitySQL+" ON CONFLICT DO UPDATE SET times = times || ' ' || excluded.times",
			r.Day.String(), r.Hash, e.Attempt, r.PickupUnit, r.DropoffUnit, r.Times)
		if err != nil {
			return nil, nil, err
		}
	}
	return text, fingerprint.Hashes, nil
}

// freeAnswered frees the trips that a person said are not there, if at that time
// their absence can be known.
func freeAnswered(ctx context.Context, w *writer, at time.Time) error {
	_, err := w.conn.ExecContext(ctx, freeAnsweredSQL, instant(at.Add(-ledger.NotThereAfter)))
	return err
}

// refuseTaken refuses a GUID that another trip has, and a trip whose row has
// made another trip since.
func refuseTaken(ctx context.Context, w *writer, trip int64, g storedGUID) error {
	var taken bool
	if err := w.conn.QueryRowContext(ctx, "SELECT "+guidTakenSQL, g.key, trip, g.key, trip).Scan(&taken); err != nil {
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
