package tables

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	recordColumns = `t.trip_id, t.sealed_id, c.service, c.provider, t.service_date, t.minute, t.leg, a.number, a.claimed_at, r.id,
		m.text, a.id, k.text, COALESCE(x.properties, a.properties), t.account, COALESCE(b.text, ''),
		t.row_key, t.pickup_place, t.dropoff_place, t.old_identity, COALESCE(x.id, 0), COALESCE(t.change, 0), ` + noteColumns + outcomeColumns
	// A record shows a trip with the attempt that counts.
	recordTables = ` FROM trips t
		JOIN attempts a ON a.id = t.attempt ` + recordJoins
	recordJoins = `JOIN accounts c ON c.id = t.account
		JOIN runs r ON r.num = a.run
		LEFT JOIN accepted x ON x.id = t.accepted
		JOIN texts m ON m.id = COALESCE(x.mapping, a.mapping)
		JOIN texts k ON k.id = COALESCE(x.layout, a.layout)
		LEFT JOIN texts b ON b.id = t.broker
		LEFT JOIN settlements s ON s.attempt = a.id
		LEFT JOIN resolutions v ON v.id = t.resolution ` + changeJoins + noteJoins
	findSQL    = "SELECT " + recordColumns + recordTables + "WHERE t.account = ? AND t.trip_id IN (?, ?) ORDER BY t.taken DESC LIMIT 1"
	findRowSQL = "SELECT " + recordColumns + recordTables + `
		JOIN texts i ON i.id = t.input
		JOIN texts n ON n.id = t.sheet
		WHERE i.text = ? AND t.row_num = ? AND t.leg = ? AND n.text = ? AND t.taken = 1
		AND (? IN ('', (SELECT s.address FROM addresses s WHERE s.id = t.service)))`
	// CROSS JOIN makes the database begin with the identities, which have few attempts.
	similarSQL = "SELECT y.pickup_unit, y.dropoff_unit, y.times, " + recordColumns + ` FROM identities y
		CROSS JOIN attempts a ON a.id = y.attempt
		CROSS JOIN trips t ON t.id = a.trip AND t.attempt = a.id ` + recordJoins + `
		WHERE y.day = ? AND y.identity = ? AND ` + isSimilarSQL
	oldSimilarSQL = "SELECT '', '', '', " + recordColumns + recordTables + `
		WHERE t.service_date = ? AND t.old_identity = ? AND t.minute BETWEEN ? AND ? AND ` + isSimilarSQL
	isSimilarSQL = `t.taken = 1 AND t.service = (SELECT d.service FROM addresses d WHERE d.address = ?)
		AND NOT (t.account = ? AND t.trip_id IN (?, ?))`
	hasOldSQL = `SELECT EXISTS (SELECT 1 FROM trips WHERE old_identity IS NOT NULL),
		EXISTS (SELECT 1 FROM meta WHERE name = ?), COALESCE((SELECT value FROM meta WHERE name = 'earlier_until'), '')`
)

// A storedRecord is a record with the values that are stored beside it.
type storedRecord struct {
	importer.Record
	outcome
	account int64
	// The keyed hashes of the row's key and of the trip's places, and the identity of
	// schema 1.
	rowKey, pickupPlace, dropoffPlace, oldIdentity []byte
	// The stored identity, in queries by identity.
	pickupUnit, dropoffUnit, times string
	// fingerprint has the values that count as booked. note has the values that the
	// schedule had before the trip was booked, and sent the values that were sent then, if
	// there is a note.
	fingerprint, note, sent keyed.Fingerprint
}

// Find implements importer.Ledger.
func (l *Ledger) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (importer.Record, bool, error) {
	id, known, err := l.accountID(ctx, account)
	if err != nil || !known {
		return importer.Record{}, false, l.readError(ctx, err)
	}

	hash := l.Hashes.TripID(trip.ID)
	if lacks, err := l.lacks(ctx, l.lookUps, l.cache.askTrip(id, trip.ID, hash)); err != nil || lacks {
		return importer.Record{}, false, l.readError(ctx, err)
	}

	r, ok, err := l.findOne(ctx, trip, findSQL, id, trip.ID, hash)
	if err == nil && !ok {
		l.cache.missed(l.commits)
	}
	return r, ok, err
}

