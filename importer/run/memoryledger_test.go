package run_test

import (
	"cmp"
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"strings"
	"sync"

	"tripimport/importer"
)

// A memoryLedger is a ledger in memory with the promises of the real ones: arrivals and last words,
// claims that compare what was seen, and settlements. Its hashes are plain texts.
type memoryLedger struct {
	mu       sync.Mutex
	event    int64
	arrivals []importer.Arrival
	words    []*importer.Word
	trips    []*standing
	byKey    map[string][]*standing
	byID     map[string][]*importer.Word
	guids    map[string]int64 // the trips of GUIDs
	// fails is returned by every method that writes, once it is set: at the step dieAt, if that is
	// not 0. steps counts the writings and the requests.
	fails        error
	steps, dieAt int
	// askedInVain counts the schedules that it was asked for after it had failed.
	askedInVain int
	// claimed is called after each claim, before it returns.
	claimed func()
}

// A standing is a trip with the values of a claim that is not settled.
type standing struct {
	importer.Standing
	nextSent, nextSeen importer.Values
}

func hashOf(texts ...string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(strings.Join(texts, "\x00")))
	return max(1, h.Sum64())
}

func (l *memoryLedger) RowID(key importer.RowKey) string { return strings.Join(key.Text(), "|") }

func valuesOf(id string, t *importer.Trip) (values importer.Values) {
	for _, p := range importer.TripProperties() {
		if text := p.AppendComparable(nil, t); len(text) > 0 && !p.OfAccount {
			values = append(values, importer.KeyedValue{Property: p.Number, Hash: hashOf(id, p.Key, string(text))})
		}
	}
	importer.SortValues(values)
	return values
}

func (l *memoryLedger) own(service string, m *importer.Mapped, t *importer.Trip) importer.Own {
	id := l.RowID(m.Key)
	identity, _ := t.Identity()
	own := importer.Own{Values: valuesOf(id, t), Identity: identity, Pickup: identity.Pickup.At, Dropoff: identity.Dropoff.At}
	own.Identity.Rider = ""
	if rider := importer.RiderText(t.RiderID); rider != "" && !t.Date().IsZero() {
		own.Identity.Rider = "rider|" + service + "|" + rider + "|" + t.Date().String()
	}
	return own
}

func (l *memoryLedger) keysOf(m *importer.Mapped, t *importer.Trip, own *importer.Own) []string {
	keys := []string{l.RowID(m.Key)}
	if t.ID != "" {
		keys = append(keys, "trip|"+importer.IDText(t.ID))
	}
	if own.Identity.Rider != "" {
		keys = append(keys, own.Identity.Rider)
	}
	return keys
}

func digestOf(says importer.Says, of importer.Pair, legs []importer.LegWord) uint64 {
	text := says.Code()
	if says == importer.SaysLive {
		text += of.Provider + of.FundingSource
		for _, leg := range legs {
			text += leg.Leg.Code() + string(leg.Values.Append(nil))
		}
	}
	return hashOf(text)
}

func (l *memoryLedger) proposed(m *importer.Mapped) importer.Word {
	w := importer.Word{ID: l.RowID(m.Key), Broker: m.Key.Broker, Day: m.Key.Date, Says: m.Says()}
	for i := range m.Trips {
		t := &m.Trips[i]
		w.Legs = append(w.Legs, importer.LegWord{Leg: t.Leg, Begins: t.Time(), Values: valuesOf(w.ID, t)})
	}
	w.Pair = m.Pair()
	w.Digest = digestOf(w.Says, w.Pair, w.Legs)
	return w
}

