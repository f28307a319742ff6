package tables

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	// The empty columns stand for the units and times, which findAll expects.
	rowTripsSQL = "SELECT '', '', '', " + recordColumns + recordTables + `
		WHERE t.row_key IN (?, ?) AND t.service = (SELECT d.service FROM addresses d WHERE d.address = ?)
		AND t.service_date BETWEEN ? AND ? AND t.taken = 1`
	respeltSQL = "SELECT y.pickup_unit, '', '', " + recordColumns + ` FROM identities y
		CROSS JOIN attempts a ON a.id = y.attempt
		CROSS JOIN trips t ON t.id = a.trip AND t.attempt = a.id ` + recordJoins + `
		WHERE y.day = ? AND y.identity = ? AND t.service = (SELECT d.service FROM addresses d WHERE d.address = ?) AND t.taken = 1`
	tripsOfIDSQL = "SELECT '', '', '', " + recordColumns + recordTables + `
		WHERE t.service = (SELECT d.service FROM addresses d WHERE d.address = ?) AND t.trip_id IN (?, ?) AND t.taken = 1
		AND t.account IN (SELECT id FROM accounts)`
	tripsOfDaySQL = "SELECT '', '', '', " + recordColumns + recordTables + `
		WHERE t.service = (SELECT d.service FROM addresses d WHERE d.address = ?) AND t.service_date = ? AND t.taken = 1 ORDER BY a.id`
	brokerSQL = "SELECT b.columns FROM brokers b JOIN texts t ON t.id = b.broker WHERE t.text = ?"
	// While any run goes on, it may still book trips with their ids in clear, so the
	// broker's ids do not count as hidden.
	setBrokerSQL = `INSERT INTO brokers (broker, columns, hidden)
		SELECT ?, ?, CASE WHEN EXISTS (SELECT 1 FROM runs r WHERE NOT EXISTS (SELECT 1 FROM run_ends e WHERE e.run = r.num)) THEN 0 ELSE ? END
		WHERE true ON CONFLICT (broker) DO UPDATE SET columns = excluded.columns, hidden = excluded.hidden`
	brokerAheadSQL = `SELECT EXISTS (SELECT 1 FROM trips t JOIN texts b ON b.id = t.broker
		WHERE t.taken = 1 AND t.service_date >= ? AND b.text = ?)`
)

// RowTrips implements importer.Ledger.
func (l *Ledger) RowTrips(ctx context.Context, service string, row *importer.Mapped) (importer.RowTrips, error) {
	result := importer.RowTrips{
		Matched: make([]*importer.Record, len(row.Trips)),
		Unclear: make([]*importer.Record, len(row.Trips)),
	}

	if row.Cancelled && row.Key.Date.IsZero() { // its trips may be on any day
		undated := *row
		undated.Key.IDs = importer.UniqueIDs
		row = &undated
	}
	booked, err := l.rowTrips(ctx, l.lookUps, service, &row.Key)
	if err != nil {
		return result, l.readError(ctx, err)
	}
	if len(booked) == 0 {
		l.cache.missed(l.commits)
		return result, nil
	}

	if today := ofSameDay(booked, row); len(today) > 0 || row.Key.IDs == importer.RepeatedIDs {
		booked = today
	}
	ways := make([][]importer.Way, len(booked))
	var bookedLegs, legs []importer.Leg
	for i := range row.Trips {
		legs = append(legs, row.Trips[i].Leg)
	}
	for b := range booked {
		bookedLegs = append(bookedLegs, booked[b].Leg)
		for i := range row.Trips {
			way, err := l.wayOf(ctx, &booked[b], row.Key, &row.Trips[i])
			if err != nil {
				return result, l.readError(ctx, err)
			}
			ways[b] = append(ways[b], way)
		}
	}

	matched, unclear, dropped := importer.MatchLegs(bookedLegs, legs, func(b, n int) importer.Way { return ways[b][n] })
	for n := range row.Trips {
		if b := matched[n]; b >= 0 {
			result.Matched[n] = l.compared(booked[b], &row.Trips[n])
		}
		if b := unclear[n]; b >= 0 {
			result.Unclear[n] = l.compared(booked[b], &row.Trips[n])
		}
	}
	for _, b := range dropped {
		result.Dropped = append(result.Dropped, *l.compared(booked[b], nil))
	}
	return result, nil
}

