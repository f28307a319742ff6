package sqlite

import (
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
		JOIN attempts p ON p.id = t.attempt
		JOIN accounts a ON a.id = t.account
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
	similarSQL = "SELECT " + recordColumns + recordTables + `
		WHERE t.service_date = ? AND t.journey = ? AND t.minute BETWEEN ? AND ?
		AND t.taken = 1 AND NOT (t.account = ? AND t.trip_id = ?)
		ORDER BY t.id`
)

// lookups are the prepared statements of the reading side.
type lookups struct {
	find, source, similar, newRider *sql.Stmt

	ready []*sql.Stmt // all of them, to be closed
}

func prepareLookups(ctx context.Context, db *sql.DB) (lookups, error) {
	var s lookups
	var err error
	s.ready, err = prepareAll(ctx, db, map[**sql.Stmt]string{
		&s.find: findSQL, &s.source: sourceSQL, &s.similar: similarSQL, &s.newRider: newRiderSQL,
	})
	return s, err
}

// A storedRecord has, beside what callers see, what the ledger goes by.
type storedRecord struct {
	importer.Record
	answer
	attempt int64
	print   fingerprint
}

// Find implements importer.Ledger.
func (l *Ledger) Find(ctx context.Context, account importer.Account, trip *importer.Trip) (importer.Record, bool, error) {
	id, known, err := l.accountID(ctx, account)
	if err != nil || !known {
		return importer.Record{}, false, l.readFault(ctx, err)
	}
	if l.absent.lacks(l.absent.tripMark(id, trip.ID)) {
		return importer.Record{}, false, nil
	}
	r, ok, err := l.one(ctx, trip, l.read.find, id, trip.ID)
	if err == nil && !ok {
		l.absent.missed(ctx, l.readers, l.commits)
	}
	return r, ok, err
}

// FindRow implements ledger.Ledger.
func (l *Ledger) FindRow(ctx context.Context, input string, trip *importer.Trip) (importer.Record, bool, error) {
	return l.one(ctx, trip, l.read.source, input, trip.Row.Row, int(trip.Leg), l.hash.sheetName(trip.Row.Sheet))
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
	id, _, err := l.accountID(ctx, account)
	if err != nil {
		return nil, l.readFault(ctx, err)
	}
	var found []importer.Record
	for _, w := range spans(trip, within) {
		journey := l.hash.journey(trip, w.date)
		if journey == nil || l.absent.lacks(l.absent.journeyMark(journey)) {
			continue
		}
		records, err := l.records(ctx, trip, l.read.similar, w.date.String(), journey, w.first, w.last, id, trip.ID)
		if err != nil {
			return nil, err
		}
		found = append(found, records...)
	}
	return found, nil
}

// A span is a part of a day, its first and last minute included.
type span struct {
	date        importer.Date
	first, last int
}

// spans gives the time within so many minutes of the trip's, day by day; for
// a will call the day as a whole.
func spans(trip *importer.Trip, within int) []span {
	when := trip.Time()
	if when.IsZero() {
		return nil
	}
	if trip.Type == importer.WillCall {
		return []span{{when.Date, 0, minutesADay - 1}}
	}
	from, to := minuteOf(when)-within, minuteOf(when)+within
	var ws []span
	for day := floorDiv(from, minutesADay); day <= floorDiv(to, minutesADay); day++ {
		midnight := day * minutesADay
		ws = append(ws, span{
			when.AddDays(day),
			max(from-midnight, 0), min(to-midnight, minutesADay-1),
		})
	}
	return ws
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func (l *Ledger) records(ctx context.Context, trip *importer.Trip, stmt *sql.Stmt, args ...any) (_ []importer.Record, err error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, l.readFault(ctx, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var found []importer.Record
	for rows.Next() {
		r, err := scanRecord(rows)
		if err != nil {
			return nil, l.readFault(ctx, err)
		}
		l.compare(&r, trip)
		found = append(found, r.Record)
	}
	return found, l.readFault(ctx, rows.Err())
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

func scanRecord(row scanner) (storedRecord, error) {
	var r storedRecord
	var date, claimed string
	err := row.Scan(append([]any{
		&r.TripID, &r.Account.Service, &r.Account.Provider, &date, &r.Leg, &r.Attempts, &claimed, &r.Run,
		&r.MappingHash, &r.attempt, &r.print.layout, &r.print.digests,
	}, r.targets()...)...)
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

// parseDay reads a service date; a trip without one has none.
func parseDay(s string) (importer.Date, error) {
	if s == "" {
		return importer.Date{}, nil
	}
	return importer.ParseDate(s)
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
