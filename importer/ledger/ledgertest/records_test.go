package ledgertest

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func testFind(t *testing.T, f fixture) {
	l := f.Ledger
	tomorrow := Row("2")
	tomorrow.Trips[0].Pickup.PickupTime.Date, tomorrow.Key.Date = Night().AddDays(1), Night().AddDays(1)
	late := Row("00-03")
	late.Trips[0].Pickup.PickupTime.Hour = 20
	Begin(t, l, "run-2")
	numbers := []int64{
		Book(t, l, "run-1", late, "3f2504e0-4f89-11d3-9a0c-0305e82c3301").Trip,
		Book(t, l, "run-1", Row("1"), "g-1").Trip,
		Book(t, l, "run-2", tomorrow, "g-2").Trip,
	}
	for what, test := range map[string]struct {
		search ledger.Search
		want   []int64
	}{
		"everything":       {ledger.Search{}, []int64{numbers[1], numbers[0], numbers[2]}},
		"trip id":          {ledger.Search{Trip: "1"}, numbers[1:2]},
		"another spelling": {ledger.Search{Trip: "0/3"}, numbers[:1]},
		"GUID":             {ledger.Search{Trip: "3F2504E04F8911D39A0C0305E82C3301"}, numbers[:1]},
		"rider":            {ledger.Search{Rider: "r-2"}, numbers[2:]},
		"rider and day":    {ledger.Search{Rider: "R-2", To: Night()}, nil},
		"run":              {ledger.Search{Run: "run-2"}, numbers[2:]},
		"days":             {ledger.Search{From: Night(), To: Night()}, []int64{numbers[1], numbers[0]}},
		"later":            {ledger.Search{From: Night().AddDays(1)}, numbers[2:]},
		"nothing":          {ledger.Search{Trip: "no such trip"}, nil},
		"no such run":      {ledger.Search{Run: "run-9"}, nil},
	} {
		var got []int64
		found, err := l.Find(t.Context(), test.search)
		must(t, err)
		for _, s := range found {
			got = append(got, s.Number)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s finds %v, want %v", what, got, test.want)
		}
	}
	reinstated := effect(t, l, numbers[1], importer.DoneByHand, importer.TripBooked)
	reinstated.Answer.GUID = "g-9"
	must(t, l.Record(t.Context(), reinstated))
	if found, err := l.Find(t.Context(), ledger.Search{Trip: "g-9"}); err != nil || len(found) != 1 || found[0].Number != numbers[1] || found[0].GUID != "g-9" {
		t.Errorf("g-9 finds %+v, %v", found, err)
	}

	if _, ok, err := l.Trip(t.Context(), 12345); ok || err != nil {
		t.Errorf("there is a trip 12345: %v", err)
	}
}

func testUnresolved(t *testing.T, f fixture) {
	l := f.Ledger
	missing := Settled(importer.TripBooked, "")
	missing.GUIDMissing = true
	early := Row("early")
	early.Trips[0].Pickup.PickupTime.Date = Night().AddDays(-1)
	Arrive(t, l, "run-1", Arrival(0), Row("changed"))
	Book(t, l, "run-1", Row("booked"), "g-0")
	Book(t, l, "run-1", Row("changed"), "g-1")
	Arrive(t, l, "run-1", Arrival(10), moved(Row("changed"), 45))
	want := []int64{
		Send(t, l, Step(t, l, "run-1", early, 0), Settled(importer.TripUnclear, "")).Trip,
		Send(t, l, Change(t, l, "run-1", moved(Row("changed"), 45), "pickup.pickup_time"), Settled(importer.TripUnclear, "")).Trip,
		Send(t, l, Step(t, l, "run-1", Row("missing"), 0), missing).Trip,
		Claim(t, l, Step(t, l, "run-1", Row("sending"), 0)).Trip,
	}
	Send(t, l, Step(t, l, "run-1", Row("refused"), 0), Settled(importer.TripRefused, ""))
	got, err := l.Unresolved(t.Context())
	must(t, err)
	var numbers []int64
	for i := range got {
		numbers = append(numbers, got[i].Number)
	}
	if !slices.Equal(numbers, want) {
		t.Errorf("it has %v, want %v", numbers, want)
	}
}

