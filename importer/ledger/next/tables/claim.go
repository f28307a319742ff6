package tables

import (
	"context"
	"errors"
	"slices"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/next/keyed"
)

const (
	// sharingSQL returns the trips of the service of an account (?2) that share a hash (?1),
	// with their last events.
	sharingSQL = `SELECT t.num, t.event FROM keys k JOIN trips t ON t.num = k.trip JOIN accounts a ON a.num = t.account
		WHERE k.hash IN (listed(?1)) AND a.service = (SELECT c.service FROM accounts c WHERE c.num = ?2)`
	// lastEventsSQL returns the last events of rows (?1) and trips (?2).
	lastEventsSQL = `SELECT 0, r.num, r.event FROM rows r WHERE r.num IN (listed(?1))
		UNION ALL SELECT 1, t.num, t.event FROM trips t WHERE t.num IN (listed(?2))`
)

// A step is an importer.Step with its hashes.
type step struct {
	importer.Step
	hash     keyed.Row
	keys     []int64 // those of the step's trip
	values   importer.Values
	identity importer.Identity
	hiddenID []byte
}

func (s *step) trip() *importer.Trip { return &s.Row.Trips[s.Leg] }

// Claim implements next.Ledger. It refuses a booking of a trip that is in the service or
// may be, and a change of any other trip, whatever the judge said.
func (l *Ledger) Claim(_ context.Context, of importer.Step) (ticket importer.Ticket, err error) {
	if of.Leg < 0 || of.Leg >= len(of.Row.Trips) {
		return ticket, errors.New("the row does not have the step's trip")
	}
	s := step{Step: of, hash: l.Hashes.Row(&of.Row.Key)}
	own := s.trip()
	s.keys = append([]int64{s.hash.Number}, l.Hashes.TripKeys(&of.Row.Key, own)...)
	s.values, s.identity, s.hiddenID = s.hash.Values(of.Row, own), l.Hashes.Identity(own), l.sealTripID(own)
	var claimed *trip
	err = l.commits.do(func(ctx context.Context, w *Writer) (err error) {
		claimed, err = l.claim(ctx, w, &s)
		return err
	})
	if err != nil {
		return ticket, err
	}
	l.open.Store(claimed.claim, *claimed)
	return importer.Ticket{Trip: claimed.Number, Event: claimed.claim}, nil
}

func (l *Ledger) claim(ctx context.Context, w *Writer, s *step) (*trip, error) {
	run, err := w.openRun(ctx, s.Run)
	if err != nil {
		return nil, err
	}
	account, err := l.claimAccount(ctx, w, s.Account)
	if err != nil {
		return nil, err
	}
	var words []word
	err = w.ask(ctx, func(row Scanner) error {
		one, err := l.scanWord(row)
		words = append(words, one)
		return err
	}, wordsOfKeysSQL, numberList([]int64{s.hash.Number}))
	if err != nil {
		return nil, err
	}
	sharing, err := Query(ctx, w, scanTripSaw, sharingSQL, numberList(s.keys), account)
	if err != nil {
		return nil, err
	}
	words = ofID(words, s.hash.ID())
	if err := w.checkStep(ctx, s, words, sharing); err != nil {
		return nil, err
	}
	t, err := l.stepTrip(ctx, w, s)
	if err != nil {
		return nil, err
	}
	// From here on the step is written.
	row, seen, err := l.stepRow(ctx, w, s, words)
	if err != nil {
		return nil, err
	}
	mapping, err := l.nameNumber(ctx, w, name{nameMapping, s.Mapping})
	if err != nil {
		return nil, err
	}
	if s.Change == nil {
		s.book(t, row, account, mapping, seen)
	} else {
		s.change(t, mapping, seen)
	}
	t.run, t.ClaimedAt, t.Attempts = run, s.At, t.Attempts+1
	return t, w.saveClaim(ctx, s, t)
}

// saveClaim writes a trip with its claim.
func (w *Writer) saveClaim(ctx context.Context, s *step, t *trip) error {
	e := event{kind: eventClaimed, at: s.At, run: t.run, trip: t.Number, keys: s.Change}
	if s.Change != nil {
		e.kind = eventChanging
	}
	if t.Number == 0 {
		t.Number = w.Number + 1
		e.trip = t.Number
	}
	number, err := w.addEvent(ctx, e)
	t.claim = number
	err = errors.Join(err, w.saveTrip(ctx, t, number))
	if s.Change == nil {
		err = errors.Join(err, w.addKeys(ctx, t.Number, s.keys))
	}
	return err
}

// checkStep refuses a step if something that was seen is not as it was, or something that
// was not seen shares a key. words are those of rows with the id of the step's row, and
// sharing are the trips that share a key.
func (w *Writer) checkStep(ctx context.Context, s *step, words []word, sharing []importer.Saw) error {
	now := map[importer.Saw]bool{}
	for i := range words {
		if !words[i].none() {
			now[importer.Saw{Row: words[i].Row, Event: words[i].Event}] = true
		}
	}
	for _, t := range sharing {
		now[t] = true
	}
	for n := range now {
		if !slices.Contains(s.Saw, n) {
			return refuse(importer.ErrMeanwhile)
		}
	}
	others := slices.DeleteFunc(slices.Clone(s.Saw), func(was importer.Saw) bool { return now[was] })
	if len(others) == 0 {
		return nil
	}
	return w.checkSaw(ctx, others)
}

// scanTripSaw reads a row of sharingSQL.
func scanTripSaw(row Scanner) (t importer.Saw, err error) {
	err = row.Scan(&t.Trip, &t.Event)
	return t, err
}

