package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"tripimport/importer"
)

const (
	openAttemptSQL = `SELECT t.id, t.account FROM trips t
		JOIN attempts a ON a.trip = t.id AND a.id = t.attempt
		WHERE a.id = ? AND t.resolution IS NULL
		AND NOT EXISTS (SELECT 1 FROM settlements s WHERE s.attempt = a.id)`
	// addSettlementSQL fails if the attempt is settled, or the account has the GUID.
	addSettlementSQL = `INSERT INTO settlements
		(attempt, account, state, guid, guid_key, guid_missing, http_status, code, settled_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	// guidTakenSQL is true if a trip other than the given one has the GUID. The index of
	// the settlements' GUIDs begins with the account, so the accounts are looped over.
	guidTakenSQL = `(EXISTS (SELECT 1 FROM accounts c CROSS JOIN settlements x ON x.account = c.id
			CROSS JOIN attempts b ON b.id = x.attempt WHERE x.guid_key = ? AND b.trip <> ?) OR
		EXISTS (SELECT 1 FROM resolutions r JOIN attempts b ON b.id = r.attempt
			WHERE r.guid_key = ? AND b.trip <> ? AND ` + lastAnswerSQL + `))`
	freeTripSQL = `UPDATE trips SET taken = 0 WHERE id = ?`
)

// Settle implements importer.Ledger. It ignores the end of ctx, because what came of an
// attempt must be written above all when a run is being stopped. It stores a GUID only
// for a trip that was created. A trip that was created without a GUID is GUIDMissing.
func (l *Ledger) Settle(_ context.Context, c importer.Claimed, s importer.Settlement) error {
	if !slices.Contains([]importer.State{importer.Created, importer.Refused, importer.Unknown, importer.NotSent}, s.State) {
		return fmt.Errorf("an attempt can't end as %s", s.State.Code())
	}

	var g storedGUID
	if s.State == importer.Created {
		g = newStoredGUID(s.GUID)
		g.missing = g.missing && s.Code != importer.CodeBookedByHand
	}

	err := l.commits.doAsking(
		func(*Writer) []question { return []question{askGUID(g)} },
		func(ctx context.Context, w *Writer) error { return l.settle(ctx, w, c.Attempt, s, g) })

	l.mu.Lock()
	defer l.mu.Unlock()
	switch claim, known := l.open[c.Attempt]; {
	case err == nil:
		delete(l.open, c.Attempt)
	case known && errors.Is(err, importer.ErrGUIDTaken):
		claim.settled = false // a first transaction may have set it, and was rolled back
		l.open[c.Attempt] = claim
	}
	return err
}

func (l *Ledger) settle(ctx context.Context, w *Writer, attempt int64, s importer.Settlement, g storedGUID) error {
	claim, err := l.unsettledClaim(ctx, w, attempt)
	if err != nil {
		return err
	}

	if err := w.addSettlement(ctx, attempt, claim.account, s, g); err != nil {
		return err
	}

	if s.State == importer.Refused || s.State == importer.NotSent {
		if err := w.Later(ctx, freeTripSQL, claim.trip); err != nil {
			return err
		}
	}

	l.markSettled(attempt)
	return nil
}

// addSettlement adds a settlement. It refuses it if another trip has the GUID, under any
// provider, whether the service or a person gave it.
func (w *Writer) addSettlement(ctx context.Context, attempt, account int64, s importer.Settlement, g storedGUID) error {
	if g.key != nil {
		if asked := askGUID(g); w.absent[asked] {
			delete(w.absent, asked)
		} else if err := w.refuseGUID(ctx, 0, g); err != nil {
			return err
		}
	}
	return w.Later(ctx, addSettlementSQL,
		attempt, account, s.State.Code(), g.text, g.key, flag(g.missing), s.HTTPStatus, s.Code, instant(s.At))
}

// refuseGUID refuses a GUID that a trip other than the given one has.
func (w *Writer) refuseGUID(ctx context.Context, trip int64, g storedGUID) error {
	var taken bool
	err := w.QueryRowContext(ctx, "SELECT "+guidTakenSQL, g.key, trip, g.key, trip).Scan(&taken)
	if err == nil && taken {
		return refuse(importer.ErrGUIDTaken)
	}
	return err
}

// unsettledClaim returns the claim of an attempt that is not settled, from memory or, if
// its run has ended, from the database.
func (l *Ledger) unsettledClaim(ctx context.Context, w *Writer, attempt int64) (openClaim, error) {
	l.mu.Lock()
	claim, known := l.open[attempt]
	l.mu.Unlock()
	// If another process has ended the run, a person may have answered meanwhile.
	if _, going := w.runs[claim.run]; known && going && !claim.settled {
		return claim, nil
	}

	err := w.QueryRowContext(ctx, openAttemptSQL, attempt).Scan(&claim.trip, &claim.account)
	if errors.Is(err, sql.ErrNoRows) {
		return openClaim{}, refuse(fmt.Errorf("attempt %d is not waiting for a settlement", attempt))
	}
	return claim, err
}

// markSettled keeps the claim from being settled again. It stays in flight until
// the commit is done.
func (l *Ledger) markSettled(attempt int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if claim, known := l.open[attempt]; known {
		claim.settled = true
		l.open[attempt] = claim
	}
}

// A storedGUID is the GUID of a trip that was created, as it is stored. The zero
// storedGUID is for a trip that was not created.
type storedGUID struct {
	text    string
	key     any // importer.GUIDKey; nil for no GUID
	missing bool
}

func newStoredGUID(guid string) storedGUID {
	key := importer.GUIDKey(guid)
	if key == "" {
		return storedGUID{missing: true}
	}
	return storedGUID{text: guid, key: key}
}
