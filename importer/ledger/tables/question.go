package tables

import (
	"slices"
	"strings"

	"tripimport/importer"
)

// A Question is what the claims and settlements of a transaction have to know of the ledger. It is
// asked once for all of them, and then follows what they write.
type Question struct {
	rows, trips, keys []int64
	rowKeys, guids    []string

	last    map[importer.LastEvent]int64 // the last event of each row and trip, which has no Event here
	found   map[int64]*foundTrip
	sharing map[int64][]importer.LastEvent  // the trips that have a key
	ofRow   map[string][]importer.LastEvent // the rows that have a key
	taken   map[string]int64                // the trips that have a GUID
}

// A foundTrip is what a claim or a settlement has to know of a trip.
type foundTrip struct {
	claimed, run, row int64
	state, service    string
}

// The parts of a question: rows by their numbers and by their key, trips by their numbers, by a key and
// by a GUID.
const (
	askRowSQL   = "SELECT 0, w.key, w.id, 0, w.event, 0, 0, 0, '', '' FROM rows w WHERE "
	askTripSQL  = ", 0, t.id, t.event, t.claimed, t.run, t.row, t.state, a.service FROM "
	askTripsSQL = "SELECT 0, ''" + askTripSQL + "trips t JOIN accounts a ON a.id = t.account WHERE t.id"
	askKeysSQL  = "SELECT k.hash, ''" + askTripSQL + "keys k JOIN trips t ON t.id = k.trip JOIN accounts a ON a.id = t.account WHERE k.hash"
	askGUIDsSQL = "SELECT 0, t.guid_key" + askTripSQL + "trips t JOIN accounts a ON a.id = t.account WHERE t.guid_key"
)

// add adds rows and trips to the question.
func (q *Question) add(saw []importer.LastEvent) {
	for _, s := range saw {
		if s.Trip != 0 {
			q.trips = append(q.trips, s.Trip)
		} else {
			q.rows = append(q.rows, s.Row)
		}
	}
}

// text returns the question as a statement, with its arguments; empty if there is nothing to ask.
func (q *Question) text() (string, []any) {
	var p parts
	ask(&p, askRowSQL+"w.id", "numbers", q.rows)
	ask(&p, askRowSQL+"w.key", "listed", q.rowKeys)
	ask(&p, askTripsSQL, "numbers", q.trips)
	ask(&p, askKeysSQL, "numbers", q.keys)
	ask(&p, askGUIDsSQL, "listed", q.guids)
	return strings.Join(p.texts, " UNION ALL "), p.args
}

// begin empties what was found.
func (q *Question) begin() {
	q.last, q.found, q.taken = map[importer.LastEvent]int64{}, map[int64]*foundTrip{}, map[string]int64{}
	q.sharing, q.ofRow = map[int64][]importer.LastEvent{}, map[string][]importer.LastEvent{}
}

// The parts of a question that have values.
type parts struct {
	texts []string
	args  []any
}

// ask adds a part: a text that ends with the column that has one of the values.
func ask[T int64 | string](p *parts, text, kind string, values []T) {
	switch len(values) {
	case 0:
		return
	case 1:
		text += " = ?"
		p.args = append(p.args, values[0])
	default:
		text += " IN (" + kind + "(?))"
		p.args = append(p.args, list(values))
	}
	p.texts = append(p.texts, text)
}

// scan takes a row or a trip that was found.
func (q *Question) scan(row Scanner) (at importer.LastEvent, err error) {
	var key, last int64
	var text string
	var trip foundTrip
	if err := row.Scan(&key, &text, &at.Row, &at.Trip, &last, &trip.claimed, &trip.run, &trip.row, &trip.state, &trip.service); err != nil {
		return at, err
	}
	q.last[at] = last
	switch {
	case at.Row != 0:
		q.ofRow[text] = append(q.ofRow[text], at)
		return at, nil
	case key != 0:
		q.sharing[key] = append(q.sharing[key], at)
	case text != "":
		q.taken[text] = at.Trip
	}
	q.found[at.Trip] = &trip
	return at, nil
}

// unchanged refuses to write if a row or a trip has another last event than the one that was seen.
func (q *Question) unchanged(saw []importer.LastEvent) error {
	for _, s := range saw {
		if last, known := q.last[importer.LastEvent{Row: s.Row, Trip: s.Trip}]; !known || last != s.Event {
			return refuse(importer.ErrMeanwhile)
		}
	}
	return nil
}

// unshared refuses to write if a row has the key, or a trip of the service one of the keys, and was not
// seen.
func (q *Question) unshared(saw []importer.LastEvent, row string, keys []int64, service string) error {
	sharing := q.ofRow[row]
	for _, key := range keys {
		for _, at := range q.sharing[key] {
			if q.found[at.Trip].service == service {
				sharing = append(sharing, at)
			}
		}
	}
	for _, at := range sharing {
		if !slices.ContainsFunc(saw, func(s importer.LastEvent) bool { return s.Row == at.Row && s.Trip == at.Trip }) {
			return refuse(importer.ErrMeanwhile)
		}
	}
	return nil
}

// A refusal is an error for one job and not a failure of the transaction: the other jobs
// are written. A job that is refused has written nothing.
type refusal struct{ error }

func refuse(err error) error { return refusal{err} }
