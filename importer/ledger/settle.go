package ledger

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tripimport/importer"
)

const (
	openAttemptSQL = `SELECT t.id, t.account FROM trips t
		JOIN attempts a ON a.trip = t.id AND a.id = t.attempt
		WHERE a.id = ? AND t.state = 'sending'`
	// The trip keeps its state where another trip of the account has the GUID.
	settleTripSQL = `UPDATE trips SET state = ?, guid = ?, guid_key = ?, guid_missing = ?,
		http_status = ?, code = ?, settled_at = ?
		WHERE id = ? AND NOT EXISTS
		(SELECT 1 FROM trips o WHERE o.account = ? AND o.guid_key = ? AND o.id <> ?)`
	addSettlementSQL = `INSERT INTO settlements
		(attempt, state, guid, guid_missing, http_status, code, settled_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`
)

// Settle implements importer.Ledger. It pays no heed to ctx's end: what came
// back must be written down, above all when a run is being stopped. A GUID is
// kept only for a trip that was created; one created without a GUID counts as
// GUIDMissing.
func (l *Ledger) Settle(_ context.Context, c importer.Claimed, s importer.Settlement) error {
	if l.commits == nil {
		return lookingFault()
	}
	st, err := newSettlement(s)
	if err != nil {
		return err
	}
	err = l.commits.do(func(ctx context.Context, w *writer) error { return w.settle(ctx, c.Attempt, st) })
	if err != nil {
		return err
	}
	l.mu.Lock()
	delete(l.open, c.Attempt)
	l.mu.Unlock()
	return nil
}

// A settlement is a settlement in the ledger's own terms.
type settlement struct {
	state       string
	guid        string
	guidKey     any // nil for none
	guidMissing bool
	status      int
	code        string
	at          string
}

func newSettlement(s importer.Settlement) (settlement, error) {
	word, ok := stored(s.State)
	if !ok {
		return settlement{}, fmt.Errorf("an attempt can't end as %s", s.State.Code())
	}
	st := settlement{state: word, status: s.HTTPStatus, code: s.Code, at: instant(s.At)}
	if s.State == importer.Created {
		st.setGUID(s.GUID)
	}
	return st, nil
}

func (s *settlement) setGUID(guid string) {
	s.guid, s.guidKey, s.guidMissing = guid, nil, false
	if key := guidKey(guid); key != "" {
		s.guidKey = key
	} else {
		s.guid, s.guidMissing = "", true
	}
}

func (w *writer) settle(ctx context.Context, attempt int64, s settlement) error {
	var trip, account int64
	err := w.stmts.openAttempt.QueryRowContext(ctx, attempt).Scan(&trip, &account)
	if errors.Is(err, sql.ErrNoRows) {
		return refuse(fmt.Errorf("attempt %d is not waiting for an answer", attempt))
	}
	if err != nil {
		return err
	}
	if err := w.setTrip(ctx, trip, account, s); err != nil {
		return err
	}
	_, err = w.stmts.addSettlement.ExecContext(ctx, attempt, s.state, s.guid, s.guidMissing, s.status, s.code, s.at)
	return err
}

// setTrip gives the trip its new state. It refuses a GUID that another trip of
// the account has.
func (w *writer) setTrip(ctx context.Context, trip, account int64, s settlement) error {
	done, err := w.stmts.settleTrip.ExecContext(ctx, s.state, s.guid, s.guidKey, s.guidMissing,
		s.status, s.code, s.at, trip, account, s.guidKey, trip)
	if err != nil {
		return err
	}
	n, err := done.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return refuse(importer.ErrGUIDTaken)
	}
	return nil
}

// instantForm has a fixed width, so that texts sort as the instants do.
const instantForm = "2006-01-02T15:04:05.000000Z"

// instant writes an instant for the ledger: UTC, to the microsecond. These are
// the program's own instants; times of the schedule never come here.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(instantForm)
}

func parseInstant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(instantForm, s)
}