func (l *memoryLedger) Look(_ context.Context, service string, rows []*importer.Mapped) ([]importer.Known, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := make([]importer.Known, len(rows))
	for i, m := range rows {
		k := &all[i]
		k.ID = l.RowID(m.Key)
		keys := []string{k.ID}
		for n := range m.Trips {
			own := l.own(service, m, &m.Trips[n])
			k.Own = append(k.Own, own)
			keys = append(keys, l.keysOf(m, &m.Trips[n], &own)...)
		}
		for _, s := range l.sharing(keys) {
			k.Trips = append(k.Trips, s.Standing)
		}
		var same []importer.Word
		for _, w := range l.byID[k.ID] {
			same = append(same, *w)
		}
		k.Words = slices.Clone(same)
		for n := range k.Trips {
			if row := k.Trips[n].Row; row != 0 && k.WordOf(row) == nil {
				k.Words = append(k.Words, *l.words[row-1])
			}
		}
		if n := importer.PickWord(&m.Key, m.Row.Version, same); n >= 0 {
			k.Row = same[n].Row
		}
		k.Digest = l.proposed(m).Digest
		k.Arrivals = slices.Clone(l.arrivals)
	}
	return all, nil
}

func (l *memoryLedger) Schedule(_ context.Context, _, broker string, days []importer.Date) ([]importer.Known, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fails != nil {
		l.askedInVain++
	}
	var all []importer.Known
	for _, w := range l.words {
		if w.Broker != broker || !slices.Contains(days, w.Day) {
			continue
		}
		k := importer.Known{ID: w.ID, Row: w.Row, Words: []importer.Word{*w}}
		for _, s := range l.trips {
			if s.Row == w.Row {
				k.Trips = append(k.Trips, s.Standing)
			}
		}
		all = append(all, k)
	}
	return all, nil
}

func (l *memoryLedger) Arrivals(_ context.Context, broker string, _ importer.Date) ([]importer.Arrival, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.arrivals), func(a importer.Arrival) bool { return a.Broker != broker }), nil
}

