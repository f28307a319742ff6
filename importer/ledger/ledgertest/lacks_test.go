package ledgertest

import (
	"testing"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// testLacks asks whether the ledger has nothing of rows. Where it says so, no other
// question may find anything.
func testLacks(t *testing.T, f fixture) {
	FillCache(t, f.Ledger)
	bookRow(t, f.Ledger, rowKey("00701"), legOf("r-1", "00701", importer.OnlyLeg))
	Send(t, f.Ledger, rowClaim(rowKey("00801"), legOf("r-2", "00801", importer.OnlyLeg)), Settlement(importer.NotSent, ""))
	left := legOf("left", "left", importer.OnlyLeg)
	must(t, f.Ledger.Decide(t.Context(), importer.Decision{Key: rowKey("left"), Trip: left}, importer.LeaveIt, ledger.Person{Who: "dana", When: Noon()}))

	elsewhere, unique := rowKey("00701"), rowKey("701")
	elsewhere.Broker, unique.IDs = "Prairie", importer.UniqueIDs
	fresh := func() *importer.Trip { return legOf("fresh", "fresh", importer.OnlyLeg) }
	ofRider := func(hour int, day importer.Date) *importer.Trip {
		trip := onDay(legOf("r-1", "fresh", importer.OnlyLeg), day)
		trip.Pickup.PickupTime.Hour = hour
		return trip
	}
	cases := map[string]struct {
		key   importer.RowKey
		trips []*importer.Trip
		want  bool
	}{
		"a new row":                            {rowKey("fresh"), []*importer.Trip{fresh()}, true},
		"a new row of two trips":               {rowKey("fresh"), []*importer.Trip{fresh(), legOf("fresh", "back", importer.ReturnLeg)}, true},
		"a row without an id":                  {rowKey(""), []*importer.Trip{fresh()}, true},
		"a row of another broker":              {elsewhere, []*importer.Trip{fresh()}, true},
		"a trip without a time":                {rowKey("fresh"), []*importer.Trip{onDay(fresh(), importer.Date{})}, true},
		"the row":                              {rowKey("00701"), []*importer.Trip{fresh()}, false},
		"the trip":                             {rowKey("fresh"), []*importer.Trip{legOf("fresh", "00701", importer.OnlyLeg)}, false},
		"a trip that was not sent":             {rowKey("fresh"), []*importer.Trip{legOf("fresh", "00801", importer.OnlyLeg)}, false},
		"the second trip":                      {rowKey("fresh"), []*importer.Trip{fresh(), legOf("fresh", "00701", importer.ReturnLeg)}, false},
		"an id that is spelt otherwise":        {rowKey("701"), []*importer.Trip{fresh()}, false},
		"moved, where an id is used once":      {unique, []*importer.Trip{ofRider(17, Night().AddDays(-7))}, false},
		"too far":                              {unique, []*importer.Trip{ofRider(17, Night().AddDays(8))}, true},
		"the rider and the places":             {rowKey("fresh"), []*importer.Trip{ofRider(8, Night())}, false},
		"the rider and the places, at evening": {rowKey("fresh"), []*importer.Trip{ofRider(20, Night())}, false},
		"the rider on another day":             {rowKey("fresh"), []*importer.Trip{ofRider(8, Night().AddDays(3))}, true},
		"a row that was left":                  {rowKey("left"), []*importer.Trip{left}, false},
	}
	for _, l := range []ledger.Ledger{f.Ledger, f.ReadOnly(t)} {
		for name, c := range cases {
			row := &importer.Mapped{Key: c.key}
			for _, trip := range c.trips {
				row.Trips = append(row.Trips, *trip)
			}
			// The first answer may only say that decisions are to be read.
			_, err := l.Decided(t.Context(), importer.Decision{Key: c.key, Trip: c.trips[0]})
			must(t, err)
			if got := lacks(t, l, row); got != c.want {
				t.Errorf("%s: lacks it: %v", name, got)
			} else if got {
				findsNothing(t, l, name, row)
			}
		}
	}

	row := &importer.Mapped{Key: rowKey("fresh"), Trips: []importer.Trip{*fresh()}}
	other := f.Ledger
	if f.Beside != nil {
		other = f.Beside(t)
		Begin(t, other, "run-2")
	}
	before, theirs := lacks(t, f.Ledger, row), rowClaim(row.Key, fresh())
	if f.Beside != nil {
		theirs.Run = "run-2"
	}
	take(t, other, theirs)
	wantTaken(t, f.Ledger, "what was lacking before another process claimed it", rowClaim(row.Key, fresh()))
	if after := lacks(t, f.Ledger, row); !before || after {
		t.Errorf("lacks it: %v, and after it was claimed: %v", before, after)
	}
}

// lacks asks whether the ledger has nothing of a row of one provider.
func lacks(t *testing.T, l ledger.Ledger, row *importer.Mapped) bool {
	t.Helper()
	accounts := make([]importer.Account, len(row.Trips))
	for i := range accounts {
		accounts[i] = Lakeshore()
	}
	lacks, err := l.Lacks(t.Context(), row, accounts, 15)
	must(t, err)
	return lacks
}

// findsNothing fails where a question about a row finds something.
func findsNothing(t *testing.T, l ledger.Ledger, name string, row *importer.Mapped) {
	t.Helper()
	ctx, account := t.Context(), Lakeshore()
	booked, err := l.RowTrips(ctx, account.Service, row)
	must(t, err)
	for i := range row.Trips {
		trip := &row.Trips[i]
		_, found, err := l.Find(ctx, account, trip)
		must(t, err)
		similar, err := l.Similar(ctx, account, trip, 15)
		must(t, err)
		respelt, err := l.Respelt(ctx, account.Service, row.Key, trip)
		must(t, err)
		sameDay, err := l.SameDay(ctx, account, trip)
		must(t, err)
		decided, err := l.Decided(ctx, importer.Decision{Key: row.Key, Trip: trip})
		must(t, err)
		if booked.Matched[i] != nil || booked.Unclear[i] != nil || len(booked.Dropped) > 0 || found || decided != importer.NoVerdict || len(similar)+len(respelt)+len(sameDay) > 0 {
			t.Errorf("%s: lacks it, and has something of trip %d", name, i+1)
		}
	}
}
