package tables

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	tripColumns = `INSERT INTO trips
		(id, account, trip_id, service_date, minute, leg, input, sheet, row_num, attempt,
		broker, row_key, pickup_place, dropoff_place, sealed_id, taken, service, address) `
	// addTripSQL adds a trip unless the ledger has it, or another trip with its row and
	// leg.
	addTripSQL = addNewTripSQL + " ON CONFLICT DO NOTHING"
	// addNewTripSQL adds a trip that was found to be new. It fails if the trip is not
	// new.
	addNewTripSQL = tripColumns + `VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1,
		(SELECT d.service FROM addresses d WHERE d.address = ?), (SELECT d.id FROM addresses d WHERE d.address = ?))`
	findTripSQL = `SELECT t.id, t.taken, a.number FROM trips t
		JOIN attempts a ON a.id = t.attempt WHERE t.account = ? AND t.trip_id IN (?, ?) ORDER BY t.taken DESC LIMIT 1`
	rowTripSQL = `SELECT id FROM trips
		WHERE input = ? AND row_num = ? AND leg = ? AND sheet = ? AND taken = 1
		AND service = (SELECT d.service FROM addresses d WHERE d.address = ?)`
	claimAgainSQL = `UPDATE trips SET trip_id = ?, sealed_id = ?, service_date = ?, minute = ?, leg = ?, old_identity = NULL,
		input = ?, sheet = ?, row_num = ?, attempt = ?, broker = ?, row_key = ?, pickup_place = ?, dropoff_place = ?,
		resolution = NULL, accepted = NULL, change = NULL, taken = 1,
		(service, address) = (SELECT d.service, d.id FROM addresses d WHERE d.address = ?)
		WHERE id = ? AND taken = 0`
	addAttemptSQL = `INSERT INTO attempts
		(id, trip, run, number, input, row_num, leg, mapping, layout, properties, claimed_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	// A trip whose values changed keeps its old times and gets the new ones.
	addIdentitiesSQL = "INSERT INTO identities (day, identity, attempt, pickup_unit, dropoff_unit, times) VALUES "
	identitySQL      = "(?, ?, ?, ?, ?, ?)"
	orAddTimesSQL    = `
		ON CONFLICT (day, identity, attempt) DO UPDATE SET times = identities.times || ' ' || excluded.times`
)

// Claim implements importer.Ledger. Once it has begun it does not return before
// it is certain whether the claim is durable, whatever becomes of ctx.
func (l *Ledger) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	if err := ctx.Err(); err != nil {
		return importer.Claimed{}, err
	}

	k := l.newClaim(c)
	err := l.commits.doAsking(
		func(w *Writer) []question { return l.questions(w, k) },
		func(ctx context.Context, w *Writer) error { return l.claim(ctx, w, k) })
	if err != nil {
		l.dropOpenClaim(k)
		return importer.Claimed{}, err
	}
	return importer.Claimed{Attempt: k.attempt}, nil
}

// A claim is a claim as it is stored. Its hashes are made by the worker that
// claims, before its turn to write.
type claim struct {
	importer.Claim
	date        string
	minute      int
	leg         string
	identities  []keyed.IdentityRow
	fingerprint keyed.Fingerprint
	// near are the identities of trips with which the claim may collide, and beside the
	// identities of the trips that its Look is about.
	near, beside []identityOnDay
	sheet        string
	at           string
	brokerHash   string
	// id is the trip's id as it is stored, in clear or hashed, and otherID is the other
	// form.
	id, otherID string
	hashedID    string
	sealedID    []byte

	rowKey, pickupPlace, dropoffPlace []byte

	account, broker, layout, input, sheetText, mapping, run int64
	trip, attempt                                           int64
	// open reports that the claim is in Ledger.open: this process is about to send it.
	open bool
}

func (l *Ledger) newClaim(c importer.Claim) *claim {
	begins := c.Trip.Time()
	id, ok := c.Trip.Identity()
	k := &claim{
		Claim:       c,
		date:        begins.Date.String(),
		minute:      minuteOf(begins.TimeOfDay),
		leg:         c.Trip.Leg.Code(),
		identities:  l.Hashes.IdentityRows(id),
		fingerprint: l.Hashes.Fingerprint(c.Trip),
		sheet:       l.Hashes.Sheet(c.Trip.Row.Sheet),
		at:          instant(c.At),
		brokerHash:  l.Hashes.Broker(c.Key.Broker),
		rowKey:      l.Hashes.Row(c.Key),
		id:          c.Trip.ID,
		hashedID:    l.Hashes.TripID(c.Trip.ID),
	}
	k.otherID = k.hashedID
	if k.Within > 0 {
		k.near = l.onDays(c.Trip, id, keyed.DaysNear(id, k.Within))
	}
	if c.Trip.Alias != "" {
		k.id, k.otherID = k.otherID, k.id
		k.sealedID = l.Hashes.Encrypt(c.Trip.ID)
	}
	if !ok { // the trip has no times, or not all of its places
		id, _ = c.Trip.Places()
	}
	k.pickupPlace, k.dropoffPlace = l.Hashes.Places(k.rowKey, id)
	for _, hash := range l.Hashes.Spellings(c.Key.Broker, c.Key.ID, begins.Date) {
		k.identities = append(k.identities, keyed.IdentityRow{Day: begins.Date, Hash: hash, PickupUnit: l.Hashes.SpeltRider(c.Trip.RiderID, begins.Date)})
	}
	if k.Look != nil && !l.Alone { // if Alone, nobody else books
		k.beside = l.spellings(c.Key, c.Trip, begins.Date)
		if k.Look.SameDay {
			k.beside = append(k.beside, l.sameDay(c.Trip)...)
		}
	}
	return k
}

func (l *Ledger) claim(ctx context.Context, w *Writer, k *claim) error {
	l.dropOpenClaim(k) // from a first transaction, which was rolled back
	if err := l.lookUpIDs(ctx, w, k); err != nil {
		return err
	}

	if err := l.refuseCollision(ctx, w, k); err != nil {
		return err
	}
	if err := l.refuseOutdated(ctx, w, k); err != nil {
		return err
	}

	k.attempt = w.LastAttempt + 1
	number, err := l.claimTrip(ctx, w, k)
	if err != nil {
		return err
	}

	err = w.Later(ctx, addAttemptSQL, k.attempt, k.trip, k.run, number,
		k.input, k.Row, k.leg, k.mapping, k.layout, k.fingerprint.Hashes, k.at)
	if err != nil {
		return err
	}

	if err := w.addIdentities(ctx, k.attempt, k.identities); err != nil {
		return err
	}

	if k.Trip.RiderID != "" {
		// The hash needs the account's id, which the worker did not have.
		err := w.Later(ctx, addRiderSQL, k.account, l.Hashes.Rider(k.account, k.Trip.RiderID), k.attempt)
		if err != nil {
			return err
		}
	}

	w.LastAttempt = k.attempt
	l.removeAbsent(w, k)
	l.addOpenClaim(k)
	return nil
}

// addIdentities adds the identities by which the trip of an attempt is found.
func (w *Writer) addIdentities(ctx context.Context, attempt int64, rows []keyed.IdentityRow) error {
	if len(rows) == 0 {
		return nil
	}
	args := make([]any, 0, 6*len(rows))
	for _, r := range rows {
		args = append(args, r.Day.String(), r.Hash, attempt, r.PickupUnit, r.DropoffUnit, r.Times)
	}
	all := identitySQL + strings.Repeat(", "+identitySQL, len(rows)-1)
	return w.Later(ctx, addIdentitiesSQL+all+orAddTimesSQL, args...)
}

// lookUpIDs looks up the ids of the rows to which the claim refers.
func (l *Ledger) lookUpIDs(ctx context.Context, w *Writer, k *claim) (err error) {
	if k.run, err = w.openRun(ctx, k.Run); err != nil {
		return err
	}

	if k.account, err = l.claimAccount(ctx, w, k.Account); err != nil {
		return err
	}

	ids, err := w.textIDs(ctx, k.fingerprint.Keys, k.Input, k.sheet, k.MappingHash, k.brokerHash)
	if err == nil {
		k.layout, k.input, k.sheetText, k.mapping, k.broker = ids[0], ids[1], ids[2], ids[3], ids[4]
	}
	return err
}

// claimTrip adds the trip, or takes the stored one if it is free to be sent, and returns
// the number of the attempt.
func (l *Ledger) claimTrip(ctx context.Context, w *Writer, k *claim) (int, error) {
	k.trip = w.LastTrip + 1
	columns := []any{
		k.trip, k.account, k.id, k.date, k.minute, k.leg, k.input, k.sheetText, k.Row, k.attempt,
		k.broker, k.rowKey, k.pickupPlace, k.dropoffPlace, k.sealedID, k.Account.Service,
	}
	if l.isNew(w, k) {
		w.LastTrip = k.trip
		return 1, w.Later(ctx, addNewTripSQL, append(columns, k.Account.Service)...)
	}
	if lacks, err := l.lacks(ctx, w, l.cache.askTrip(k.account, k.Trip.ID, k.hashedID)); err != nil {
		return 0, err
	} else if !lacks {
		number, known, err := w.claimAgain(ctx, k)
		if err != nil || known {
			return number, err
		}
	}

	added, err := w.ExecContext(ctx, addTripSQL, append(columns, k.Account.Service)...)
	if err != nil {
		return 0, err
	}
	n, err := added.RowsAffected()
	if err == nil && n == 0 {
		err = cmp.Or(w.refuseRow(ctx, k), errors.New("another program writes to the ledger"))
	}
	w.LastTrip += n
	return 1, err
}

// claimAgain takes a trip that was claimed before. It refuses the claim if the trip is
// not free to be sent, or if its row has made another trip since. known reports whether
// the ledger has the trip.
func (w *Writer) claimAgain(ctx context.Context, k *claim) (number int, known bool, err error) {
	var taken bool
	var attempts int
	err = w.QueryRowContext(ctx, findTripSQL, k.account, k.id, k.otherID).Scan(&k.trip, &taken, &attempts)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, err
	case taken:
		return 0, true, refuse(importer.ErrClaimed)
	}

	if err := w.refuseRow(ctx, k); err != nil {
		return 0, true, err
	}
	_, err = w.ExecContext(ctx, claimAgainSQL, k.id, k.sealedID, k.date, k.minute, k.leg,
		k.input, k.sheetText, k.Row, k.attempt, k.broker, k.rowKey, k.pickupPlace, k.dropoffPlace, k.Account.Service, k.trip)
	return attempts + 1, true, err
}

// refuseRow refuses a claim whose row has another trip with the same leg.
func (w *Writer) refuseRow(ctx context.Context, k *claim) error {
	var other int64
	err := w.QueryRowContext(ctx, rowTripSQL, k.input, k.Row, k.leg, k.sheetText, k.Account.Service).Scan(&other)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err == nil:
		return refuse(importer.ErrClaimed)
	}
	return err
}

// dropOpenClaim forgets a claim that was not committed. It does so only once, because
// another claim may get the same number.
func (l *Ledger) dropOpenClaim(k *claim) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if k.open {
		delete(l.open, k.attempt)
	}
	k.open = false
}

// addOpenClaim remembers that this process is about to send the trip. It is called before
// the commit, because a reader who sees the claim must not take it for one that a broken
// run left behind, and the cache must not say that there is none.
func (l *Ledger) addOpenClaim(k *claim) {
	l.cache.add(k)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[k.attempt] = openClaim{run: k.Run, trip: k.trip, account: k.account}
	k.open = true
}
