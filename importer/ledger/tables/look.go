package tables

import (
	"cmp"
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	tripsSQL = "SELECT " + standingColumns + fromTrips + "WHERE t.id IN (numbers(?1)) AND (?2 = '' OR a.service = ?2) ORDER BY t.id"
	wordsSQL = "SELECT " + wordColumns + " FROM rows w WHERE w.key IN (listed(?1)) OR w.id IN (numbers(?2)) ORDER BY w.id"
)

// factMeant is the kind of the facts that say that a rider has several trips a day between two
// places.
const factMeant = "meant"

// A rowLook is a row of a look with its hashes.
type rowLook struct {
	known *importer.Known
	keys  []int64  // those by which its trips are found
	meant []string // for each trip; empty if the trip has no places
}

// Look returns what the ledger has that shares a key with each of the rows, in their order. A row
// that has its id from a person is looked for as the row that it is without it.
func (l *Ledger) Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error) {
	sought := importer.Each(rows, func(m *importer.Mapped) soughtRow { return soughtRow{&m.Key, l.Hashes.Row(&m.Key), m.Row.Version} })
	fixed, err := l.fixedIDs(ctx, sought)
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	known, all := make([]importer.Known, len(rows)), make([]rowLook, len(rows))
	var keys []int64
	var ids, meant []string
	from := importer.Date{}
	for i, m := range rows {
		known[i].ID = cmp.Or(fixed[i], sought[i].id)
		all[i] = l.ask(service, m, &known[i])
		ids = append(ids, known[i].ID)
		keys = append(keys, all[i].keys...)
		meant = append(meant, all[i].meant...)
		for n := range m.Trips {
			if day := m.Trips[n].Date(); !day.IsZero() && (from.IsZero() || day.Compare(from) < 0) {
				from = day
			}
		}
	}

	found, err := l.find(ctx, service, keys, ids, meant)
	var arrivals []importer.Arrival
	if err == nil {
		arrivals, err = l.arrivals(ctx, l.Readers, from)
	}
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	for i, m := range rows {
		known[i].Arrivals = arrivals
		l.fill(m, &all[i], found)
	}
	return known, nil
}

// ask makes the hashes of a row.
func (l *Ledger) ask(service string, m *importer.Mapped, known *importer.Known) rowLook {
	a := rowLook{known: known, keys: []int64{l.keyOf(m)}}
	for i := range m.Trips {
		t := &m.Trips[i]
		own := l.Hashes.Own(service, known.ID, t)
		known.Own = append(known.Own, own)
		a.keys = append(a.keys, l.tripKeys(known.ID, m, t, &own)...)
		a.meant = append(a.meant, l.Hashes.Meant(t))
	}
	return a
}

// keyOf returns the key of the row's id, which leads also to trips of a row without an id to which a
// person gave it.
func (l *Ledger) keyOf(m *importer.Mapped) int64 { return keyed.Number(l.Hashes.Row(&m.Key)) }

// tripKeys returns the keys by which a trip is found: those of its row, its id, and its rider and day.
func (l *Ledger) tripKeys(rowKey string, m *importer.Mapped, t *importer.Trip, own *importer.Own) []int64 {
	keys := []int64{keyed.Number(rowKey)}
	if given := l.keyOf(m); given != keys[0] {
		keys = append(keys, given)
	}
	if t.ID != "" {
		keys = append(keys, keyed.Number(l.Hashes.TripID(m.Key.Broker, t.ID)))
	}
	if own.Identity.Rider != "" {
		keys = append(keys, keyed.Number(own.Identity.Rider))
	}
	return keys
}

// A foundBatch is what a look found for all of its rows.
type foundBatch struct {
	trips []importer.Standing
	ofKey map[int64][]int // indices of trips, by key
	words []importer.Word
	ofID  map[string][]int // indices of words, by Word.ID
	ofRow map[int64]int    // the index of a word, by Word.Row
	meant map[string]bool
}

