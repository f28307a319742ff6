package sqlite_test

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/sqlite"
)

// An office is a ledger with one run that is going on.
type office struct {
	*testing.T
	ledger.Ledger

	account importer.Account
	run     string
	at      time.Time
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{
		T: t, account: importer.Account{Service: "https://api.example.test/v1", Provider: "Lakeshore Transit", Key: importer.NewSecret("k1")},
		run: "20261201T170000Z-000001", at: time.Date(2026, 12, 1, 17, 0, 0, 0, time.UTC),
	}
	l, err := sqlite.Store{}.Create(context.Background(), filepath.Join(t.TempDir(), "ledger.db"), ledger.Options{Rehearsal: true})
	o.must(err)
	t.Cleanup(func() { o.must(l.Close()) })
	o.Ledger = l
	o.must(l.Begin(context.Background(), importer.RunInfo{ID: o.run, Started: o.at, Command: "import"}))
	return o
}

func (o *office) must(err error) {
	o.Helper()
	if err != nil {
		o.Fatal(err)
	}
}

// row returns a row with one trip, of an invented rider.
func (o *office) row(payer string) *importer.Mapped {
	day := importer.Date{Year: 2026, Month: time.December, Day: 2}
	at := importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: 8, Minute: 30}}
	return &importer.Mapped{
		Key: importer.RowKey{Broker: "nightly", ID: "A-1", IDs: importer.UniqueIDs, Date: day},
		Trips: []importer.Trip{{
			Provider: "Lakeshore Transit", FundingSource: payer, ID: "A-1", RiderID: "R-1", SpaceType: "AMB", Type: importer.Return,
			Pickup:  importer.Event{Address1: "11 Alder Ct", Zip: "48111", PickupTime: at},
			Dropoff: importer.Event{Address1: "700 Bay Rd", Zip: "48111"},
		}},
	}
}

// arrive records a schedule with the row.
func (o *office) arrive(row *importer.Mapped) {
	o.Helper()
	o.at = o.at.Add(time.Minute)
	t := &row.Trips[0]
	pair := importer.Pair{Provider: t.Provider, FundingSource: t.FundingSource}.Canonical()
	_, err := o.Arrive(context.Background(), o.run, importer.Reading{Arrival: importer.Arrival{
		Broker: "nightly", Input: o.at.String(), Name: "night.csv", Stamp: o.at, Read: o.at, Scopes: []importer.Scope{{Day: t.Date(), Pair: pair, Live: 1}},
	}, Rows: func(yield func(*importer.Mapped, error) bool) { yield(row, nil) }})
	o.must(err)
}

// send books the row's trip, and returns its number.
func (o *office) send(row *importer.Mapped, s importer.Settled) int64 {
	o.Helper()
	known, err := o.Look(context.Background(), o.account.Service, []*importer.Mapped{row})
	o.must(err)
	k := &known[0]
	ticket, err := o.Claim(context.Background(), importer.Step{
		Run: o.run, Row: row, RowNumber: k.Row, Own: k.Own[0], Seen: k.Word().Legs[0].Values, Account: o.account, Saw: k.Saw(), At: o.at,
	})
	o.must(err)
	s.At = o.at
	o.must(o.Settle(context.Background(), ticket, s))
	return ticket.Trip
}

