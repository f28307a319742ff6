package tables

import (
	"context"
	"encoding/json"
	"slices"
	"sync"

	"tripimport/importer"
)

const (
	lastArrivalSQL = "SELECT COALESCE(MAX(num), 0) FROM events WHERE kind = '" + eventArrived + "'"
	arrivalsSQL    = "SELECT num, detail FROM events WHERE kind = '" + eventArrived + "' AND num > ? ORDER BY num"
)

// arrivals remembers the recorded arrivals, which never change. So only new ones are read,
// and which one is the newest is decided by importer.Arrival alone.
type arrivals struct {
	mu       sync.Mutex
	upTo     int64 // the number of the last one that was read
	byNumber map[int64]*importer.Arrival
	byScope  map[scope][]*importer.Arrival
}

// A scope is a day and pair of a broker.
type scope struct {
	broker string
	day    importer.Date
	pair   importer.Pair
}

func newArrivals() arrivals {
	return arrivals{byNumber: map[int64]*importer.Arrival{}, byScope: map[scope][]*importer.Arrival{}}
}

func (a *arrivals) forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.upTo = 0
	clear(a.byNumber)
	clear(a.byScope)
}

// seenArrivals are the arrivals that a transaction sees.
type seenArrivals struct {
	*arrivals
	last int64 // the number of the last one
}

// readArrivals reads the arrivals that are new.
func (l *Ledger) readArrivals(ctx context.Context, q Querier, known *arrivals) (seenArrivals, error) {
	seen := seenArrivals{arrivals: known}
	if w, ok := q.(*Writer); ok {
		if err := w.flushEvents(ctx); err != nil {
			return seen, err
		}
	}
	if err := q.QueryRowContext(ctx, lastArrivalSQL).Scan(&seen.last); err != nil {
		return seen, err
	}
	known.mu.Lock()
	defer known.mu.Unlock()
	if seen.last <= known.upTo {
		return seen, nil
	}
	return seen, eachRow(ctx, q, func(row Scanner) error {
		var number int64
		var sealed []byte
		if err := row.Scan(&number, &sealed); err != nil {
			return err
		}
		arrival := &importer.Arrival{}
		text, err := l.Hashes.Open(sealed)
		if err == nil {
			err = json.Unmarshal([]byte(text), arrival)
		}
		arrival.Number = number
		known.add(arrival)
		return err
	}, arrivalsSQL, known.upTo)
}

func (a *arrivals) add(arrival *importer.Arrival) {
	a.upTo = arrival.Number
	a.byNumber[arrival.Number] = arrival
	for _, s := range arrival.Scopes {
		key := scope{importer.BrokerText(arrival.Broker), s.Day, s.Pair}
		a.byScope[key] = append(a.byScope[key], arrival)
	}
}

// of returns the arrival with the number, or an empty one.
func (s seenArrivals) of(number int64) *importer.Arrival {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.byNumber[number]; a != nil {
		return a
	}
	return &importer.Arrival{}
}

// newest returns the newest of the arrivals of a scope for which fits holds, or nil.
func (s seenArrivals) newest(of scope, fits func(*importer.Arrival) bool) (newest *importer.Arrival) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.byScope[of] {
		if a.Number <= s.last && fits(a) && (newest == nil || a.Newer(newest)) {
			newest = a
		}
	}
	return newest
}

// addNewest appends the newest arrival and the newest whole one of a scope to all, unless
// they are there.
func (s seenArrivals) addNewest(all []importer.Arrival, of scope, broker string) []importer.Arrival {
	any := s.newest(of, func(*importer.Arrival) bool { return true })
	whole := s.newest(of, func(a *importer.Arrival) bool { return a.Whole })
	for _, a := range []*importer.Arrival{any, whole} {
		if a == nil || slices.ContainsFunc(all, func(b importer.Arrival) bool { return b.Number == a.Number }) {
			continue
		}
		all = append(all, *a)
		all[len(all)-1].Broker = broker // as the caller spells it
	}
	return all
}

// Arrivals implements next.Ledger.
func (l *Ledger) Arrivals(ctx context.Context, broker string, from importer.Date) (all []importer.Arrival, err error) {
	err = l.read(ctx, func(q Querier) error {
		seen, err := l.readArrivals(ctx, q, &l.arrivals)
		if err != nil {
			return err
		}
		for _, s := range seen.scopes(importer.BrokerText(broker), from) {
			all = seen.addNewest(all, s, broker)
		}
		return nil
	})
	slices.SortFunc(all, func(a, b importer.Arrival) int { return int(a.Number - b.Number) })
	return all, err
}

// scopes returns the scopes of a broker from a day on.
func (s seenArrivals) scopes(broker string, from importer.Date) (all []scope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for of := range s.byScope {
		if of.broker == broker && of.day.Compare(from) >= 0 {
			all = append(all, of)
		}
	}
	return all
}

// sealArrival returns the stored form of an arrival.
func (l *Ledger) sealArrival(a importer.Arrival) ([]byte, error) {
	text, err := json.Marshal(a)
	return l.Hashes.Seal(string(text)), err
}
