package tables

import (
	"context"
	"iter"
	"slices"
	"strings"

	"tripimport/importer"
	"tripimport/importer/ledger/next"
)

const (
	unresolvedSQL = tripColumns + "WHERE t.open = 1 ORDER BY t.day, t.begins, t.num"
	daysSQL       = "SELECT DISTINCT t.day FROM trips t WHERE t.day >= ? AND (? = '' OR t.day <= ?)"
	claimedInSQL  = `SELECT DISTINCT e.trip FROM runs r JOIN events e ON e.num > r.num AND (r.last = 0 OR e.num <= r.last) AND e.run = r.num
		WHERE r.id = ? AND e.kind IN ('` + eventClaimed + "', '" + eventChanging + "')"
	// tripsAtOnce is the number of trips that Find reads together.
	tripsAtOnce = 1000
)

// Trip implements next.Ledger.
func (l *Ledger) Trip(ctx context.Context, number int64) (k importer.Known, found bool, err error) {
	err = l.read(ctx, func(q Querier) error {
		seen, err := l.readArrivals(ctx, q, &l.arrivals)
		if err != nil {
			return err
		}
		t, err := l.tripOf(ctx, q, number)
		if err != nil || t == nil {
			return err
		}
		words, err := l.readWords(ctx, q, seen, wordsOfRowsSQL, numberList([]int64{t.Row}))
		k.ID, k.Row, k.Trips, found = t.RowID, 0, []importer.Standing{t.standing()}, true
		for i := range words {
			if !words[i].none() {
				k.Row, k.Words = t.Row, []importer.Word{words[i].Word}
			}
		}
		return err
	})
	return k, found, err
}

// Unresolved implements next.Ledger.
func (l *Ledger) Unresolved(ctx context.Context) (all []importer.Standing, err error) {
	err = l.read(ctx, func(q Querier) error {
		trips, err := l.readTrips(ctx, q, unresolvedSQL)
		for i := range trips {
			all = append(all, trips[i].standing())
		}
		return err
	})
	return all, err
}

// Find implements next.Ledger.
func (l *Ledger) Find(ctx context.Context, s next.Search) iter.Seq2[importer.Standing, error] {
	return func(yield func(importer.Standing, error) bool) {
		numbers, err := l.search(ctx, s)
		for some := range slices.Chunk(numbers, tripsAtOnce) {
			var trips []trip
			err = l.read(ctx, func(q Querier) (err error) {
				trips, err = l.readTrips(ctx, q, tripsSQL, numberList(some))
				return err
			})
			if err != nil {
				break
			}
			slices.SortFunc(trips, func(a, b trip) int { return slices.Index(some, a.Number) - slices.Index(some, b.Number) })
			for i := range trips {
				if !yield(trips[i].standing(), nil) {
					return
				}
			}
		}
		if err != nil {
			yield(importer.Standing{}, err)
		}
	}
}

// search returns the numbers of the trips that a search selects, by day and time.
func (l *Ledger) search(ctx context.Context, s next.Search) (numbers []int64, err error) {
	err = l.read(ctx, func(q Querier) error {
		where := []string{"t.day >= ?"}
		args := []any{s.From.String()}
		if !s.To.IsZero() {
			where, args = append(where, "t.day <= ?"), append(args, s.To.String())
		}
		for _, by := range []struct {
			asked bool
			trips func() ([]int64, error)
		}{
			{s.Trip != "", func() ([]int64, error) { return l.tripsOfID(ctx, q, s.Trip) }},
			{s.Rider != "", func() ([]int64, error) { return l.tripsOfRider(ctx, q, s) }},
			{s.Run != "", func() ([]int64, error) { return Query(ctx, q, ScanOne[int64], claimedInSQL, s.Run) }},
		} {
			if !by.asked {
				continue
			}
			trips, err := by.trips()
			if err != nil {
				return err
			}
			where, args = append(where, "t.num IN (listed(?))"), append(args, numberList(trips))
		}
		numbers, err = Query(ctx, q, ScanOne[int64], "SELECT t.num FROM trips t WHERE "+strings.Join(where, " AND ")+" ORDER BY t.day, t.begins, t.num", args...)
		return err
	})
	return numbers, err
}

// tripsOfID returns the numbers of the trips with a trip id of any broker, in any spelling,
// or with a GUID.
func (l *Ledger) tripsOfID(ctx context.Context, q Querier, id string) ([]int64, error) {
	brokers, err := l.brokers(ctx, q)
	if err != nil {
		return nil, err
	}
	hashes := []int64{l.Hashes.GUID(id)}
	for _, broker := range brokers {
		hashes = append(hashes, l.Hashes.TripIDs(broker, id)...)
	}
	return tripsOf(ctx, q, hashes)
}

// tripsOfRider returns the numbers of the rider's trips. Each day has a hash of its own.
func (l *Ledger) tripsOfRider(ctx context.Context, q Querier, s next.Search) ([]int64, error) {
	to := s.To.String()
	days, err := Query(ctx, q, ScanOne[string], daysSQL, s.From.String(), to, to)
	if err != nil {
		return nil, err
	}
	var hashes []int64
	for _, text := range days {
		day, err := parseDay(text)
		if err != nil {
			return nil, err
		}
		hashes = append(hashes, l.Hashes.RiderDay(s.Rider, day))
	}
	return tripsOf(ctx, q, hashes)
}

// tripsOf returns the numbers of the trips with one of the hashes.
func tripsOf(ctx context.Context, q Querier, hashes []int64) (trips []int64, err error) {
	f := found{links: map[int64][]int64{}}
	err = f.readLinks(ctx, q, hashes)
	for _, some := range f.links {
		trips = append(trips, some...)
	}
	return trips, err
}