func (o *office) kinds(trip int64) (kinds []string) {
	o.Helper()
	events, err := o.Events(context.Background(), trip, 0)
	o.must(err)
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// payer returns the funding source that the only trip was sent with.
func (o *office) payer() (name string) {
	o.Helper()
	s := ledger.Search{From: importer.Date{Year: 2026, Month: time.December, Day: 2}, FundingSources: []string{"County Medicaid Plan", "Harborview Health"}}
	all, err := o.Find(context.Background(), s)
	o.must(err)
	for _, found := range all {
		name += found.FundingSource
	}
	return name
}

// TestHistory holds and releases a booked trip, and reads what happened to it.
func TestHistory(t *testing.T) {
	o := newOffice(t)
	row := o.row("County Medicaid Plan")
	o.arrive(row)
	trip := o.send(row, importer.Settled{State: importer.TripBooked, GUID: "5f0c1a2e-0000-4000-8000-000000000001", Code: "200 created"})
	for _, hold := range []bool{true, false} {
		k, _, err := o.Trip(context.Background(), trip)
		o.must(err)
		o.must(o.Record(context.Background(), importer.Effect{
			Answer: importer.Answer{Trip: trip, Row: k.Row, Saw: k.Trips[0].Event, Who: "dana", At: o.at},
			Saw:    []importer.LastEvent{{Trip: trip, Event: k.Trips[0].Event}}, Keep: true, Hold: hold, Release: !hold,
		}))
		if k, _, err = o.Trip(context.Background(), trip); err != nil || k.Trips[0].Held != hold || k.Trips[0].State != importer.TripBooked {
			t.Errorf("hold %t: held is %t, the state %s: %v", hold, k.Trips[0].Held, k.Trips[0].State, err)
		}
	}
	if got, want := o.kinds(trip), []string{ledger.EventClaimed, ledger.EventSettled, ledger.EventHeld, ledger.EventReleased}; !slices.Equal(got, want) {
		t.Errorf("the events are %q, want %q", got, want)
	}
	events, err := o.Events(context.Background(), trip, 0)
	o.must(err)
	if e := events[1]; e.Code != "200 created" || e.What != importer.TripBooked.Code() || e.Run != o.run {
		t.Errorf("the settlement is %+v", e)
	}
}

// TestEnteredByHand tells a trip that a person entered from one that was sent.
func TestEnteredByHand(t *testing.T) {
	o := newOffice(t)
	row := o.row("County Medicaid Plan")
	o.arrive(row)
	trip := o.send(row, importer.Settled{State: importer.TripBooked, Code: importer.CodeBookedByHand})
	if got, want := o.kinds(trip), []string{ledger.EventClaimed, ledger.EventEntered}; !slices.Equal(got, want) {
		t.Errorf("the events are %q, want %q", got, want)
	}
	o.must(o.End(context.Background(), o.run, importer.Totals{}, o.at, "finished"))
	if v, err := o.Verify(context.Background()); err != nil || len(v.Wrong) > 0 {
		t.Errorf("what nobody sent is in a control total: %q, %v", v.Wrong, err)
	}
}

// TestPayer bills a trip to the funding source that was sent, until a person has changed it in
// the service.
func TestPayer(t *testing.T) {
	o := newOffice(t)
	row := o.row("County Medicaid Plan")
	o.arrive(row)
	trip := o.send(row, importer.Settled{State: importer.TripBooked, GUID: "5f0c1a2e-0000-4000-8000-000000000001"})
	o.arrive(o.row("Harborview Health"))
	if got := o.payer(); got != "County Medicaid Plan" {
		t.Errorf("before anybody changed it, the payer is %q", got)
	}
	k, _, err := o.Trip(context.Background(), trip)
	o.must(err)
	o.must(o.Record(context.Background(), importer.Effect{
		Answer: importer.Answer{Trip: trip, Row: k.Row, Shown: importer.ChangeByHand, Verdict: importer.DoneByHand, Who: "dana", At: o.at},
		Saw:    k.Saw(), Keep: true, Seen: k.Words[0].Legs[0].Values, Sent: k.Words[0].Legs[0].Values, ChangeDone: true,
	}))
	if got := o.payer(); got != "Harborview Health" {
		t.Errorf("after a person changed it, the payer is %q", got)
	}
}

// TestRekey records another key.
func TestRekey(t *testing.T) {
	o := newOffice(t)
	row := o.row("County Medicaid Plan")
	o.arrive(row)
	o.send(row, importer.Settled{State: importer.TripBooked, GUID: "5f0c1a2e-0000-4000-8000-000000000001"})
	today, by := importer.Date{Year: 2026, Month: time.December, Day: 1}, ledger.Person{Who: "dana", When: o.at}
	account := func(name, key string) importer.Account {
		return importer.Account{Service: o.account.Service, Provider: name, Key: importer.NewSecret(key)}
	}
	check := func(a importer.Account) error {
		return o.CheckAccounts(context.Background(), []importer.Account{a}, today)
	}
	refused := func(err error) bool { var wrong *ledger.Error; return errors.As(err, &wrong) }

	if a := account("Lakeshore Transit", "k2"); !refused(check(a)) || o.Rekey(context.Background(), a, by) != nil || check(a) != nil {
		t.Error("a new key under the same name is not taken once a person said so")
	}
	if a := account("Lakeshore Mobility", "k3"); check(a) != nil {
		t.Error("a provider that the ledger does not know is refused")
	}
}
