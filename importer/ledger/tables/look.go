package tables

import (
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger/keyed"
)

const (
	tripsOfKeysSQL = "SELECT DISTINCT " + standingColumns + ", k.hash" + fromTrips + "JOIN keys k ON k.trip = t.id WHERE k.hash IN (numbers(?1)) AND (?2 = '' OR a.service = ?2) ORDER BY t.id"
	wordsSQL       = "SELECT " + wordColumns + " FROM rows w WHERE w.key IN (listed(?1)) OR w.id IN (numbers(?2)) ORDER BY w.id"
	meantSQL       = "SELECT subject FROM facts WHERE kind = '" + factMeant + "' AND subject IN (listed(?1))"
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

// Look returns what the ledger has that shares a key with each of the rows, in their order.
func (l *Ledger) Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error) {
	known := make([]importer.Known, len(rows))
	all := make([]rowLook, len(rows))
	var keys []int64
	var ids, meant []string
	from := importer.Date{}
	for i, m := range rows {
		all[i] = l.ask(service, m, &known[i])
		keys = append(keys, all[i].keys...)
		ids = append(ids, known[i].ID)
		meant = append(meant, all[i].meant...)
		for n := range m.Trips {
			if day := m.Trips[n].Date(); !day.IsZero() && (from.IsZero() || day.Compare(from) < 0) {
				from = day
			}
		}
	}

	found, err := l.find(ctx, service, keys, ids, meant)
	if err == nil {
		found.arrivals, err = l.arrivals(ctx, l.lookUps, from)
	}
	if err != nil {
		return nil, l.readError(ctx, err)
	}
	for i, m := range rows {
		l.fill(m, &all[i], found)
	}
	return known, nil
}

// ask makes the hashes of a row.
func (l *Ledger) ask(service string, m *importer.Mapped, known *importer.Known) rowLook {
	known.ID = l.Hashes.Row(&m.Key)
	a := rowLook{known: known, keys: []int64{keyed.Number(known.ID)}}
	for i := range m.Trips {
		t := &m.Trips[i]
		own := l.Hashes.Own(service, known.ID, t)
		known.Own = append(known.Own, own)
		a.keys = append(a.keys, l.tripKeys(known.ID, m.Key.Broker, t, &own)...)
		a.meant = append(a.meant, l.Hashes.Meant(t))
	}
	return a
}

// tripKeys returns the keys by which a trip is found: those of its row, its id, and its rider and day.
func (l *Ledger) tripKeys(rowKey, broker string, t *importer.Trip, own *importer.Own) []int64 {
	keys := []int64{keyed.Number(rowKey)}
	if t.ID != "" {
		keys = append(keys, keyed.Number(l.Hashes.TripID(broker, t.ID)))
	}
	if own.Identity.Rider != "" {
		keys = append(keys, keyed.Number(own.Identity.Rider))
	}
	return keys
}

// A foundBatch is what a look found for all of its rows.
type foundBatch struct {
	trips    []importer.Standing
	ofKey    map[int64][]int // indices of trips, by key
	words    []importer.Word
	ofID     map[string][]int // indices of words, by Word.ID
	ofRow    map[int64]int    // the index of a word, by Word.Row
	meant    map[string]bool
	arrivals []importer.Arrival
}

