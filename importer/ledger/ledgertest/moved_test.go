package ledgertest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

const (
	movedTo  = "https://trips.example.test/v1"
	testHost = "https://staging.example.test/v1"
)

// listing returns the access list that has the providers of the accounts.
func listing(accounts ...importer.Account) importer.Access {
	var access importer.Access
	for _, a := range accounts {
		access.Providers = append(access.Providers, importer.Provider{Name: a.Provider, Key: a.Key})
	}
	return access
}

// checkMoved checks one account that is listed alone, on the day before the trips.
func checkMoved(l ledger.Ledger, a importer.Account) error {
	return l.CheckMoved(context.Background(), []importer.Account{a}, listing(a), Night().AddDays(-1))
}

// bookAt books a trip at an address, of a row that its id gives.
func bookAt(tb testing.TB, l ledger.Ledger, service, id, guid string) {
	tb.Helper()
	Book(tb, l, claimAt(service, id), guid)
}

func claimAt(service, id string) importer.Claim {
	c := Claim("run-1", Trip(id), 2)
	c.Account, c.Trip.Row.Sheet = at(service), id
	return c
}

// wantAt checks that trips are booked at an address: they are found by their ids and as
// similar trips, and can't be claimed.
func wantAt(tb testing.TB, l ledger.Ledger, service string, booked bool, ids ...string) {
	tb.Helper()
	ctx := context.Background()
	for _, id := range ids {
		c := claimAt(service, id)
		r, ok, err := l.Find(ctx, c.Account, c.Trip)
		if err != nil || (ok && r.Taken()) != booked {
			tb.Errorf("%s at %s: found %v, %v", id, service, ok, err)
		}

		other := *c.Trip
		other.ID += "-under-another-id"
		similar, err := l.Similar(ctx, c.Account, &other, 15)
		if err != nil || (len(similar) > 0) != booked {
			tb.Errorf("%s at %s: %d similar trips, %v", id, service, len(similar), err)
		}

		if booked {
			wantTaken(tb, l, id+" at "+service, c)
			c.Trip = &other
			wantTaken(tb, l, "the row of "+id+" at "+service+" under another id", c)
		}
	}
}

// testServiceMoved links the service's new address to the old one, and takes the link
// back.
func testServiceMoved(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	office := Lakeshore().Service
	must(t, checkMoved(l, Lakeshore())) // the first import of all
	bookAt(t, l, office, "1", "g1")
	must(t, checkMoved(l, Lakeshore()))

	e := AsError(t, checkMoved(l, at(movedTo)), "ledger-service-moved")
	for _, want := range []string{office + " (1 trip)", movedTo, "ledger link " + office + " " + movedTo, "ledger separate " + movedTo} {
		if !strings.Contains(e.Reason+e.Fix, want) {
			t.Errorf("%q and %q do not say %q", e.Reason, e.Fix, want)
		}
	}

	must(t, l.CheckMoved(ctx, []importer.Account{at(movedTo)}, importer.Access{}, Night().AddDays(1))) // only past trips
	WantError(t, l.CheckMoved(ctx, []importer.Account{at(movedTo)}, importer.Access{}, Night()), "ledger-service-moved")
	WantError(t, l.Link(ctx, testHost, movedTo, dana()), "ledger-service-unknown")

	must(t, l.Link(ctx, office, movedTo, dana()))
	for _, address := range []string{office, movedTo} {
		must(t, checkMoved(l, at(address)))
		wantAt(t, l, address, true, "1")
		if s, err := l.Service(ctx, address); s != office || err != nil {
			t.Errorf("records name %s as %s, %v", address, s, err)
		}
	}

	bookAt(t, l, movedTo, "2", "g2")
	wantAt(t, l, office, true, "2")
	Send(t, l, claimAt(office, "3"), Settlement(importer.Refused, ""))
	bookAt(t, l, movedTo, "3", "g3")

	// What was sent to the new address is booked there, the rest is not.
	for range 2 {
		must(t, l.Separate(ctx, movedTo, dana()))
		must(t, checkMoved(l, at(movedTo)))
		must(t, checkMoved(l, at(office)))
		wantAt(t, l, movedTo, true, "2", "3")
		wantAt(t, l, movedTo, false, "1")
		wantAt(t, l, office, true, "1")
		wantAt(t, l, office, false, "2", "3")
		must(t, l.Link(ctx, movedTo, office, dana()))
		wantAt(t, l, office, true, "1", "2", "3")
		wantAt(t, l, movedTo, true, "1", "2", "3")
	}

	l = f.Crash(t)
	Begin(t, l, "run-2")
	if r, ok, err := l.Find(ctx, at(movedTo), claimAt(office, "1").Trip); err != nil || !ok || r.GUID != "g1" {
		t.Errorf("after a crash: %+v %v %v", r, ok, err)
	}
}

