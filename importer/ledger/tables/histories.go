package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/keyed"
)

const (
	// findTripsSQL finds trips by their id or by a GUID, and by their days. An empty name
	// or day selects all.
	findTripsSQL = `SELECT t.id FROM trips t
		WHERE (?1 = '' OR lower(t.trip_id) = lower(?1) OR lower(substr(t.trip_id, 1, length(?1) + 1)) = lower(?1) || '-' OR t.id IN
			(SELECT a.trip FROM attempts a JOIN settlements s ON s.attempt = a.id WHERE s.guid_key = ?2
			UNION SELECT a.trip FROM attempts a JOIN resolutions v ON v.attempt = a.id WHERE v.guid_key = ?2))
		AND (?3 = '' OR t.service_date >= ?3) AND (?4 = '' OR t.service_date <= ?4)`
	hiddenTripsSQL = `SELECT id, trip_id, sealed_id FROM trips WHERE sealed_id IS NOT NULL
		AND (?1 = '' OR service_date >= ?1) AND (?2 = '' OR service_date <= ?2)`
	// sentValuesSQL selects the fingerprints of what was sent, for a search by a value.
	sentValuesSQL = `SELECT t.id, t.trip_id, t.sealed_id, k.text, a.properties FROM attempts a
		JOIN trips t ON t.id = a.trip JOIN texts k ON k.id = a.layout
		WHERE t.id IN (listed(?1))`

	// Both queries of histories have the same order, so that the events can be read trip
	// by trip.
	historyOrder = ` t.service_date, t.minute, t.id`
	historiesSQL = "SELECT " + entryFields + ", k.text, COALESCE(y.properties, a.properties)" + entryTables + `
		LEFT JOIN accepted y ON y.id = t.accepted JOIN texts k ON k.id = COALESCE(y.layout, a.layout)
		WHERE a.id = t.attempt AND t.id IN (listed(?1)) ORDER BY` + historyOrder
	tripEventsSQL = `SELECT t.attempt, e.kind, e.at, e.settled, e.attempt, e.run, e.input, e.row_num, e.who, e.host,
		e.state, e.guid, e.code, e.status, e.keys, e.verdict, e.note FROM (
		SELECT a.trip AS trip, 2 AS kind, v.id AS number, v.resolved_at AS at, '' AS settled, a.id AS attempt,
			'' AS run, '' AS input, 0 AS row_num, v.who AS who, '' AS host, '' AS state,
			v.guid AS guid, '' AS code, 0 AS status, '' AS keys, v.verdict AS verdict, v.note AS note
			FROM resolutions v JOIN attempts a ON a.id = v.attempt WHERE a.trip IN (listed(?1))
		UNION ALL
		SELECT a.trip, 0, a.id, a.claimed_at, COALESCE(s.settled_at, ''), a.id, r.id, i.text, a.row_num, r.who, r.host, COALESCE(s.state, ''),
			COALESCE(s.guid, ''), COALESCE(s.code, ''), COALESCE(s.http_status, 0), '', '', NULL
			FROM attempts a JOIN runs r ON r.num = a.run JOIN texts i ON i.id = a.input LEFT JOIN settlements s ON s.attempt = a.id
			WHERE a.trip IN (listed(?1))
		UNION ALL
		SELECT a.trip, 1, g.id, g.claimed_at, COALESCE(s.settled_at, ''), a.id, r.id, i.text, g.row_num, r.who, r.host, COALESCE(s.state, ''),
			'', COALESCE(s.code, ''), COALESCE(s.http_status, 0), k.text, '', NULL
			FROM trip_changes g JOIN attempts a ON a.id = g.attempt JOIN runs r ON r.num = g.run JOIN texts i ON i.id = g.input
			JOIN texts k ON k.id = g.layout LEFT JOIN change_settlements s ON s.change = g.id
			WHERE a.trip IN (listed(?1))
		UNION ALL
		SELECT a.trip, 2, d.id, d.decided_at, '', a.id, '', '', 0, d.who, d.host, '', '', '', 0, '', d.verdict, NULL
			FROM decisions d JOIN attempts a ON a.id = d.attempt
			WHERE d.verdict NOT IN ('` + withdrawn + `', 'cancelled there') AND a.trip IN (listed(?1))
		UNION ALL
		SELECT a.trip, CASE h.held WHEN 1 THEN 3 ELSE 4 END, h.id, h.held_at, '', a.id, '', '', 0, h.who, h.host, '', '', '', 0, '', '', NULL
			FROM holds h JOIN attempts a ON a.id = h.attempt WHERE a.trip IN (listed(?1))
		) e JOIN trips t ON t.id = e.trip ORDER BY` + historyOrder + `, e.at, e.kind, e.number`
)

// Histories implements ledger.Ledger.
func (l *Ledger) Histories(ctx context.Context, s ledger.Search) iter.Seq2[ledger.History, error] {
	return func(yield func(ledger.History, error) bool) {
		going := true
		err := l.histories(ctx, s, func(h ledger.History) bool {
			going = yield(h, nil)
			return going
		})
		if err != nil && going {
			yield(ledger.History{}, l.readError(ctx, err))
		}
	}
}

