package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	countAllSQL = `SELECT (SELECT COUNT(*) FROM runs), (SELECT COUNT(*) FROM trips), (SELECT COUNT(*) FROM attempts),
		(SELECT COUNT(*) FROM trip_changes),
		(SELECT COUNT(*) FROM trips t LEFT JOIN settlements s ON s.attempt = t.attempt LEFT JOIN resolutions v ON v.id = t.resolution
			WHERE COALESCE(v.state, s.state) = 'created' AND COALESCE(v.cancelled, 0) = 0)`
	// lostAttemptsSQL counts attempts of ended runs that have no answer and are not on
	// the list of those that may be booked.
	lostAttemptsSQL = `SELECT COUNT(*) FROM attempts a LEFT JOIN run_ends e ON e.run = a.run
		WHERE NOT EXISTS (SELECT 1 FROM settlements s WHERE s.attempt = a.id)
		AND NOT EXISTS (SELECT 1 FROM resolutions v WHERE v.attempt = a.id)
		AND e.run IS NOT NULL AND NOT (e.unsettled = 1 AND a.id <= e.last_attempt)`
	// strayAttemptsSQL counts trips that do not refer to their last attempt.
	strayAttemptsSQL = `SELECT COUNT(*) FROM trips t
		LEFT JOIN (SELECT trip, MAX(id) AS last FROM attempts GROUP BY trip) m ON m.trip = t.id
		WHERE t.attempt IS DISTINCT FROM m.last`
	// freeTripsSQL counts booked trips that could be claimed again.
	freeTripsSQL = `SELECT COUNT(*) FROM trips t
		LEFT JOIN settlements s ON s.attempt = t.attempt
		LEFT JOIN resolutions v ON v.id = t.resolution
		WHERE t.taken = 0 AND COALESCE(v.state, s.state) = 'created' AND COALESCE(v.cancelled, 0) = 0`
	// sharedGUIDsSQL counts GUIDs that more than one trip has.
	sharedGUIDsSQL = `SELECT COUNT(*) FROM (SELECT 1 FROM trips t
		LEFT JOIN settlements s ON s.attempt = t.attempt
		LEFT JOIN resolutions v ON v.id = t.resolution
		WHERE COALESCE(v.guid_key, s.guid_key) IS NOT NULL
		GROUP BY COALESCE(v.guid_key, s.guid_key) HAVING COUNT(DISTINCT t.id) > 1) AS shared`
	// runOutcomesSQL counts the booked and changed trips of each run that has ended, by
	// the service's answers.
	runOutcomesSQL = `SELECT r.id, e.how, e.totals,
		(SELECT COUNT(*) FROM attempts a JOIN settlements s ON s.attempt = a.id
			WHERE a.run = r.num AND a.id >= r.first_attempt AND a.id <= e.last_attempt AND s.state = 'created' AND s.code <> ?),
		COALESCE(g.changed, 0)
		FROM runs r JOIN run_ends e ON e.run = r.num
		LEFT JOIN (SELECT c.run AS run, COUNT(*) AS changed FROM trip_changes c JOIN change_settlements s ON s.change = c.id
			WHERE s.state = 'updated' GROUP BY c.run) g ON g.run = r.num
		WHERE e.ended_at <> '' ORDER BY r.num`
)

// Verify implements ledger.Ledger.
func (l *Ledger) Verify(ctx context.Context) (ledger.Verification, error) {
	var v ledger.Verification
	tx, err := l.Readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return v, l.readError(ctx, err)
	}
	defer func() { _ = tx.Rollback() }() // it only reads

	q := newStatements(tx, l.Engine)
	defer func() { _ = q.close() }()
	err = q.QueryRowContext(ctx, countAllSQL).Scan(&v.Runs, &v.Trips, &v.Attempts, &v.Changes, &v.Booked)
	err = errors.Join(err, l.Engine.Verify(ctx, tx, &v), verifyTrips(ctx, q, &v), verifyRuns(ctx, q, &v))
	if err != nil {
		return v, l.readError(ctx, err)
	}

	open, err := l.Unresolved(ctx)
	for i := range open {
		if !open[i].InFlight {
			v.Open++
		}
	}
	return v, err
}

// verifyTrips looks for inconsistent trips.
func verifyTrips(ctx context.Context, q Querier, v *ledger.Verification) error {
	for _, check := range []struct{ query, wrong string }{
		{lostAttemptsSQL, "%d attempts have no answer and are on no list"},
		{strayAttemptsSQL, "%d trips do not refer to their last attempt"},
		{freeTripsSQL, "%d booked trips would be sent again"},
		{sharedGUIDsSQL, "%d GUIDs belong to more than one trip"},
	} {
		var n int
		if err := q.QueryRowContext(ctx, check.query).Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			v.Wrong = append(v.Wrong, fmt.Sprintf(check.wrong, n))
		}
	}
	return nil
}

// verifyRuns compares the control total of each run with what it booked and changed.
func verifyRuns(ctx context.Context, q Querier, v *ledger.Verification) error {
	return eachRow(ctx, q, func(row Scanner) error {
		var run, how, stored string
		var booked, changed int
		if err := row.Scan(&run, &how, &stored, &booked, &changed); err != nil {
			return err
		}
		totals, err := unmarshalTotals(stored)
		if err != nil {
			return err
		}

		if !totals.Balanced() && how != ledger.InputLost {
			v.Wrong = append(v.Wrong, fmt.Sprintf("the control total of run %s does not balance", run))
		}
		if n := totals.Trips[importer.Created]; n != booked {
			v.Wrong = append(v.Wrong, fmt.Sprintf("run %s counted %d booked trips, the ledger has %d", run, n, booked))
		}
		if n := totals.Trips[importer.Updated]; n > changed {
			v.Wrong = append(v.Wrong, fmt.Sprintf("run %s counted %d changed trips, the ledger has %d", run, n, changed))
		}
		return nil
	}, runOutcomesSQL, importer.CodeBookedByHand)
}