// ofSameDay leaves out the booked trips on other days, unless ids are unique. The day of
// a booked trip is compared with that of the row's trip with the same leg or, if there is
// none, with that of the row.
func ofSameDay(booked []storedRecord, row *importer.Mapped) []storedRecord {
	if row.Key.IDs == importer.UniqueIDs {
		return booked
	}
	return slices.DeleteFunc(slices.Clone(booked), func(r storedRecord) bool {
		for i := range row.Trips {
			if row.Trips[i].Leg == r.Leg {
				return row.Trips[i].Date() != r.Date
			}
		}
		return r.Date != row.Key.Date
	})
}

// rowTrips returns the trips of a row that are booked or may be booked: first those that
// were not cancelled, in the order of their claims, then those that a person cancelled.
func (l *Ledger) rowTrips(ctx context.Context, q Querier, service string, key *importer.RowKey) ([]storedRecord, error) {
	if lacks, err := l.lacks(ctx, q, l.askRows(key)...); err != nil || lacks {
		return nil, err
	}
	var hashes [2][]byte
	copy(hashes[:], l.rowHashes(key))

	first, last := "", "9999"
	if key.IDs == importer.RepeatedIDs {
		if key.Date.IsZero() {
			return nil, nil
		}
		first, last = key.Date.AddDays(-1).String(), key.Date.AddDays(2).String() // a return may be late
	}

	found, err := l.findAll(ctx, q, rowTripsSQL, hashes[0], hashes[1], service, first, last)
	slices.SortFunc(found, func(a, b storedRecord) int { return cmp.Compare(a.Attempt, b.Attempt) })
	live := slices.DeleteFunc(slices.Clone(found), func(r storedRecord) bool { return r.Cancelled })
	return append(live, slices.DeleteFunc(found, func(r storedRecord) bool { return !r.Cancelled })...), err
}

// rowHashes returns the hashes under which the ledger may have a row: today's and that of
// earlier versions. A row without a key has none.
func (l *Ledger) rowHashes(key *importer.RowKey) [][]byte {
	var hashes [][]byte
	if hash := l.Hashes.Row(*key); hash != nil {
		hashes = append(hashes, hash)
	}
	if l.hasOldRows {
		if old := l.Hashes.OldRow(key.Broker, key.TripID); old != nil {
			hashes = append(hashes, old)
		}
	}
	return hashes
}

// wayOf says whether a booked trip of the row goes the same way as a trip that the row
// makes now. For a trip that was booked before ledgers stored places, it compares the
// identities.
func (l *Ledger) wayOf(ctx context.Context, booked *storedRecord, key importer.RowKey, trip *importer.Trip) (importer.Way, error) {
	if booked.pickupPlace != nil || booked.dropoffPlace != nil {
		now, _ := trip.Places()
		for _, id := range l.placesOf(trip, now, booked.Date) {
			pickup, dropoff := l.Hashes.Places(l.Hashes.Row(key), id)
			way := importer.CompareWays(string(booked.pickupPlace), string(booked.dropoffPlace), string(pickup), string(dropoff))
			if way != importer.WayUnclear {
				return way, nil
			}
		}
		return importer.WayUnclear, nil
	}

	back := *trip
	back.Pickup, back.Dropoff = trip.Dropoff, trip.Pickup
	same, err := l.hasPlacesOf(ctx, booked, trip)
	if err != nil {
		return importer.WayUnclear, err
	}
	other, err := l.hasPlacesOf(ctx, booked, &back)
	switch {
	case same && !other:
		return importer.SameWay, err
	case other && !same:
		return importer.OtherWay, err
	}
	return importer.WayUnclear, err
}

