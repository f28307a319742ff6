package sqlite

import (
	"context"
	"database/sql"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
	"tripimport/importer/ledger/tables"
)

// oldTripsSQL selects the trips without a row key, row by row. A trip that is not booked
// may have had a wrong id, so it gets a source of its own and says nothing about the
// others of its row. It still gets a row key, because an answer may make it booked.
const oldTripsSQL = `SELECT t.id, t.trip_id, t.leg,
	t.input || ' ' || t.sheet || ' ' || t.row_num || CASE t.taken WHEN 1 THEN '' ELSE ' ' || t.id END,
	r.mapping, t.service_date, t.attempt
	FROM trips t JOIN attempts a ON a.id = t.attempt JOIN runs r ON r.num = a.run
	WHERE t.row_key IS NULL ORDER BY 4, t.leg`

const addOldSpellingSQL = `INSERT INTO identities (day, identity, attempt, pickup_unit, dropoff_unit, times) VALUES (?, ?, ?, '', '', '')
	ON CONFLICT DO NOTHING`

// An oldTrip is a trip that was booked before ledgers had row ids.
type oldTrip struct {
	id      int64
	tripID  string
	leg     importer.Leg
	source  string // the input, sheet and row
	mapping string // the name of the mapping, which is the broker's too
	date    string
	attempt int64
}

// An oldLegPart identifies the leg and the mapping to which a part of a trip id belongs.
type oldLegPart struct {
	mapping string
	leg     importer.Leg
}

// deriveRows sets the row keys of trips that were booked before ledgers had row ids. The
// row id is what the trip ids of one input, sheet and row have in common. The part that a
// mapping adds for a leg is learned from rows with several trips, and removed from the
// ids of rows with only one.
func deriveRows(ctx context.Context, tx *sql.Tx, h *keyed.Hashes) error {
	trips, err := readOldTrips(ctx, tx)
	if err != nil || len(trips) == 0 {
		return err
	}

	common := make([]string, len(trips))
	parts := map[oldLegPart]map[string]int{}
	for i := 0; i < len(trips); {
		n := i
		var ids []string
		for n < len(trips) && trips[n].source == trips[i].source {
			ids = append(ids, trips[n].tripID)
			n++
		}
		if len(ids) > 1 {
			id := keyed.CommonID(ids)
			for ; i < n; i++ {
				common[i] = id
				of := oldLegPart{trips[i].mapping, trips[i].leg}
				if parts[of] == nil {
					parts[of] = map[string]int{}
				}
				parts[of][strings.TrimPrefix(trips[i].tripID, id)]++
			}
		}
		i = n
	}

	for i, t := range trips {
		if common[i] == "" {
			common[i] = t.withoutLegPart(parts[oldLegPart{t.mapping, t.leg}])
		}
		broker, err := addText(ctx, tx, h.Broker(t.mapping))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE trips SET broker = ?, row_key = ? WHERE id = ?", broker, h.OldRow(t.mapping, common[i]), t.id)
		if err != nil {
			return err
		}
		if err := addOldSpellings(ctx, tx, h, t, common[i]); err != nil {
			return err
		}
	}

	_, err = tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, 'yes') ON CONFLICT DO NOTHING", tables.MetaOldRows)
	return err
}

// addOldSpellings adds the hashes by which an old trip is found under another spelling of
// its row's id.
func addOldSpellings(ctx context.Context, tx *sql.Tx, h *keyed.Hashes, t oldTrip, id string) error {
	day, err := importer.ParseDate(t.date)
	if err != nil {
		return err
	}
	for _, hash := range h.Spellings(t.mapping, id, day) {
		if _, err := tx.ExecContext(ctx, addOldSpellingSQL, t.date, hash, t.attempt); err != nil {
			return err
		}
	}
	return nil
}

// withoutLegPart returns the row id for a trip that is the only one of its row in the
// ledger. known counts the parts that the mapping adds for the leg. If none of them fits,
// it removes the last character and the separator before it.
func (t oldTrip) withoutLegPart(known map[string]int) string {
	if t.leg == importer.OnlyLeg {
		return t.tripID
	}

	best := ""
	for part, n := range known {
		if strings.HasSuffix(t.tripID, part) && (best == "" || n > known[best]) {
			best = part
		}
	}
	if best != "" {
		return strings.TrimSuffix(t.tripID, best)
	}
	return keyed.CommonID([]string{t.tripID[:max(len(t.tripID)-1, 0)]})
}

func readOldTrips(ctx context.Context, tx *sql.Tx) ([]oldTrip, error) {
	return tables.Query(ctx, tx, func(row tables.Scanner) (t oldTrip, err error) {
		var leg string
		err = row.Scan(&t.id, &t.tripID, &leg, &t.source, &t.mapping, &t.date, &t.attempt)
		t.leg, _ = importer.ParseLeg(leg)
		return t, err
	}, oldTripsSQL)
}

// hasRowKeys reports whether the file's trips have row keys.
func hasRowKeys(ctx context.Context, tx *sql.Tx) (has bool, err error) {
	err = tx.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM pragma_table_info('trips') WHERE name = 'row_key')").Scan(&has)
	return has, err
}

// addText returns the id of a text, and adds a new text.
func addText(ctx context.Context, tx *sql.Tx, text string) (id int64, err error) {
	_, err = tx.ExecContext(ctx, "INSERT INTO texts (text) VALUES (?) ON CONFLICT DO NOTHING", text)
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT id FROM texts WHERE text = ?", text).Scan(&id)
	}
	return id, err
}