func (l *Ledger) find(ctx context.Context, service string, keys []int64, ids, meant []string) (*foundBatch, error) {
	found := &foundBatch{ofKey: map[int64][]int{}, ofID: map[string][]int{}, ofRow: map[int64]int{}, meant: map[string]bool{}}
	type sharing struct {
		importer.Standing
		key int64
	}
	index := map[int64]int{}
	rows, err := Query(ctx, l.lookUps, func(row Scanner) (k sharing, err error) {
		k.Standing, err = l.scanStanding(withMore{row, []any{&k.key}})
		return k, err
	}, tripsOfKeysSQL, list(keys), service)
	if err != nil {
		return nil, err
	}
	var numbers []int64
	for _, k := range rows {
		i, known := index[k.Number]
		if !known {
			i = len(found.trips)
			index[k.Number] = i
			found.trips = append(found.trips, k.Standing)
			numbers = append(numbers, k.Row)
		}
		found.ofKey[k.key] = append(found.ofKey[k.key], i)
	}

	found.words, err = Query(ctx, l.lookUps, l.scanWord, wordsSQL, list(ids), list(numbers))
	if err != nil {
		return nil, err
	}
	for i := range found.words {
		w := &found.words[i]
		found.ofID[w.ID] = append(found.ofID[w.ID], i)
		found.ofRow[w.Row] = i
	}
	subjects, err := Query(ctx, l.lookUps, ScanOne[string], meantSQL, list(meant))
	for _, s := range subjects {
		found.meant[s] = true
	}
	return found, err
}

// withMore scans further columns after those of another scan.
type withMore struct {
	Scanner

	more []any
}

// Scan implements Scanner.
func (w withMore) Scan(dest ...any) error { return w.Scanner.Scan(append(dest, w.more...)...) }

// fill sets what is known of one of the rows.
func (l *Ledger) fill(m *importer.Mapped, a *rowLook, found *foundBatch) {
	k := a.known
	taken := map[int]bool{}
	for _, key := range a.keys {
		for _, i := range found.ofKey[key] {
			taken[i] = true
		}
	}
	words := map[int]bool{}
	for _, i := range found.ofID[k.ID] {
		words[i] = true
	}
	for i := range found.trips {
		if taken[i] {
			k.Trips = append(k.Trips, found.trips[i])
			if w, ok := found.ofRow[found.trips[i].Row]; ok {
				words[w] = true
			}
		}
	}
	var own []importer.Word
	for i := range found.words {
		if !words[i] {
			continue
		}
		k.Words = append(k.Words, found.words[i])
		if found.words[i].ID == k.ID {
			own = append(own, found.words[i])
		}
	}
	if i := importer.PickWord(&m.Key, m.Row.Version, own); i >= 0 {
		k.Row = own[i].Row
	}
	for i, subject := range a.meant {
		k.Own[i].Meant = subject != "" && found.meant[subject]
	}
	if len(k.Words)+len(k.Trips) > 0 {
		for i := range m.Trips {
			k.Own[i].Values = l.Hashes.Values(k.ID, &m.Row, &m.Trips[i])
		}
		k.Digest = l.Hashes.Digest(k.ID, m.Says(), legsOf(m, k.Own))
	}
	k.Arrivals = arrivalsOf(m, k, found.arrivals)
}

// legsOf returns what a row says of its trips.
func legsOf(m *importer.Mapped, own []importer.Own) []importer.LegWord {
	legs := make([]importer.LegWord, 0, len(m.Trips))
	for i := range m.Trips {
		legs = append(legs, importer.LegWord{Leg: m.Trips[i].Leg, Begins: m.Trips[i].Time(), Values: own[i].Values})
	}
	return legs
}

// arrivalsOf returns the arrivals that matter for a row: for each scope of its trips, and of the
// words that are known beside them, the newest and the newest whole one.
func arrivalsOf(m *importer.Mapped, k *importer.Known, all []importer.Arrival) []importer.Arrival {
	from := &importer.Known{Arrivals: all}
	var kept []importer.Arrival
	keep := func(broker string, day importer.Date, pair importer.Pair) {
		for _, whole := range []bool{false, true} {
			a := from.Newest(broker, day, pair, whole)
			if a != nil && !slices.ContainsFunc(kept, func(b importer.Arrival) bool { return b.Number == a.Number }) {
				kept = append(kept, *a)
			}
		}
	}
	for i := range m.Trips {
		t := &m.Trips[i]
		keep(m.Key.Broker, t.Date(), importer.Pair{Provider: t.Provider, FundingSource: t.FundingSource})
	}
	for i := range k.Words {
		keep(k.Words[i].Broker, k.Words[i].Day, k.Words[i].Pair)
	}
	return kept
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
