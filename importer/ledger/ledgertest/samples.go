package ledgertest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// Noon is the instant at which the tests' runs take place.
func Noon() time.Time { return time.Date(2026, 12, 1, 17, 0, 0, 0, time.UTC) }

// Night is the day of service of the tests' trips.
func Night() importer.Date { return importer.Date{Year: 2026, Month: time.December, Day: 2} }

// Lakeshore is the account under which the tests book.
func Lakeshore() importer.Account { return provider("Lakeshore Transit", "key-of-lakeshore") }

// provider gives the account of a provider of the tests' service.
func provider(name, key string) importer.Account {
	return importer.Account{Service: "https://api.example.test/v1", Provider: name, Key: importer.NewSecret(key)}
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

// Send claims a trip and settles it, and gives what was claimed.
func Send(tb testing.TB, l importer.Ledger, c importer.Claim, s importer.Settlement) importer.Claimed {
	tb.Helper()
	claimed := take(tb, l, c)
	if err := l.Settle(context.Background(), claimed, s); err != nil {
		tb.Fatalf("settle %s: %v", c.Trip.ID, err)
	}
	return claimed
}

// take claims a trip that is free to be sent.
func take(tb testing.TB, l importer.Ledger, c importer.Claim) importer.Claimed {
	tb.Helper()
	claimed, err := l.Claim(context.Background(), c)
	if err != nil {
		tb.Fatalf("claim %s: %v", c.Trip.ID, err)
	}
	return claimed
}

// FillCache looks up so many trips that the ledger does not have that it answers from
// memory from then on, if it has a cache. They are of a provider of its own, at an
// address of its own.
func FillCache(tb testing.TB, l ledger.Ledger) {
	tb.Helper()
	nobody := importer.Account{Service: "https://unused.example.test/v1", Provider: "Nobody's", Key: importer.NewSecret("key-of-nobody")}
	if err := l.SeparateProvider(context.Background(), nobody, ledger.Person{Who: "dana"}); err != nil {
		tb.Fatal(err)
	}
	for i := range 256 {
		if _, ok, err := l.Find(context.Background(), nobody, Trip(fmt.Sprint("no-", i))); ok || err != nil {
			tb.Fatal(ok, err)
		}
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

// PrivateTrip gives a trip, and everything in it that a ledger must not show.
func PrivateTrip() (*importer.Trip, []string) {
	var words []string
	plant := func(word string) string {
		words = append(words, word)
		return word
	}

	trip := Trip("70411")
	trip.RiderID = plant("RIDER-8841-QX")
	trip.FundingSource = plant("Quillwort Payers")
	trip.Phone = plant("312-555-0177")
	trip.Link = plant("Ottoline Vantongeren 1931-04-05")
	trip.Pickup.Name = plant("Ottoline Vantongeren")
	trip.Pickup.Comment = plant("oxygen at the side door")
	trip.Pickup.Address1 = plant("4711 Larkspur Terrace")
	trip.Pickup.Address2 = plant("Unit 9Q")
	trip.Pickup.City = plant("Brambleford")
	trip.Pickup.Zip = plant("60699")
	trip.Pickup.Phone = plant("312-555-0188")
	trip.Pickup.Position.Latitude, trip.Pickup.Position.Longitude = 41.778812, -88.332211
	words = append(words, "41.7788", "88.3322")
	trip.Dropoff.CompleteAddress = plant("77 Hyssop Court, Fernhollow, IL 60688")
	trip.Dropoff.LocationName = plant("Juniper Dialysis")
	trip.Dropoff.Phone = plant("312-555-0199")
	trip.Row.Sheet = plant("Sheet of Dr. Quince")
	return trip, words
}

// Change gives the claim of a change of a booked trip to what it is now.
func Change(run string, attempt int64, now *importer.Trip, keys ...string) importer.ChangeClaim {
	return importer.ChangeClaim{Run: run, Attempt: attempt, Trip: now, Keys: keys, Input: "cc33", Row: 7, MappingHash: "dd44", At: Noon().Add(time.Hour)}
}

// ChangeSettlement gives the settlement of a change in that state.
func ChangeSettlement(state importer.State) importer.Settlement {
	return importer.Settlement{State: state, HTTPStatus: 200, Code: "change " + state.Code(), At: Noon().Add(time.Hour)}
}

// SendChange claims a change and settles it.
func SendChange(tb testing.TB, l importer.Ledger, c importer.ChangeClaim, state importer.State) {
	tb.Helper()
	claimed, err := l.ClaimChange(context.Background(), c)
	if err != nil {
		tb.Fatalf("claim a change of %v: %v", c.Keys, err)
	}
	if err := l.SettleChange(context.Background(), claimed, ChangeSettlement(state)); err != nil {
		tb.Fatalf("settle a change of %v: %v", c.Keys, err)
	}
}
