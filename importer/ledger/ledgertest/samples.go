package ledgertest

import (
	"context"
	"testing"
	"time"

	"tripimport/importer"
)

// Noon is the instant at which the tests' runs take place.
func Noon() time.Time { return time.Date(2026, 12, 1, 17, 0, 0, 0, time.UTC) }

// Night is the day of service of the tests' trips.
func Night() importer.Date { return importer.Date{Year: 2026, Month: time.December, Day: 2} }

// Lakeshore is the account under which the tests book.
func Lakeshore() importer.Account {
	return importer.Account{
		Service: "https://api.example.test/v1", Provider: "Lakeshore Transit", Key: importer.NewSecret("key-of-lakeshore"),
	}
}

// Trip gives an invented trip of that id. Trips of different ids have different
// riders.
func Trip(id string) *importer.Trip {
	at := func(hour, minute int) importer.DateTime {
		return importer.DateTime{Date: Night(), TimeOfDay: importer.TimeOfDay{Hour: hour, Minute: minute}}
	}

	return &importer.Trip{
		Provider: "Lakeshore Transit", FundingSource: "County Health", ID: id, RiderID: "R-" + id,
		SpaceType: "AMB", Type: importer.Appointment, Phone: "312-555-0142",
		Pickup: importer.Event{
			Address1: "12 Elm St", City: "Springfield", State: "IL", Zip: "62704",
			Position:   importer.Position{Latitude: 39.78, Longitude: -89.65, HasLatitude: true, HasLongitude: true},
			PickupTime: at(8, 30),
		},
		Dropoff: importer.Event{
			Name: "Dr. Alder", Address1: "400 Oak Ave", City: "Springfield", State: "IL", Zip: "62701",
			Position: importer.Position{Latitude: 39.80, Longitude: -89.64, HasLatitude: true, HasLongitude: true},
			Appt:     at(9, 0),
		},
		Row: importer.Ref{File: "night.csv", Row: 2},
	}
}

// Claim gives the claim of the trip as row number row of the night's file.
func Claim(run string, trip *importer.Trip, row int) importer.Claim {
	return importer.Claim{
		Run: run, Account: Lakeshore(), Trip: trip, Input: "aa11", Row: row, MappingHash: "bb22", At: Noon(),
	}
}

// Run describes a run.
func Run(id string) importer.RunInfo {
	return importer.RunInfo{
		ID: id, Started: Noon(), Command: "import", Who: "dana", Host: "FRONT-DESK", Version: "1.0",
		Inputs:  []importer.InputInfo{{Name: "night.csv", Hash: "aa11"}},
		Mapping: "Lakeshore", MappingHash: "bb22",
	}
}

// Settlement gives a settlement in that state; a created trip gets the GUID.
func Settlement(state importer.State, guid string) importer.Settlement {
	s := importer.Settlement{State: state, HTTPStatus: 200, Code: "200 created", At: Noon().Add(time.Second)}
	switch state {
	case importer.Created:
		s.GUID = guid
	case importer.Refused:
		s.HTTPStatus, s.Code = 400, "400 refused"
	case importer.NotSent:
		s.HTTPStatus, s.Code = 0, "not sent"
	default:
		s.HTTPStatus, s.Code = 500, "500 unclear"
	}
	return s
}

// Begin opens a run.
func Begin(tb testing.TB, l importer.Ledger, run string) {
	tb.Helper()
	if err := l.Begin(context.Background(), Run(run)); err != nil {
		tb.Fatal(err)
	}
}

// Book claims a trip and settles it as created.
func Book(tb testing.TB, l importer.Ledger, c importer.Claim, guid string) {
	tb.Helper()
	Send(tb, l, c, Settlement(importer.Created, guid))
}

// Send claims a trip and settles it.
func Send(tb testing.TB, l importer.Ledger, c importer.Claim, s importer.Settlement) {
	tb.Helper()
	claimed, err := l.Claim(context.Background(), c)
	if err != nil {
		tb.Fatalf("claim %s: %v", c.Trip.ID, err)
	}
	if err := l.Settle(context.Background(), claimed, s); err != nil {
		tb.Fatalf("settle %s: %v", c.Trip.ID, err)
	}
}

// Find gives the record of a trip that must have one.
func Find(tb testing.TB, l importer.Ledger, trip *importer.Trip) importer.Record {
	tb.Helper()
	r, ok, err := l.Find(context.Background(), Lakeshore(), trip)
	if err != nil {
		tb.Fatal(err)
	}
	if !ok {
		tb.Fatalf("the ledger does not know trip %s", trip.ID)
	}
	return r
}
