package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"

	"tripimport/importer"
)

const (
	recordColumns = `t.trip_id, a.service, a.provider, t.service_date, t.leg, p.number, p.claimed_at, r.id,
		m.text, t.attempt, k.text, p.properties, ` + answerColumns
	recordTables = ` FROM trips t
		JOIN attempts p ON p.id = t.attempt ` + recordJoins
	recordJoins = `JOIN accounts a ON a.id = t.account
		JOIN runs r ON r.num = p.run
		JOIN texts m ON m.id = p.mapping
		JOIN texts k ON k.id = p.layout
		LEFT JOIN settlements s ON s.attempt = t.attempt
		LEFT JOIN resolutions v ON v.id = t.resolution `
	findSQL   = "SELECT " + recordColumns + recordTables + "WHERE t.account = ? AND t.trip_id = ?"
	sourceSQL = "SELECT " + recordColumns + recordTables + `
		JOIN texts i ON i.id = t.input
		JOIN texts n ON n.id = t.sheet
		WHERE i.text = ? AND t.row_num = ? AND t.leg = ? AND n.text = ? AND t.taken = 1`
	// CROSS keeps the order of the look-ups: an identity has few attempts.
	similarSQL = "SELECT y.times, " + recordColumns + ` FROM identities y
		CROSS JOIN attempts p ON p.id = y.attempt
		CROSS JOIN trips t ON t.id = p.trip AND t.attempt = p.id ` + recordJoins + `
		WHERE y.day = ? AND y.identity = ? AND ` + mayBeBookedSQL
	oldSimilarSQL = "SELECT '', " + recordColumns + recordTables + `
		WHERE t.service_date = ? AND t.old_identity = ? AND t.minute BETWEEN ? AND ? AND ` + mayBeBookedSQL
	mayBeBookedSQL = "t.taken = 1 AND NOT (t.account = ? AND t.trip_id = ?)"
	// Trips of schema 1 have no identities.
	hasOldSQL = "SELECT EXISTS (SELECT 1 FROM trips WHERE old_identity IS NOT NULL)"
)

// lookups are the prepared statements of the reading side.
type lookups struct {
	find, source, similar, oldSimilar, newRider *sql.Stmt

	ready []*sql.Stmt // all of them, to be closed
}

func prepareLookups(ctx context.Context, db *sql.DB) (lookups, error) {
	var s lookups
	var err error
	s.ready, err = prepareAll(ctx, db, map[**sql.Stmt]string{
		&s.find: findSQL, &s.source: sourceSQL, &s.similar: similarSQL, &s.oldSimilar: oldSimilarSQL, &s.newRider: newRiderSQL,
	})
	return s, err
}

// A storedRecord has, beside what callers see, what the ledger goes by.
type storedRecord struct {
	importer.Record
	answer
	attempt int64
	times   string // of its identity, where that was asked for
	print   fingerprint
}

// Find implements importer.Ledger.
func (l *Ledger) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (importer.Record, bool, error) {
	id, known, err := l.accountID(ctx, account)
	if err != nil || !known {
		return importer.Record{}, false, l.readFault(ctx, err)
	}
	if l.cache.lacks(l.cache.tripMark(id, trip.ID)) {
		return importer.Record{}, false, nil
	}
	r, ok, err := l.one(ctx, trip, l.read.find, id, trip.ID)
	if err == nil && !ok {
		l.cache.missed(l.commits)
	}
	return r, ok, err
}

// FindRow implements ledger.Ledger.
func (l *Ledger) FindRow(ctx context.Context, input string, trip *importer.Trip) (importer.Record, bool, error) {
	return l.one(ctx, trip, l.read.source, input, trip.Row.Row, trip.Leg.Code(), l.hash.sheetName(trip.Row.Sheet))
}

// one gives the record that the statement finds, held against the trip.
func (l *Ledger) one(ctx context.Context, trip *importer.Trip, stmt *sql.Stmt, args ...any) (importer.Record, bool, error) {
	r, err := l.settled(func() (storedRecord, error) { return scanRecord(stmt.QueryRowContext(ctx, args...)) })
	if errors.Is(err, sql.ErrNoRows) {
		return importer.Record{}, false, nil
	}
	if err != nil {
		return importer.Record{}, false, l.readFault(ctx, err)
	}
	l.compare(&r, trip)
	return r.Record, true, nil
}

// settled reads a record, and once more where it shows a claim that nobody
// holds: it may have been settled between the reading and the question.
func (l *Ledger) settled(read func() (storedRecord, error)) (storedRecord, error) {
	r, err := read()
	if err != nil || r.settled() || l.inFlight(r.attempt) {
		return r, err
	}
	return read()
}

