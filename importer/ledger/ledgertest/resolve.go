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

	for id, verdict := range map[string]importer.Verdict{"unknown": importer.There, "no GUID": importer.There, "left": importer.NotThere} {
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
	r := ledger.Resolution{Attempt: entries["unknown"].Attempt, Verdict: importer.There, GUID: "{G-BOOKED}", Who: "dana", When: when}
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
	if e.Resolved != importer.There || e.ResolvedBy != "dana" || !e.ResolvedAt.Equal(when) || e.Note != r.Note || e.GUID != "g-found" {
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
	for _, id := range []string{"unknown", "left"} {
		r := ledger.Resolution{Attempt: entries[id].Attempt, Verdict: importer.NotThere, Who: "dana", When: Noon().Add(15 * time.Minute)}
		must(t, l.Resolve(ctx, r))
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

// testResolveEarly answers "not there" while the trip may still appear: it counts
// in the first run that begins once it can be known.
func testResolveEarly(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	for i, wait := range []time.Duration{-time.Hour, 0, 14*time.Minute + 59*time.Second} {
		r := ledger.Resolution{Attempt: entries["unknown"].Attempt, Verdict: importer.NotThere, Who: "dana", When: Noon().Add(wait)}
		must(t, l.Resolve(ctx, r))
		run := Run(fmt.Sprint("early-", i))
		run.Started = Noon().Add(14*time.Minute + 59*time.Second)
		must(t, l.Begin(ctx, run))
		if got := Find(t, l, Trip("unknown")); got.State != importer.Unknown {
			t.Errorf("after %s: %+v", wait, got)
		}
		if _, err := l.Claim(ctx, Claim(run.ID, Trip("unknown"), 2)); !errors.Is(err, importer.ErrClaimed) {
			t.Errorf("after %s it could be sent: %v", wait, err)
		}
	}

	if e := entryOf(t, l, "run-1", "unknown"); e.Resolved != importer.NotThere || e.State != importer.Unknown {
		t.Errorf("the answer is not kept: %+v", e)
	}
	run := Run("in time")
	run.Started = Noon().Add(15 * time.Minute)
	must(t, l.Begin(ctx, run))
	if got := Find(t, l, Trip("unknown")); got.State != importer.NotSent {
		t.Errorf("in time: %+v", got)
	}
	Book(t, l, Claim(run.ID, Trip("unknown"), 2), "g-again")
	must(t, l.Begin(ctx, Run("one more")))
	if got := Find(t, l, Trip("unknown")); got.State != importer.Created || got.GUID != "g-again" {
		t.Errorf("the answer freed a trip that was sent again: %+v", got)
	}
}

// testResolveProved gives answers about trips that the service said are booked.
func testResolveProved(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	answer := func(id string, v importer.Verdict, guid string, after time.Duration) error {
		return l.Resolve(ctx, ledger.Resolution{Attempt: entries[id].Attempt, Verdict: v, GUID: guid, Who: "dana", When: Noon().Add(after)})
	}
	for _, id := range []string{"booked", "no GUID"} {
		for _, v := range []importer.Verdict{importer.NotThere, importer.BookedByHand} {
			WantError(t, answer(id, v, "", time.Hour), "ledger-booked")
		}
	}
	must(t, answer("no GUID", importer.There, "", time.Hour))
	WantError(t, answer("no GUID", importer.NotThere, "", time.Hour), "ledger-booked")
	must(t, answer("no GUID", importer.There, "g-late", 2*time.Hour))
	if got := Find(t, l, Trip("no GUID")); got.State != importer.Created || got.GUID != "g-late" || !got.Answered || got.Cancelled {
		t.Errorf("got %+v", got)
	}
}

// testResolveCorrected corrects answers, one of them with a neighbour's GUID, until
// the trips' time has passed.
func testResolveCorrected(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	answer := func(id string, v importer.Verdict, guid string, after time.Duration) error {
		return l.Resolve(ctx, ledger.Resolution{Attempt: entries[id].Attempt, Verdict: v, GUID: guid, Who: "dana", When: Noon().Add(after)})
	}
	must(t, answer("unknown", importer.There, "", time.Minute))
	must(t, answer("unknown", importer.There, "g-of-left", time.Hour))
	if err := answer("left", importer.There, "G-OF-LEFT", time.Hour); !errors.Is(err, importer.ErrGUIDTaken) {
		t.Errorf("two trips have one GUID: %v", err)
	}
	must(t, answer("unknown", importer.There, "g-found", 2*time.Hour))
	must(t, answer("left", importer.There, "g-of-left", 2*time.Hour))
	must(t, answer("left", importer.NotThere, "", 3*time.Hour))
	must(t, answer("left", importer.There, "g-of-left", 4*time.Hour))
	for id, guid := range map[string]string{"unknown": "g-found", "left": "g-of-left"} {
		if got := Find(t, l, Trip(id)); got.State != importer.Created || got.GUID != guid {
			t.Errorf("%s: %+v", id, got)
		}
	}

	past := 48 * time.Hour
	WantError(t, answer("left", importer.NotThere, "", past), "ledger-past")
	must(t, answer("no GUID", importer.There, "g-first", past)) // nobody has answered so far
}

// testResolveByHand cancels, reinstates and changes a booked trip by hand.
func testResolveByHand(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	resolve := func(id string, r ledger.Resolution) {
		t.Helper()
		r.Attempt, r.Who, r.When = entries[id].Attempt, "dana", Noon().Add(time.Hour)
		must(t, l.Resolve(ctx, r))
	}
	want := func(id string, cancelled, free bool, guid string) {
		t.Helper()
		got := Find(t, l, Trip(id))
		if got.State != importer.Created || got.Cancelled != cancelled || got.GUID != guid || got.Attempt != entries[id].Attempt {
			t.Errorf("got %+v", got)
		}
		if _, err := l.Claim(ctx, Claim("run-2", Trip(id), 4)); free != (err == nil) {
			t.Errorf("claimed: %v", err)
		}
	}

	done := ledger.Resolution{Verdict: importer.DoneByHand, State: importer.CancelledCreated}
	resolve("booked", done)
	resolve("booked", done) // twice is once
	want("booked", true, false, "g-booked")
	resolve("booked", ledger.Resolution{Verdict: importer.DoneByHand, State: importer.Reinstate})
	want("booked", false, false, "g-booked")
	resolve("booked", done)
	resolve("booked", ledger.Resolution{Verdict: importer.DoneByHand, State: importer.Reinstate, GUID: "g-anew"})
	want("booked", false, false, "g-anew")

	moved := Trip("booked")
	moved.Pickup.PickupTime.Hour, moved.Dropoff.Appt.Hour, moved.RiderID = 15, 16, "R-other"
	resolve("booked", ledger.Resolution{Verdict: importer.DoneByHand, State: importer.ChangeByHand, Trip: moved})
	if got := Find(t, l, moved); got.Differs != nil || got.OtherTrip || got.GUID != "g-anew" || got.Answered {
		t.Errorf("what was changed by hand still differs: %+v", got)
	}
	if got := Find(t, l, Trip("booked")); len(got.Differs) != 3 {
		t.Errorf("the schedule's old values are no change: %+v", got)
	}
	again := Trip("booked again")
	again.RiderID, again.Pickup, again.Dropoff = moved.RiderID, moved.Pickup, moved.Dropoff
	if similar, err := l.Similar(ctx, Lakeshore(), again, 15); err != nil || len(similar) != 1 {
		t.Errorf("the trip is not found at its new time: %+v, %v", similar, err)
	}

	resolve("booked", ledger.Resolution{Verdict: importer.CancelledThere, State: importer.Waiting})
	want("booked", true, true, "g-anew")
	refused := ledger.Resolution{Attempt: entries["unknown"].Attempt, Verdict: importer.DoneByHand, State: importer.CancelledCreated, When: Noon().Add(time.Hour)}
	WantError(t, l.Resolve(ctx, refused), "ledger-not-booked")
}

// testBookedByHand claims a trip that a person booked, and settles it without a GUID.
func testBookedByHand(t *testing.T, f Fixture) {
	ctx := context.Background()
	claimed, err := f.Ledger.Claim(ctx, Claim("run-1", Trip("1"), 2))
	must(t, err)
	must(t, f.Ledger.Settle(ctx, claimed, importer.Settlement{State: importer.Created, Code: importer.CodeBookedByHand, At: Noon()}))
	got := Find(t, f.Ledger, Trip("1"))
	if got.State != importer.Created || got.GUIDMissing || !got.Answered || got.Attempt != claimed.Attempt {
		t.Errorf("got %+v", got)
	}
	if ids := unresolved(t, f.Ledger); ids != nil {
		t.Errorf("asked about: %v", ids)
	}

	// The wrong row was taken for it.
	must(t, f.Ledger.Resolve(ctx, ledger.Resolution{Attempt: claimed.Attempt, Verdict: importer.NotThere, Who: "dana", When: Noon()}))
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
}

// testDecided decides about each question, and asks about what is near it.
func testDecided(t *testing.T, f Fixture) {
	ctx := context.Background()
	key := importer.RowKey{Broker: "Lakeshore Health Plan", ID: "70411"}
	change := func(c func(*importer.Trip)) *importer.Trip {
		trip := Trip("1")
		c(trip)
		return trip
	}
	otherRow, otherBroker := importer.RowKey{Broker: key.Broker, ID: "70412"}, importer.RowKey{Broker: "Prairie", ID: key.ID}
	nextDay := change(func(t *importer.Trip) {
		t.Pickup.PickupTime.Date, t.Dropoff.Appt.Date = Night().AddDays(1), Night().AddDays(1)
	})
	later := change(func(t *importer.Trip) { t.Pickup.PickupTime.Minute = 45 })
	back := change(func(t *importer.Trip) { t.Leg = importer.ReturnLeg })
	suite := change(func(t *importer.Trip) { t.Dropoff.Address2 = "Suite 9" })
	for _, q := range []struct {
		about       importer.Decision
		same, other []importer.Decision
	}{
		{
			importer.Decision{Question: importer.AskDoubleBooking, Key: key, Trip: Trip("1"), Other: 3},
			[]importer.Decision{{Question: importer.AskDoubleBooking, Key: otherRow, Trip: nextDay}, {Question: importer.AskDoubleBooking, Trip: later}},
			[]importer.Decision{{Question: importer.AskDoubleBooking, Key: key, Trip: suite}, {Question: importer.AskDoubleBooking, Key: key, Trip: Trip("2")}},
		},
		{
			importer.Decision{Question: importer.AskReplaced, Key: key, Trip: Trip("1"), Other: 3},
			[]importer.Decision{{Question: importer.AskReplaced, Key: key, Trip: later, Other: 3}},
			[]importer.Decision{
				{Question: importer.AskReplaced, Key: key, Trip: Trip("1"), Other: 4},
				{Question: importer.AskReplaced, Key: otherRow, Trip: Trip("1"), Other: 3},
				{Question: importer.AskReplaced, Key: otherBroker, Trip: Trip("1"), Other: 3},
				{Question: importer.AskReplaced, Key: key, Trip: back, Other: 3},
				{Question: importer.AskOtherDay, Key: key, Trip: Trip("1"), Other: 3},
				{Question: importer.AskReplaced, Key: key, Trip: nextDay, Other: 3},
			},
		},
		{
			importer.Decision{Question: importer.AskWord, Key: key, Column: "Trip Status", Word: "HOLD"},
			[]importer.Decision{{Question: importer.AskWord, Key: otherRow, Column: "trip status", Word: " hold"}},
			[]importer.Decision{{Question: importer.AskWord, Key: otherBroker, Column: "Trip Status", Word: "HOLD"}, {Question: importer.AskWord, Key: key, Column: "Trip Status", Word: "HOLD-2"}},
		},
		{
			importer.Decision{Key: key, Trip: Trip("1")},
			[]importer.Decision{{Key: key, Trip: Trip("1"), Other: 7}},
			[]importer.Decision{{Key: key, Trip: later}, {Key: key, Trip: back}, {Key: otherRow, Trip: Trip("1")}},
		},
	} {
		for i, v := range []importer.Verdict{importer.Meant, importer.LeaveIt} { // the later one holds
			must(t, f.Ledger.Decide(ctx, q.about, v, ledger.Person{Who: "dana", When: Noon().Add(time.Duration(i) * time.Minute)}))
		}
		for _, d := range append(q.same, q.about) {
			if v, ok, err := f.Ledger.Decided(ctx, d); v != importer.LeaveIt || !ok || err != nil {
				t.Errorf("%+v: %s, %v, %v", d, v, ok, err)
			}
		}
		for _, d := range append(q.other, importer.Decision{Question: q.about.Question}) {
			if v, ok, err := f.Ledger.Decided(ctx, d); ok || err != nil {
				t.Errorf("%+v: %s, %v, %v", d, v, ok, err)
			}
		}
	}
	WantError(t, f.Ledger.Decide(ctx, importer.Decision{Trip: Trip("1")}, importer.LeaveIt, ledger.Person{}), "ledger-no-subject")
}

// testResolveTakenBack answers "not there", and later "there".
func testResolveTakenBack(t *testing.T, f Fixture) {
	l, entries := openTrips(t, f)
	ctx := context.Background()
	r := ledger.Resolution{Attempt: entries["unknown"].Attempt, Verdict: importer.NotThere, Who: "dana", When: Noon().Add(time.Hour)}
	must(t, l.Resolve(ctx, r))
	r.Verdict, r.GUID = importer.There, "g-found"
	must(t, l.Resolve(ctx, r))
	if got := Find(t, l, Trip("unknown")); got.State != importer.Created || got.GUID != "g-found" {
		t.Errorf("got %+v", got)
	}

	// It is too late where the row was sent under another id meanwhile.
	r = ledger.Resolution{Attempt: entries["left"].Attempt, Verdict: importer.NotThere, Who: "dana", When: r.When}
	must(t, l.Resolve(ctx, r))
	Book(t, l, Claim("run-2", Trip("renamed"), entries["left"].Row), "g-renamed")
	r.Verdict = importer.There
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
		for _, v := range []importer.Verdict{importer.There, importer.NotThere} {
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