// testOtherSystem keeps the trips of two systems apart.
func testOtherSystem(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	office := Lakeshore().Service
	bookAt(t, l, testHost, "1", "g1")
	must(t, l.Separate(ctx, office, dana()))
	must(t, checkMoved(l, Lakeshore()))
	wantAt(t, l, office, false, "1")
	bookAt(t, l, office, "1", "g1-here") // the same row and id
	wantAt(t, l, office, true, "1")

	for address, guid := range map[string]string{office: "g1-here", testHost: "g1"} {
		r, ok, err := l.FindRow(ctx, address, "aa11", claimAt(office, "1").Trip)
		if err != nil || !ok || r.GUID != guid || r.Account.Service != address {
			t.Errorf("the row at %q: %+v %v %v", address, r, ok, err)
		}
	}

	// A third address is unlike both until somebody says so.
	e := AsError(t, checkMoved(l, at(movedTo)), "ledger-service-moved")
	if !strings.Contains(e.Reason, office) || !strings.Contains(e.Reason, testHost) {
		t.Errorf("the error names not both: %s", e.Reason)
	}

	must(t, l.Link(ctx, office, movedTo, dana()))
	must(t, checkMoved(l, at(movedTo)))
	wantAt(t, l, movedTo, true, "1")
	Send(t, l, claimAt(testHost, "2"), Settlement(importer.Unknown, ""))
	wantAt(t, l, movedTo, false, "2")

	// The first name of a service can be separated as well.
	bookAt(t, l, movedTo, "3", "g3")
	must(t, l.Separate(ctx, office, dana()))
	wantAt(t, l, office, true, "1")
	wantAt(t, l, office, false, "3")
	wantAt(t, l, movedTo, true, "3")
	wantAt(t, l, movedTo, false, "1")
}

// testBackToTheOldAddress imports at a new address while nothing is booked ahead, and
// at the old one again: nobody has said yet that they are one service.
func testBackToTheOldAddress(t *testing.T, f fixture) {
	office := Lakeshore().Service
	for name, addresses := range map[string][2]string{"to the new": {movedTo, office}, "to the old": {office, movedTo}} {
		t.Run(name, func(t *testing.T) {
			l, ctx := f.another(t).Ledger, t.Context()
			Begin(t, l, "run-1")
			past := claimAt(office, "past")
			past.Trip.Pickup.PickupTime.Date, past.Trip.Dropoff.Appt.Date = Night().AddDays(-5), Night().AddDays(-5)
			Book(t, l, past, "g-past")
			Send(t, l, claimAt(office, "2"), Settlement(importer.Refused, ""))

			must(t, checkMoved(l, at(movedTo)))
			bookAt(t, l, movedTo, "1", "g1")
			bookAt(t, l, movedTo, "2", "g2") // refused there, booked here
			bookAt(t, l, movedTo, "past", "g-again")
			must(t, checkMoved(l, at(movedTo)))
			WantError(t, checkMoved(l, Lakeshore()), "ledger-service-moved")

			must(t, l.Link(ctx, addresses[0], addresses[1], dana()))
			for _, address := range addresses {
				must(t, checkMoved(l, at(address)))
				wantAt(t, l, address, true, "1", "2")
				c := claimAt(address, "past")
				if r, ok, err := l.Find(ctx, c.Account, c.Trip); !ok || !r.Taken() || err != nil {
					t.Errorf("a trip that is booked at both is lost at %s: %v", address, err)
				}
			}
		})
	}
}

