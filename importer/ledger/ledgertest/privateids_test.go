package ledgertest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
)

// member is the id of a rider of whom trip ids are made.
const member = "MBR-4471-0093"

// privateTrip returns a trip whose id tells who the rider is.
func privateTrip(id string) *importer.Trip {
	trip := Trip(member + id)
	trip.Alias = "row 2"
	return trip
}

// inClear returns the trip as a mapping makes it whose trip ids are not made from rider
// ids.
func inClear(trip *importer.Trip) *importer.Trip {
	same := *trip
	same.Alias = ""
	return &same
}

// privateRun describes a run whose mapping makes trip ids of riders' ids.
func privateRun(id string) importer.RunInfo {
	run := Run(id)
	run.RowIDs = importer.RowIDs{Broker: "Wrenfield", Columns: "member", Private: true}
	return run
}

func privateClaim(run string, trip *importer.Trip) importer.Claim {
	c := Claim(run, trip, trip.Row.Row)
	c.Key = importer.RowKey{Broker: "Wrenfield", ID: strings.TrimPrefix(trip.ID, member), Date: Night()}
	return c
}

// testPrivateIDs books, changes and asks about a trip whose id tells who the rider is.
// The id is nowhere in what is stored, and the ledger knows the trip by it.
func testPrivateIDs(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	trip := privateTrip("-A")
	must(t, l.Begin(ctx, privateRun("run-p")))
	claimed := Send(t, l, privateClaim("run-p", trip), Settlement(importer.Created, "guid-p"))
	shown := Trip("70411")
	shown.Row.Row = 3
	Book(t, l, Claim("run-p", shown, 3), "guid-s")

	alias := ""
	for _, cached := range []bool{false, true} {
		if cached {
			FillCache(t, l)
		}
		for what, asked := range map[string]*importer.Trip{"its id": trip, "its id in clear": inClear(trip)} {
			r := Find(t, l, asked)
			if r.TripID != trip.ID || r.Differs != nil || r.GUID != "guid-p" {
				t.Errorf("%s, cached %v: %+v", what, cached, r)
			}
			alias = r.Alias
		}
		if alias == "" || strings.Contains(alias, member) || Find(t, l, shown).Alias != "" {
			t.Errorf("cached %v: the private id is shown as %q, the other as %q", cached, alias, Find(t, l, shown).Alias)
		}
	}
	wantTaken(t, l, "the trip", privateClaim("run-p", trip))
	again := privateClaim("run-p", inClear(trip))
	again.Row, again.Key.ID = 9, "other"
	wantTaken(t, l, "the trip, with its id in clear", again)

	byID, err := l.TripsOfID(ctx, Lakeshore().Service, trip.ID)
	if err != nil || len(byID) != 1 || byID[0].Alias != alias {
		t.Errorf("by its id: %+v, %v", byID, err)
	}
	moved := *trip
	moved.ID, moved.SpaceType = member+"-B", "WCH"
	similar, err := l.Similar(ctx, Lakeshore(), &moved, 15)
	if err != nil || len(similar) != 1 || similar[0].TripID != trip.ID || strings.Join(similar[0].Differs, " ") != "trip_id space_type" {
		t.Errorf("under another id: %+v, %v", similar, err)
	}
	if similar, err = l.Similar(ctx, Lakeshore(), inClear(trip), 15); err != nil || len(similar) != 0 {
		t.Errorf("similar to itself: %+v, %v", similar, err)
	}
	key := privateClaim("", trip).Key
	row, err := l.RowTrips(ctx, Lakeshore().Service, &importer.Mapped{Key: key, Trips: []importer.Trip{moved}})
	if err != nil || row.Matched[0] == nil || row.Matched[0].TripID != trip.ID || strings.Join(row.Matched[0].Differs, " ") != "space_type" {
		t.Errorf("by its row: %+v, %v", row.Matched[0], err)
	}
	key.ID += "."
	if respelt, err := l.Respelt(ctx, Lakeshore().Service, key, trip); err != nil || len(respelt) != 1 || respelt[0].TripID != trip.ID {
		t.Errorf("respelt: %+v, %v", respelt, err)
	}

	changed := *trip
	changed.SpaceType = "WCH"
	SendChange(t, l, Change("run-p", claimed.Attempt, &changed, "space_type"), importer.Updated)
	if r := Find(t, l, &changed); r.Differs != nil {
		t.Errorf("after a change: %v", r.Differs)
	}
	pairs := []importer.Pair{{Provider: Lakeshore().Provider, FundingSource: trip.FundingSource}}
	if day, err := l.TripsOfDay(ctx, Lakeshore().Service, "Wrenfield", Night(), pairs); err != nil || len(day) != 1 || day[0].TripID != trip.ID || day[0].Alias != alias {
		t.Errorf("of the day: %+v, %v", day, err)
	}

	search(t, f.Stored(t), []string{member}, "70411")
	l = f.Crash(t)
	search(t, f.Stored(t), []string{member}, "70411")
	if e := entryOf(t, l, "run-p", trip.ID); e.Alias != alias || e.ListedID() != alias {
		t.Errorf("after a crash it is shown as %q", e.ListedID())
	}
}

