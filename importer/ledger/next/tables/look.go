package tables

import (
	"context"
	"slices"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

// A sought is a row that is looked for, with its hashes.
type sought struct {
	row  *importer.Mapped
	hash keyed.Row
	// keys are the hashes by which trips of the row are found, and meant the subject of
	// the decision about the rider for each trip.
	keys, meant []int64
}

func (l *Ledger) seek(row *importer.Mapped) sought {
	s := sought{row: row, hash: l.Hashes.Row(&row.Key)}
	s.keys = append(s.keys, s.hash.Number)
	for i := range row.Trips {
		s.keys = append(s.keys, l.Hashes.TripKeys(&row.Key, &row.Trips[i])...)
		s.meant = append(s.meant, l.Hashes.Meant(&row.Trips[i]))
	}
	return s
}

// A found is what a query for several rows found.
type found struct {
	seen  seenArrivals
	links map[int64][]int64 // the numbers of trips by their hashes
	trips map[int64]importer.Standing
	words map[int64]*importer.Word  // by the numbers of rows
	ofKey map[int64][]importer.Word // by the first part of the row's id
	meant map[int64]bool
}

// Look implements next.Ledger.
func (l *Ledger) Look(ctx context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error) {
	all := make([]sought, len(rows))
	for i, row := range rows {
		all[i] = l.seek(row)
	}
	known := make([]importer.Known, len(rows))
	err := l.read(ctx, func(q Querier) error {
		f, err := l.find(ctx, q, service, all)
		for i := range all {
			known[i] = f.known(l.Hashes, &all[i])
		}
		return err
	})
	return known, err
}

// find asks for everything that shares a key with the rows.
func (l *Ledger) find(ctx context.Context, q Querier, service string, all []sought) (f found, err error) {
	f = found{
		links: map[int64][]int64{}, trips: map[int64]importer.Standing{}, words: map[int64]*importer.Word{},
		ofKey: map[int64][]importer.Word{}, meant: map[int64]bool{},
	}
	var keys, rows, meant []int64
	for i := range all {
		keys, rows, meant = append(keys, all[i].keys...), append(rows, all[i].hash.Number), append(meant, all[i].meant...)
	}
	if f.seen, err = l.readArrivals(ctx, q, &l.arrivals); err != nil {
		return f, err
	}
	if err = f.readLinks(ctx, q, keys); err != nil {
		return f, err
	}
	if err = l.findTrips(ctx, q, &f, service); err != nil {
		return f, err
	}
	if err = l.findWords(ctx, q, &f, rows); err != nil {
		return f, err
	}
	subjects, err := Query(ctx, q, ScanOne[int64], meantSQL, numberList(meant))
	for _, s := range subjects {
		f.meant[s] = true
	}
	return f, err
}

func (f *found) readLinks(ctx context.Context, q Querier, keys []int64) error {
	return eachRow(ctx, q, func(row Scanner) error {
		var hash, trip int64
		err := row.Scan(&hash, &trip)
		f.links[hash] = append(f.links[hash], trip)
		return err
	}, linksSQL, numberList(keys))
}

// findTrips reads the trips of the links that belong to the service.
func (l *Ledger) findTrips(ctx context.Context, q Querier, f *found, service string) error {
	var numbers []int64
	for _, trips := range f.links {
		numbers = append(numbers, trips...)
	}
	if len(numbers) == 0 {
		return nil
	}
	slices.Sort(numbers)
	trips, err := l.readTrips(ctx, q, tripsSQL, numberList(slices.Compact(numbers)))
	for i := range trips {
		if trips[i].Account.Service == service {
			f.trips[trips[i].Number] = trips[i].standing()
		}
	}
	return err
}

// findWords reads the words of the rows with the keys, and of the rows of the trips.
func (l *Ledger) findWords(ctx context.Context, q Querier, f *found, keys []int64) error {
	words, err := l.readWords(ctx, q, f.seen, wordsOfKeysSQL, numberList(keys))
	if err != nil {
		return err
	}
	f.addWords(words)
	var missing []int64
	for _, t := range f.trips {
		if _, ok := f.words[t.Row]; !ok {
			missing = append(missing, t.Row)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	slices.Sort(missing)
	words, err = l.readWords(ctx, q, f.seen, wordsOfRowsSQL, numberList(slices.Compact(missing)))
	f.addWords(words)
	return err
}

// addWords adds the words that an arrival has said.
func (f *found) addWords(words []word) {
	for i := range words {
		w := &words[i]
		f.words[w.Row] = nil
		if w.none() {
			continue
		}
		f.words[w.Row] = &w.Word
		key := keyed.NumberOf(w.ID)
		f.ofKey[key] = append(f.ofKey[key], w.Word)
	}
}

// known returns what was found for one row.
func (f *found) known(h *keyed.Hashes, s *sought) importer.Known {
	k := importer.Known{ID: s.hash.ID()}
	for _, w := range f.ofKey[s.hash.Number] {
		if w.ID == k.ID {
			k.Words = append(k.Words, w)
		}
	}
	if i := importer.PickWord(&s.row.Key, k.Words); i >= 0 {
		k.Row = k.Words[i].Row
	}
	f.addTrips(&k, s)
	for i := range s.row.Trips {
		t := &s.row.Trips[i]
		k.Own = append(k.Own, importer.Own{Identity: h.Identity(t), Meant: f.meant[s.meant[i]]})
		of := scope{importer.BrokerText(s.row.Key.Broker), t.Date(), importer.Pair{Provider: t.Provider, FundingSource: t.FundingSource}}
		k.Arrivals = f.seen.addNewest(k.Arrivals, of, s.row.Key.Broker)
	}
	if len(k.Words) > 0 || len(k.Trips) > 0 {
		k.Digest = addValues(k.Own, s)
	}
	spell(&k, s.row.Key.Broker)
	return k
}

// addTrips adds the trips of the row's keys, and the words of their rows.
func (f *found) addTrips(k *importer.Known, s *sought) {
	for _, key := range s.keys {
		for _, number := range f.links[key] {
			t, ok := f.trips[number]
			if ok && !slices.ContainsFunc(k.Trips, func(has importer.Standing) bool { return has.Number == number }) {
				k.Trips = append(k.Trips, t)
			}
		}
	}
	slices.SortFunc(k.Trips, byNumber)
	for i := range k.Trips {
		if w := f.words[k.Trips[i].Row]; w != nil && k.WordOf(w.Row) == nil {
			k.Words = append(k.Words, *w)
		}
	}
}

// addValues adds the values of the row as it is, and returns its digest.
func addValues(own []importer.Own, s *sought) uint64 {
	legs := legsOf(&s.hash, s.row)
	for i := range legs {
		own[i].Values = legs[i].Values
	}
	return s.hash.Digest(saysOf(s.row), legs)
}

// legsOf returns what a word says of the trips of a row.
func legsOf(hash *keyed.Row, row *importer.Mapped) []importer.LegWord {
	legs := make([]importer.LegWord, len(row.Trips))
	for i := range row.Trips {
		t := &row.Trips[i]
		legs[i] = importer.LegWord{Leg: t.Leg, Begins: t.Time(), Values: hash.Values(row, t)}
	}
	return legs
}

// saysOf returns what a schedule says of a row by having it.
func saysOf(row *importer.Mapped) importer.Says {
	switch {
	case row.Cancelled:
		return importer.SaysCancelled
	case row.LeftOut != "":
		return importer.SaysLeftOut
	}
	return importer.SaysLive
}

// spell writes the broker as the caller spells it, because two spellings are one broker.
func spell(k *importer.Known, broker string) {
	same := func(name *string) {
		if importer.BrokerText(*name) == importer.BrokerText(broker) {
			*name = broker
		}
	}
	for i := range k.Words {
		same(&k.Words[i].Broker)
	}
	for i := range k.Trips {
		same(&k.Trips[i].Broker)
	}
}
