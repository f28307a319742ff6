package sqlite

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
	resolveTargetSQL = `SELECT t.id, t.account, t.attempt, a.claimed_at, ` + answerColumns + `
		FROM attempts a
		JOIN trips t ON t.id = a.trip
		LEFT JOIN settlements s ON s.attempt = a.id
		LEFT JOIN resolutions v ON v.id = (SELECT MAX(w.id) FROM resolutions w WHERE w.attempt = a.id)
		WHERE a.id = ?`
	guidTakenSQL = `SELECT
		EXISTS (SELECT 1 FROM settlements WHERE account = ? AND guid_key = ?) OR
		EXISTS (SELECT 1 FROM resolutions WHERE account = ? AND guid_key = ?)`
	rowTakenSQL = `SELECT EXISTS (SELECT 1 FROM trips t JOIN trips o
		ON o.input = t.input AND o.row_num = t.row_num AND o.leg = t.leg AND o.sheet = t.sheet
		WHERE t.id = ? AND o.taken = 1 AND o.id <> t.id)`
	// Attempts in question are those settled so, and those that runs left
	// without an answer. Only the attempt that counts today can be resolved.
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
	var found []ledger.Entry
	for e, err := range l.entries(ctx, unresolvedSQL) {
		if err != nil {
			return nil, err
		}
		if e.Resolved == ledger.Later {
			found = append(found, e)
		}
	}
	return found, nil
}

// Resolve implements ledger.Ledger.
func (l *Ledger) Resolve(ctx context.Context, r ledger.Resolution) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.commits == nil {
		return lookingFault()
	}
	if r.Verdict == ledger.Later {
		return nil
	}
	return l.commits.do(func(ctx context.Context, w *writer) error { return l.resolve(ctx, w, r) })
}

func (l *Ledger) resolve(ctx context.Context, w *writer, r ledger.Resolution) error {
	trip, account, err := l.inQuestion(ctx, w, r)
	if err != nil {
		return err
	}
	var st settlement
	if r.Verdict == ledger.There {
		st.setGUID(r.GUID)
	}
	if err := refuseTaken(ctx, w, trip, account, st.guidKey); err != nil {
		return err
	}
	var id int64
	if err := w.conn.QueryRowContext(ctx, "SELECT COALESCE(MAX(id), 0) + 1 FROM resolutions").Scan(&id); err != nil {
		return err
	}
	_, err = w.conn.ExecContext(ctx, `INSERT INTO resolutions
		(id, attempt, account, verdict, guid, guid_key, who, resolved_at, note) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, r.Attempt, account, r.Verdict.String(), st.guid, st.guidKey, r.Who, instant(r.When), l.seal.seal(r.Note))
	if err != nil {
		return err
	}
	_, err = w.conn.ExecContext(ctx, "UPDATE trips SET resolution = ?, taken = ? WHERE id = ?", id, r.Verdict == ledger.There, trip)
	return err
}

// refuseTaken refuses a word that two trips can't bear: a GUID that another one
// has, or a row of the input that has made another trip since.
func refuseTaken(ctx context.Context, w *writer, trip, account int64, guidKey any) error {
	var taken bool
	err := w.conn.QueryRowContext(ctx, guidTakenSQL, account, guidKey, account, guidKey).Scan(&taken)
	if err != nil {
		return err
	}
	if taken {
		return refuse(importer.ErrGUIDTaken)
	}
	if err := w.conn.QueryRowContext(ctx, rowTakenSQL, trip).Scan(&taken); err != nil {
		return err
	}
	if taken {
		return refuse(resolveFault("ledger-sent-again", "the row was sent again since, under another trip id"))
	}
	return nil
}

// inQuestion gives the trip and account of the attempt, and refuses a trip that
// is not, or not yet, for a person to decide.
func (l *Ledger) inQuestion(ctx context.Context, w *writer, r ledger.Resolution) (trip, account int64, err error) {
	var last int64
	var claimed string
	var a answer
	var now importer.Record
	err = w.conn.QueryRowContext(ctx, resolveTargetSQL, r.Attempt).
		Scan(append([]any{&trip, &account, &last, &claimed}, a.targets()...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, refuse(resolveFault("ledger-no-attempt", fmt.Sprintf("the ledger has no attempt %d", r.Attempt)))
	}
	if err == nil {
		err = a.fill(&now)
	}
	if err != nil {
		return 0, 0, err
	}
	switch {
	case last != r.Attempt:
		return 0, 0, refuse(resolveFault("ledger-sent-again", "the trip was sent again since"))
	case !a.settled() && l.inFlight(r.Attempt):
		return 0, 0, refuse(resolveFault("ledger-in-flight", "the trip is being sent just now"))
	case now.State == importer.Created && !now.GUIDMissing:
		return 0, 0, refuse(resolveFault("ledger-booked", "the trip is booked, and its GUID is known"))
	case a.verdict == "" && (now.State == importer.Refused || now.State == importer.NotSent):
		return 0, 0, refuse(resolveFault("ledger-not-booked", "the trip is not booked, which nobody doubts"))
	case r.Verdict == ledger.NotThere:
		return trip, account, oldEnough(claimed, r.When)
	}
	return trip, account, nil
}

// oldEnough refuses the word that a trip is not there while its request may be
// under way.
func oldEnough(claimed string, now time.Time) error {
	sent, err := parseInstant(claimed)
	if err != nil {
		return err
	}
	if left := ledger.NotThereAfter - now.Sub(sent); left > 0 {
		return refuse(&ledger.TooSoonError{Left: left})
	}
	return nil
}

func resolveFault(code, reason string) *ledger.Error {
	return &ledger.Error{Code: code, OneTrip: true, Reason: reason, Fix: "leave it out: tripimport resolve lists the trips that wait for an answer"}
}