// testIDsInClear books trips under ids that a later mapping takes for private: the
// first run of it hides them, those of other brokers stay as they are, and everything
// is known as before.
func testIDsInClear(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	before := privateRun("run-1b")
	before.RowIDs.Private = false
	must(t, l.Begin(ctx, before))
	booked, free, other := inClear(privateTrip("-A")), inClear(privateTrip("-B")), Trip("70411")
	free.Row.Row, other.Row.Row = 3, 4
	free.RiderID, other.RiderID = "R-free", "R-other"
	claimed := Send(t, l, privateClaim("run-1b", booked), Settlement(importer.Created, "guid-a"))
	Send(t, l, privateClaim("run-1b", free), Settlement(importer.NotSent, ""))
	c := Claim("run-1b", other, 4)
	c.Key = importer.RowKey{Broker: "Prairie", ID: "70411", Date: Night()}
	Book(t, l, c, "guid-o")
	FillCache(t, l)
	if r := Find(t, l, booked); r.Alias != "" {
		t.Errorf("shown as %q before anybody knew", r.Alias)
	}
	must(t, l.End(ctx, "run-1b", importer.Totals{}, Noon(), "finished"))

	for _, run := range []string{"run-2b", "run-3b"} {
		must(t, l.Begin(ctx, privateRun(run)))
		r := Find(t, l, privateTrip("-A"))
		if r.Alias == "" || r.TripID != booked.ID || r.Differs != nil || r.Attempt != claimed.Attempt {
			t.Errorf("%s: %+v", run, r)
		}
		if r := Find(t, l, other); r.Alias != "" || r.TripID != "70411" {
			t.Errorf("%s: another broker's trip is %+v", run, r)
		}
		wantTaken(t, l, "the booked trip", privateClaim(run, privateTrip("-A")))
	}

	freed := privateTrip("-B")
	freed.Row.Row, freed.RiderID = 3, "R-free"
	Book(t, l, privateClaim("run-3b", freed), "guid-b")
	if r := Find(t, l, freed); r.GUID != "guid-b" || r.Attempts != 2 || r.Alias == "" {
		t.Errorf("sent again: %+v", r)
	}
	if _, err := l.Claim(ctx, privateClaim("run-3b", inClear(freed))); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("in clear it could be claimed: %v", err)
	}
	must(t, l.Hold(ctx, claimed.Attempt, true, dana()))
	changed := privateTrip("-A")
	changed.SpaceType = "WCH"
	if _, err := l.ClaimChange(ctx, Change("run-3b", claimed.Attempt, changed, "space_type")); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("a held trip could be changed: %v", err)
	}
	must(t, l.End(ctx, "run-3b", importer.Totals{}, Noon().Add(time.Hour), "finished"))
	must(t, l.Close())
	search(t, f.Stored(t), []string{member}, "70411")
}
