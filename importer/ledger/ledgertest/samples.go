// Package ledgertest has the conformance tests of the model's ledger, for any engine, and
// the samples that they and others use.
package ledgertest

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Noon is the instant at which the tests' runs take place.
func Noon() time.Time { return time.Date(2026, 12, 1, 17, 0, 0, 0, time.UTC) }

// Night is the day of service of the tests' trips.
func Night() importer.Date { return importer.Date{Year: 2026, Month: time.December, Day: 2} }

// Broker is the broker of the tests' rows.
const Broker = "Lakeshore Health"

// Service is the address of the tests' service.
const Service = "https://api.example.test/v1"

// Lakeshore is the account under which the tests book.
func Lakeshore() importer.Account { return Account("Lakeshore Transit", "key-of-lakeshore") }

// Account returns the account of a provider of the tests' service.
func Account(provider, key string) importer.Account {
	return importer.Account{Service: Service, Provider: provider, Key: importer.NewSecret(key)}
}

// Pair is the pair of the tests' trips.
func Pair() importer.Pair {
	return importer.Pair{Provider: "Lakeshore Transit", FundingSource: "County Health"}
}

// Run describes a run.
func Run(id string) importer.RunInfo {
	return importer.RunInfo{
		ID: id, Started: Noon(), Command: "import", Who: "dana", Host: "FRONT-DESK", Version: "1.0",
		Input: importer.InputInfo{Name: "night.csv", Hash: "aa11"}, Mapping: "Lakeshore", MappingHash: "bb22",
	}
}

// Dana is the person who answers.
func Dana() ledger.Person { return ledger.Person{Who: "dana", Host: "FRONT-DESK", When: Noon()} }

// Trip returns an invented trip with the id. Trips with different ids have different
// riders.
func Trip(id string) importer.Trip {
	at := func(hour, minute int) importer.DateTime {
		return importer.DateTime{Date: Night(), TimeOfDay: importer.TimeOfDay{Hour: hour, Minute: minute}}
	}
	return importer.Trip{
		Provider: Pair().Provider, FundingSource: Pair().FundingSource, ID: id, RiderID: "R-" + id,
		SpaceType: "AMB", Type: importer.Appointment, Phone: "312-555-0142",
		Pickup:  importer.Event{Address1: "12 Elm St", City: "Springfield", State: "IL", Zip: "62704", PickupTime: at(8, 30)},
		Dropoff: importer.Event{Name: "Dr. Alder", Address1: "400 Oak Ave", City: "Springfield", State: "IL", Zip: "62701", Appt: at(9, 0)},
		Row:     importer.Ref{File: "night.csv", Row: 2},
	}
}

// Row returns the row with the id, which makes one trip.
func Row(id string) *importer.Mapped { return RowOf(id, Trip(id)) }

// RowOf returns the row with the id, which makes the trips.
func RowOf(id string, trips ...importer.Trip) *importer.Mapped {
	row := &importer.Mapped{Key: importer.RowKey{Broker: Broker, ID: id, IDs: importer.UniqueIDs}, Trips: trips}
	if len(trips) > 0 {
		row.Key.Date = trips[0].Date()
	}
	return row
}

// Arrival returns an arrival that was made so many minutes after Noon, with the whole scope
// of the tests' trips.
func Arrival(minutes int) importer.Arrival {
	at := Noon().Add(time.Duration(minutes) * time.Minute)
	return importer.Arrival{
		Broker: Broker, Input: "aa11", Name: "night.csv", Stamp: at, Read: at.Add(time.Minute), Whole: true,
		Scopes: []importer.Scope{{Day: Night(), Pair: Pair().Canonical(), Live: 1}},
	}
}

