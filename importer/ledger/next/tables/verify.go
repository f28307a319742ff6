package tables

import (
	"context"
	"errors"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	countAllSQL = `SELECT (SELECT COUNT(*) FROM runs), (SELECT COUNT(*) FROM trips),
		(SELECT COUNT(*) FROM events WHERE kind = '` + eventClaimed + `'), (SELECT COUNT(*) FROM events WHERE kind = '` + eventChanging + `'),
		(SELECT COUNT(*) FROM trips WHERE state = 'booked'), (SELECT COUNT(*) FROM trips WHERE open = 1)`
	// outcomesSQL counts what the service answered in each run that has ended.
	outcomesSQL = `SELECT r.id, r.how, r.totals,
		(SELECT COUNT(*) FROM events e WHERE e.num > r.num AND e.num <= r.last AND e.run = r.num AND e.kind = '` + eventSettled + `' AND e.what = 'booked'),
		(SELECT COUNT(*) FROM events e WHERE e.num > r.num AND e.num <= r.last AND e.run = r.num AND e.kind = '` + eventChanged + `' AND e.what = 'booked')
		FROM runs r WHERE r.ended_at <> '' ORDER BY r.num`
)

// wrongSQL are queries that count what is wrong, with the sentences that say so.
var wrongSQL = [...]struct{ query, says string }{
	{`SELECT COUNT(*) FROM trips t WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.num = t.event AND e.trip = t.num)
		OR NOT EXISTS (SELECT 1 FROM events e WHERE e.num = t.claim AND e.trip = t.num)`, "%d trips do not refer to their last events"},
	{`SELECT COUNT(*) FROM rows r WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.num = r.event)`, "%d rows do not refer to their last events"},
	{`SELECT COUNT(*) FROM trips t WHERE t.open = 0 AND t.state IN ('unclear', 'sending')`, "%d trips may be booked and are on no list"},
	{`SELECT COUNT(*) FROM trips t WHERE NOT EXISTS (SELECT 1 FROM rows r WHERE r.num = t.row)
		OR NOT EXISTS (SELECT 1 FROM accounts a WHERE a.num = t.account) OR NOT EXISTS (SELECT 1 FROM runs r WHERE r.num = t.run)`,
		"%d trips have no row, account or run"},
	{`SELECT COUNT(*) FROM trips t WHERE NOT EXISTS (SELECT 1 FROM rows r JOIN keys k ON k.hash = r.key WHERE r.num = t.row AND k.trip = t.num)`,
		"%d trips would not be found by their rows"},
	{`SELECT COUNT(*) FROM keys k WHERE NOT EXISTS (SELECT 1 FROM trips t WHERE t.num = k.trip)`, "%d hashes lead to no trip"},
	{`SELECT COUNT(*) FROM (SELECT 1 FROM trips t WHERE t.guid <> '' GROUP BY LOWER(REPLACE(t.guid, '-', '')) HAVING COUNT(*) > 1) AS shared`,
		"%d GUIDs belong to more than one trip"},
	{`SELECT COUNT(*) FROM events e WHERE e.num > (SELECT CAST(value AS BIGINT) FROM meta WHERE name = '` + MetaNumber + `')`,
		"%d events are after the ledger's number"},
}

// Verify implements next.Ledger.
func (l *Ledger) Verify(ctx context.Context) (v ledger.Verification, err error) {
	err = l.read(ctx, func(q Querier) error {
		err := q.QueryRowContext(ctx, countAllSQL).Scan(&v.Runs, &v.Trips, &v.Attempts, &v.Changes, &v.Booked, &v.Open)
		return errors.Join(err, l.Engine.Verify(ctx, q, &v), verifyRows(ctx, q, &v), verifyRuns(ctx, q, &v))
	})
	return v, err
}

func verifyRows(ctx context.Context, q Querier, v *ledger.Verification) error {
	for _, wrong := range wrongSQL {
		n, err := Query(ctx, q, ScanOne[int], wrong.query)
		if err != nil {
			return err
		}
		if n[0] > 0 {
			v.Wrong = append(v.Wrong, fmt.Sprintf(wrong.says, n[0]))
		}
	}
	return nil
}

// verifyRuns compares the control total of each run with what it booked and changed.
func verifyRuns(ctx context.Context, q Querier, v *ledger.Verification) error {
	return eachRow(ctx, q, func(row Scanner) error {
		var run, how string
		var totals importer.Totals
		var booked, changed int
		if err := row.Scan(&run, &how, column[importer.Totals]{&totals, unmarshalTotals}, &booked, &changed); err != nil {
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
	}, outcomesSQL)
}