// FindRow implements ledger.Ledger.
func (l *Ledger) FindRow(ctx context.Context, service, input string, trip *importer.Trip) (importer.Record, bool, error) {
	return l.findOne(ctx, trip, findRowSQL, input, trip.Row.Row, trip.Leg.Code(), l.Hashes.Sheet(trip.Row.Sheet), service)
}

// findOne returns the record that a statement finds, compared with the trip.
func (l *Ledger) findOne(ctx context.Context, trip *importer.Trip, text string, args ...any) (importer.Record, bool, error) {
	r, err := l.scanRecord(l.lookUps.QueryRowContext(ctx, text, args...))
	if err == nil && !r.known() && !r.live && !l.inFlight(r.Attempt) {
		// The attempt may have been settled between the look-up and the call of inFlight.
		r, err = l.scanRecord(l.lookUps.QueryRowContext(ctx, text, args...))
	}

	if errors.Is(err, sql.ErrNoRows) {
		return importer.Record{}, false, nil
	}

	if err != nil {
		return importer.Record{}, false, l.readError(ctx, err)
	}

	l.compare(&r, trip)
	return r.Record, true, nil
}

// Similar implements importer.Ledger.
func (l *Ledger) Similar(ctx context.Context, account importer.Account, trip *importer.Trip, within int) ([]importer.Record, error) {
	accountID, known, err := l.accountID(ctx, account)
	if err != nil {
		return nil, l.readError(ctx, err)
	}

	found, err := l.findSimilar(ctx, l.lookUps, account.Service, accountID, trip, within)
	if err == nil && !known {
		found, err = l.withoutItself(ctx, account, trip, found)
	}
	if err == nil && l.hasOld {
		var old []storedRecord
		old, err = l.findOldSimilar(ctx, account.Service, accountID, trip, oldSpans(trip, within))
		found = append(found, old...)
	}

	if err != nil {
		return nil, l.readError(ctx, err)
	}

	slices.SortFunc(found, func(a, b storedRecord) int { return cmp.Compare(a.Attempt, b.Attempt) })
	found = slices.CompactFunc(found, func(a, b storedRecord) bool { return a.Attempt == b.Attempt })
	var records []importer.Record
	for _, r := range found {
		l.compare(&r, trip)
		records = append(records, r.Record)
	}
	return records, nil
}

// findSimilar finds trips by their identities. A trip that has times on two days
// may be found twice.
func (l *Ledger) findSimilar(ctx context.Context, q Querier, service string, account int64, trip *importer.Trip, within int) ([]storedRecord, error) {
	return l.findIdentities(ctx, q, service, account, trip, l.near(trip, within), mayBe(within))
}

// mayBe returns a function that compares identities by Identity.MayBe(…, within).
func mayBe(within int) func(ours, other importer.Identity) bool {
	return func(ours, other importer.Identity) bool { return ours.MayBe(other, within) }
}

// An identityOnDay is an identity by which the ledger may have a trip on a day.
type identityOnDay struct {
	importer.Identity

	day  importer.Date
	hash []byte
}

// near returns the identities of trips that may be the same within that many minutes.
func (l *Ledger) near(trip *importer.Trip, within int) []identityOnDay {
	id, ok := trip.Identity()
	if !ok {
		return nil
	}
	return l.onDays(trip, id, keyed.DaysNear(id, within))
}

// sameDay returns the identities of trips of the same rider between the same places on
// the day of the trip.
func (l *Ledger) sameDay(trip *importer.Trip) []identityOnDay {
	id, ok := trip.Places()
	if !ok || trip.Date().IsZero() {
		return nil
	}
	return l.onDays(trip, id, []importer.Date{trip.Date()})
}

// onDays returns the identities under which the ledger may have a trip on one of the
// days, in today's form and in those of earlier versions. All have the times of id.
func (l *Ledger) onDays(trip *importer.Trip, id importer.Identity, days []importer.Date) []identityOnDay {
	var all []identityOnDay
	for _, day := range days {
		for _, ours := range l.placesOf(trip, id, day) {
			ours.Times = id.Times
			all = append(all, identityOnDay{ours, day, l.Hashes.Identity(ours, day)})
		}
	}
	return all
}