// Rows returns an iterator over rows.
func Rows(rows ...*importer.Mapped) iter.Seq2[*importer.Mapped, error] {
	return func(yield func(*importer.Mapped, error) bool) {
		for _, row := range rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// Begin opens a run.
func Begin(tb testing.TB, l ledger.Ledger, run string) {
	tb.Helper()
	must(tb, l.Begin(tb.Context(), Run(run)))
}

// Look looks for one row.
func Look(tb testing.TB, l ledger.Ledger, row *importer.Mapped) importer.Known {
	tb.Helper()
	known, err := l.Look(tb.Context(), Service, []*importer.Mapped{row})
	must(tb, err)
	return known[0]
}

// bytesOf stands for the digest of a file with the rows.
func bytesOf(rows []*importer.Mapped) string {
	h := sha256.New()
	for _, m := range rows {
		fmt.Fprintln(h, m.Key.ID, m.LeftOut, m.Trips)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Arrive records an arrival with its rows.
func Arrive(tb testing.TB, l ledger.Ledger, run string, a importer.Arrival, rows ...*importer.Mapped) importer.Arrival {
	tb.Helper()
	if a.Input == Arrival(0).Input {
		a.Input = bytesOf(rows)
	}
	recorded, err := l.Arrive(tb.Context(), run, importer.Reading{Arrival: a, Rows: Rows(rows...)})
	must(tb, err)
	return recorded
}

// Step returns the step that books a leg of a row, as the row is known now. If the ledger
// has the leg's trip, it is that trip.
func Step(tb testing.TB, l ledger.Ledger, run string, row *importer.Mapped, leg int) importer.Step {
	tb.Helper()
	known := Look(tb, l, row)
	s := importer.Step{
		Run: run, Row: row, Leg: leg, RowNumber: known.Row, Own: known.Own[leg], Account: Lakeshore(), Saw: known.Saw(), Mapping: "bb22", At: Noon(),
	}
	if w := known.Word(); w != nil && w.Leg(row.Trips[leg].Leg) != nil {
		s.Seen = w.Leg(row.Trips[leg].Leg).Values
	}
	for i := range known.Trips {
		if t := &known.Trips[i]; t.RowID == known.ID && t.Leg == row.Trips[leg].Leg {
			s.Trip = t.Number
		}
	}
	return s
}

// Change returns the step that changes properties of the row's first trip.
func Change(tb testing.TB, l ledger.Ledger, run string, row *importer.Mapped, keys ...string) importer.Step {
	tb.Helper()
	s := Step(tb, l, run, row, 0)
	s.Change, s.At = keys, Noon().Add(time.Hour)
	return s
}

// Settled returns what came of a step; a booked trip gets the GUID.
func Settled(state importer.TripState, guid string) importer.Settled {
	s := importer.Settled{State: state, HTTPStatus: 200, Code: "200 created", At: Noon().Add(time.Second)}
	switch state {
	case importer.TripBooked:
		s.GUID = guid
	case importer.TripRefused:
		s.HTTPStatus, s.Code = 400, "400 refused"
	case importer.TripNotSent:
		s.HTTPStatus, s.Code = 0, "not sent"
	default:
		s.HTTPStatus, s.Code = 500, "500 unclear"
	}
	return s
}

// Send claims a step and settles it.
func Send(tb testing.TB, l ledger.Ledger, s importer.Step, settled importer.Settled) importer.Ticket {
	tb.Helper()
	ticket := Claim(tb, l, s)
	must(tb, l.Settle(tb.Context(), ticket, settled))
	return ticket
}

// Claim claims a step.
func Claim(tb testing.TB, l ledger.Ledger, s importer.Step) importer.Ticket {
	tb.Helper()
	ticket, err := l.Claim(tb.Context(), s)
	if err != nil {
		tb.Fatalf("claim %s: %v", s.Row.Key.ID, err)
	}
	return ticket
}

// Book books the first trip of a row.
func Book(tb testing.TB, l ledger.Ledger, run string, row *importer.Mapped, guid string) importer.Ticket {
	tb.Helper()
	return Send(tb, l, Step(tb, l, run, row, 0), Settled(importer.TripBooked, guid))
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
