package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	addTripSQL = `INSERT INTO trips
		(id, account, trip_id, service_date, minute, leg, input, sheet, row_num, attempt, taken)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
		ON CONFLICT DO NOTHING`
	tripByIDSQL = `SELECT t.id, t.taken, a.number FROM trips t
		JOIN attempts a ON a.id = t.attempt WHERE t.account = ? AND t.trip_id = ?`
	tripBySourceSQL = `SELECT id FROM trips
		WHERE input = ? AND row_num = ? AND leg = ? AND sheet = ? AND taken = 1`
	claimAgainSQL = `UPDATE trips SET service_date = ?, minute = ?, leg = ?, old_identity = NULL,
		input = ?, sheet = ?, row_num = ?, attempt = ?, resolution = NULL, taken = 1
		WHERE id = ? AND taken = 0`
	addAttemptSQL = `INSERT INTO attempts
		(id, trip, run, number, input, row_num, leg, mapping, layout, properties, claimed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	addIdentitySQL = `INSERT INTO identities (day, identity, attempt, times) VALUES (?, ?, ?, ?)`
)

// Claim implements importer.Ledger. Once it has begun it does not return before
// it is certain whether the claim is on the disk, whatever becomes of ctx.
func (l *Ledger) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	if err := ctx.Err(); err != nil {
		return importer.Claimed{}, err
	}
	if l.commits == nil {
		return importer.Claimed{}, lookingFault()
	}
	k := l.newClaim(c)
	err := l.commits.do(func(ctx context.Context, w *writer) error { return l.claim(ctx, w, k) })
	if err != nil {
		return importer.Claimed{}, err
	}
	return importer.Claimed{Attempt: k.attempt}, nil
}

// A claim is a claim in the ledger's own terms. The hashes are made before its
// turn to be written, by the worker that makes the claim.
type claim struct {
	importer.Claim
	date       importer.Date
	minute     int
	identities []identityRow
	print      fingerprint
	sheet      string
	at         string

	account, layout, input, sheetText, mapping, run int64
	trip, attempt                                   int64
}

func (l *Ledger) newClaim(c importer.Claim) *claim {
	when := c.Trip.Time()
	return &claim{
		Claim:      c,
		date:       when.Date,
		minute:     minuteOf(when.TimeOfDay),
		identities: l.hash.identityRows(c.Trip),
		print:      l.hash.fingerprint(c.Trip),
		sheet:      l.hash.sheetName(c.Trip.Row.Sheet),
		at:         instant(c.At),
	}
}

func (l *Ledger) claim(ctx context.Context, w *writer, k *claim) error {
	if err := l.resolveIDs(ctx, w, k); err != nil {
		return err
	}
	k.attempt = w.lastAttempt + 1
	number, err := w.claimTrip(ctx, k)
	if err != nil {
		return err
	}
	_, err = w.stmts.addAttempt.ExecContext(ctx, k.attempt, k.trip, k.run, number,
		k.input, k.Row, k.Trip.Leg.Code(), k.mapping, k.layout, k.print.digests, k.at)
	if err != nil {
		return err
	}
	for _, r := range k.identities {
		if _, err := w.stmts.addIdentity.ExecContext(ctx, r.day, r.hash, k.attempt, r.times); err != nil {
			return err
		}
	}
	if err := l.noteRider(ctx, w, k); err != nil {
		return err
	}
	w.lastAttempt = k.attempt
	l.noteOpen(k)
	return nil
}

// resolveIDs looks up what the claim refers to.
func (l *Ledger) resolveIDs(ctx context.Context, w *writer, k *claim) (err error) {
	if k.run, err = w.run(ctx, k.Run); err != nil {
		return err
	}
	if k.account, err = l.bookingAccount(ctx, w, k.Account); err != nil {
		return err
	}
	for _, t := range []struct {
		text string
		id   *int64
	}{{k.print.layout, &k.layout}, {k.Input, &k.input}, {k.sheet, &k.sheetText}, {k.MappingHash, &k.mapping}} {
		if *t.id, err = w.text(ctx, t.text); err != nil {
			return err
		}
	}
	return nil
}

// claimTrip makes the trip's row, or takes the one that is free, and gives the
// number of the attempt.
func (w *writer) claimTrip(ctx context.Context, k *claim) (int, error) {
	k.trip = w.lastTrip + 1
	added, err := w.stmts.addTrip.ExecContext(ctx, k.trip, k.account, k.Trip.ID, k.date.String(), k.minute,
		k.Trip.Leg.Code(), k.input, k.sheetText, k.Row, k.attempt)
	if err != nil {
		return 0, err
	}
	n, err := added.RowsAffected()
	if err != nil {
		return 0, err
	}
	if n == 1 {
		w.lastTrip = k.trip
		return 1, nil
	}
	return w.claimKnown(ctx, k)
}

// claimKnown takes a trip that has a record already, if it is free to be sent.
func (w *writer) claimKnown(ctx context.Context, k *claim) (int, error) {
	var taken bool
	var attempts int
	err := w.stmts.tripByID.QueryRowContext(ctx, k.account, k.Trip.ID).Scan(&k.trip, &taken, &attempts)
	known := err == nil
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	if known && taken {
		return 0, refuse(importer.ErrClaimed)
	}
	var other int64
	err = w.stmts.tripBySource.QueryRowContext(ctx, k.input, k.Row, k.Trip.Leg.Code(), k.sheetText).Scan(&other)
	if err == nil {
		return 0, refuse(importer.ErrClaimed) // the row made another trip
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	if !known {
		return 0, errors.New("another program writes to the ledger")
	}
	_, err = w.stmts.claimAgain.ExecContext(ctx, k.date.String(), k.minute, k.Trip.Leg.Code(),
		k.input, k.sheetText, k.Row, k.attempt, k.trip)
	return attempts + 1, err
}

// noteOpen remembers that this process is about to send the trip. It comes
// before the commit, so that nobody can see the claim and take it for one that
// a run left behind.
func (l *Ledger) noteOpen(k *claim) {
	l.cache.add(k)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[k.attempt] = openClaim{run: k.Run, trip: k.trip, account: k.account}
}

func lookingFault() *ledger.Error {
	return &ledger.Error{
		Code:   "ledger-only-looked-at",
		Reason: "the ledger was opened for looking only",
		Fix:    "open it with its lock to write to it",
	}
}