// histories calls yield for each history until yield returns false. All are as they were
// at one instant.
func (l *Ledger) histories(ctx context.Context, s ledger.Search, yield func(ledger.History) bool) error {
	tx, err := l.Readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only reads

	q := newStatements(tx, l.Engine)
	defer func() { _ = q.close() }()
	found, err := l.searched(ctx, q, s)
	if err != nil {
		return err
	}
	trips, err := Query(ctx, q, func(row Scanner) (ledger.History, error) {
		return l.scanHistory(row, s.FundingSources)
	}, historiesSQL, found)
	if err != nil {
		return err
	}
	rows, err := q.QueryContext(ctx, tripEventsSQL, found)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // it only read

	events := eventReader{Ledger: l, rows: rows}
	for _, h := range trips {
		if h.Events, err = events.of(h.Attempt); err != nil {
			return err
		}
		if !yield(h) {
			return nil
		}
	}
	return rows.Err()
}

// searched returns the numbers of the trips that a search selects, as a JSON list.
func (l *Ledger) searched(ctx context.Context, q Querier, s ledger.Search) (string, error) {
	day := func(d importer.Date) string {
		if d.IsZero() {
			return ""
		}
		return d.String()
	}
	found, err := Query(ctx, q, ScanOne[int64], findTripsSQL, s.Trip, importer.GUIDKey(s.Trip), day(s.From), day(s.To))
	if err == nil && s.Trip != "" {
		var hidden []int64
		hidden, err = l.hiddenTrips(ctx, q, s.Trip, day(s.From), day(s.To))
		found = append(found, hidden...)
	}
	if err == nil && s.Rider != "" {
		found, err = l.ofRider(ctx, q, listed(found), s.Rider)
	}
	return listed(found), err
}

// hiddenTrips returns the trips on some days whose ids are encrypted, so that
// findTripsSQL does not find them. It finds them by the id, by the same rule, or by the
// alias.
func (l *Ledger) hiddenTrips(ctx context.Context, q Querier, name, from, to string) (found []int64, _ error) {
	err := eachRow(ctx, q, func(row Scanner) error {
		var trip int64
		var r importer.Record
		var sealed []byte
		err := row.Scan(&trip, &r.TripID, &sealed)
		if err == nil {
			err = l.unsealID(&r, sealed)
		}
		base := r.TripID[:min(len(name), len(r.TripID))]
		if r.Alias == name || strings.EqualFold(base, name) && (len(base) == len(r.TripID) || r.TripID[len(base)] == '-') {
			found = append(found, trip)
		}
		return err
	}, hiddenTripsSQL, from, to)
	return found, err
}

func listed(ids []int64) string {
	text, _ := json.Marshal(append([]int64{}, ids...)) // numbers have no error
	return string(text)
}

// ofRider returns those of the trips that were sent with the rider id.
func (l *Ledger) ofRider(ctx context.Context, q Querier, trips, rider string) ([]int64, error) {
	const key = "rider_id"
	found := []int64{}
	err := eachRow(ctx, q, func(row Scanner) error {
		var trip int64
		var r importer.Record
		var sealed []byte
		var sent keyed.Fingerprint
		err := row.Scan(&trip, &r.TripID, &sealed, &sent.Keys, &sent.Hashes)
		if err == nil {
			err = l.unsealID(&r, sealed)
		}
		if sent.Same(l.values(&importer.Trip{RiderID: rider}, r.TripID, key), key) {
			found = append(found, trip)
		}
		return err
	}, sentValuesSQL, trips)
	return found, err
}

// scanHistory scans a history without its events.
func (l *Ledger) scanHistory(row Scanner, fundingSources []string) (h ledger.History, err error) {
	const key = "funding_source_name"
	var sent keyed.Fingerprint
	h.Entry, err = l.scanEntry(row, &sent.Keys, &sent.Hashes)
	for _, name := range fundingSources {
		if sent.Same(l.values(&importer.Trip{FundingSource: name}, h.TripID, key), key) {
			h.FundingSource = name
		}
	}
	return h, err
}

// An eventReader reads the events of trips, in the order of the trips.
type eventReader struct {
	*Ledger

	rows *sql.Rows
	// next is an event that was read and not returned yet. counts is the attempt that
	// counts for its trip; 0 if there is no such event.
	next   ledger.Event
	counts int64
}

// of returns the events of the trip for which the attempt counts.
func (r *eventReader) of(counts int64) (events []ledger.Event, err error) {
	for {
		if r.counts == 0 && r.rows.Next() {
			if r.counts, r.next, err = r.scan(); err != nil {
				return nil, err
			}
		}
		if r.counts != counts {
			return events, r.rows.Err()
		}
		events = append(events, r.next)
		r.counts = 0
	}
}

func (r *eventReader) scan() (counts int64, e ledger.Event, err error) {
	var state, keys, verdict string
	err = r.rows.Scan(&counts, &e.Kind, instantColumn(&e.At), instantColumn(&e.Settled), &e.Attempt, &e.Run, &e.Input, &e.Row,
		&e.Who, &e.Host, &state, &e.GUID, &e.Code, &e.HTTPStatus, &keys, &verdict, r.secretColumn(&e.Note))
	e.State, _ = importer.ParseState(state)
	if e.Kind == ledger.EventChanged && state == "" {
		e.State = importer.ChangeUnknown
	}
	e.Verdict, _, _ = importer.ParseVerdict(verdict)
	e.Keys = keyed.Fingerprint{Keys: strings.TrimSpace(keys)}.PropertyKeys()
	return counts, e, err
}