// testRowsOfTwoSystems sends one row to two systems, under two ids: what became of it
// at the one does not matter at the other.
func testRowsOfTwoSystems(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	office := Lakeshore().Service
	must(t, l.Separate(ctx, testHost, dana()))
	elsewhere := func(id string) importer.Claim {
		c := claimAt(testHost, id)
		c.Trip.ID = "test-" + id
		return c
	}

	Send(t, l, claimAt(office, "1"), Settlement(importer.Refused, ""))
	Book(t, l, elsewhere("1"), "g1-elsewhere")
	bookAt(t, l, office, "1", "g1")

	lost := Send(t, l, claimAt(office, "2"), Settlement(importer.Unknown, "")).Attempt
	must(t, l.Resolve(ctx, resolution(lost, importer.NotThere, "", ledger.NotThereAfter)))
	Book(t, l, elsewhere("2"), "g2")
	must(t, l.Resolve(ctx, resolution(lost, importer.There, "g2-there", ledger.NotThereAfter)))
	wantAt(t, l, office, true, "1", "2")
}

// testAhead lists the trips by which a person finds out whether a service moved.
func testAhead(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	office := Lakeshore().Service
	for i, id := range []string{"a", "b", "c", "d"} {
		c := claimAt(office, id)
		c.Trip.Pickup.PickupTime.Date = Night().AddDays(3 - i)
		Book(t, l, c, "g-"+id)
	}
	Send(t, l, claimAt(office, "unknown"), Settlement(importer.Unknown, ""))
	Send(t, l, claimAt(office, "refused"), Settlement(importer.Refused, ""))
	bookAt(t, l, testHost, "elsewhere", "g-elsewhere")

	for limit, want := range map[int]string{9: "d c b a unknown", 2: "d c"} {
		var ids []string
		entries, err := l.Ahead(ctx, office, Night(), limit)
		for _, e := range entries {
			ids = append(ids, e.TripID)
		}
		if got := strings.Join(ids, " "); got != want || err != nil {
			t.Errorf("the first %d are %q, want %q, %v", limit, got, want, err)
		}
	}
	if entries, err := l.Ahead(ctx, office, Night().AddDays(4), 9); len(entries) > 0 || err != nil {
		t.Errorf("there are %d trips later, %v", len(entries), err)
	}
}