// hasPlacesOf reports whether a booked trip has the rider and the places of a trip.
func (l *Ledger) hasPlacesOf(ctx context.Context, booked *storedRecord, trip *importer.Trip) (bool, error) {
	for _, kind := range oldTypes() {
		old := *trip
		old.Type = kind
		if hash := l.Hashes.OldIdentity(&old, booked.Date); hash != nil && bytes.Equal(hash, booked.oldIdentity) {
			return true, nil
		}
	}

	now, ok := trip.Places()
	if !ok {
		return false, nil
	}
	for _, id := range l.placesOf(trip, now, booked.Date) {
		var has bool
		err := l.lookUps.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM identities WHERE day = ? AND identity = ? AND attempt = ?)",
			booked.Date.String(), l.Hashes.Identity(id, booked.Date), booked.Attempt).Scan(&has)
		if err != nil || has {
			return has, err
		}
	}
	return false, nil
}

// placesOf returns the identities without times under which the ledger may have a trip on
// a day: now, which is today's, and those of earlier versions.
func (l *Ledger) placesOf(trip *importer.Trip, now importer.Identity, day importer.Date) []importer.Identity {
	all := []importer.Identity{now}
	if l.isEarlier(day) {
		all = append(all, trip.EarlierPlaces()...)
	}
	return all
}

// isEarlier reports whether earlier versions may have booked trips on a day.
func (l *Ledger) isEarlier(day importer.Date) bool { return day.String() <= l.earlierUntil }

// compared returns the record, compared with a trip unless trip is nil. A different trip
// id does not count as a difference, because a row may be sent under another id than
// before.
func (l *Ledger) compared(r storedRecord, trip *importer.Trip) *importer.Record {
	if trip == nil {
		l.fillInFlight(&r.Record, &r.outcome)
		return &r.Record
	}
	same := *trip
	same.ID = r.TripID
	l.compare(&r, &same)
	return &r.Record
}

// Respelt implements importer.Ledger.
func (l *Ledger) Respelt(ctx context.Context, service string, key importer.RowKey, trip *importer.Trip) ([]importer.Record, error) {
	records, err := l.respelt(ctx, l.lookUps, service, key, trip, key.RespeltDays(trip)...)
	return records, l.readError(ctx, err)
}

// respelt is Respelt on some days.
func (l *Ledger) respelt(ctx context.Context, q Querier, service string, key importer.RowKey, trip *importer.Trip, days ...importer.Date) ([]importer.Record, error) {
	spellings := l.spellings(key, trip, days...)
	has, err := l.mayHave(ctx, q, l.askIdentities(spellings)...)
	if err != nil {
		return nil, err
	}

	var records []importer.Record
	marks := l.RowMarks(key)
	for i, s := range spellings {
		if !has[i] {
			continue
		}
		found, err := l.findAll(ctx, q, respeltSQL, s.day.String(), s.hash, service)
		if err != nil {
			return nil, err
		}
		rider := l.Hashes.SpeltRider(trip.RiderID, s.day)
		for _, r := range found {
			twice := slices.ContainsFunc(records, func(other importer.Record) bool { return other.Attempt == r.Attempt })
			record := l.compared(r, trip)
			otherRider := r.pickupUnit != rider && trip.RiderID != "" && hasOtherRider(record)
			anothers := otherRider && (s.day != trip.Date() || r.pickupUnit == "" || importer.OtherPlaces(record.Differs))
			if !slices.Contains(marks, r.RowMark) && !twice && !anothers {
				records = append(records, *record)
			}
		}
	}
	return records, nil
}

// spellings returns the identities by which trips on some days are found if their row ids
// differ only in the spelling.
func (l *Ledger) spellings(key importer.RowKey, trip *importer.Trip, days ...importer.Date) []identityOnDay {
	var all []identityOnDay
	for _, day := range days {
		hashes := l.Hashes.Spellings(key.Broker, key.ID, day)
		if day == trip.Date() && l.isEarlier(day) {
			hashes = append(hashes, l.Hashes.RiderSpellings(key, trip)...)
		}
		if l.hasOldRows {
			hashes = append(hashes, l.Hashes.Spellings(key.Broker, key.TripID, day)...)
		}
		for _, hash := range hashes {
			all = append(all, identityOnDay{day: day, hash: hash})
		}
	}
	return all
}

