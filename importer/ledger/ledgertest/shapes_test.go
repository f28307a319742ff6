package ledgertest

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// testShapes claims two trips one after the other, in both orders, at the same moment, and
// in one transaction, as two machines do that have the same row in two shapes: what may
// be one trip is never claimed twice, and two trips are.
func testShapes(t *testing.T, f fixture) {
	type change = func(*importer.Claim)
	leg := func(l importer.Leg, id string) change {
		return func(c *importer.Claim) { c.Trip.Leg, c.Trip.ID = l, id }
	}
	back := func(c *importer.Claim) {
		p, d := c.Trip.Pickup, c.Trip.Dropoff
		p.PickupTime, d.Appt = importer.DateTime{}, importer.DateTime{}
		c.Trip.Pickup, c.Trip.Dropoff, c.Trip.Type = d, p, importer.Return
		c.Trip.Pickup.PickupTime = importer.DateTime{Date: Night(), TimeOfDay: importer.TimeOfDay{Hour: 13}}
	}
	later := func(c *importer.Claim) { c.Trip.Pickup.PickupTime.Hour, c.Trip.Dropoff.Appt.Hour = 10, 11 }
	soon := func(c *importer.Claim) { c.Trip.Pickup.PickupTime.Minute += 10; c.Trip.Dropoff.Appt.Minute += 10 }
	moved := func(c *importer.Claim) { c.Trip.Pickup.Address1, c.Trip.Dropoff.Address1 = "1 Ash St", "2 Ash St" }
	pickup := func(c *importer.Claim) { c.Trip.Pickup.Address1 = "1 Ash St" }
	row := func(id string) change { return func(c *importer.Claim) { c.Key.ID = id } }
	broker := func(c *importer.Claim) { c.Key.Broker = "Beta" }
	provider := func(c *importer.Claim) {
		c.Account.Provider, c.Account.Key = "Prairie Wheels", importer.NewSecret("key-of-prairie")
	}
	ids := func(use importer.IDUse) change { return func(c *importer.Claim) { c.Key.IDs = use } }
	nextDay := func(c *importer.Claim) {
		c.Key.Date = Night().AddDays(1)
		c.Trip.Pickup.PickupTime.Date, c.Trip.Dropoff.Appt.Date = c.Key.Date, c.Key.Date
	}
	within := func(c *importer.Claim) { c.Within = 15 }
	line := func(c *importer.Claim) { c.Row = 2 }
	only, out, ret := leg(importer.OnlyLeg, "R9"), leg(importer.OutboundLeg, "R9-A"), leg(importer.ReturnLeg, "R9-B")

	for name, tt := range map[string]struct {
		a, b []change
		both bool
	}{
		"one way and a round trip's same way":       {[]change{only}, []change{out, later}, false},
		"one way and a round trip's way back":       {[]change{only}, []change{ret, back}, true},
		"the two ways of a round trip":              {[]change{out}, []change{ret, back}, true},
		"the way back alone and a round trip's":     {[]change{only, back}, []change{ret, back}, false},
		"the way back alone and a round trip's out": {[]change{only, back}, []change{out}, true},
		"one place corrected":                       {[]change{only}, []change{out, pickup}, false},
		"both places corrected":                     {[]change{only}, []change{out, moved}, false},
		"both places of the way back corrected":     {[]change{only}, []change{ret, back, moved}, false},
		"one leg under another trip id":             {[]change{out}, []change{leg(importer.OutboundLeg, "X9-A"), later}, false},
		"one leg for another provider":              {[]change{only}, []change{only, provider, later}, false},
		"another shape for another provider":        {[]change{only}, []change{out, provider, later}, false},
		"another row":                               {[]change{only}, []change{leg(importer.OnlyLeg, "R10"), row("R10"), later}, true},
		"another row, at about that time":           {[]change{only}, []change{leg(importer.OnlyLeg, "R10"), row("R10"), soon}, true},
		"another row, at about that time, unmeant":  {[]change{only, within}, []change{leg(importer.OnlyLeg, "R10"), row("R10"), soon, within}, false},
		"another broker's row":                      {[]change{only}, []change{leg(importer.OnlyLeg, "X9"), broker, later}, true},
		"one trip id of two rows":                   {[]change{only}, []change{row("R10"), only, later}, false},
		"one row of the spreadsheet":                {[]change{only}, []change{leg(importer.OnlyLeg, "X9"), broker, later, line}, false},
		"an id that comes again":                    {[]change{only, ids(importer.RepeatedIDs)}, []change{leg(importer.OnlyLeg, "R9-2"), ids(importer.RepeatedIDs), nextDay}, true},
		"an id that is used once, on another day":   {[]change{only, ids(importer.UniqueIDs)}, []change{leg(importer.OnlyLeg, "R9-2"), ids(importer.UniqueIDs), nextDay}, false},
		"an id that comes again, in another shape":  {[]change{only, ids(importer.RepeatedIDs)}, []change{out, ids(importer.RepeatedIDs), later}, false},
	} {
		claims := func() [2]importer.Claim {
			var two [2]importer.Claim
			for i, changes := range [][]change{tt.a, tt.b} {
				trip := Trip("R9")
				two[i] = Claim("run-1", trip, i+2)
				two[i].Key = importer.RowKey{Broker: "Alpha", ID: "R9", TripID: "R9", Date: Night()}
				for _, change := range changes {
					change(&two[i])
				}
			}
			return two
		}

		both := func(t *testing.T, failed [2]error) {
			t.Helper()
			if failed[0] != nil && failed[1] != nil || (failed[0] == nil && failed[1] == nil) != tt.both {
				t.Errorf("the claims: %v, %v", failed[0], failed[1])
			}
		}
		for order, first := range map[string]int{"in order": 0, "the other way round": 1} {
			if f.Beside != nil {
				break // two processes at once are in some order
			}
			t.Run(name+"/"+order, func(t *testing.T) {
				l, _ := f.two(t)
				two := claims()
				_, err := l.Claim(t.Context(), two[first])
				must(t, err)
				_, err = l.Claim(t.Context(), two[1-first])
				if granted := err == nil; granted != tt.both || !granted && !errors.Is(err, importer.ErrClaimed) {
					t.Errorf("the second claim: %v", err)
				}
			})
		}

		t.Run(name+"/at once", func(t *testing.T) {
			t.Parallel()
			l, other := f.two(t)
			two := claims()
			var wait sync.WaitGroup
			var failed [2]error
			for i, l := range []ledger.Ledger{l, other} {
				wait.Go(func() { _, failed[i] = l.Claim(t.Context(), two[i]) })
			}
			wait.Wait()
			both(t, failed)
		})

		if f.Together == nil {
			continue
		}
		t.Run(name+"/in one transaction", func(t *testing.T) {
			t.Parallel()
			f := f.another(t)
			Begin(t, f.Ledger, "run-1")
			before := Claim("run-1", Trip("before"), 1) // the ledger knows the account, and the sheet
			take(t, f.Ledger, before)
			two := claims()
			var failed [2]error
			f.Together(t, func() { _, failed[0] = f.Ledger.Claim(t.Context(), two[0]) }, func() { _, failed[1] = f.Ledger.Claim(t.Context(), two[1]) })
			both(t, failed)
		})
	}
}