// testProviderMoved renames a provider together with its key.
func testProviderMoved(t *testing.T, f fixture) {
	ctx := t.Context()
	renamed := provider("Lakeshore Mobility", "new-key")
	check := func(l ledger.Ledger, a importer.Account, day importer.Date, listed ...importer.Account) error {
		return l.CheckMoved(ctx, []importer.Account{a}, listing(append(listed, a)...), day)
	}

	l := f.Ledger
	must(t, check(l, renamed, Night()))
	bookAt(t, l, Lakeshore().Service, "1", "g1")
	for name, err := range map[string]error{
		"a second provider":  check(l, renamed, Night(), Lakeshore()),
		"listed by its name": check(l, renamed, Night(), provider("LAKESHORE transit", "other")),
		"listed by its key":  check(l, renamed, Night(), provider("Other Name", "key-of-lakeshore")),
		"only past trips":    check(l, renamed, Night().AddDays(1)),
		"the known one":      check(l, Lakeshore(), Night()),
	} {
		if err != nil {
			t.Errorf("%s is refused: %v", name, err)
		}
	}

	e := AsError(t, check(l, renamed, Night()), "ledger-provider-moved")
	for _, want := range []string{"Lakeshore Transit (1 trip)", `rekey "Lakeshore Mobility" --was "Lakeshore Transit"`, `rekey "Lakeshore Mobility" --new`} {
		if !strings.Contains(e.Reason+e.Fix, want) {
			t.Errorf("%q and %q do not say %q", e.Reason, e.Fix, want)
		}
	}

	t.Run("another one", func(t *testing.T) {
		must(t, l.SeparateProvider(ctx, renamed, dana()))
		must(t, l.SeparateProvider(ctx, renamed, dana()))
		must(t, check(l, renamed, Night()))
		if _, ok, err := l.Find(ctx, renamed, Trip("1")); ok || err != nil {
			t.Errorf("it has the other one's trip, %v", err)
		}
		WantError(t, l.SeparateProvider(ctx, provider("Lakeshore Transit", "third"), dana()), "ledger-provider-key")
	})

	t.Run("the same after all", func(t *testing.T) {
		WantError(t, l.Rekey(ctx, renamed, "Nobody", dana()), "ledger-provider-unknown")
		must(t, l.Rekey(ctx, renamed, "lakeshore TRANSIT", dana()))
		must(t, check(l, renamed, Night()))
		r, ok, err := l.Find(ctx, renamed, Trip("1"))
		if err != nil || !ok || r.Account.Provider != renamed.Provider {
			t.Errorf("got %+v %v %v", r, ok, err)
		}
	})

	t.Run("two with trips", func(t *testing.T) {
		third := provider("Prairie Wheels", "key-of-prairie")
		Book(t, l, under(third, claimAt(third.Service, "9")), "g9")
		WantError(t, l.Rekey(ctx, third, renamed.Provider, dana()), "ledger-provider-booked")
	})
}

// testManyMoves links and separates addresses in turn, while trips are booked at all
// of them. A trip is booked at the address where it was sent, and at those that are
// linked to it.
func testManyMoves(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	office := Lakeshore().Service
	addresses := []string{office, movedTo, testHost}
	sent := map[string][]string{}
	for i, step := range []struct {
		do                            func(known, address string) error
		known, address                string
		office, movedTo, testHostsOwn string // the services of the addresses after it
	}{
		{func(string, string) error { return nil }, "", "", office, movedTo, testHost},
		{link(l), office, movedTo, office, office, testHost},
		{link(l), movedTo, testHost, office, office, office},
		{separate(l), "", movedTo, office, movedTo, office},
		{link(l), movedTo, testHost, movedTo, movedTo, movedTo}, // with all that is linked to it
		{separate(l), "", office, office, movedTo, movedTo},
		{link(l), office, movedTo, office, office, office},
		{separate(l), "", testHost, office, office, testHost},
		{separate(l), "", office, office, movedTo, testHost},
	} {
		must(t, step.do(step.known, step.address))
		services := map[string]string{office: step.office, movedTo: step.movedTo, testHost: step.testHostsOwn}
		for k, a := range addresses {
			if s, err := l.Service(ctx, a); s != services[a] || err != nil {
				t.Errorf("after step %d the service at %s is %s, want %s, %v", i, a, s, services[a], err)
			}
			id := fmt.Sprintf("%d-%d", i, k)
			bookAt(t, l, a, id, "g"+id)
			sent[a] = append(sent[a], id)
		}
		for _, a := range addresses {
			for _, b := range addresses {
				wantAt(t, l, a, services[a] == services[b], sent[b]...)
			}
		}
	}
}

func link(l ledger.Ledger) func(known, address string) error {
	return func(known, address string) error { return l.Link(context.Background(), known, address, dana()) }
}

func separate(l ledger.Ledger) func(known, address string) error {
	return func(_, address string) error { return l.Separate(context.Background(), address, dana()) }
}