func (l *memoryLedger) Arrive(_ context.Context, _ string, of importer.Reading) (a importer.Arrival, err error) {
	var proposed []importer.Word
	var keys []importer.RowKey
	for m, err := range of.Rows {
		if err != nil {
			return a, err
		}
		proposed, keys = append(proposed, l.proposed(m)), append(keys, m.Key)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.step() {
		return a, l.fails
	}
	known := importer.Known{Arrivals: slices.Clone(l.arrivals)}
	a = l.record(of.Arrival)
	known.Arrivals = slices.DeleteFunc(known.Arrivals, func(b importer.Arrival) bool { return b.Number == a.Number })
	present := map[int64]bool{}
	for n := range proposed {
		l.say(&a, &keys[n], proposed[n], &known, present)
	}
	for _, w := range l.words {
		if w.Says == importer.SaysLive && !present[w.Row] && w.Broker == a.Broker && !w.Of().Newer(&a) && a.Tells(w.Day, w.Pair, w.Legs[0].Begins) {
			l.change(w, importer.SaysGone, nil, &a)
		}
	}
	return a, nil
}

// record gives an arrival its number, unless it is another reading of the newest one.
func (l *memoryLedger) record(a importer.Arrival) importer.Arrival {
	for i := range l.arrivals {
		newer := slices.ContainsFunc(l.arrivals, func(b importer.Arrival) bool { return b.Newer(&l.arrivals[i]) })
		if a.SameReading(&l.arrivals[i]) && !newer {
			return l.arrivals[i]
		}
	}
	l.event++
	a.Number = l.event
	l.arrivals = append(l.arrivals, a)
	return a
}

// say records what an arrival says of a row.
func (l *memoryLedger) say(a *importer.Arrival, key *importer.RowKey, p importer.Word, known *importer.Known, present map[int64]bool) {
	var same []importer.Word
	for _, w := range l.byID[p.ID] {
		same = append(same, *w)
	}
	if i := importer.PickWord(key, 0, same); i >= 0 {
		w := l.words[same[i].Row-1]
		present[w.Row] = true
		switch {
		case w.Of().Newer(a):
		case laterWhole(a, &p, known) != nil:
			l.change(w, importer.SaysGone, p.Legs, laterWhole(a, &p, known))
		case w.Digest == p.Digest && w.Day == p.Day:
			w.Arrival, w.Stamp = a.Number, a.Stamp
		default:
			w.Day = cmp.Or(p.Day, w.Day)
			l.change(w, p.Says, p.Legs, a)
			w.Pair, w.Digest = p.Pair, p.Digest
		}
		return
	}
	w := p
	w.Row = int64(len(l.words) + 1)
	l.words = append(l.words, &w)
	if l.byID == nil {
		l.byID = map[string][]*importer.Word{}
	}
	l.byID[w.ID] = append(l.byID[w.ID], &w)
	present[w.Row] = true
	if whole := laterWhole(a, &w, known); whole != nil {
		l.change(&w, importer.SaysGone, w.Legs, whole)
		return
	}
	l.change(&w, p.Says, p.Legs, a)
}

// laterWhole returns a newer whole arrival that lacks the row, or nil.
func laterWhole(a *importer.Arrival, w *importer.Word, known *importer.Known) *importer.Arrival {
	whole := known.Newest(a.Broker, w.Day, w.Pair, true)
	if whole == nil || len(w.Legs) == 0 || !whole.Newer(a) || !whole.Tells(w.Day, w.Pair, w.Legs[0].Begins) {
		return nil
	}
	return whole
}

func (l *memoryLedger) change(w *importer.Word, says importer.Says, legs []importer.LegWord, a *importer.Arrival) {
	l.event++
	if w.Said > 0 {
		w.Earlier = append([]importer.WordVersion{{Said: w.Said, Digest: w.Digest, Pair: w.Pair, Legs: w.Legs}}, w.Earlier...)
	}
	if legs != nil {
		w.Legs = legs
	}
	w.Says, w.Arrival, w.Stamp, w.Said, w.Event = says, a.Number, a.Stamp, l.event, l.event
	w.Digest = digestOf(says, w.Pair, w.Legs)
	if says != importer.SaysLive {
		w.Off = &importer.OffWord{Says: says, Stamp: a.Stamp, Event: l.event}
	}
}

// sharing returns the trips that have one of the keys, in the order of their numbers.
func (l *memoryLedger) sharing(keys []string) []*standing {
	if l.byKey == nil {
		l.byKey = map[string][]*standing{}
	}
	var found []*standing
	for _, key := range keys {
		for _, s := range l.byKey[key] {
			if !slices.Contains(found, s) {
				found = append(found, s)
			}
		}
	}
	slices.SortFunc(found, func(a, b *standing) int { return cmp.Compare(a.Number, b.Number) })
	return found
}

func (l *memoryLedger) Claim(_ context.Context, s importer.Step) (importer.Ticket, error) {
	ticket, err := l.claim(s)
	if err == nil && l.claimed != nil {
		l.claimed()
	}
	return ticket, err
}

func (l *memoryLedger) claim(s importer.Step) (importer.Ticket, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.step() {
		return importer.Ticket{}, l.fails
	}
	for _, saw := range s.Saw {
		if saw.Row != 0 && l.words[saw.Row-1].Event != saw.Event || saw.Trip != 0 && l.trips[saw.Trip-1].Event != saw.Event {
			return importer.Ticket{}, importer.ErrMeanwhile
		}
	}
	t := &s.Row.Trips[s.Leg]
	keys := l.keysOf(s.Row, t, &s.Own)
	for _, other := range l.sharing(keys) {
		if !slices.ContainsFunc(s.Saw, func(saw importer.LastEvent) bool { return saw.Trip == other.Number }) {
			return importer.Ticket{}, importer.ErrMeanwhile
		}
	}
	l.event++
	seen := s.Seen
	if seen == nil {
		seen = s.Own.Values
	}
	if s.Change != nil {
		trip := l.trips[s.Trip-1]
		trip.Change = &importer.ChangeStanding{Event: l.event, State: importer.ChangeSending, Keys: s.Change, Values: s.Own.Values, At: s.At}
		trip.nextSeen, trip.Event, trip.Run = seen, l.event, s.Run
		return importer.Ticket{Trip: trip.Number, Event: l.event}, nil
	}
	if s.Trip == 0 {
		l.trips = append(l.trips, &standing{Standing: importer.Standing{Number: int64(len(l.trips) + 1)}})
		s.Trip = int64(len(l.trips))
	}
	trip := l.trips[s.Trip-1]
	for _, key := range keys {
		if !slices.Contains(l.byKey[key], trip) {
			l.byKey[key] = append(l.byKey[key], trip)
		}
	}
	trip.nextSent, trip.nextSeen = s.Own.Values, seen
	trip.Row, trip.RowID, trip.Broker, trip.Account, trip.Leg, trip.TripID = s.RowNumber, l.RowID(s.Row.Key), s.Row.Key.Broker, s.Account, t.Leg, t.ID
	trip.Day, trip.Begins, trip.WillCall = t.Date(), t.Time(), t.Type == importer.WillCall
	trip.Identity, trip.Pickup, trip.Dropoff = s.Own.Identity, s.Own.Pickup, s.Own.Dropoff
	trip.State, trip.Mapping, trip.Run, trip.Attempts = importer.TripSending, s.Mapping, s.Run, trip.Attempts+1
	trip.ClaimedAt, trip.Event, trip.Claimed = s.At, l.event, l.event
	return importer.Ticket{Trip: trip.Number, Event: l.event}, nil
}

func (l *memoryLedger) Settle(_ context.Context, ticket importer.Ticket, s importer.Settled) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.step() {
		return l.fails
	}
	trip := l.trips[ticket.Trip-1]
	key := importer.GUIDKey(s.GUID)
	if other := l.guids[key]; key != "" && other != 0 && other != trip.Number {
		return importer.GUIDTaken{Trip: other}
	}
	if l.guids == nil {
		l.guids = map[string]int64{}
	}
	l.guids[key] = trip.Number
	l.event++
	trip.Event, trip.SettledAt, trip.HTTPStatus, trip.Code = l.event, s.At, s.HTTPStatus, s.Code
	if c := trip.Change; c != nil && c.Event == ticket.Event {
		trip.Change = nil
		switch s.State {
		case importer.TripBooked:
			trip.Sent, trip.Seen = trip.Sent.With(c.Values, c.Keys), trip.Seen.With(trip.nextSeen, c.Keys)
		case importer.TripRefused:
			c.State = importer.ChangeRefusedByService
			trip.Change = c
		case importer.TripUnclear:
			c.State = importer.ChangeUnclear
			trip.Change, trip.Seen = c, trip.Seen.Forget(c.Keys)
		}
		return nil
	}
	trip.State = s.State
	if s.State == importer.TripBooked {
		trip.GUID, trip.GUIDMissing, trip.Proved = s.GUID, s.GUIDMissing, s.Code != importer.CodeBookedByHand
		trip.Sent, trip.Seen = trip.nextSent, trip.nextSeen
	}
	return nil
}