func testEvents(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	trip := Book(t, l, "run-1", row, "g-1").Trip
	Arrive(t, l, "run-1", Arrival(10), moved(row, 45))
	Send(t, l, Change(t, l, "run-1", moved(row, 45), "pickup.pickup_time"), Settled(importer.TripBooked, ""))
	must(t, l.Record(t.Context(), effect(t, l, trip, importer.DoneByHand, importer.TripCancelled)))
	events, err := l.Events(t.Context(), trip, 0)
	must(t, err)
	var kinds []string
	for i, e := range events {
		kinds = append(kinds, e.Kind+" "+e.What)
		if e.Trip != trip || i > 0 && e.Number <= events[i-1].Number || i < 4 && e.Run != "run-1" {
			t.Errorf("the event %d is %+v", i, e)
		}
	}
	if want := []string{"claimed ", "settled booked", "changing ", "changed booked", "answered done by hand"}; !slices.Equal(kinds, want) {
		t.Errorf("its events are %q", kinds)
	}
	last := events[len(events)-1]
	if last.Who != "dana" || last.Host != "FRONT-DESK" || last.Note != "called them" || last.Number != standing(t, l, trip).Event {
		t.Errorf("the answer is %+v", last)
	}
	if events[1].GUID != "g-1" || !slices.Equal(events[2].Keys, []string{"pickup.pickup_time"}) {
		t.Errorf("they are %+v", events)
	}
	words, err := l.Events(t.Context(), 0, word(t, l, row).Row)
	must(t, err)
	if len(words) != 2 || words[0].Kind != "word" || words[1].What != "live" {
		t.Errorf("the row's events are %+v", words)
	}
}

func testRuns(t *testing.T, f fixture) {
	l := f.Ledger
	Book(t, l, "run-1", Row("1"), "g-1")
	Send(t, l, Step(t, l, "run-1", Row("2"), 0), Settled(importer.TripRefused, ""))
	r, err := l.Run(t.Context(), "run-1")
	if err != nil || !r.Live || !r.Ended.IsZero() || r.Input.Name != "night.csv" {
		t.Errorf("the open run is %+v, %v", r, err)
	}
	if l.Begin(t.Context(), Run("run-1")) == nil {
		t.Error("a run was begun twice")
	}
	totals := importer.Totals{TripsRead: 1}
	totals.Trips[importer.Booked] = 1
	must(t, l.End(t.Context(), "run-1", totals, Noon(), "finished"))
	_, err = l.Claim(t.Context(), Step(t, l, "run-1", Row("3"), 0))
	wantError(t, err, "ledger-run-ended")
	Begin(t, l, "run-2")
	f.Crash(t)
	l = f.ReadOnly(t)
	runs, err := l.Runs(t.Context(), 0)
	must(t, err)
	if len(runs) != 2 || runs[0].ID != "run-2" || runs[0].Live || runs[0].BrokenOffAt == 0 || runs[1].How != "finished" || runs[1].Live ||
		runs[1].Totals.TripsRead != 1 || !runs[1].Started.Equal(Noon()) || runs[1].MappingHash != "bb22" {
		t.Errorf("the runs are %+v", runs)
	}
	if some, err := l.Runs(t.Context(), 1); err != nil || len(some) != 1 {
		t.Errorf("the last run is %+v, %v", some, err)
	}
	if _, err := l.Run(t.Context(), "run-9"); !errors.Is(err, ledger.ErrNoRun) {
		t.Errorf("an unknown run ended with %v", err)
	}
}

func testFacts(t *testing.T, f fixture) {
	l := f.Ledger
	for i, value := range []string{"book", "leave out", "hold"} {
		must(t, l.SetFact(t.Context(), ledger.Fact{Kind: "word", Subject: fmt.Sprint("HOLD ", i%2), Value: value, Who: "dana", Host: "FRONT-DESK", At: Noon()}))
	}
	must(t, l.SetFact(t.Context(), ledger.Fact{Kind: "slot", Subject: "21:30", Value: "done"}))
	before := l.Number()
	must(t, l.SetFact(t.Context(), ledger.Fact{Kind: "slot", Subject: "04:30", Value: "mine", Event: before}))
	late := []ledger.Fact{{Kind: "slot", Subject: "13:00", Value: "other"}, {Kind: "slot", Subject: "04:30", Value: "other", Event: before}}
	if err := l.SetFact(t.Context(), late...); !errors.Is(err, importer.ErrMeanwhile) {
		t.Errorf("a fact in place of one that nobody had seen ended with %v", err)
	}
	if facts, err := l.Facts(t.Context(), "slot"); err != nil || len(facts) != 2 || facts[1].Value != "mine" {
		t.Errorf("the facts of slots are %+v, %v", facts, err)
	}
	for _, l := range []ledger.Ledger{l, f.ReadOnly(t)} {
		facts, err := l.Facts(t.Context(), "word")
		must(t, err)
		if len(facts) != 2 || facts[0].Value != "leave out" || facts[1].Subject != "HOLD 0" || facts[1].Value != "hold" || facts[1].Who != "dana" ||
			!facts[1].At.Equal(Noon()) || facts[1].Event <= facts[0].Event {
			t.Errorf("the facts are %+v", facts)
		}
	}
}

func testAccounts(t *testing.T, f fixture) {
	l := f.Ledger
	check := func(a importer.Account) error {
		return l.CheckAccounts(t.Context(), []importer.Account{a}, Night())
	}
	must(t, check(Lakeshore()))
	Book(t, l, "run-1", Row("1"), "g-1")
	must(t, check(Lakeshore()))
	must(t, check(Account("Prairie Rides", "key-of-prairie")))
	wantError(t, check(Account("Lakeshore Transit", "another")), "ledger-provider-key")

	wrong := Step(t, l, "run-1", Row("2"), 0)
	wrong.Account = Account("Lakeshore Transit", "another")
	_, err := l.Claim(t.Context(), wrong)
	wantError(t, err, "ledger-provider-key")
}

