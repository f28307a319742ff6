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

const resolveTargetSQL = `SELECT t.id, t.account, t.state, t.guid_missing, t.attempt, a.claimed_at
	FROM attempts a JOIN trips t ON t.id = a.trip WHERE a.id = ?`

// Unresolved gives the trips that may be booked, and those booked without a
// GUID that no person has spoken on yet; the earliest service date first.
func (l *Ledger) Unresolved(ctx context.Context) ([]Entry, error) {
	var found []Entry
	for e, err := range l.entries(ctx, entryColumns+`WHERE a.id IN
		(SELECT attempt FROM trips WHERE state IN ('sending', 'unknown')
		UNION SELECT attempt FROM trips WHERE guid_missing = 1)
		ORDER BY t.service_date, t.minute, a.id`) {
		if err != nil {
			return nil, err
		}
		if e.State == importer.Unknown || e.Resolved == Later {
			found = append(found, e)
		}
	}
	return found, nil
}

// Resolve writes down a person's word on a trip's last attempt and lets it
// decide: There books the trip, NotThere sets it free to be sent. NotThere is
// taken only 15 minutes after the sending, *TooSoonError before. A trip that is
// not in question is a *Fault; a GUID that another trip has, importer.ErrGUIDTaken.
// The word may be given again, as long as the trip has no GUID and was not sent
// anew.
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
	st := settlement{state: notSent, code: "resolved: not there", at: instant(r.When)}
	if r.Verdict == There {
		st.state, st.code = created, "resolved: there"
		st.setGUID(r.GUID)
	}
	if err := w.setTrip(ctx, trip, account, st); err != nil {
		return err
	}
	_, err = w.conn.ExecContext(ctx, `INSERT INTO resolutions (attempt, verdict, guid, who, resolved_at, note)
		VALUES (?, ?, ?, ?, ?, ?)`, r.Attempt, r.Verdict.String(), st.guid, r.Who, instant(r.When), l.seal.seal(r.Note))
	return err
}

// inQuestion gives the trip and account of the attempt, and refuses a trip that
// is not, or not yet, for a person to decide.
func (l *Ledger) inQuestion(ctx context.Context, w *writer, r Resolution) (trip, account int64, err error) {
	var state, claimed string
	var guidMissing bool
	var last int64
	err = w.conn.QueryRowContext(ctx, resolveTargetSQL, r.Attempt).
		Scan(&trip, &account, &state, &guidMissing, &last, &claimed)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, 0, refuse(resolveFault("ledger-no-attempt", fmt.Sprintf("the ledger has no attempt %d", r.Attempt)))
	}
	if err != nil {
		return 0, 0, err
	}
	switch {
	case last != r.Attempt:
		return 0, 0, refuse(resolveFault("ledger-sent-again", "the trip was sent again since"))
	case state == sending && l.inFlight(r.Attempt):
		return 0, 0, refuse(resolveFault("ledger-in-flight", "the trip is being sent just now"))
	case state == created && !guidMissing:
		return 0, 0, refuse(resolveFault("ledger-booked", "the trip is booked, and its GUID is known"))
	case state == refused || state == notSent:
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