// two returns two processes that have one new ledger and a run; one process where there can
// be no two.
func (f fixture) two(t *testing.T) (a, b ledger.Ledger) {
	t.Helper()
	f = f.another(t)
	Begin(t, f.Ledger, "run-1")
	if f.Beside == nil {
		return f.Ledger, f.Ledger
	}
	b = f.Beside(t)
	Begin(t, b, "run-2")
	return f.Ledger, b
}

// testOneTransaction settles two trips with one GUID in one transaction, and with two. Where
// one transaction can't be brought about, it settles them at once.
func testOneTransaction(t *testing.T, f fixture) {
	together := f.Together
	if together == nil {
		together = func(_ testing.TB, jobs ...func()) {
			var wait sync.WaitGroup
			for _, job := range jobs {
				wait.Go(job)
			}
			wait.Wait()
		}
	}
	for i, guids := range [][2]string{{"g-1", "G-1"}, {"g-2", "g-3"}, {"", ""}} {
		var errs [2]error
		var claimed [2]importer.Claimed
		for n := range claimed {
			id := fmt.Sprint("T-", i, n)
			claimed[n] = take(t, f.Ledger, Claim("run-1", Trip(id), 10*i+n))
		}
		settle := func(n int) func() {
			return func() {
				errs[n] = f.Ledger.Settle(t.Context(), claimed[n], Settlement(importer.Created, guids[n]))
			}
		}
		together(t, settle(0), settle(1))
		if importer.GUIDKey(guids[0]) == importer.GUIDKey(guids[1]) && guids[0] != "" {
			wantOne(t, errs[:], importer.ErrGUIDTaken)
		} else if errs[0] != nil || errs[1] != nil {
			t.Errorf("%v: %v", guids, errs)
		}
	}
}
