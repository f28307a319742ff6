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
	found   map[int64]*storedTrip
	sharing map[int64][]importer.LastEvent  // the trips that have a key
	ofRow   map[string][]importer.LastEvent // the rows that have a key
	taken   map[string]int64                // the trips that have a GUID
}

// The parts of a question: rows by their numbers and by their key, trips by their numbers, by a key and
// by a GUID.
const (
	askTripSQL  = ", 0, t.id, t.event, " + tripColumns
	askTripsSQL = "SELECT 0, ''" + askTripSQL + fromTrips + "WHERE t.id IN (numbers(?))"
	askKeysSQL  = "SELECT k.hash, ''" + askTripSQL + " FROM " + keysFirst + " JOIN trips t ON t.id = k.trip JOIN accounts a ON a.id = t.account"
	askGUIDsSQL = "SELECT 0, t.guid_key" + askTripSQL + fromTrips + "WHERE t.guid_key IN (listed(?))"
	askRowSQL   = "SELECT 0, w.key, w.id, 0, w.event, 0, '', '', 0, '', '', NULL FROM rows w WHERE "
)

// keysFirst selects keys before anything is joined with them. Otherwise a database that knows little of
// its tables may look for all of the keys beside each of its trips.
const keysFirst = "(SELECT hash, trip FROM keys WHERE hash IN (numbers(?)) LIMIT 1000000000) k"

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
	var texts []string
	var args []any
	for _, part := range []struct{ text, values string }{ // a database takes the types of the columns from the first part
		{askTripsSQL, list(q.trips)},
		{askKeysSQL, list(q.keys)},
		{askGUIDsSQL, list(q.guids)},
		{askRowSQL + "w.id IN (numbers(?))", list(q.rows)},
		{askRowSQL + "w.key IN (listed(?))", list(q.rowKeys)},
	} {
		if part.values != list[int64](nil) {
			texts, args = append(texts, part.text), append(args, part.values)
		}
	}
	return strings.Join(texts, " UNION ALL "), args
}

// begin empties what was found.
func (q *Question) begin() {
	q.last, q.found, q.taken = map[importer.LastEvent]int64{}, map[int64]*storedTrip{}, map[string]int64{}
	q.sharing, q.ofRow = map[int64][]importer.LastEvent{}, map[string][]importer.LastEvent{}
}

// scan takes a row or a trip that was found.
func (q *Question) scan(row Scanner) (at importer.LastEvent, err error) {
	var key, last int64
	var text string
	var stored storedTrip
	if err := row.Scan(append([]any{&key, &text, &at.Row, &at.Trip, &last}, stored.columns()...)...); err != nil {
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
	q.found[at.Trip] = &stored
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
