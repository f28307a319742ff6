package ledgertest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// openTrips claims a trip of each kind about which a person may be asked, and
// two about which nobody is asked. It gives the ledger after a crash, and the
// trips by their ids.
func openTrips(t *testing.T, f Fixture) (ledger.Ledger, map[string]ledger.Entry) {
	t.Helper()
	l := f.Ledger
	for i, s := range []struct {
		id    string
		state importer.State
		guid  string
	}{
		{"unknown", importer.Unknown, ""},
		{"no GUID", importer.Created, ""},
		{"booked", importer.Created, "g-booked"},
		{"refused", importer.Refused, ""},
	} {
		Send(t, l, Claim("run-1", Trip(s.id), i+2), Settlement(s.state, s.guid))
	}

	if _, err := l.Claim(context.Background(), Claim("run-1", Trip("left"), 9)); err != nil {
		t.Fatal(err)
	}

	l = f.Crash(t)
	Begin(t, l, "run-2")
	entries := map[string]ledger.Entry{}
	for e, err := range l.Trips(context.Background(), "run-1") {
		if err != nil {
			t.Fatal(err)
		}
		entries[e.TripID] = e
	}
	return l, entries
}

func unresolved(t *testing.T, l ledger.Ledger) []string {
	t.Helper()
	entries, err := l.Unresolved(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.TripID)
	}
	return ids
}

