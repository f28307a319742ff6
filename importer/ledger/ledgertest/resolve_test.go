package ledgertest

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// resolution returns a person's answer about an attempt, given that long after noon.
func resolution(attempt int64, v importer.Verdict, guid string, after time.Duration) ledger.Resolution {
	return ledger.Resolution{Attempt: attempt, Verdict: v, GUID: guid, Who: "dana", When: Noon().Add(after)}
}

// openTrips claims a trip of each kind about which a person may be asked, and
// two about which nobody is asked. It gives the ledger after a crash, and the
// trips by their ids.
func openTrips(t *testing.T, f fixture) (ledger.Ledger, map[string]ledger.Entry) {
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

	take(t, l, Claim("run-1", Trip("left"), 9))
	l = f.Crash(t)
	Begin(t, l, "run-2")
	entries := map[string]ledger.Entry{}
	for e, err := range l.Trips(t.Context(), "run-1") {
		must(t, err)
		entries[e.TripID] = e
	}
	return l, entries
}

func unresolved(t *testing.T, l ledger.Ledger) []string {
	t.Helper()
	entries, err := l.Unresolved(t.Context())
	must(t, err)
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.TripID)
	}
	return ids
}

func testUnresolved(t *testing.T, f fixture) {
	l, entries := openTrips(t, f)
	if diff := cmp.Diff([]string{"unknown", "no GUID", "left"}, unresolved(t, l)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	e := entries["unknown"]
	if e.Input != "aa11" || e.Row != 2 || e.Run != "run-1" || e.HTTPStatus != 500 || !e.ClaimedAt.Equal(Noon()) {
		t.Errorf("got %+v", e)
	}

	for id, verdict := range map[string]importer.Verdict{"unknown": importer.There, "no GUID": importer.There, "left": importer.NotThere} {
		must(t, l.Resolve(t.Context(), resolution(entries[id].Attempt, verdict, "", time.Hour)))
	}

	if ids := unresolved(t, l); ids != nil {
		t.Errorf("still asked about: %v", ids)
	}

	// A trip that is being sent is listed as well, as InFlight.
	take(t, l, Claim("run-2", Trip("now"), 20))
	now, err := l.Unresolved(t.Context())
	if err != nil || len(now) != 1 || !now[0].InFlight {
		t.Errorf("got %+v, %v", now, err)
	}
}

func testResolveThere(t *testing.T, f fixture) {
	l, entries := openTrips(t, f)
	ctx := t.Context()
	r := resolution(entries["unknown"].Attempt, importer.There, "{G-BOOKED}", time.Minute) // "there" needs no wait
	if err := l.Resolve(ctx, r); !errors.Is(err, importer.ErrGUIDTaken) {
		t.Errorf("a GUID of another trip was taken: %v", err)
	}

	r.GUID, r.Note = "g-found", "seen in the portal, Mrs. Alder confirmed"
	must(t, l.Resolve(ctx, r))
	got := Find(t, l, Trip("unknown"))
	if got.State != importer.Created || got.GUID != "g-found" || got.GUIDMissing || !got.SettledAt.Equal(r.When) || got.Code != "500 unclear" {
		t.Errorf("got %+v", got)
	}

	wantTaken(t, l, "the trip that is there", Claim("run-2", Trip("unknown"), 2))
	claimed := take(t, l, Claim("run-2", Trip("new"), 30))
	if err := l.Settle(ctx, claimed, Settlement(importer.Created, "G-FOUND")); !errors.Is(err, importer.ErrGUIDTaken) {
		t.Errorf("the service gave a GUID that a person had given: %v", err)
	}

	e := entryOf(t, l, "run-1", "unknown")
	if e.Resolved != importer.There || e.ResolvedBy != "dana" || !e.ResolvedAt.Equal(r.When) || e.Note != r.Note || e.GUID != "g-found" {
		t.Errorf("the record of it: %+v", e)
	}
}

func entryOf(t *testing.T, l ledger.Ledger, run, id string) ledger.Entry {
	t.Helper()
	for e, err := range l.Trips(t.Context(), run) {
		must(t, err)
		if e.TripID == id {
			return e
		}
	}

	t.Fatalf("%s has no trip %s", run, id)
	return ledger.Entry{}
}

func testResolveNotThere(t *testing.T, f fixture) {
	l, entries := openTrips(t, f)
	ctx := t.Context()
	for _, id := range []string{"unknown", "left"} {
		must(t, l.Resolve(ctx, resolution(entries[id].Attempt, importer.NotThere, "", 15*time.Minute)))
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
func testResolveEarly(t *testing.T, f fixture) {
	l, entries := openTrips(t, f)
	ctx := t.Context()
	for i, wait := range []time.Duration{-time.Hour, 0, 14*time.Minute + 59*time.Second} {
		must(t, l.Resolve(ctx, resolution(entries["unknown"].Attempt, importer.NotThere, "", wait)))
		run := Run(fmt.Sprint("early-", i))
		run.Started = Noon().Add(14*time.Minute + 59*time.Second)
		must(t, l.Begin(ctx, run))
		wantState(t, l, "after "+wait.String(), "unknown", importer.Unknown, "")
		wantTaken(t, l, "after "+wait.String()+" the trip", Claim(run.ID, Trip("unknown"), 2))
	}

	if e := entryOf(t, l, "run-1", "unknown"); e.Resolved != importer.NotThere || e.State != importer.Unknown {
		t.Errorf("the answer is not kept: %+v", e)
	}
	run := Run("in time")
	run.Started = Noon().Add(15 * time.Minute)
	must(t, l.Begin(ctx, run))
	wantState(t, l, "in time", "unknown", importer.NotSent, "")
	Book(t, l, Claim(run.ID, Trip("unknown"), 2), "g-again")
	must(t, l.Begin(ctx, Run("one more")))
	wantState(t, l, "sent again", "unknown", importer.Created, "g-again")
}

// answering returns a function that answers about open trips by their ids.
func answering(t *testing.T, f fixture) (ledger.Ledger, func(id string, v importer.Verdict, guid string, after time.Duration) error) {
	t.Helper()
	l, entries := openTrips(t, f)
	return l, func(id string, v importer.Verdict, guid string, after time.Duration) error {
		return l.Resolve(t.Context(), resolution(entries[id].Attempt, v, guid, after))
	}
}

// testResolveProved gives answers about trips that the service said are booked.
func testResolveProved(t *testing.T, f fixture) {
	l, answer := answering(t, f)
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
func testResolveCorrected(t *testing.T, f fixture) {
	l, answer := answering(t, f)
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
		wantState(t, l, "in the end", id, importer.Created, guid)
	}

	past := 48 * time.Hour
	WantError(t, answer("left", importer.NotThere, "", past), "ledger-past")
	must(t, answer("no GUID", importer.There, "g-first", past)) // nobody has answered so far
}

// testResolveByHand cancels, reinstates and changes a booked trip by hand.
func testResolveByHand(t *testing.T, f fixture) {
	l, entries := openTrips(t, f)
	ctx := t.Context()
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
	resolve("booked", ledger.Resolution{Verdict: importer.DoneByHand, State: importer.Gone})
	want("booked", true, false, "g-booked")
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
	refused := resolution(entries["unknown"].Attempt, importer.DoneByHand, "", time.Hour)
	refused.State = importer.CancelledCreated
	WantError(t, l.Resolve(ctx, refused), "ledger-not-booked")
}

// testBookedByHand claims a trip that a person booked, and settles it without a GUID.
func testBookedByHand(t *testing.T, f fixture) {
	claimed := Send(t, f.Ledger, Claim("run-1", Trip("1"), 2), importer.Settlement{State: importer.Created, Code: importer.CodeBookedByHand, At: Noon()})
	got := Find(t, f.Ledger, Trip("1"))
	if got.State != importer.Created || got.GUIDMissing || !got.Answered || got.Attempt != claimed.Attempt {
		t.Errorf("got %+v", got)
	}
	if ids := unresolved(t, f.Ledger); ids != nil {
		t.Errorf("asked about: %v", ids)
	}

	// The wrong row was taken for it.
	must(t, f.Ledger.Resolve(t.Context(), resolution(claimed.Attempt, importer.NotThere, "", 0)))
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
}

// testDecided decides about each question, and asks about what is near it.
func testDecided(t *testing.T, f fixture) {
	ctx := t.Context()
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
			if v, err := f.Ledger.Decided(ctx, d); v != importer.LeaveIt || err != nil {
				t.Errorf("%+v: %s, %v", d, v, err)
			}
		}
		from := q.about
		from.From = "results of run-1"
		for _, d := range append(q.other, from, importer.Decision{Question: q.about.Question}) {
			if v, err := f.Ledger.Decided(ctx, d); v != importer.NoVerdict || err != nil {
				t.Errorf("%+v: %s, %v", d, v, err)
			}
		}

		must(t, f.Ledger.Decide(ctx, from, importer.Book, dana())) // was taken out of results: it says nothing else
		for d, want := range map[*importer.Decision]importer.Verdict{&from: importer.Book, &q.about: importer.LeaveIt} {
			if v, err := f.Ledger.Decided(ctx, *d); v != want || err != nil {
				t.Errorf("%+v: %s, %v, want %s", d, v, err, want)
			}
		}
	}
	WantError(t, f.Ledger.Decide(ctx, importer.Decision{Trip: Trip("1")}, importer.LeaveIt, ledger.Person{}), "ledger-no-subject")

	left, by := importer.Decision{Key: otherBroker, Trip: Trip("9")}, dana()
	for _, c := range []struct {
		v    importer.Verdict
		when time.Time
	}{{}, {importer.LeaveIt, Noon()}, {importer.Book, Noon().Add(-time.Hour)}} { // the last one counts, whatever its time
		if by.When = c.when; c.v != importer.NoVerdict {
			must(t, f.Ledger.Decide(ctx, left, c.v, by))
		}
		if v, at, err := f.Ledger.DecidedAt(ctx, left); v != c.v || !at.Equal(c.when) || err != nil {
			t.Errorf("%s at %v, %v, want %s at %v", v, at, err, c.v, c.when)
		}
	}
}

// testDecidedBefore asks what was decided before a run without asking the ledger.
func testDecidedBefore(t *testing.T, f fixture) {
	ctx, d := t.Context(), importer.Decision{Key: rowKey("70411"), Trip: Trip("1")}
	must(t, f.Ledger.Decide(ctx, d, importer.LeaveIt, dana()))
	l := f.Crash(t)
	Begin(t, l, "run-2")
	must(t, l.Decide(ctx, d, importer.Book, dana()))
	if v := l.DecidedBefore(d); v != importer.LeaveIt {
		t.Errorf("%s, want what was decided when the run began", v)
	}
	if v, err := l.Decided(ctx, d); v != importer.Book || l.DecidedBefore(d) != v || err != nil {
		t.Errorf("%s and then %s, %v", v, l.DecidedBefore(d), err)
	}
}

// testLeftAsTried leaves a trip that was changed in results after it was refused. It
// counts as left with all values that were tried until then, and with no others.
func testLeftAsTried(t *testing.T, f fixture) {
	key := rowKey("70411")
	at := func(hour int) *importer.Trip {
		trip := legOf("r", "70411", importer.OnlyLeg)
		trip.Pickup.PickupTime.Hour = hour
		return trip
	}
	try := func(trip *importer.Trip) { Send(t, f.Ledger, rowClaim(key, trip), Settlement(importer.Refused, "")) }
	wednesday := onDay(at(5), Night().AddDays(2))
	try(wednesday)
	other := legOf("other", "70412", importer.OnlyLeg)
	Send(t, f.Ledger, rowClaim(rowKey("70412"), other), Settlement(importer.Refused, ""))
	try(at(6))
	try(at(7))
	must(t, f.Ledger.Decide(t.Context(), importer.Decision{Key: key, Trip: at(8)}, importer.LeaveIt, dana()))
	try(at(9))

	unique := key
	unique.IDs = importer.UniqueIDs
	otherBroker := key
	otherBroker.Broker = "Prairie"
	for _, l := range []ledger.Ledger{f.Ledger, f.ReadOnly(t)} {
		for name, c := range map[string]struct {
			key  importer.RowKey
			trip *importer.Trip
			want bool
		}{
			"as the schedule has it":          {key, at(6), true},
			"as it was fixed first":           {key, at(7), true},
			"as it was left":                  {key, at(8), true},
			"as it was sent after the answer": {key, at(9), false},
			"as nobody has seen it":           {key, at(10), false},
			"the same id on another day":      {key, wednesday, false},
			"another row":                     {rowKey("70412"), other, false},
			"another broker's row":            {otherBroker, at(6), false},
			"the row's return":                {key, legOf("r", "70411", importer.ReturnLeg), false},
			"the same values, spelt otherwise": {key, func() *importer.Trip {
				trip := at(6)
				trip.Pickup.Address1 = strings.ToUpper(trip.Pickup.Address1)
				return trip
			}(), true},
		} {
			v, err := l.Decided(t.Context(), importer.Decision{Key: c.key, Trip: c.trip})
			if v != map[bool]importer.Verdict{true: importer.LeaveIt}[c.want] || err != nil {
				t.Errorf("%s: %s, %v; want it left: %v", name, v, err, c.want)
			}
		}
	}

	// It is taken back, for all that was left with it.
	must(t, f.Ledger.Decide(t.Context(), importer.Decision{Key: key, Trip: at(8)}, importer.Book, dana()))
	for _, hour := range []int{6, 7, 8} {
		if v, err := f.Ledger.Decided(t.Context(), importer.Decision{Key: key, Trip: at(hour)}); v == importer.LeaveIt || err != nil {
			t.Errorf("taken back, and left at %d: %s, %v", hour, v, err)
		}
	}

	// Where an id is used once, the trip was moved.
	must(t, f.Ledger.Decide(t.Context(), importer.Decision{Key: unique, Trip: at(8)}, importer.LeaveIt, dana()))
	if v, err := f.Ledger.Decided(t.Context(), importer.Decision{Key: unique, Trip: wednesday}); v != importer.LeaveIt || err != nil {
		t.Errorf("moved, and left: %s, %v", v, err)
	}
}

// testForgetLeft withdraws what a person said about one of two booked trips, who may
// say it again.
func testForgetLeft(t *testing.T, f fixture) {
	left := func(attempt int64, want bool) {
		t.Helper()
		for _, l := range []ledger.Ledger{f.Ledger, f.ReadOnly(t)} {
			if v, err := l.Decided(t.Context(), importer.Decision{Other: attempt}); v != map[bool]importer.Verdict{true: importer.LeaveIt}[want] || err != nil {
				t.Errorf("attempt %d: %s, %v; want it left: %v", attempt, v, err, want)
			}
		}
	}
	leave := func(attempt int64) {
		t.Helper()
		must(t, f.Ledger.Decide(t.Context(), importer.Decision{Other: attempt}, importer.LeaveIt, ledger.Person{Who: "dana", When: Noon()}))
	}
	a, b := booked(t, f.Ledger, "1", 1), booked(t, f.Ledger, "2", 2)
	leave(a)
	leave(b)
	must(t, f.Ledger.ForgetLeft(t.Context(), a))
	left(a, false)
	left(b, true)
	leave(a)
	left(a, true)
	WantError(t, f.Ledger.ForgetLeft(t.Context(), 0), "ledger-no-subject")
}

// testResolveTakenBack answers "not there", and later "there".
func testResolveTakenBack(t *testing.T, f fixture) {
	l, answer := answering(t, f)
	must(t, answer("unknown", importer.NotThere, "", time.Hour))
	must(t, answer("unknown", importer.There, "g-found", time.Hour))
	wantState(t, l, "taken back", "unknown", importer.Created, "g-found")

	// It is too late where the row was sent under another id meanwhile.
	must(t, answer("left", importer.NotThere, "", time.Hour))
	Book(t, l, Claim("run-2", Trip("renamed"), 9), "g-renamed")
	WantError(t, answer("left", importer.There, "", time.Hour), "ledger-sent-again")
	Book(t, l, Claim("run-2", Trip("another"), 40), "g-another") // all is well
}

func testResolveRefuses(t *testing.T, f fixture) {
	l, entries := openTrips(t, f)
	ctx := t.Context()
	sending := take(t, l, Claim("run-2", Trip("sending"), 20))
	Send(t, l, Claim("run-2", Trip("refused"), 5), Settlement(importer.Unknown, ""))
	refused := Send(t, l, Claim("run-2", Trip("not booked"), 21), Settlement(importer.Refused, ""))
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
			err := l.Resolve(ctx, resolution(c.attempt, v, "", time.Hour))
			t.Run(name, func(t *testing.T) {
				if !AsError(t, err, c.code).OneTrip {
					t.Error("the error does not say that only this trip is refused")
				}
			})
		}
	}

	must(t, l.Resolve(ctx, resolution(entries["unknown"].Attempt, importer.NoVerdict, "", 0)))
	wantState(t, l, "after \"later\"", "unknown", importer.Unknown, "")
}
