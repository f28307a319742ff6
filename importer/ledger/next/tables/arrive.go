package tables

import (
	"context"
	"errors"
	"iter"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

const (
	touchRowsSQL  = "UPDATE rows SET arrival = ?2 WHERE num IN (listed(?1))"
	goneOfDaysSQL = wordColumns + `WHERE r.broker = ? AND r.day = ? AND r.arrival <> ? AND r.arrival <> 0 AND r.says <> ?`
	// arrivedAtOnce is the number of rows that are looked up together.
	arrivedAtOnce = 512
)

// An arriving is an arrival that is being written.
type arriving struct {
	l      *Ledger
	w      *Writer
	a      *importer.Arrival
	run    int64
	broker int64
	seen   seenArrivals
	rows   []arrived // the rows that wait to be written together
}

// An arrived is a row of an arrival, with its hashes.
type arrived struct {
	key    importer.RowKey
	hash   keyed.Row
	day    importer.Date
	pair   importer.Pair
	says   importer.Says
	legs   []importer.LegWord
	meant  []int64
	digest uint64
}

// Arrive implements next.Ledger. If a row can't be read, nothing is written.
func (l *Ledger) Arrive(_ context.Context, run string, a importer.Arrival, rows iter.Seq2[*importer.Mapped, error]) (importer.Arrival, error) {
	given := a
	err := l.commits.do(func(ctx context.Context, w *Writer) error {
		number, err := w.openRun(ctx, run)
		if err != nil {
			return err
		}
		a = given
		seen, err := l.readArrivals(ctx, w, &w.arrivals)
		if err != nil {
			return err
		}
		if same := sameReading(seen, &a); same != nil {
			a = *same
			return nil
		}
		return w.undoing(ctx, func() error {
			x := &arriving{l: l, w: w, a: &a, run: number, seen: seen}
			return x.write(ctx, rows)
		})
	})
	return a, err
}

// undoing does work that may be refused after it has written something, and undoes that.
func (w *Writer) undoing(ctx context.Context, work func() error) error {
	before := w.Number
	if err := w.flushEvents(ctx); err != nil {
		return err
	}
	if _, err := w.ExecContext(ctx, "SAVEPOINT before"); err != nil {
		return err
	}
	err := work()
	var r refusal
	switch {
	case err == nil:
		_, err = w.ExecContext(ctx, "RELEASE SAVEPOINT before")
		return err
	case !errors.As(err, &r):
		return err
	}
	begun, ended := w.Begun, w.Ended
	w.Forget()
	w.Number, w.Begun, w.Ended = before, begun, ended
	if _, undoErr := w.ExecContext(ctx, "ROLLBACK TO SAVEPOINT before"); undoErr != nil {
		return undoErr
	}
	return err
}

// sameReading returns the newest arrival of all scopes of a, if a is no new one beside it.
func sameReading(seen seenArrivals, a *importer.Arrival) (same *importer.Arrival) {
	for _, s := range a.Scopes {
		of := scope{importer.BrokerText(a.Broker), s.Day, s.Pair}
		newest := seen.newest(of, func(*importer.Arrival) bool { return true })
		if newest == nil || same != nil && newest != same {
			return nil
		}
		same = newest
	}
	if same == nil {
		return nil
	}
	spelled := *same
	spelled.Broker = a.Broker
	if !a.SameReading(&spelled) {
		return nil
	}
	return &spelled
}

func (x *arriving) write(ctx context.Context, rows iter.Seq2[*importer.Mapped, error]) (err error) {
	if x.broker, err = x.l.nameNumber(ctx, x.w, name{nameBroker, x.a.Broker}); err != nil {
		return err
	}
	sealed, err := x.l.sealArrival(*x.a)
	if err != nil {
		return err
	}
	x.a.Number, err = x.w.addEvent(ctx, event{kind: eventArrived, at: x.a.Read, run: x.run, detail: sealed})
	if err != nil {
		return err
	}
	for row, err := range rows {
		if err != nil {
			return refuse(err)
		}
		x.rows = append(x.rows, x.hash(row))
		if len(x.rows) < arrivedAtOnce {
			continue
		}
		if err := x.flush(ctx); err != nil {
			return err
		}
	}
	if err := x.flush(ctx); err != nil {
		return err
	}
	return x.markGone(ctx)
}

// hash returns what is stored of a row, which the caller may use again.
func (x *arriving) hash(row *importer.Mapped) arrived {
	r := arrived{key: row.Key, hash: x.l.Hashes.Row(&row.Key), day: row.Key.Date, says: saysOf(row)}
	r.legs = legsOf(&r.hash, row)
	r.digest = r.hash.Digest(r.says, r.legs)
	for i := range row.Trips {
		t := &row.Trips[i]
		if i == 0 {
			r.pair = importer.Pair{Provider: t.Provider, FundingSource: t.FundingSource}
		}
		r.meant = append(r.meant, x.l.Hashes.Meant(t))
	}
	if r.day.IsZero() && len(row.Trips) > 0 {
		r.day = row.Trips[0].Date()
	}
	return r
}

// flush writes the words of the rows that wait.
func (x *arriving) flush(ctx context.Context) error {
	rows := x.rows
	x.rows = x.rows[:0]
	words, err := x.known(ctx, rows)
	if err != nil {
		return err
	}
	same := map[int64][]int64{}
	for i := range rows {
		r := &rows[i]
		was := pickWord(&r.key, words[r.hash.ID()])
		switch next, changed, err := x.word(ctx, r, was); {
		case err != nil:
			return err
		case next == nil:
		case !changed:
			was.Arrival, was.Stamp = next.Arrival, next.Stamp
			same[was.Arrival] = append(same[was.Arrival], was.Row)
		default:
			if err := x.save(ctx, r, was, next); err != nil {
				return err
			}
			words[next.ID] = append(ofOtherRow(words[next.ID], next.Row), *next)
		}
	}
	return x.touch(ctx, same)
}

// known returns the words of rows by their ids.
func (x *arriving) known(ctx context.Context, rows []arrived) (map[string][]word, error) {
	var keys []int64
	for i := range rows {
		keys = append(keys, rows[i].hash.Number)
	}
	words, err := x.l.readWords(ctx, x.w, x.seen, wordsOfKeysSQL, numberList(keys))
	byID := map[string][]word{}
	for _, w := range words {
		byID[w.ID] = append(byID[w.ID], w)
	}
	return byID, err
}

func ofOtherRow(words []word, row int64) []word {
	var others []word
	for _, w := range words {
		if w.Row != row {
			others = append(others, w)
		}
	}
	return others
}

// word returns the word that the row gets, or nil if it keeps a newer one, or that of the
// same row further up in the file. It reports whether anything but the arrival changed.
func (x *arriving) word(ctx context.Context, r *arrived, was *word) (next *word, changed bool, err error) {
	if was != nil && !was.none() && (was.Arrival == x.a.Number || was.Of().Newer(x.a)) {
		return nil, false, nil
	}
	next = &word{broker: x.broker}
	if next.pair, err = x.l.nameNumber(ctx, x.w, name{namePair, pairText(r.pair)}); err != nil {
		return nil, false, err
	}
	next.ID, next.Day, next.Pair, next.Legs = r.hash.ID(), r.day, r.pair, r.legs
	next.Says, next.Digest, next.Arrival, next.Stamp = r.says, r.digest, x.a.Number, x.a.Stamp
	if gone := x.goneAsOf(r); gone != nil {
		next.Says, next.Arrival, next.Stamp = importer.SaysGone, gone.Number, gone.Stamp
		next.Digest = x.l.Hashes.Gone(r.digest)
	}
	if was == nil {
		next.Version = 1
		return next, true, nil
	}
	next.Row, next.Version, next.Event = was.Row, was.Version, was.Event
	if was.Digest == next.Digest && was.Day == next.Day && was.Pair == next.Pair && sameTimes(was.Legs, next.Legs) && !was.none() {
		return next, false, nil
	}
	next.supersede(was)
	return next, true, nil
}

// sameTimes reports whether the legs begin at the same times.
func sameTimes(a, b []importer.LegWord) bool {
	for i := range min(len(a), len(b)) {
		if a[i].Begins != b[i].Begins {
			return false
		}
	}
	return len(a) == len(b)
}

// supersede makes the word the next version of an earlier one.
func (w *word) supersede(was *word) {
	w.Version = was.Version + 1
	if !was.none() {
		w.Earlier = append([]uint64{was.Digest}, was.Earlier...)
		w.Earlier = w.Earlier[:min(len(w.Earlier), earlierKept)]
	}
}

// goneAsOf returns the newest whole arrival that is newer and does not have the row, or
// nil. It does not have the row, because the row's word would be of that one.
func (x *arriving) goneAsOf(r *arrived) *importer.Arrival {
	of := scope{importer.BrokerText(x.a.Broker), r.day, r.pair}
	return x.seen.newest(of, func(b *importer.Arrival) bool {
		return b.Newer(x.a) && b.Tells(r.day, r.pair, firstTime(r.legs))
	})
}

// firstTime returns when the first of the legs begins, or zero.
func firstTime(legs []importer.LegWord) importer.DateTime {
	if len(legs) == 0 {
		return importer.DateTime{}
	}
	return legs[0].Begins
}

// save writes a word with its event.
func (x *arriving) save(ctx context.Context, r *arrived, was, next *word) error {
	next.hidden = x.l.sealHidden(r.meant)
	e := event{kind: eventWord, what: next.Says.Code(), at: x.a.Read, run: x.run, row: next.Row}
	if was == nil {
		next.Row = x.w.Number + 1
		e.row = next.Row
	} else {
		e.keys = changedKeys(was.Legs, next.Legs)
	}
	number, err := x.w.addEvent(ctx, e)
	if err != nil {
		return err
	}
	next.Event = number
	if was == nil {
		return x.w.addRow(ctx, r.hash, next)
	}
	return x.w.setWord(ctx, next)
}

// changedKeys returns the keys of the properties in which legs that both have differ.
func changedKeys(was, now []importer.LegWord) []string {
	var keys []string
	w := importer.Word{Legs: was}
	for i := range now {
		if before := w.Leg(now[i].Leg); before != nil {
			keys = append(keys, before.Values.Differs(now[i].Values)...)
		}
	}
	return keys
}

// touch makes words that did not change words of the arrivals.
func (x *arriving) touch(ctx context.Context, rows map[int64][]int64) (err error) {
	for arrival, same := range rows {
		err = errors.Join(err, x.w.Later(ctx, touchRowsSQL, numberList(same), arrival))
	}
	return err
}

// markGone gives the word gone to the rows that the arrival does not have and tells of.
func (x *arriving) markGone(ctx context.Context) error {
	if !x.a.Whole {
		return nil
	}
	for _, day := range x.a.Days() {
		words, err := x.l.readWords(ctx, x.w, x.seen, goneOfDaysSQL, x.broker, day.String(), x.a.Number, importer.SaysGone.Code())
		for i := range words {
			w := &words[i]
			if err == nil && !w.Of().Newer(x.a) && x.a.Tells(w.Day, w.Pair, firstTime(w.Legs)) {
				err = x.gone(ctx, w)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// gone gives a row the word gone.
func (x *arriving) gone(ctx context.Context, was *word) error {
	next := *was
	next.supersede(was)
	next.Says, next.Arrival = importer.SaysGone, x.a.Number
	next.Digest = x.l.Hashes.Gone(was.Digest)
	number, err := x.w.addEvent(ctx, event{kind: eventWord, what: next.Says.Code(), at: x.a.Read, run: x.run, row: next.Row})
	next.Event = number
	return errors.Join(err, x.w.setWord(ctx, &next))
}