// checkSaw refuses if a row or a trip has another last event. Event 0 stands for any.
func (w *Writer) checkSaw(ctx context.Context, saw []importer.Saw) error {
	rows, trips := splitSaw(saw)
	now := map[importer.Saw]bool{}
	err := eachRow(ctx, w, func(row Scanner) error {
		var kind, number, event int64
		err := row.Scan(&kind, &number, &event)
		s := importer.Saw{Row: number}
		if kind == 1 {
			s = importer.Saw{Trip: number}
		}
		now[s] = true
		s.Event = event
		now[s] = true
		return err
	}, lastEventsSQL, numberList(rows), numberList(trips))
	if err == nil && slices.ContainsFunc(saw, func(s importer.Saw) bool { return !now[s] }) {
		return refuse(importer.ErrMeanwhile)
	}
	return err
}

// splitSaw returns the numbers of the rows and those of the trips.
func splitSaw(saw []importer.Saw) (rows, trips []int64) {
	for _, s := range saw {
		if s.Trip != 0 {
			trips = append(trips, s.Trip)
		} else {
			rows = append(rows, s.Row)
		}
	}
	return rows, trips
}

// stepTrip returns the trip of the step as it stands, or an empty one for a new trip.
func (l *Ledger) stepTrip(ctx context.Context, w *Writer, s *step) (*trip, error) {
	if s.Trip == 0 {
		if s.Change != nil {
			return nil, refuse(importer.ErrMeanwhile)
		}
		return &trip{}, nil
	}
	t, err := l.tripOf(ctx, w, s.Trip)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, refuse(importer.ErrMeanwhile)
	}
	now := t.standing()
	sending := now.Change != nil && now.Change.State == importer.ChangeSending
	if s.Change == nil && now.State.Taken() || s.Change != nil && (now.State != importer.TripBooked || sending) {
		return nil, refuse(importer.ErrMeanwhile)
	}
	if t.claimed.changing() {
		t.Standing, t.claimed = now, nil // it was broken off
	}
	return t, nil
}

// stepRow returns the number of the step's row, and the values of the step's trip that the
// schedule has. It adds a row that no arrival had.
func (l *Ledger) stepRow(ctx context.Context, w *Writer, s *step, words []word) (row int64, seen importer.Values, err error) {
	if known := pickWord(&s.Row.Key, words); known != nil {
		if leg := known.Leg(s.trip().Leg); leg != nil && !known.none() {
			return known.Row, leg.Values, nil
		}
		return known.Row, s.values, nil
	}
	added := &word{}
	added.Day = s.Row.Key.Date
	if added.broker, err = l.nameNumber(ctx, w, name{nameBroker, s.Row.Key.Broker}); err != nil {
		return 0, nil, err
	}
	added.pair, err = l.nameNumber(ctx, w, name{namePair, pairText(importer.Pair{Provider: s.trip().Provider, FundingSource: s.trip().FundingSource})})
	if err != nil {
		return 0, nil, err
	}
	number, err := w.addEvent(ctx, event{kind: eventWord, at: s.At, row: w.Number + 1})
	added.Row, added.Event = number, number
	return number, s.values, errors.Join(err, w.addRow(ctx, s.hash, added))
}

// ofID returns the words with the id, among those with the same number.
func ofID(words []word, id string) []word {
	var all []word
	for _, w := range words {
		if w.ID == id {
			all = append(all, w)
		}
	}
	return all
}

// book makes the trip one whose booking is claimed.
func (s *step) book(t *trip, row, account, mapping int64, seen importer.Values) {
	trip := s.trip()
	t.Row, t.account, t.Leg, t.hiddenID = row, account, trip.Leg, s.hiddenID
	t.Day, t.Begins, t.WillCall, t.Identity = trip.Date(), trip.Time(), trip.Type == importer.WillCall, s.identity
	t.State, t.GUID, t.GUIDMissing, t.Proved, t.Answered = importer.TripSending, "", false, false, false
	t.LookAfter = time.Time{}
	t.Sent, t.Seen, t.mapping, t.Change, t.claimed = s.values, seen, mapping, nil, &claimed{}
}

// change makes the trip one with a claimed change.
func (s *step) change(t *trip, mapping int64, seen importer.Values) {
	none := importer.Values(nil)
	c := &claimed{
		Keys: s.Change, Values: none.With(s.values, s.Change), Seen: none.With(seen, s.Change),
		Begins: t.Begins, WillCall: t.WillCall, Identity: t.Identity, Mapping: mapping,
	}
	trip := s.trip()
	if trip.Date() == t.Day {
		c.take(s.identity, trip)
	}
	t.claimed = c
}

// take takes over the times and places that are sent.
func (c *claimed) take(id importer.Identity, trip *importer.Trip) {
	for _, key := range c.Keys {
		switch side, place := importer.PlaceOf(key); {
		case place && side == importer.FieldPickup:
			c.Identity.Pickup, c.Identity.PickupUnit = id.Pickup, id.PickupUnit
		case place:
			c.Identity.Dropoff, c.Identity.DropoffUnit = id.Dropoff, id.DropoffUnit
		case isTime(importer.PropertyField(key)):
			c.Begins, c.WillCall, c.Identity.Times = trip.Time(), trip.Type == importer.WillCall, id.Times
		}
	}
}

// isTime reports whether a field decides when a trip begins.
func isTime(f importer.Field) bool {
	_, part := f.Split()
	return part == importer.FieldPickupTime || part == importer.FieldApptTime || f == importer.FieldTripType
}
