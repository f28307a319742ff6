package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tripimport/importer"
)

const (
	openAttemptSQL = `SELECT t.id, t.account FROM trips t
		JOIN attempts a ON a.trip = t.id AND a.id = t.attempt
		WHERE a.id = ? AND t.resolution IS NULL
		AND NOT EXISTS (SELECT 1 FROM settlements s WHERE s.attempt = a.id)`
	// Nothing is written where another trip of the account has the GUID,
	// whether the service or a person gave it.
	addSettlementSQL = `INSERT INTO settlements
		(attempt, account, state, guid, guid_key, guid_missing, http_status, code, settled_at)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?
		WHERE NOT EXISTS (SELECT 1 FROM resolutions r WHERE r.account = ? AND r.guid_key = ?)
		ON CONFLICT DO NOTHING`
	freeSQL = `UPDATE trips SET taken = 0 WHERE id = ?`
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
	err = l.commits.do(func(ctx context.Context, w *writer) error { return l.settle(ctx, w, c.Attempt, st) })
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c.Attempt)
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

func (l *Ledger) settle(ctx context.Context, w *writer, attempt int64, s settlement) error {
	claim, err := l.waiting(ctx, w, attempt)
	if err != nil {
		return err
	}
	added, err := w.stmts.addSettlement.ExecContext(ctx, attempt, claim.account, s.state, s.guid, s.guidKey,
		s.guidMissing, s.status, s.code, s.at, claim.account, s.guidKey)
	if err != nil {
		return err
	}
	n, err := added.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return refuse(importer.ErrGUIDTaken)
	}
	if s.state == refused || s.state == notSent {
		if _, err := w.stmts.free.ExecContext(ctx, claim.trip); err != nil {
			return err
		}
	}
	l.noteSettled(attempt)
	return nil
}

// waiting gives the claim of an attempt that is not settled yet: from memory,
// or from the file where its run has ended.
func (l *Ledger) waiting(ctx context.Context, w *writer, attempt int64) (openClaim, error) {
	l.mu.Lock()
	claim, known := l.open[attempt]
	l.mu.Unlock()
	if known && !claim.settled {
		return claim, nil
	}
	err := w.stmts.openAttempt.QueryRowContext(ctx, attempt).Scan(&claim.trip, &claim.account)
	if errors.Is(err, sql.ErrNoRows) {
		return openClaim{}, refuse(fmt.Errorf("attempt %d is not waiting for an answer", attempt))
	}
	return claim, err
}

// noteSettled keeps the claim from being settled once more, and in flight as
// long as the commit is under way.
func (l *Ledger) noteSettled(attempt int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if claim, known := l.open[attempt]; known {
		claim.settled = true
		l.open[attempt] = claim
	}
}