// RowMarks implements importer.Ledger.
func (l *Ledger) RowMarks(key importer.RowKey) []string {
	var marks []string
	broker := l.Hashes.Broker(key.Broker)
	if row := l.Hashes.Row(key); row != nil {
		marks = append(marks, rowMark(broker, row))
	}
	if l.hasOldRows && key.TripID != "" {
		marks = append(marks, rowMark(broker, l.Hashes.OldRow(key.Broker, key.TripID)))
	}
	return marks
}

func rowMark(broker string, row []byte) string {
	if row == nil {
		return ""
	}
	return importer.NewRowMark(broker, hex.EncodeToString(row))
}

// CheckRowIDs implements importer.Ledger.
func (l *Ledger) CheckRowIDs(ctx context.Context, ids importer.RowIDs, from importer.Date) (known bool, err error) {
	broker := l.Hashes.Broker(ids.Broker)
	var columns string
	err = l.lookUps.QueryRowContext(ctx, brokerSQL, broker).Scan(&columns)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return false, nil
	case err != nil:
		return false, l.readError(ctx, err)
	case columns == ids.Columns:
		return true, nil
	}

	var ahead bool
	if err := l.lookUps.QueryRowContext(ctx, brokerAheadSQL, from.String(), broker).Scan(&ahead); err != nil {
		return true, l.readError(ctx, err)
	}
	if ahead {
		return true, ledger.RowIDsChangedError(ids, columns)
	}
	return true, nil
}

// TripsOfID implements importer.Ledger.
func (l *Ledger) TripsOfID(ctx context.Context, service, tripID string) ([]importer.Record, error) {
	found, err := l.findAll(ctx, l.lookUps, tripsOfIDSQL, service, tripID, l.Hashes.TripID(tripID))
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	records := make([]importer.Record, 0, len(found))
	for _, r := range found {
		records = append(records, *l.compared(r, nil))
	}
	return records, nil
}

// TripsOfRider implements importer.Ledger. A rider is compared by the fingerprint,
// so every trip of the day is read.
func (l *Ledger) TripsOfRider(ctx context.Context, service string, trip *importer.Trip) ([]importer.Record, error) {
	if trip.RiderID == "" || trip.Date().IsZero() {
		return nil, nil
	}
	found, err := l.findAll(ctx, l.lookUps, tripsOfDaySQL, service, trip.Date().String())
	if err != nil {
		return nil, l.readError(ctx, err)
	}

	var records []importer.Record
	for _, r := range found {
		if record := l.compared(r, trip); !hasOtherRider(record) {
			records = append(records, *record)
		}
	}
	return records, nil
}

// hasOtherRider reports whether a trip is booked for another rider than that of the
// query, even if a person fixed the rider.
func hasOtherRider(r *importer.Record) bool {
	return slices.Contains(r.Differs, "rider_id") || slices.Contains(r.Fixed, "rider_id")
}

// refuseCollision refuses a claim if another trip of its row, or a trip of its rider at
// about the same time, is booked or may be booked. The ledger may have changed since it
// was asked before the claim, and another machine may have the same row with other trips.
func (l *Ledger) refuseCollision(ctx context.Context, w *Writer, k *claim) error {
	booked, err := l.rowTrips(ctx, w, k.Account.Service, &k.Key)
	if err != nil {
		return err
	}

	if len(booked) > 0 {
		booked = ofSameDay(booked, &importer.Mapped{Key: k.Key, Trips: []importer.Trip{*k.Trip}})
	}
	for _, b := range booked {
		if b.Cancelled || b.TripID == k.Trip.ID && b.account == k.account {
			continue
		}
		way, err := l.wayOf(ctx, &b, k.Key, k.Trip)
		if err != nil {
			return err
		}
		if importer.LegsCollide(b.Leg, k.Trip.Leg, way) {
			return refuse(importer.ErrClaimed)
		}
	}

	similar, err := l.findIdentities(ctx, w, k.Account.Service, k.account, k.Trip, k.near, mayBe(k.Within))
	if err != nil {
		return err
	}
	for _, s := range similar {
		if !s.Cancelled && !slices.Contains(l.RowMarks(k.Key), s.RowMark) {
			return refuse(importer.ErrClaimed)
		}
	}
	return nil
}