func (l *Ledger) find(ctx context.Context, service string, keys []int64, ids, meant []string) (*foundBatch, error) {
	found := &foundBatch{ofKey: map[int64][]int{}, ofID: map[string][]int{}, ofRow: map[int64]int{}, meant: map[string]bool{}}
	type sharing struct{ key, trip int64 }
	shared, err := Query(ctx, l.Readers, func(row Scanner) (k sharing, err error) { return k, row.Scan(&k.key, &k.trip) }, "SELECT hash, trip FROM keys WHERE hash IN (numbers(?1))", list(keys))
	if err != nil {
		return nil, err
	}
	trips := importer.Each(shared, func(k sharing) int64 { return k.trip })
	// The trips are asked for on their own: with a join, PostgreSQL looks for all keys beside each trip.
	if found.trips, err = Query(ctx, l.Readers, l.scanStanding, tripsSQL, list(trips), service); err != nil {
		return nil, err
	}
	var numbers []int64
	index := map[int64]int{}
	for i := range found.trips {
		index[found.trips[i].Number] = i
		numbers = append(numbers, found.trips[i].Row)
	}
	for _, k := range shared {
		if i, known := index[k.trip]; known {
			found.ofKey[k.key] = append(found.ofKey[k.key], i)
		}
	}

	found.words, err = Query(ctx, l.Readers, l.scanWord, wordsSQL, list(ids), list(numbers))
	if err != nil {
		return nil, err
	}
	for i := range found.words {
		w := &found.words[i]
		found.ofID[w.ID] = append(found.ofID[w.ID], i)
		found.ofRow[w.Row] = i
	}
	subjects, err := Query(ctx, l.Readers, ScanOne[string], "SELECT subject FROM facts WHERE kind = '"+factMeant+"' AND subject IN (listed(?1))", list(meant))
	for _, s := range subjects {
		found.meant[s] = true
	}
	return found, err
}

// gather sets the trips and the words that are known of one of the rows, and returns the words with its
// id.
func (a *rowLook) gather(found *foundBatch) (own []importer.Word) {
	k := a.known
	var trips []int
	for _, key := range a.keys {
		trips = append(trips, found.ofKey[key]...)
	}
	slices.Sort(trips)
	words := slices.Clone(found.ofID[k.ID])
	for _, i := range slices.Compact(trips) {
		k.Trips = append(k.Trips, found.trips[i])
		if w, ok := found.ofRow[found.trips[i].Row]; ok {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	for _, i := range slices.Compact(words) {
		k.Words = append(k.Words, found.words[i])
		if found.words[i].ID == k.ID {
			own = append(own, found.words[i])
		}
	}
	return own
}

// fill sets what is known of one of the rows.
func (l *Ledger) fill(m *importer.Mapped, a *rowLook, found *foundBatch) {
	k, own := a.known, a.gather(found)
	if i := importer.PickWord(&m.Key, m.Row.Version, own); i >= 0 {
		k.Row = own[i].Row
	}
	for i, subject := range a.meant {
		k.Own[i].Meant = subject != "" && found.meant[subject]
	}
	if len(k.Words)+len(k.Trips) > 0 {
		legs := legsOf(m, func(t *importer.Trip) importer.Values { return l.Hashes.Values(k.ID, &m.Row, t) })
		for i := range legs {
			k.Own[i].Values = legs[i].Values
		}
		k.Digest = l.Hashes.Digest(k.ID, m.Says(), m.Pair(), legs)
	}
}

// legsOf returns what a row says of its trips.
func legsOf(m *importer.Mapped, values func(*importer.Trip) importer.Values) []importer.LegWord {
	legs := make([]importer.LegWord, 0, len(m.Trips))
	for i := range m.Trips {
		t := &m.Trips[i]
		legs = append(legs, importer.LegWord{Leg: t.Leg, Begins: t.Time(), Values: values(t)})
	}
	return legs
}

// arrivals returns all arrivals with a scope on the day or later, in the order of their numbers.
// With no day it returns all.
func (l *Ledger) arrivals(ctx context.Context, q Querier, from importer.Date) ([]importer.Arrival, error) {
	ofRuns, err := Query(ctx, q, l.scanArrivals, "SELECT arrivals FROM runs WHERE last_day >= ? AND last_day <> '' ORDER BY num", from.String())
	return slices.Concat(ofRuns...), err
}

// scanArrivals scans the arrivals of a run.
func (l *Ledger) scanArrivals(row Scanner) (all []importer.Arrival, err error) {
	err = row.Scan(sealedColumn(l.Hashes, jsonColumn(&all)))
	return all, err
}
