package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
)

// A Verdict is a person's word on a trip that may be booked. The zero verdict
// decides nothing.
type Verdict uint8

const (
	// Later: nothing is decided and nothing recorded.
	Later Verdict = iota
	// There: the trip is in the service.
	There
	// NotThere: the trip is not in the service and may be sent again. If that
	// is wrong, two cars come.
	NotThere
)

// String gives the verdict in words.
func (v Verdict) String() string {
	switch v {
	case There:
		return "there"
	case NotThere:
		return "not there"
	}
	return "later"
}

// A Person is who did something to the ledger, and when.
type Person struct {
	Who, Host string
	When      time.Time
}

// A Resolution is a person's word on an attempt.
type Resolution struct {
	// Attempt is Entry.Attempt.
	Attempt int64
	Verdict Verdict
	// GUID is the trip's, where it is there and the person knows it.
	GUID string
	Who  string
	When time.Time
	// Note is whatever the person wants to remember. It is kept sealed.
	Note string
}

// settleDown is how long a request may be under way before its absence from the
// service proves anything: well over the service's time-out.
const settleDown = 15 * time.Minute

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

// Unresolved gives the trips that may be booked, and those booked without a
// GUID that no person has spoken on yet; the earliest service date first. Those
// that are being sent just now are among them, as InFlight.
func (l *Ledger) Unresolved(ctx context.Context) ([]Entry, error) {
	var found []Entry
	for e, err := range l.entries(ctx, unresolvedSQL) {
		if err != nil {
			return nil, err
		}
		if e.Resolved == Later {
			found = append(found, e)
		}
	}
	return found, nil
}

// Resolve writes down a person's word on a trip's last attempt and lets it
// decide: There books the trip, NotThere sets it free to be sent. NotThere is
// taken only 15 minutes after the sending, *TooSoonError before. A trip that is
// not in question is a *Fault; a GUID that another trip has, importer.ErrGUIDTaken.
// The word may be given anew, as long as the trip has no GUID and was not sent
// again.
func (l *Ledger) Resolve(ctx context.Context, r Resolution) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.commits == nil {
		return lookingFault()
	}
	if r.Verdict == Later {
		return nil
	}
	return l.commits.do(func(ctx context.Context, w *writer) error { return l.resolve(ctx, w, r) })
}

func (l *Ledger) resolve(ctx context.Context, w *writer, r Resolution) error {
	trip, account, err := l.inQuestion(ctx, w, r)
	if err != nil {
		return err
	}
	var st settlement
	if r.Verdict == There {
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
	_, err = w.conn.ExecContext(ctx, "UPDATE trips SET resolution = ?, taken = ? WHERE id = ?", id, r.Verdict == There, trip)
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
func (l *Ledger) inQuestion(ctx context.Context, w *writer, r Resolution) (trip, account int64, err error) {
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
	case r.Verdict == NotThere:
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
	if left := settleDown - now.Sub(sent); left > 0 {
		return refuse(&TooSoonError{Left: left})
	}
	return nil
}

func resolveFault(code, reason string) *Fault {
	return &Fault{Code: code, Reason: reason, Fix: "leave it out: tripimport resolve lists the trips that wait for an answer"}
}