// booked returns the numbers of the trips that are booked.
func (l *memoryLedger) booked() (numbers []int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.trips {
		if s.State == importer.TripBooked {
			numbers = append(numbers, s.Number)
		}
	}
	return numbers
}

// Trip finds no trip, as if it had just been taken away, and Record records nothing.
func (l *memoryLedger) Trip(context.Context, int64) (k importer.Known, found bool, err error) {
	return k, false, nil
}

func (l *memoryLedger) Record(context.Context, ...importer.Effect) error { return nil }

// die leaves everything unclear that is claimed, as the end of a process does.
// step counts a step, and reports whether the process was killed before it. The caller holds mu.
func (l *memoryLedger) step() (killed bool) {
	if l.steps++; l.steps == l.dieAt {
		l.fails = errors.New("the process was killed")
	}
	return l.fails != nil
}

func (l *memoryLedger) die() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.trips {
		if s.State == importer.TripSending {
			s.State = importer.TripUnclear
		}
		if s.Change != nil && s.Change.State == importer.ChangeSending {
			s.Change.State = importer.ChangeUnclear
			s.Seen = s.Seen.Forget(s.Change.Keys)
		}
	}
	l.fails, l.dieAt = nil, 0
}

// sending returns the number of trips that are claimed and not settled.
func (l *memoryLedger) sending() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.trips {
		if s.State == importer.TripSending {
			n++
		}
	}
	return n
}
