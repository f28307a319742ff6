package tables

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/next"
)

// The kinds of events. They are stored, so they never change.
const (
	eventBegan    = "began"    // a run
	eventEnded    = "ended"    // a run; what is how
	eventBroken   = "broken"   // a run that its process did not end
	eventArrived  = "arrived"  // an arrival
	eventWord     = "word"     // a row has another word; what is Says
	eventClaimed  = "claimed"  // a booking is about to be sent
	eventSettled  = "settled"  // what came of it; what is the state
	eventChanging = "changing" // a change is about to be sent
	eventChanged  = "changed"  // what came of it
	eventAnswered = "answered" // a person; what is the verdict
	eventProved   = "proved"   // results prove it; what is the state
	eventFact     = "fact"     // a fact; what is its kind
	eventLedger   = "ledger"   // the ledger as a whole; what says what
)

const (
	addEventsSQL = "INSERT INTO events (num, trip, row, at, kind, what, run, guid, keys, detail) VALUES "
	eventValues  = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
	eventColumns = 10
	// eventsAtOnce is the number of events that are written by one statement.
	eventsAtOnce = 32
	eventsSQL    = `SELECT e.num, e.trip, e.row, e.at, e.kind, e.what, COALESCE(r.id, ''), e.guid, e.keys, e.detail
		FROM events e LEFT JOIN runs r ON r.num = e.run WHERE e.trip = ? AND e.row = ? ORDER BY e.num`
)

// An event is one that is about to be written. Its run is the number of the run.
type event struct {
	trip, row  int64
	at         time.Time
	kind, what string
	run        int64
	guid       string
	keys       []string
	detail     []byte
}

// addEvent adds an event and returns its number. It is written with others, because
// nothing in the same transaction reads it.
func (w *Writer) addEvent(ctx context.Context, e event) (int64, error) {
	w.Number++
	w.events = append(w.events, w.Number, e.trip, e.row, instant(e.at), e.kind, e.what, e.run, e.guid, keyNumbers(e.keys), e.detail)
	if len(w.events) < eventsAtOnce*eventColumns {
		return w.Number, nil
	}
	return w.Number, w.flushEvents(ctx)
}

// flushEvents writes the events that wait.
func (w *Writer) flushEvents(ctx context.Context) error {
	args := w.events
	if len(args) == 0 {
		return nil
	}
	w.events = nil
	n := len(args) / eventColumns
	return w.Later(ctx, addEventsSQL+strings.Repeat(eventValues+", ", n-1)+eventValues, args...)
}

// An eventDetail is what is sealed of a person's event.
type eventDetail struct {
	Who   string `json:"who,omitempty"`
	Host  string `json:"host,omitempty"`
	Where string `json:"where,omitempty"`
	Note  string `json:"note,omitempty"`
}

func (l *Ledger) sealDetail(d eventDetail) ([]byte, error) {
	text, err := json.Marshal(d)
	return l.Hashes.Seal(string(text)), err
}

// Events implements next.Ledger.
func (l *Ledger) Events(ctx context.Context, trip, row int64) (all []next.Event, err error) {
	if trip != 0 {
		row = 0
	}
	err = l.read(ctx, func(q Querier) error {
		all, err = Query(ctx, q, l.scanEvent, eventsSQL, trip, row)
		return err
	})
	return all, err
}

func (l *Ledger) scanEvent(row Scanner) (e next.Event, err error) {
	var keys, sealed []byte
	err = row.Scan(&e.Number, &e.Trip, &e.Row, instantColumn(&e.At), &e.Kind, &e.What, &e.Run, &e.GUID, &keys, &sealed)
	if err != nil {
		return e, err
	}
	e.Keys = keysOf(keys)
	if len(sealed) == 0 || e.Kind == eventArrived {
		return e, nil
	}
	var d eventDetail
	text, err := l.Hashes.Open(sealed)
	if err == nil {
		err = json.Unmarshal([]byte(text), &d)
	}
	e.Who, e.Host, e.Where, e.Note = d.Who, d.Host, d.Where, d.Note
	return e, err
}

// keyNumbers returns the numbers of the properties with the keys, and keysOf is its
// inverse.
func keyNumbers(keys []string) []byte {
	if len(keys) == 0 {
		return nil
	}
	numbers := make([]byte, 0, len(keys))
	for _, key := range keys {
		for _, p := range importer.TripProperties() {
			if p.Key == key {
				numbers = append(numbers, p.Number)
			}
		}
	}
	return numbers
}

func keysOf(numbers []byte) (keys []string) {
	for _, n := range numbers {
		for _, p := range importer.TripProperties() {
			if p.Number == n {
				keys = append(keys, p.Key)
			}
		}
	}
	return keys
}