// SameDay implements importer.Ledger.
func (l *Ledger) SameDay(ctx context.Context, account importer.Account, trip *importer.Trip) ([]importer.Record, error) {
	today := l.sameDay(trip)
	if len(today) == 0 {
		return nil, nil
	}

	accountID, known, err := l.accountID(ctx, account)
	if err != nil {
		return nil, l.readError(ctx, err)
	}

	found, err := l.findIdentities(ctx, l.lookUps, account.Service, accountID, trip, today, importer.Identity.SamePlaces)
	if err == nil && !known {
		found, err = l.withoutItself(ctx, account, trip, found)
	}
	for _, kind := range oldTypes() {
		if err != nil || !l.hasOld {
			break
		}
		like, wholeDay := *trip, span{trip.Date(), 0, minutesPerDay - 1}
		like.Type = kind
		var old []storedRecord
		old, err = l.findOldSimilar(ctx, account.Service, accountID, &like, []span{wholeDay})
		found = append(found, old...)
	}
	if err != nil {
		return nil, l.readError(ctx, err)
	}

	var records []importer.Record
	for _, r := range found {
		l.compare(&r, trip)
		if r.Date == trip.Date() {
			records = append(records, r.Record)
		}
	}
	return records, nil
}

// withoutItself leaves out the trip of the query. It is for a trip whose account was not
// known: another process may have claimed the trip meanwhile, and so added the account.
func (l *Ledger) withoutItself(ctx context.Context, account importer.Account, trip *importer.Trip, found []storedRecord) ([]storedRecord, error) {
	if len(found) == 0 {
		return nil, nil
	}
	id, _, err := l.accountID(ctx, account)
	return slices.DeleteFunc(found, func(r storedRecord) bool { return r.account == id && r.TripID == trip.ID }), err
}

// findIdentities finds the trips that have one of the identities and for which fits
// returns true.
func (l *Ledger) findIdentities(ctx context.Context, q Querier, service string, account int64, trip *importer.Trip, identities []identityOnDay,
	fits func(ours, other importer.Identity) bool,
) ([]storedRecord, error) {
	has, err := l.mayHave(ctx, q, l.askIdentities(identities)...)
	if err != nil {
		return nil, err
	}
	var similar []storedRecord
	for i, id := range identities {
		if !has[i] {
			continue
		}
		found, err := l.findAll(ctx, q, similarSQL, id.day.String(), id.hash, service, account, trip.ID, l.Hashes.TripID(trip.ID))
		if err != nil {
			return nil, err
		}
		// Units are compared by their hashes, since the ledger has nothing else.
		ours := id.Identity
		ours.PickupUnit, ours.DropoffUnit = l.Hashes.Units(ours, id.day)
		for _, r := range found {
			other := ours // the same, apart from the units and the times
			other.PickupUnit, other.DropoffUnit = r.pickupUnit, r.dropoffUnit
			if other.Times, err = keyed.ParseTimes(r.times, id.day); err != nil {
				return nil, err
			}
			if fits(ours, other) {
				similar = append(similar, r)
			}
		}
	}
	return similar, nil
}

// findOldSimilar finds trips of schema 1 by the rule of schema 1.
func (l *Ledger) findOldSimilar(ctx context.Context, service string, account int64, trip *importer.Trip, spans []span) ([]storedRecord, error) {
	var similar []storedRecord
	for _, s := range spans {
		hash := l.Hashes.OldIdentity(trip, s.day)
		if hash == nil || l.cache.lacks(l.cache.askIdentity(s.day, hash).marks) {
			continue
		}
		found, err := l.findAll(ctx, l.lookUps, oldSimilarSQL, s.day.String(), hash, s.first, s.last, service, account, trip.ID, l.Hashes.TripID(trip.ID))
		if err != nil {
			return nil, err
		}
		similar = append(similar, found...)
	}
	return similar, nil
}

