package tables

import (
	"context"
	"fmt"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Verify reads the whole ledger and checks that it is sound: that every claim is settled or waits
// for a person, that trips and rows have the number of their last event, and that each run's
// control total has what the run booked.
func (l *Ledger) Verify(ctx context.Context) (v ledger.Verification, err error) {
	if v.Wrong, err = Query(ctx, l.Readers, ScanOne[string], l.Damage); err != nil {
		return v, l.readError(ctx, err)
	}
	for text, wrong := range map[string]string{
		"SELECT COUNT(*) FROM trips t WHERE t.event <> (SELECT MAX(e.num) FROM events e WHERE e.trip = t.id)":                               "trips have another last event than the list of events",
		"SELECT COUNT(*) FROM trips t WHERE t.row <> 0 AND NOT EXISTS (SELECT 1 FROM rows w WHERE w.id = t.row)":                            "trips have a row that does not exist",
		"SELECT COUNT(*) FROM keys k WHERE NOT EXISTS (SELECT 1 FROM trips t WHERE t.id = k.trip)":                                          "keys belong to trips that do not exist",
		"SELECT COUNT(*) FROM trips t WHERE t.state = 'sending' AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.num = t.run AND r.ended = '')": "trips are being sent by a run that has ended",
	} {
		n, err := QueryOne(ctx, l.Readers, ScanOne[int], text)
		if err != nil {
			return v, l.readError(ctx, err)
		}
		if n > 0 {
			v.Wrong = append(v.Wrong, fmt.Sprintf("%d %s", n, wrong))
		}
	}
	if v.Trips, err = QueryOne(ctx, l.Readers, ScanOne[int], "SELECT COUNT(*) FROM trips"); err != nil {
		return v, l.readError(ctx, err)
	}
	open, err := l.Unresolved(ctx)
	if err != nil {
		return v, err
	}
	v.Open = len(open)
	return v, l.verifyRuns(ctx, &v)
}

// verifyRuns compares the control total of each run with the trips that it booked.
func (l *Ledger) verifyRuns(ctx context.Context, v *ledger.Verification) error {
	runs, err := l.Runs(ctx, 0)
	if err != nil {
		return err
	}
	booked := map[string]int{}
	_, err = Query(ctx, l.Readers, func(row Scanner) (n int, err error) {
		var run string
		err = row.Scan(&run, &n)
		booked[run] = n
		return n, err
	}, "SELECT r.id, COUNT(*) FROM events e JOIN runs r ON r.num = e.run WHERE e.kind = 'settled' AND e.what = 'booked' GROUP BY r.id")
	if err != nil {
		return l.readError(ctx, err)
	}
	for _, r := range runs {
		v.Runs++
		if r.Ended.IsZero() || r.How == ledger.InputLost || r.How == ledger.Entered {
			continue
		}
		if total := r.Totals.Trips[importer.Booked]; total != booked[r.ID] {
			v.Wrong = append(v.Wrong, fmt.Sprintf("run %s has %d booked trips in its control total, and %d in the ledger", r.ID, total, booked[r.ID]))
		}
	}
	return nil
}
