package ledger

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// noon is the instant at which the tests' runs take place.
func noon() time.Time { return time.Date(2026, 12, 1, 17, 0, 0, 0, time.UTC) }

func testAccount() importer.Account {
	return importer.Account{Service: "https://api.example.test/v1", Provider: "Lakeshore Transit", Key: importer.NewSecret("key-one")}
}

func newTrip(id string) *importer.Trip {
	day := importer.Date{Year: 2026, Month: time.December, Day: 2}
	return &importer.Trip{
		Provider: "Lakeshore Transit", FundingSource: "County Health", ID: id, RiderID: "R-" + id,
		SpaceType: "AMB", Type: importer.Appointment, Phone: "312-555-0142",
		Pickup: importer.Event{
			Address1: "12 Elm St", City: "Springfield", State: "IL", Zip: "62704",
			Position:   importer.Position{Latitude: 39.78, Longitude: -89.65, HasLatitude: true, HasLongitude: true},
			PickupTime: importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 8, Minute: 30}},
		},
		Dropoff: importer.Event{
			Name: "Dr. Alder", Address1: "400 Oak Ave", City: "Springfield", State: "IL", Zip: "62701",
			Position: importer.Position{Latitude: 39.80, Longitude: -89.64, HasLatitude: true, HasLongitude: true},
			Appt:     importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 9}},
		},
		Row: importer.Ref{File: "night.csv", Row: 2},
	}
}

func newLedger(tb testing.TB) *Ledger {
	tb.Helper()
	l, err := Create(filepath.Join(tb.TempDir(), "office", "ledger.db"), Options{Who: "dana", Host: "FRONT", Command: "import"})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	begin(tb, l, "run-1")
	return l
}

func begin(tb testing.TB, l *Ledger, id string) {
	tb.Helper()
	info := importer.RunInfo{
		ID: id, Started: noon(), Command: "import", Who: "dana", Host: "FRONT", Version: "1.0",
		Inputs:  []importer.InputInfo{{Name: "night.csv", Hash: "aa11"}},
		Mapping: "Lakeshore", MappingHash: "bb22",
	}
	if err := l.Begin(context.Background(), info); err != nil {
		tb.Fatal(err)
	}
}

func newClaimOf(run string, trip *importer.Trip, row int) importer.Claim {
	return importer.Claim{
		Run: run, Account: testAccount(), Trip: trip, Input: "aa11", Row: row, MappingHash: "bb22", At: noon(),
	}
}

// TestTripThrough takes one trip through its whole life.
func TestTripThrough(t *testing.T) {
	l := newLedger(t)
	ctx := context.Background()
	trip := newTrip("70411")
	c, err := l.Claim(ctx, newClaimOf("run-1", trip, 2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Claim(ctx, newClaimOf("run-1", trip, 2)); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("a second claim gave %v", err)
	}
	if r, ok, err := l.Find(ctx, testAccount(), trip); err != nil || !ok || !r.InFlight || r.State != importer.Unknown {
		t.Errorf("while it is being sent: %+v %v %v", r, ok, err)
	}
	err = l.Settle(ctx, c, importer.Settlement{State: importer.Created, GUID: "{ABC-1}", HTTPStatus: 200, Code: "200 created", At: noon()})
	if err != nil {
		t.Fatal(err)
	}
	trip.Pickup.City = "Chatham"
	r, ok, err := l.Find(ctx, testAccount(), trip)
	if err != nil || !ok || r.State != importer.Created || r.GUID != "{ABC-1}" || r.InFlight || r.OtherTrip {
		t.Errorf("once booked: %+v %v %v", r, ok, err)
	}
	if diff := cmp.Diff([]string{"pickup.event_location.city"}, r.Differs); diff != "" {
		t.Error(diff)
	}
	if err := l.End(ctx, "run-1", importer.Totals{RowsRead: 1}, noon(), "finished"); err != nil {
		t.Error(err)
	}
	if err := l.Backup(ctx, filepath.Join(t.TempDir(), "copy.db")); err != nil {
		t.Error(err)
	}
}