// Similar implements importer.Ledger.
func (l *Ledger) Similar(ctx context.Context, account importer.Account, trip *importer.Trip, within int) ([]importer.Record, error) {
	accountID, _, err := l.accountID(ctx, account)
	if err != nil {
		return nil, l.readFault(ctx, err)
	}
	found, err := l.sameIdentity(ctx, accountID, trip, within)
	if err == nil && l.hasOld {
		var old []storedRecord
		old, err = l.sameOldIdentity(ctx, accountID, trip, within)
		found = append(found, old...)
	}
	if err != nil {
		return nil, l.readFault(ctx, err)
	}

	slices.SortFunc(found, func(a, b storedRecord) int { return cmp.Compare(a.attempt, b.attempt) })
	found = slices.CompactFunc(found, func(a, b storedRecord) bool { return a.attempt == b.attempt })
	var records []importer.Record
	for _, r := range found {
		l.compare(&r, trip)
		records = append(records, r.Record)
	}
	return records, nil
}

// sameIdentity gives the trips that may be the same trip. One that has times on
// two days may be among them twice.
func (l *Ledger) sameIdentity(ctx context.Context, account int64, trip *importer.Trip, within int) ([]storedRecord, error) {
	id, ok := trip.Identity()
	if !ok {
		return nil, nil
	}
	var found []storedRecord
	for _, day := range daysNear(id, within) {
		hash := l.hash.identity(id, day)
		if l.cache.lacks(l.cache.identityMark(hash)) {
			continue
		}
		records, err := storedRecords(ctx, l.read.similar, day.String(), hash, account, trip.ID)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			other := id
			if other.Times, err = parseTimes(r.times, day); err != nil {
				return nil, err
			}
			if id.MayBe(other, within) {
				found = append(found, r)
			}
		}
	}
	return found, nil
}

// sameOldIdentity gives the trips of schema 1 that may be the same trip.
func (l *Ledger) sameOldIdentity(ctx context.Context, account int64, trip *importer.Trip, within int) ([]storedRecord, error) {
	var found []storedRecord
	for _, s := range spans(trip, within) {
		hash := l.hash.oldIdentity(trip, s.day)
		if hash == nil || l.cache.lacks(l.cache.identityMark(hash)) {
			continue
		}
		records, err := storedRecords(ctx, l.read.oldSimilar, s.day.String(), hash, s.first, s.last, account, trip.ID)
		if err != nil {
			return nil, err
		}
		found = append(found, records...)
	}
	return found, nil
}

// storedRecords gives what the statement finds, each with the times of its
// identity.
func storedRecords(ctx context.Context, stmt *sql.Stmt, args ...any) (_ []storedRecord, err error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var found []storedRecord
	for rows.Next() {
		var times string
		r, err := scanRecord(rows, &times)
		if err != nil {
			return nil, err
		}
		r.times = times
		found = append(found, r)
	}
	return found, rows.Err()
}

// compare fills in what a record says in view of the trip asked about.
func (l *Ledger) compare(r *storedRecord, trip *importer.Trip) {
	r.InFlight = !r.settled() && l.inFlight(r.attempt)
	// The stored hashes are bound to the record's own trip id.
	same := *trip
	same.ID = r.TripID
	r.Differs = l.hash.fingerprint(&same).differs(r.print)
	if trip.ID != r.TripID {
		r.Differs = append([]string{"trip_id"}, r.Differs...)
	}
	r.OtherTrip = trip.Date() != r.Date ||
		slices.Contains(r.Differs, "rider_id") || slices.Contains(r.Differs, "funding_source_name")
}

// inFlight reports whether the attempt is being sent now: by this process, or
// by the one that holds the ledger while this one only looks.
func (l *Ledger) inFlight(attempt int64) bool {
	if l.heldElse {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, open := l.open[attempt]
	return open
}

// A scanner is a row of an answer.
type scanner interface{ Scan(dest ...any) error }

// scanRecord reads recordColumns, behind the columns that go to before.
func scanRecord(row scanner, before ...any) (storedRecord, error) {
	var r storedRecord
	var date, claimed string
	columns := append(before,
		&r.TripID, &r.Account.Service, &r.Account.Provider, &date, legOf{&r.Leg}, &r.Attempts, &claimed, &r.Run,
		&r.MappingHash, &r.attempt, &r.print.layout, &r.print.digests)
	err := row.Scan(append(columns, r.targets()...)...)
	if err != nil {
		return storedRecord{}, err
	}
	if r.Date, err = parseDay(date); err != nil {
		return storedRecord{}, err
	}
	if r.ClaimedAt, err = parseInstant(claimed); err != nil {
		return storedRecord{}, err
	}
	return r, r.fill(&r.Record)
}

// readFault turns a failed reading into a *ledger.Error. The end of ctx stays what it
// is.
func (l *Ledger) readFault(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return openFault(l.path, err)
}