func testUnresolved(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	if diff := cmp.Diff([]string{"unknown", "no GUID", "left"}, unresolved(t, l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	e := entries["unknown"]
	if e.Input != "aa11" || e.Row != 2 || e.Run != "run-1" || e.HTTPStatus != 500 || !e.ClaimedAt.Equal(Noon()) {
		t.Errorf("got %+v", e)
	}

	for id, verdict := range map[string]ledger.Verdict{"unknown": ledger.There, "no GUID": ledger.There, "left": ledger.NotThere} {
		r := ledger.Resolution{Attempt: entries[id].Attempt, Verdict: verdict, Who: "dana", When: Noon().Add(time.Hour)}
		if err := l.Resolve(context.Background(), r); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}

	if ids := unresolved(t, l); ids != nil {
		t.Errorf("still asked about: %v", ids)
	}

	// A trip that is being sent is listed as well, as InFlight.
	if _, err := l.Claim(context.Background(), Claim("run-2", Trip("now"), 20)); err != nil {
		t.Fatal(err)
	}

	now, err := l.Unresolved(context.Background())
	if err != nil || len(now) != 1 || !now[0].InFlight {
		t.Errorf("got %+v, %v", now, err)
	}
}

func testResolveThere(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	when := Noon().Add(time.Minute) // "there" needs no wait
	r := ledger.Resolution{Attempt: entries["unknown"].Attempt, Verdict: ledger.There, GUID: "{G-BOOKED}", Who: "dana", When: when}
	if err := l.Resolve(ctx, r); !errors.Is(err, importer.ErrGUIDTaken) {
		t.Errorf("a GUID of another trip was taken: %v", err)
	}

	r.GUID, r.Note = "g-found", "seen in the portal, Mrs. Alder confirmed"
	if err := l.Resolve(ctx, r); err != nil {
		t.Fatal(err)
	}

	got := Find(t, l, Trip("unknown"))
	if got.State != importer.Created || got.GUID != "g-found" || got.GUIDMissing || !got.SettledAt.Equal(when) || got.Code != "500 unclear" {
		t.Errorf("got %+v", got)
	}

	if _, err := l.Claim(ctx, Claim("run-2", Trip("unknown"), 2)); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("it could be sent again: %v", err)
	}

	claimed, err := l.Claim(ctx, Claim("run-2", Trip("new"), 30))
	must(t, err)
	if err := l.Settle(ctx, claimed, Settlement(importer.Created, "G-FOUND")); !errors.Is(err, importer.ErrGUIDTaken) {
		t.Errorf("the service gave a GUID that a person had given: %v", err)
	}

	e := entryOf(t, l, "run-1", "unknown")
	if e.Resolved != ledger.There || e.ResolvedBy != "dana" || !e.ResolvedAt.Equal(when) || e.Note != r.Note || e.GUID != "g-found" {
		t.Errorf("the record of it: %+v", e)
	}
}

func entryOf(t *testing.T, l ledger.Ledger, run, id string) ledger.Entry {
	t.Helper()
	for e, err := range l.Trips(context.Background(), run) {
		if err != nil {
			t.Fatal(err)
		}
		if e.TripID == id {
			return e
		}
	}

	t.Fatalf("%s has no trip %s", run, id)
	return ledger.Entry{}
}

func testResolveNotThere(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	for _, id := range []string{"unknown", "no GUID", "left"} {
		r := ledger.Resolution{Attempt: entries[id].Attempt, Verdict: ledger.NotThere, Who: "dana"}
		for wait, left := range map[time.Duration]time.Duration{
			0: 15 * time.Minute, 14*time.Minute + 59*time.Second: time.Second, -time.Hour: 75 * time.Minute,
		} {
			r.When = Noon().Add(wait)
			var soon *ledger.TooSoonError
			if err := l.Resolve(ctx, r); !errors.As(err, &soon) || soon.Left != left {
				t.Errorf("%s after %s: %v, want %s left", id, wait, err, left)
			}
		}
		r.When = Noon().Add(15 * time.Minute)
		if err := l.Resolve(ctx, r); err != nil {
			t.Errorf("%s: %v", id, err)
		}
		got := Find(t, l, Trip(id))
		if got.State != importer.NotSent || got.GUIDMissing {
			t.Errorf("%s: %+v", id, got)
		}
		if similar, err := l.Similar(ctx, Lakeshore(), Trip(id), 15); err != nil || len(similar) != 0 {
			t.Errorf("%s: similar %+v, %v", id, similar, err)
		}
		Book(t, l, Claim("run-2", Trip(id), entries[id].Row), "g-"+id)
		if got := Find(t, l, Trip(id)); got.State != importer.Created || got.Attempts != 2 {
			t.Errorf("%s, sent again: %+v", id, got)
		}
	}
}

// testResolveTakenBack answers "not there", and later "there".
func testResolveTakenBack(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	r := ledger.Resolution{Attempt: entries["unknown"].Attempt, Verdict: ledger.NotThere, Who: "dana", When: Noon().Add(time.Hour)}
	must(t, l.Resolve(ctx, r))
	r.Verdict, r.GUID = ledger.There, "g-found"
	must(t, l.Resolve(ctx, r))
	if got := Find(t, l, Trip("unknown")); got.State != importer.Created || got.GUID != "g-found" {
		t.Errorf("got %+v", got)
	}

	// It is too late where the row was sent under another id meanwhile.
	r = ledger.Resolution{Attempt: entries["left"].Attempt, Verdict: ledger.NotThere, Who: "dana", When: r.When}
	must(t, l.Resolve(ctx, r))
	Book(t, l, Claim("run-2", Trip("renamed"), entries["left"].Row), "g-renamed")
	r.Verdict = ledger.There
	WantError(t, l.Resolve(ctx, r), "ledger-sent-again")
	Book(t, l, Claim("run-2", Trip("another"), 40), "g-another") // all is well
}

func testResolveRefuses(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	sending, err := l.Claim(ctx, Claim("run-2", Trip("sending"), 20))
	must(t, err)
	Send(t, l, Claim("run-2", Trip("refused"), 5), Settlement(importer.Unknown, ""))
	refused, err := l.Claim(ctx, Claim("run-2", Trip("not booked"), 21))
	must(t, err)
	must(t, l.Settle(ctx, refused, Settlement(importer.Refused, "")))
	for name, c := range map[string]struct {
		attempt int64
		code    string
	}{
		"no such attempt": {999, "ledger-no-attempt"},
		"booked":          {entries["booked"].Attempt, "ledger-booked"},
		"sent again":      {entries["refused"].Attempt, "ledger-sent-again"},
		"in flight":       {sending.Attempt, "ledger-in-flight"},
		"not booked":      {refused.Attempt, "ledger-not-booked"},
	} {
		for _, v := range []ledger.Verdict{ledger.There, ledger.NotThere} {
			err := l.Resolve(ctx, ledger.Resolution{Attempt: c.attempt, Verdict: v, Who: "dana", When: Noon().Add(time.Hour)})
			t.Run(name, func(t *testing.T) {
				if !AsError(t, err, c.code).OneTrip {
					t.Error("the error does not say that only this trip is refused")
				}
			})
		}
	}

	if err := l.Resolve(ctx, ledger.Resolution{Attempt: entries["unknown"].Attempt, Who: "dana"}); err != nil {
		t.Errorf("later: %v", err)
	}

	if got := Find(t, l, Trip("unknown")); got.State != importer.Unknown {
		t.Errorf("\"later\" decided: %+v", got)
	}
}