func testRekey(t *testing.T, f fixture) {
	l := f.Ledger
	Book(t, l, "run-1", Row("1"), "g-1")
	renewed := Account("Lakeshore Transit", "renewed")
	must(t, l.Rekey(t.Context(), renewed, Dana()))
	must(t, l.CheckAccounts(t.Context(), []importer.Account{renewed}, Night()))
	wantError(t, l.CheckAccounts(t.Context(), []importer.Account{Lakeshore()}, Night()), "ledger-provider-key")
}

func testServices(t *testing.T, f fixture) {
	l := f.Ledger
	const second, third = "https://second.example.test", "https://third.example.test"
	at := func(service string) importer.Account {
		a := Lakeshore()
		var err error
		a.Service, err = l.Service(t.Context(), service)
		must(t, err)
		return a
	}
	check := func(service string) error {
		return l.CheckAccounts(t.Context(), []importer.Account{at(service)}, Night())
	}
	service := func(address, want string) {
		t.Helper()
		if got, err := l.Service(t.Context(), address); got != want || err != nil {
			t.Errorf("the service of %s is %s, %v", address, got, err)
		}
	}
	wantError(t, l.SetAddress(t.Context(), Service, second, Dana()), "ledger-service-unknown")
	Book(t, l, "run-1", Row("1"), "g-1")
	wantError(t, check(second), "ledger-service-moved")
	must(t, l.SetAddress(t.Context(), Service, second, Dana()))
	must(t, check(second))
	service(second, Service)
	step := Step(t, l, "run-1", Row("2"), 0)
	step.Account = at(second)
	Send(t, l, step, Settled(importer.TripBooked, "g-2"))
	if k := Look(t, l, Row("2")); len(k.Trips) != 1 || k.Trips[0].Account.Service != Service {
		t.Errorf("the trip at the second address is %+v", k.Trips)
	}

	wantError(t, check(third), "ledger-service-moved")
	must(t, l.SetAddress(t.Context(), "", third, Dana()))
	must(t, check(third))
	must(t, check(Service))
	service(third, third)
}

func testReadOnly(t *testing.T, f fixture) {
	l := f.Ledger
	number := Book(t, l, "run-1", Row("1"), "g-1").Trip
	step := Step(t, l, "run-1", Row("2"), 0)
	reader := f.ReadOnly(t)
	if s := standing(t, reader, number); s.GUID != "g-1" || reader.Identity() != l.Identity() {
		t.Errorf("it reads %+v", s)
	}
	_, claim := reader.Claim(t.Context(), step)
	_, arrive := reader.Arrive(t.Context(), "run-1", importer.Reading{Arrival: Arrival(0), Rows: Rows(Row("1"))})
	for what, err := range map[string]error{
		"Claim": claim, "Arrive": arrive, "Begin": reader.Begin(t.Context(), Run("run-2")), "Record": reader.Record(t.Context()),
		"SetFact": reader.SetFact(t.Context(), ledger.Fact{}), "Rekey": reader.Rekey(t.Context(), Lakeshore(), Dana()),
		"SetAddress": reader.SetAddress(t.Context(), "", Service, Dana()), "End": reader.End(t.Context(), "run-1", importer.Totals{}, Noon(), ""),
		"Settle": reader.Settle(t.Context(), importer.Ticket{}, Settled(importer.TripBooked, "g-2")),
	} {
		t.Run(what, func(t *testing.T) { wantError(t, err, "ledger-only-looked-at") })
	}
}

func testVerify(t *testing.T, f fixture) {
	l := f.Ledger
	Arrive(t, l, "run-1", Arrival(0), Row("1"))
	Book(t, l, "run-1", Row("1"), "g-1")
	Send(t, l, Step(t, l, "run-1", Row("2"), 0), Settled(importer.TripUnclear, ""))
	v, err := l.Verify(t.Context())
	if err != nil || len(v.Wrong) > 0 || v.Runs != 1 || v.Trips != 2 || v.Open != 1 {
		t.Errorf("it is %+v, %v", v, err)
	}
	totals := importer.Totals{TripsRead: 2}
	totals.Trips[importer.Booked] = 2
	must(t, l.End(t.Context(), "run-1", totals, Noon(), "finished"))
	if v, err := l.Verify(t.Context()); err != nil || len(v.Wrong) == 0 {
		t.Errorf("with wrong totals it is %+v, %v", v, err)
	}
}

// verified returns what is wrong with the ledger as an error.
func verified(tb testing.TB, l ledger.Ledger) error {
	tb.Helper()
	v, err := l.Verify(tb.Context())
	for _, wrong := range v.Wrong {
		err = errors.Join(err, errors.New(wrong))
	}
	return err
}
