package tables

import (
	"context"
	"iter"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

const (
	scheduleSQL = wordColumns + `WHERE r.broker = ?1 AND r.day = ?2 AND r.num > ?3 AND r.arrival <> 0 ORDER BY r.num LIMIT ?4`
	// rowsAtOnce is the number of rows that Schedule reads together.
	rowsAtOnce = 256
)

// Schedule implements next.Ledger.
func (l *Ledger) Schedule(ctx context.Context, service, broker string, days []importer.Date) iter.Seq2[importer.Known, error] {
	return func(yield func(importer.Known, error) bool) {
		cursors := map[importer.Date]*cursor{}
		for _, day := range days {
			cursors[day] = &cursor{day: day}
		}
		for {
			next, err := l.nextOf(ctx, cursors, service, broker)
			if err != nil {
				yield(importer.Known{}, err)
				return
			}
			if next == nil || !yield(next.page[0], nil) {
				return
			}
			next.page = next.page[1:]
		}
	}
}

// A cursor reads the rows of one day, in the order of their numbers.
type cursor struct {
	day  importer.Date
	page []importer.Known
	last int64 // the number of the last row that was read
	done bool
}

// nextOf returns the cursor whose next row has the smallest number, or nil at the end.
func (l *Ledger) nextOf(ctx context.Context, cursors map[importer.Date]*cursor, service, broker string) (first *cursor, err error) {
	for _, c := range cursors {
		if len(c.page) == 0 && !c.done {
			if err := l.readPage(ctx, c, service, broker); err != nil {
				return nil, err
			}
		}
		if len(c.page) > 0 && (first == nil || c.page[0].Row < first.page[0].Row) {
			first = c
		}
	}
	return first, nil
}

// readPage reads the next rows of a day with their trips and arrivals.
func (l *Ledger) readPage(ctx context.Context, c *cursor, service, broker string) error {
	return l.read(ctx, func(q Querier) error {
		seen, err := l.readArrivals(ctx, q, &l.arrivals)
		if err != nil {
			return err
		}
		number, err := l.brokerNumber(ctx, q, broker)
		if err != nil {
			return err
		}
		words, err := l.readWords(ctx, q, seen, scheduleSQL, number, c.day.String(), c.last, rowsAtOnce)
		c.done = len(words) < rowsAtOnce
		if err != nil || len(words) == 0 {
			return err
		}
		c.last = words[len(words)-1].Row
		f := found{links: map[int64][]int64{}, trips: map[int64]importer.Standing{}}
		if err := f.readLinks(ctx, q, numbersOf(words)); err != nil {
			return err
		}
		if err := l.findTrips(ctx, q, &f, service); err != nil {
			return err
		}
		for i := range words {
			c.page = append(c.page, f.scheduled(&words[i], seen, broker))
		}
		return nil
	})
}

// numbersOf returns the first parts of the ids of words.
func numbersOf(words []word) []int64 {
	var numbers []int64
	for i := range words {
		numbers = append(numbers, keyed.NumberOf(words[i].ID))
	}
	return numbers
}

// scheduled returns a word with the trips of its row.
func (f *found) scheduled(w *word, seen seenArrivals, broker string) importer.Known {
	k := importer.Known{ID: w.ID, Row: w.Row, Words: []importer.Word{w.Word}}
	for _, number := range f.links[keyed.NumberOf(w.ID)] {
		if t, ok := f.trips[number]; ok && t.Row == w.Row {
			k.Trips = append(k.Trips, t)
		}
	}
	k.Arrivals = seen.addNewest(nil, scope{importer.BrokerText(broker), w.Day, w.Pair}, broker)
	spell(&k, broker)
	return k
}
