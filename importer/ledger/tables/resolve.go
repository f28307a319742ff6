package tables

import (
	"cmp"
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
		(attempt, account, verdict, state, cancelled, guid, guid_key, who, resolved_at, note)
		SELECT a.id, t.account, ?, ?, ?, ?, ?, ?, ?, ? FROM attempts a JOIN trips t ON t.id = a.trip WHERE a.id = ? RETURNING id`
	// lastAnswerSQL is true for the last answer r about an attempt.
	lastAnswerSQL = `r.id = (SELECT MAX(w.id) FROM resolutions w WHERE w.attempt = r.attempt)`
	rowTakenSQL   = `SELECT EXISTS (SELECT 1 FROM trips t JOIN trips o
		ON o.input = t.input AND o.row_num = t.row_num AND o.leg = t.leg AND o.sheet = t.sheet AND o.service = t.service
		WHERE t.id = ? AND o.taken = 1 AND o.id <> t.id)`
	// The attempts that count for their trips and were settled as unknown or without a
	// GUID, or were left without a settlement by their runs; and the trips with an open
	// change.
	unresolvedSQL = entryColumns + `WHERE t.attempt = a.id AND a.id IN
		(SELECT attempt FROM settlements WHERE state = 'unknown' OR guid_missing = 1
		UNION
		SELECT b.id FROM runs q
		LEFT JOIN run_ends e ON e.run = q.num
		JOIN attempts b ON b.id >= q.first_attempt AND b.id <= COALESCE(e.last_attempt, b.id) AND b.run = q.num
		LEFT JOIN settlements z ON z.attempt = b.id
		WHERE z.attempt IS NULL AND COALESCE(e.unsettled, 1) = 1
		UNION
		SELECT attempt FROM trips WHERE change IS NOT NULL)
		ORDER BY t.service_date, t.minute, a.id`
	// freeAnsweredSQL frees the trips about which a person answered that they are not
	// there, if they were claimed early enough for that to be certain.
	freeAnsweredSQL = `UPDATE trips SET taken = 0 WHERE taken = 1 AND resolution IN
		(SELECT v.id FROM resolutions v JOIN attempts a ON a.id = v.attempt WHERE v.state = 'not_sent' AND a.claimed_at <= ?)`
)

// Unresolved implements ledger.Ledger.
func (l *Ledger) Unresolved(ctx context.Context) ([]ledger.Entry, error) {
	var unresolved []ledger.Entry
	for e, err := range l.entries(ctx, unresolvedSQL) {
		if err != nil {
			return nil, err
		}
		waits := e.Resolved == importer.NoVerdict && (e.State == importer.Unknown || e.GUIDMissing)
		if waits || e.Change != nil && e.Change.State == importer.ChangeUnknown && !e.Cancelled {
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
	if r.Verdict == importer.NoVerdict {
		return nil
	}
	return l.commits.do(func(ctx context.Context, w *Writer) error { return l.resolve(ctx, w, r) })
}

// Entry implements ledger.Ledger.
func (l *Ledger) Entry(ctx context.Context, attempt int64) (ledger.Entry, error) {
	e, err := l.entry(ctx, l.lookUps, attempt)
	var wrong *ledger.Error
	if errors.As(err, &wrong) {
		return e, err
	}
	return e, l.readError(ctx, err)
}

func (l *Ledger) entry(ctx context.Context, q Querier, attempt int64) (ledger.Entry, error) {
	e, err := l.scanEntry(q.QueryRowContext(ctx, entrySQL, attempt))
	if errors.Is(err, sql.ErrNoRows) {
		return e, ledger.NoAttemptError(attempt)
	}
	return e, err
}

// checkedEntry returns an attempt for a job that writes. It refuses the job if check
// returns an error.
func (l *Ledger) checkedEntry(ctx context.Context, w *Writer, attempt int64, check func(ledger.Entry) error) (ledger.Entry, error) {
	e, err := l.entry(ctx, w, attempt)
	if err == nil {
		err = check(e)
	}
	var wrong *ledger.Error
	if errors.As(err, &wrong) {
		err = refuse(err)
	}
	return e, err
}

func (l *Ledger) resolve(ctx context.Context, w *Writer, r ledger.Resolution) error {
	e, err := l.checkedEntry(ctx, w, r.Attempt, func(e ledger.Entry) error { return ledger.CheckAnswer(e, r) })
	if err != nil {
		return err
	}

	var trip int64
	if err := w.QueryRowContext(ctx, "SELECT trip FROM attempts WHERE id = ?", r.Attempt).Scan(&trip); err != nil {
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

	if err := l.answerChange(ctx, w, e, r); err != nil {
		return err
	}

	id, err := scanID(w.QueryRowContext(ctx, addResolutionSQL, r.Verdict.String(), now.State.Code(), flag(now.Cancelled), g.text, g.key,
		r.Who, instant(r.When), l.Hashes.Encrypt(r.Note), r.Attempt))
	if err != nil {
		return err
	}

	if _, err := w.ExecContext(ctx, "DELETE FROM raised WHERE attempt = ?", r.Attempt); err != nil {
		return err
	}
	_, err = w.ExecContext(ctx, "UPDATE trips SET resolution = ?, taken = ? WHERE id = ?", id, flag(now.Taken), trip)
	return err
}

// answerChange makes the values of a person's answer about a change count as booked:
// those of Resolution.Trip, or without it those of the change about which the person was
// asked.
func (l *Ledger) answerChange(ctx context.Context, w *Writer, e ledger.Entry, r ledger.Resolution) error {
	b, err := l.recordOf(ctx, w, 0, r.Attempt)
	if err != nil || !ledger.AnswersChange(e, r) {
		return err
	}

	_, asked := b.change.openValues()
	switch {
	case r.Trip != nil:
		var mapping int64
		if mapping, err = w.textID(ctx, cmp.Or(r.MappingHash, b.MappingHash)); err == nil {
			err = l.addTimes(ctx, w, r.Attempt, r.Trip)
		}
		if err == nil {
			now := l.values(r.Trip, e.TripID)
			err = w.acceptValues(ctx, r.Attempt, mapping, now, l.placementOf(&b, r.Trip, now.PropertyKeys(), nil))
		}
		if err == nil && r.Verdict == importer.DoneByHand {
			err = l.holdEdited(ctx, w, &b, r)
		}
	case r.State == importer.ChangeUnknown || r.State == importer.ChangeRefused:
		err = w.acceptValues(ctx, r.Attempt, b.change.mapping, b.fingerprint.With(asked), b.change.to)
	}
	if err == nil {
		_, err = w.ExecContext(ctx, pointToChangeSQL, nil, r.Attempt)
	}
	return err
}

// freeAnswered frees the trips about which a person answered that they are not there, if
// that is certain at that time.
func freeAnswered(ctx context.Context, w *Writer, at time.Time) error {
	_, err := w.ExecContext(ctx, freeAnsweredSQL, instant(at.Add(-ledger.NotThereAfter)))
	return err
}

// refuseTaken refuses an answer with a GUID that another trip has, and an answer about a
// trip whose row has made another trip since.
func refuseTaken(ctx context.Context, w *Writer, trip int64, g storedGUID) error {
	if err := w.refuseGUID(ctx, trip, g); err != nil {
		return err
	}

	var taken bool
	if err := w.QueryRowContext(ctx, rowTakenSQL, trip).Scan(&taken); err != nil {
		return err
	}

	if taken {
		return refuse(ledger.RowSentAgainError())
	}
	return nil
}