// findAll returns the records that a statement finds, with the units and times of their
// identities.
func (l *Ledger) findAll(ctx context.Context, q Querier, text string, args ...any) ([]storedRecord, error) {
	return Query(ctx, q, func(row Scanner) (storedRecord, error) {
		var pickupUnit, dropoffUnit, times string
		r, err := l.scanRecord(row, &pickupUnit, &dropoffUnit, &times)
		r.pickupUnit, r.dropoffUnit, r.times = pickupUnit, dropoffUnit, times
		return r, err
	}, text, args...)
}

// compare sets the fields of a record that depend on the trip of the query, such as
// Differs.
func (l *Ledger) compare(r *storedRecord, trip *importer.Trip) {
	l.fillInFlight(&r.Record, &r.outcome)
	now := l.values(trip, r.TripID)
	r.Differs = now.Differs(r.fingerprint)
	l.dropEarlier(r, trip)
	l.splitFixed(r, trip)
	if r.Change != nil {
		_, of := r.change.openValues()
		r.Change.Same = now.Same(of, r.Change.Keys...)
	}
	if trip.ID != r.TripID {
		r.Differs = append([]string{"trip_id"}, r.Differs...)
	}
	r.OtherTrip = trip.Date() != r.Date && !slices.Contains(r.Fixed, beginKey(trip)) || importer.Identifying(r.Differs)
}

// dropEarlier removes from Differs the properties that differ only because an earlier
// version stored the value in another form.
func (l *Ledger) dropEarlier(r *storedRecord, trip *importer.Trip) {
	if len(r.Differs) == 0 || !l.isEarlier(r.Date) {
		return
	}
	bound := *trip
	bound.ID = r.TripID
	earlier := l.Hashes.EarlierFingerprint(&bound)
	has := earlier.PropertyKeys()
	r.Differs = slices.DeleteFunc(r.Differs, func(key string) bool {
		return slices.Contains(has, key) && earlier.Same(r.fingerprint, key)
	})
}

// values returns the fingerprint of a trip, or only of the properties with the keys in
// only, bound to the given id.
func (l *Ledger) values(trip *importer.Trip, id string, only ...string) keyed.Fingerprint {
	bound := *trip
	bound.ID = id
	return l.Hashes.Fingerprint(&bound, only...)
}

// fillInFlight sets InFlight of the record and of its change.
func (l *Ledger) fillInFlight(r *importer.Record, o *outcome) {
	r.InFlight = !o.known() && (o.live || l.inFlight(r.Attempt))
	if r.Change != nil {
		r.Change.InFlight = l.changing(&o.change)
	}
}

// inFlight reports whether an attempt without an outcome is being sent now by this
// process, or by the process that writes while this one only reads.
func (l *Ledger) inFlight(attempt int64) bool {
	if l.HeldByOther {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, open := l.open[attempt]
	return open
}

// IsHere reports whether this process is sending the trip of a record, or has the run
// that claimed it last.
func (l *Ledger) IsHere(r *importer.Record) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, open := l.open[r.Attempt]
	return open || l.liveRuns[r.Run]
}

// scanRecord scans recordColumns, and the columns before them.
func (l *Ledger) scanRecord(row Scanner, before ...any) (storedRecord, error) {
	var r storedRecord
	var broker string
	var minute int
	var sealed []byte
	columns := append(before,
		&r.TripID, &sealed, &r.Account.Service, &r.Account.Provider,
		dayColumn(&r.Date), &minute, legColumn(&r.Leg), &r.Attempts, instantColumn(&r.ClaimedAt), &r.Run,
		&r.MappingHash, &r.Attempt, &r.fingerprint.Keys, &r.fingerprint.Hashes, &r.account, &broker, &r.rowKey,
		&r.pickupPlace, &r.dropoffPlace, &r.oldIdentity, &r.Revision.Accepted, &r.Revision.Change, &r.note.Keys, &r.note.Hashes, &r.sent.Keys, &r.sent.Hashes)
	if err := row.Scan(append(columns, r.targets()...)...); err != nil {
		return storedRecord{}, err
	}

	r.Time = timeAt(r.Date, minute)
	r.RowMark = rowMark(broker, r.rowKey)
	r.fill(&r.Record)
	return r, l.unsealID(&r.Record, sealed)
}
