package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func testRunHistory(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	totals := importer.Totals{RowsRead: 3, TripsRead: 4, HalfBooked: 1, TooLate: 2, GUIDMissing: 3}
	for s := range importer.StateCount {
		totals.Rows[s], totals.Trips[s] = s, s*2
	}

	ended := Noon().Add(time.Hour)
	must(t, l.End(ctx, "run-1", totals, ended, "finished"))
	two := Run("run-2")
	two.Inputs = append(two.Inputs, importer.InputInfo{Name: "second.xlsx", Hash: "ff"})
	must(t, l.Begin(ctx, two))
	Book(t, l, Claim("run-2", Trip("1"), 2), "g1")
	Send(t, l, Claim("run-2", Trip("2"), 3), Settlement(importer.Refused, ""))
	take(t, l, Claim("run-2", Trip("3"), 4))
	l = f.Crash(t)
	found := l.Number()
	Begin(t, l, "run-3")

	got, err := l.Runs(ctx, 0)
	must(t, err)
	var brokenOff importer.Totals
	brokenOff.TripsRead = 3
	for _, s := range []importer.State{importer.Created, importer.Refused, importer.Unknown} {
		brokenOff.Trips[s] = 1
	}
	want := []ledger.Run{
		{RunInfo: Run("run-3"), Live: true},
		{RunInfo: two, Totals: brokenOff, BrokenOffAt: found},
		{RunInfo: Run("run-1"), Ended: ended, How: "finished", Totals: totals},
	}

	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	if latest, err := l.Runs(ctx, 2); err != nil || len(latest) != 2 || latest[0].ID != "run-3" {
		t.Errorf("the latest two: %+v, %v", latest, err)
	}

	if one, err := l.Run(ctx, "run-1"); err != nil || one.Totals != totals {
		t.Errorf("one run: %+v, %v", one, err)
	}

	if _, err := l.Run(ctx, "run-9"); !errors.Is(err, ledger.ErrNoRun) {
		t.Errorf("no such run: %v", err)
	}
}

// testTrips sends a trip twice in one run and once more in the next: each run
// shows it as that run left it.
func testTrips(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	trip := Trip("1")
	Send(t, l, Claim("run-1", trip, 2), Settlement(importer.NotSent, ""))
	Send(t, l, Claim("run-1", trip, 2), Settlement(importer.Refused, ""))
	Book(t, l, Claim("run-1", Trip("2"), 3), "g2")
	must(t, l.End(ctx, "run-1", importer.Totals{}, Noon(), "finished"))
	Begin(t, l, "run-2")
	Book(t, l, Claim("run-2", trip, 7), "g1")

	for run, want := range map[string][]string{
		"run-1": {"1 refused attempt 2 row 2", "2 created g2 attempt 1 row 3"},
		"run-2": {"1 created g1 attempt 3 row 7"},
		"run-3": nil,
	} {
		var got []string
		for e, err := range l.Trips(ctx, run) {
			must(t, err)
			line := e.TripID + " " + e.State.Code()
			if e.GUID != "" {
				line += " " + e.GUID
			}
			got = append(got, fmt.Sprintf("%s attempt %d row %d", line, e.Attempts, e.Row))
			// Other calls may be made meanwhile.
			Find(t, l, Trip(e.TripID))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", run, diff)
		}
	}

	for _, err := range l.Trips(ctx, "run-1") {
		if err != nil {
			t.Error(err)
		}
		break // and it may be left early
	}

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, err := range l.Trips(cancelled, "run-1") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
}

func testFindRow(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	Book(t, l, Claim("run-1", Trip("old-id"), 2), "g1")
	renamed := Trip("new-id")
	renamed.RiderID = "R-old-id"
	r, ok, err := l.FindRow(ctx, "", "aa11", renamed)
	if err != nil || !ok || r.TripID != "old-id" || r.GUID != "g1" {
		t.Fatalf("got %+v %v %v", r, ok, err)
	}

	if diff := cmp.Diff([]string{"trip_id"}, r.Differs); diff != "" || r.OtherTrip {
		t.Errorf("only the id differs: other trip %v\n%s", r.OtherTrip, diff)
	}

	for name, change := range map[string]func(*importer.Trip){
		"another row":   func(t *importer.Trip) { t.Row.Row = 3 },
		"another leg":   func(t *importer.Trip) { t.Leg = importer.ReturnLeg },
		"another sheet": func(t *importer.Trip) { t.Row.Sheet = "Tuesday" },
	} {
		other := Trip("new-id")
		change(other)
		if _, ok, err := l.FindRow(ctx, "", "aa11", other); ok || err != nil {
			t.Errorf("%s was found, %v", name, err)
		}
	}
}

func testProviderKeys(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	trip := Trip("1")
	Book(t, l, Claim("run-1", trip, 2), "g1")
	check := func(a importer.Account) error { return l.CheckAccounts(ctx, []importer.Account{a}) }
	must(t, check(Lakeshore()))
	renewed, stranger := provider("Lakeshore Transit", "renewed-key"), provider("Nobody", "k")
	WantError(t, check(renewed), "ledger-provider-key")
	must(t, check(stranger))
	WantError(t, l.Rekey(ctx, stranger, "", dana()), "ledger-provider-unknown")

	must(t, l.Rekey(ctx, renewed, "", ledger.Person{Who: "dana", Host: "FRONT-DESK", When: Noon()}))
	must(t, check(renewed))
	WantError(t, check(Lakeshore()), "ledger-provider-key")
	if r, ok, err := l.Find(ctx, renewed, trip); err != nil || !ok || r.GUID != "g1" || r.Differs != nil {
		t.Errorf("under its new key: %+v %v %v", r, ok, err)
	}

	wantTaken(t, l, "the trip under the new key", under(renewed, Claim("run-1", trip, 2)))
}

// testProviderRenamed keeps a provider's trips under its new name.
func testProviderRenamed(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	Book(t, l, Claim("run-1", Trip("1"), 2), "g1")
	renamed := provider("Lakeshore Mobility", "key-of-lakeshore")
	must(t, l.CheckAccounts(ctx, []importer.Account{renamed}))
	if r, ok, err := l.Find(ctx, renamed, Trip("1")); err != nil || !ok || r.Account.Provider != "Lakeshore Mobility" {
		t.Errorf("got %+v %v %v", r, ok, err)
	}

	// The old name is free for another provider.
	successor := provider("Lakeshore Transit", "successor")
	must(t, l.CheckAccounts(ctx, []importer.Account{successor}))
	Book(t, l, under(successor, Claim("run-1", Trip("1"), 3)), "g2")
	// Two providers swap their names: the keys tell them apart.
	must(t, l.CheckAccounts(ctx, []importer.Account{
		provider(successor.Provider, "key-of-lakeshore"), provider(renamed.Provider, "successor"),
	}))
}
