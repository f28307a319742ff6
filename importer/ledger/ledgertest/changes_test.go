package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// The properties that the tests change.
const (
	pickupTime = "pickup.pickup_time"
	apptTime   = "dropoff.appt_time"
	address    = "dropoff.event_location.address1"
	eventName  = "dropoff.event_name"
)

// booked books a trip with that id, and returns its attempt.
func booked(t *testing.T, l importer.Ledger, id string, row int) int64 {
	t.Helper()
	c := Claim("run-1", Trip(id), row)
	c.Key = importer.RowKey{Broker: "Alpha", ID: id, TripID: id}
	Book(t, l, c, "g-"+id)
	return Find(t, l, Trip(id)).Attempt
}

// with returns a trip with that id after changes.
func with(id string, changes ...func(*importer.Trip)) *importer.Trip {
	trip := Trip(id)
	for _, change := range changes {
		change(trip)
	}
	return trip
}

func later(t *importer.Trip)   { t.Pickup.PickupTime.Hour, t.Dropoff.Appt.Hour = 10, 11 }
func moved(t *importer.Trip)   { t.Dropoff.Address1 = "77 Birch Rd" }
func renamed(t *importer.Trip) { t.Dropoff.Name = "Dr. Hazel" }

// A step is a change that was sent, and what came of it.
type step struct {
	now   *importer.Trip
	keys  []string
	state importer.State
}

// testChanges sends changes one after the other and looks at what counts as booked
// then, and at what a person has to know.
func testChanges(t *testing.T, f fixture) {
	both := []string{pickupTime, apptTime}
	updated, refused, unclear, notSent := importer.Updated, importer.ChangeRefused, importer.ChangeUnknown, importer.NotSent
	n := 0
	for name, c := range map[string]struct {
		steps []step
		// The keys in which the trip as it was booked, and with all changes, differs.
		before, after []string
		state         importer.State // of Record.Change; Created for none
		keys          []string
		mapping       string
	}{
		"updated":     {[]step{{with("", later), both, updated}}, both, nil, importer.Created, nil, "dd44"},
		"refused":     {[]step{{with("", later), both, refused}}, nil, both, refused, both, "bb22"},
		"unclear":     {[]step{{with("", later), both, unclear}}, nil, both, unclear, both, "bb22"},
		"not sent":    {[]step{{with("", later), both, notSent}}, nil, both, importer.Created, nil, "bb22"},
		"one of two":  {[]step{{with("", later, moved), both, updated}}, both, []string{address}, importer.Created, nil, "dd44"},
		"one by one":  {[]step{{with("", later), both, updated}, {with("", later, moved), []string{address}, updated}}, append([]string{address}, both...), nil, importer.Created, nil, "dd44"},
		"a new value": {[]step{{with("", func(t *importer.Trip) { t.Pickup.Name = "Home" }), []string{"pickup.event_name"}, updated}}, []string{"pickup.event_name"}, nil, importer.Created, nil, "dd44"},
		"there and back": {
			[]step{{with("", later), both, updated}, {with(""), both, updated}},
			nil, nil, importer.Created, nil, "dd44",
		},
		"unclear, then updated": {[]step{{with("", later), both, unclear}, {with("", later), both, updated}}, both, nil, importer.Created, nil, "dd44"},
		"unclear, then not sent": {
			[]step{{with("", later), both, unclear}, {with("", later), both, notSent}},
			nil, both, unclear, both, "bb22",
		},
		"unclear, then refused": {
			[]step{{with("", later), both, unclear}, {with("", later), both, refused}},
			nil, both, unclear, both, "bb22",
		},
		"unclear, then another is refused": {
			[]step{{with("", later), both, unclear}, {with("", renamed), []string{eventName}, refused}},
			nil,
			[]string{eventName},
			unclear, both, "bb22",
		},
		"unclear, then another is updated": {
			[]step{{with("", later), both, unclear}, {with("", later, renamed), []string{eventName}, updated}},
			[]string{eventName},
			both, unclear, both, "dd44",
		},
		"unclear, then a part of it is updated": {
			[]step{{with("", later), both, unclear}, {with("", later), []string{apptTime}, updated}},
			[]string{apptTime},
			[]string{pickupTime},
			unclear,
			[]string{pickupTime},
			"dd44",
		},
		"two are unclear": {
			[]step{{with("", later), both, unclear}, {with("", later, moved), []string{address}, unclear}},
			nil, append([]string{address}, both...), unclear, append([]string{address}, both...), "bb22",
		},
		"unclear, then taken back": {[]step{{with("", later), both, unclear}, {with(""), both, updated}}, nil, nil, importer.Created, nil, "dd44"},
		"refused, then not sent":   {[]step{{with("", later), both, refused}, {with("", later), both, notSent}}, nil, both, refused, both, "bb22"},
		"refused, then updated":    {[]step{{with("", later), both, refused}, {with("", later), both, updated}}, both, nil, importer.Created, nil, "dd44"},
		"refused, then unclear":    {[]step{{with("", later), both, refused}, {with("", renamed), []string{eventName}, unclear}}, nil, []string{eventName}, unclear, []string{eventName}, "bb22"},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			id := fmt.Sprint("c", n)
			attempt := booked(t, f.Ledger, id, n)
			var last *importer.Trip
			for _, s := range c.steps {
				last = s.now
				last.ID, last.RiderID = id, "R-"+id
				SendChange(t, f.Ledger, Change("run-1", attempt, last, s.keys...), s.state)
			}
			before, after := Find(t, f.Ledger, Trip(id)), Find(t, f.Ledger, last)
			for _, d := range []struct{ want, got []string }{{c.before, before.Differs}, {c.after, after.Differs}} {
				if diff := cmp.Diff(sorted(d.want), sorted(d.got)); diff != "" {
					t.Errorf("differs (-want +got):\n%s", diff)
				}
			}
			if after.State != importer.Created || after.GUID != "g-"+id || after.OtherTrip || after.MappingHash != c.mapping {
				t.Errorf("the trip is %+v", after)
			}
			checkChange(t, after.Change, c.state, c.keys)
		})
	}
}

func checkChange(t *testing.T, got *importer.ChangeRecord, state importer.State, keys []string) {
	t.Helper()
	if got == nil {
		if keys != nil {
			t.Errorf("nothing is known of the change, want %s of %v", state.Code(), keys)
		}
		return
	}
	if got.State != state || !slices.Equal(sorted(got.Keys), sorted(keys)) || got.InFlight || !got.ClaimedAt.Equal(Noon().Add(time.Hour)) || got.Code == "" {
		t.Errorf("the change is %+v, want %s of %v", got, state.Code(), keys)
	}
}

func sorted(keys []string) []string {
	keys = slices.Clone(keys)
	slices.Sort(keys)
	return keys
}

// testChangeSame asks whether a trip has the values that were sent.
func testChangeSame(t *testing.T, f fixture) {
	attempt := booked(t, f.Ledger, "1", 2)
	SendChange(t, f.Ledger, Change("run-1", attempt, with("1", later, moved), pickupTime, apptTime), importer.ChangeUnknown)
	for name, c := range map[string]struct {
		trip *importer.Trip
		want bool
	}{
		"what was sent": {with("1", later), true}, "and something else": {with("1", later, moved, renamed), true},
		"as it was": {Trip("1"), false}, "otherwise": {with("1", later, func(t *importer.Trip) { t.Dropoff.Appt.Minute = 5 }), false},
	} {
		if got := Find(t, f.Ledger, c.trip); got.Change == nil || got.Change.Same != c.want {
			t.Errorf("%s: %+v", name, got.Change)
		}
	}
}

// testClaimChange claims changes that must not be sent, and beside each one that may.
func testClaimChange(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	by := ledger.Person{Who: "dana", Host: "FRONT-DESK", When: Noon()}
	answer := func(r ledger.Resolution) {
		r.Who, r.When = "dana", Noon().Add(time.Hour)
		must(t, l.Resolve(ctx, r))
	}
	n := 0
	for name, c := range map[string]struct {
		prepare func(attempt int64, id string)
		refused bool
	}{
		"a booked trip": {func(int64, string) {}, false},
		"held":          {func(a int64, _ string) { must(t, l.Hold(ctx, a, true, by)) }, true},
		"held no more": {func(a int64, _ string) {
			must(t, l.Hold(ctx, a, true, by))
			must(t, l.Hold(ctx, a, false, by))
		}, false},
		"cancelled by a person": {func(a int64, _ string) {
			answer(ledger.Resolution{Attempt: a, Verdict: importer.DoneByHand, State: importer.CancelledCreated})
		}, true},
		"cancelled and reinstated": {func(a int64, _ string) {
			answer(ledger.Resolution{Attempt: a, Verdict: importer.DoneByHand, State: importer.CancelledCreated})
			answer(ledger.Resolution{Attempt: a, Verdict: importer.DoneByHand, State: importer.Reinstate})
		}, false},
		"booked anew under the id": {func(a int64, id string) {
			answer(ledger.Resolution{Attempt: a, Verdict: importer.CancelledThere, State: importer.Waiting})
			Book(t, l, Claim("run-1", Trip(id), 500+int(a)), "g-anew-"+id)
		}, true},
		"being changed": {func(a int64, id string) {
			_, err := l.ClaimChange(ctx, Change("run-1", a, with(id, moved), address))
			must(t, err)
		}, true},
		"refused before": {func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, later), pickupTime), importer.ChangeRefused)
		}, false},
		"unclear before": {func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, later), pickupTime), importer.ChangeUnknown)
		}, false},
		"not sent before": {func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, later), pickupTime), importer.NotSent)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			id := fmt.Sprint("c", n)
			attempt := booked(t, l, id, n)
			c.prepare(attempt, id)
			claimed, err := l.ClaimChange(ctx, Change("run-1", attempt, with(id, later), pickupTime))
			if refused := errors.Is(err, importer.ErrClaimed); refused != c.refused || !refused && err != nil {
				t.Fatalf("got %v", err)
			}
			if err == nil {
				must(t, l.SettleChange(ctx, claimed, ChangeSettlement(importer.Updated)))
			}
		})
	}

	for i, state := range []importer.State{importer.Unknown, importer.Refused, importer.NotSent} {
		claimed, err := l.Claim(ctx, Claim("run-1", Trip(state.Code()), 300+i))
		must(t, err)
		for range 2 { // while it is being booked, and after
			if _, err := l.ClaimChange(ctx, Change("run-1", claimed.Attempt, with(state.Code(), later), pickupTime)); !errors.Is(err, importer.ErrClaimed) {
				t.Errorf("%s: %v", state.Code(), err)
			}
			_ = l.Settle(ctx, claimed, Settlement(state, ""))
		}
	}
	for name, c := range map[string]importer.ChangeClaim{
		"no such attempt": Change("run-1", 9999, Trip("c1"), pickupTime), "nothing": Change("run-1", 1, Trip("c1")),
		"no value": Change("run-1", 1, Trip("c1"), "pickup.event_name"), "a run that was not begun": Change("run-8", 1, Trip("c1"), pickupTime),
	} {
		if _, err := l.ClaimChange(ctx, c); err == nil {
			t.Errorf("%s: a change was granted", name)
		}
	}
}

// testSettleChange settles changes twice, wrongly, and late.
func testSettleChange(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	attempt := booked(t, l, "1", 2)
	first, err := l.ClaimChange(ctx, Change("run-1", attempt, with("1", later), pickupTime))
	must(t, err)
	for _, s := range []importer.State{importer.Created, importer.Refused, importer.Unknown, importer.Changed} {
		if err := l.SettleChange(ctx, first, importer.Settlement{State: s}); err == nil {
			t.Errorf("a change could end as %s", s.Code())
		}
	}
	must(t, l.SettleChange(ctx, first, ChangeSettlement(importer.Updated)))
	second, err := l.ClaimChange(ctx, Change("run-1", attempt, with("1", moved), address))
	must(t, err)
	if second.Number <= first.Number {
		t.Errorf("the numbers are %d and %d", first.Number, second.Number)
	}
	for _, c := range []importer.ClaimedChange{first, {Number: 999}, {}} {
		if err := l.SettleChange(ctx, c, ChangeSettlement(importer.Updated)); err == nil {
			t.Errorf("the change %d was settled again", c.Number)
		}
	}

	// What the run has not settled may have arrived; an answer may still come.
	must(t, l.End(ctx, "run-1", importer.Totals{}, Noon(), "interrupted"))
	if got := Find(t, l, Trip("1")); got.Change == nil || got.Change.State != importer.ChangeUnknown || got.Change.InFlight {
		t.Errorf("after the run: %+v", got.Change)
	}
	must(t, l.SettleChange(ctx, second, ChangeSettlement(importer.Updated)))
	if got := Find(t, l, Trip("1")); got.Change != nil || !slices.Contains(got.Differs, address) {
		t.Errorf("settled late: %+v, differs in %v", got.Change, got.Differs)
	}
}

// testSeenChange claims a change by what was seen of the trip before another office changed
// it, or a person answered about it.
func testSeenChange(t *testing.T, f fixture) {
	other, run := f.Ledger, "run-1"
	if f.Beside != nil {
		other, run = f.Beside(t), "run-2"
		Begin(t, other, run)
	}
	sends := func(state importer.State) func(int64, string) {
		return func(attempt int64, id string) {
			SendChange(t, other, Change(run, attempt, with(id, moved), address), state)
		}
	}
	n := 0
	for name, c := range map[string]struct {
		meanwhile func(attempt int64, id string)
		refused   bool
	}{
		"nothing":         {func(int64, string) {}, false},
		"changed":         {sends(importer.Updated), true},
		"perhaps changed": {sends(importer.ChangeUnknown), true},
		"refused":         {sends(importer.ChangeRefused), true},
		"not sent":        {sends(importer.NotSent), false},
		"changed by hand": {func(attempt int64, id string) {
			must(t, other.Resolve(t.Context(), ledger.Resolution{
				Attempt: attempt, Verdict: importer.LeaveIt, State: importer.Changed, Trip: with(id, moved), Who: "dana", When: Noon(),
			}))
		}, true},
	} {
		n++
		id := fmt.Sprint("seen", n)
		attempt := booked(t, f.Ledger, id, 700+n)
		seen := Find(t, f.Ledger, Trip(id)).Revision
		c.meanwhile(attempt, id)
		claim := Change("run-1", attempt, with(id, later), pickupTime)
		claim.Seen = &seen
		if _, err := f.Ledger.ClaimChange(t.Context(), claim); errors.Is(err, importer.ErrClaimed) != c.refused || err != nil && !c.refused {
			t.Errorf("%s: %v", name, err)
		}
		if !c.refused {
			continue
		}
		seen = Find(t, f.Ledger, Trip(id)).Revision
		if _, err := f.Ledger.ClaimChange(t.Context(), claim); err != nil {
			t.Errorf("%s, and seen again: %v", name, err)
		}
	}
}

// testOneChangeWins claims changes of one trip at the same moment, and settles the one
// that was granted as often.
func testOneChangeWins(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	attempt := booked(t, l, "1", 2)
	errs := make([]error, goroutines)
	claimed := make([]importer.ClaimedChange, goroutines)
	concurrently(func(i int) {
		claimed[i], errs[i] = l.ClaimChange(ctx, Change("run-1", attempt, with("1", later), pickupTime))
	})
	wantOne(t, errs, importer.ErrClaimed)
	won := slices.IndexFunc(errs, func(err error) bool { return err == nil })
	settled := 0
	concurrently(func(i int) { errs[i] = l.SettleChange(ctx, claimed[won], ChangeSettlement(importer.Updated)) })
	for _, err := range errs {
		if err == nil {
			settled++
		}
	}
	if got := Find(t, l, with("1", later)); settled != 1 || got.Change != nil || !slices.Equal(got.Differs, []string{apptTime}) {
		t.Errorf("settled %d times, %+v, differs in %v", settled, got.Change, got.Differs)
	}
}

// testChangeCrash breaks the process off at each step of a change.
func testChangeCrash(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	for i, state := range []importer.State{importer.Updated, importer.ChangeRefused, importer.ChangeUnknown, importer.NotSent} {
		run := fmt.Sprint("crash-", i)
		Begin(t, l, run)
		id := state.Code()
		claim := Claim(run, Trip(id), 10+i)
		Book(t, l, claim, "g-"+id)
		attempt := Find(t, l, Trip(id)).Attempt
		if _, err := l.ClaimChange(ctx, Change(run, attempt, with(id, later), pickupTime, apptTime)); err != nil {
			t.Fatal(err)
		}
		for _, reader := range []ledger.Ledger{l, f.ReadOnly(t)} {
			if got := Find(t, reader, with(id, later)); got.Change == nil || !got.Change.InFlight || got.Change.State != importer.ChangeUnknown {
				t.Errorf("while it is being sent: %+v", got.Change)
			}
		}
		err := l.Resolve(ctx, ledger.Resolution{Attempt: attempt, Verdict: importer.DoneByHand, State: importer.ChangeUnknown, When: Noon()})
		WantError(t, err, "ledger-in-flight")

		l = f.Crash(t)
		f.Ledger = l
		if got := Find(t, l, with(id, later)); got.Change == nil || got.Change.InFlight || got.Change.State != importer.ChangeUnknown || !got.Change.Same || len(got.Differs) != 2 {
			t.Errorf("after a crash: %+v, differs in %v", got.Change, got.Differs)
		}
		if ids := unresolved(t, l); !slices.Contains(ids, id) {
			t.Errorf("it is not among %v", ids)
		}
		if got, err := l.Run(ctx, run); err != nil || got.Totals.Trips[importer.ChangeUnknown] != 1 || got.Totals.Trips[importer.Created] != 1 || got.Totals.TripsRead != 2 {
			t.Errorf("the run has %+v, %v", got.Totals, err)
		}

		// It is sent again.
		Begin(t, l, run+"-again")
		SendChange(t, l, Change(run+"-again", attempt, with(id, later), pickupTime, apptTime), state)
		l = f.Crash(t)
		f.Ledger = l
		got := Find(t, l, with(id, later))
		if done := state == importer.Updated; (got.Differs == nil) != done || (got.Change == nil) != done || !done && got.Change.State != importer.ChangeUnknown {
			t.Errorf("%s: %+v, differs in %v", state.Code(), got.Change, got.Differs)
		}
	}
}

// testChangedTimes finds trips at the time and the places that a change gave them.
func testChangedTimes(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	n := 0
	for name, c := range map[string]struct {
		now   func(*importer.Trip)
		keys  []string
		state importer.State
		// Whether another trip of the rider with the old, and with the new values is
		// similar, and at which hour the trip begins.
		old, new bool
		hour     int
	}{
		"a new time":                      {later, []string{pickupTime, apptTime}, importer.Updated, true, true, 10},
		"a new time, unclear":             {later, []string{pickupTime, apptTime}, importer.ChangeUnknown, true, true, 8},
		"only the appointment":            {later, []string{apptTime}, importer.Updated, true, true, 8},
		"a pickup time that is blank now": {func(t *importer.Trip) { later(t); t.Pickup.PickupTime = importer.DateTime{} }, []string{apptTime}, importer.Updated, true, true, 8},
		"a new place":                     {moved, []string{address}, importer.Updated, true, true, 8},
		"only the name":                   {func(t *importer.Trip) { later(t); renamed(t) }, []string{eventName}, importer.Updated, true, false, 8},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			id := fmt.Sprint("t", n)
			attempt := booked(t, l, id, n)
			now := with(id, c.now)
			SendChange(t, l, Change("run-1", attempt, now, c.keys...), c.state)
			for _, asked := range []struct {
				trip *importer.Trip
				want bool
			}{{Trip(id), c.old}, {with(id, c.now), c.new}} {
				asked.trip.ID = "other"
				found, err := l.Similar(ctx, Lakeshore(), asked.trip, 15)
				if err != nil || (len(found) == 1) != asked.want {
					t.Errorf("at %s there are %d, %v, want %v", asked.trip.Time().String(), len(found), err, asked.want)
				}
			}
			if got := Find(t, l, now); got.Time.Hour != c.hour || got.Date != Night() {
				t.Errorf("the trip begins at %s", got.Time.String())
			}
		})
	}
}

// testChangedPlaces checks that the way of a trip is told by the places that a change
// gave it.
func testChangedPlaces(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	attempt := booked(t, l, "1", 2)
	both := func(trip *importer.Trip) {
		moved(trip)
		trip.Pickup.Address1 = "5 Maple Ct"
	}
	back := with("1", both)
	back.Leg, back.Pickup, back.Dropoff = importer.ReturnLeg, back.Dropoff, back.Pickup
	out := with("1", both)
	out.Leg = importer.OutboundLeg
	row := &importer.Mapped{Key: importer.RowKey{Broker: "Alpha", ID: "1", TripID: "1"}, Trips: []importer.Trip{*out, *back}}
	for i, want := range []bool{false, true} { // before the change nobody can tell
		found, err := l.RowTrips(ctx, Lakeshore().Service, row)
		must(t, err)
		if got := found.Matched[0] != nil && found.Matched[1] == nil; got != want {
			t.Errorf("%d: %+v", i, found)
		}
		SendChange(t, l, Change("run-1", attempt, with("1", both), address, "pickup.event_location.address1"), importer.Updated)
	}
}

// testAnswerChange gives answers about changes.
func testAnswerChange(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	both := []string{pickupTime, apptTime}
	n := 0
	for name, c := range map[string]struct {
		answer  ledger.Resolution
		closed  bool
		differs []string // of the trip with the change
		mapping string
	}{
		"changed by hand to what the row says": {ledger.Resolution{Verdict: importer.DoneByHand, State: importer.ChangeUnknown, Trip: with("", later, renamed), MappingHash: "ee55"}, true, []string{eventName}, "ee55"},
		"left, for what the row says":          {ledger.Resolution{Verdict: importer.LeaveIt, State: importer.ChangeRefused, Trip: with("", renamed)}, true, append([]string{eventName}, both...), "bb22"},
		"the unclear change is done by hand":   {ledger.Resolution{Verdict: importer.DoneByHand, State: importer.ChangeUnknown}, true, nil, "dd44"},
		"the refused change is left":           {ledger.Resolution{Verdict: importer.LeaveIt, State: importer.ChangeRefused}, true, nil, "dd44"},
		"cancelled":                            {ledger.Resolution{Verdict: importer.DoneByHand, State: importer.CancelledCreated}, true, both, "bb22"},
		"another answer":                       {ledger.Resolution{Verdict: importer.LeaveIt, State: importer.CancelledCreated}, false, both, "bb22"},
	} {
		for _, state := range []importer.State{importer.ChangeUnknown, importer.ChangeRefused} {
			t.Run(name+"/"+state.Code(), func(t *testing.T) {
				n++
				id := fmt.Sprint("a", n)
				attempt := booked(t, l, id, n)
				SendChange(t, l, Change("run-1", attempt, with(id, later), both...), state)
				if waits := slices.Contains(unresolved(t, l), id); waits != (state == importer.ChangeUnknown) {
					t.Errorf("it waits for an answer: %v", waits)
				}
				e, err := l.Entry(ctx, attempt)
				if err != nil || e.Change == nil || e.Change.State != state || len(e.Change.Keys) != 2 {
					t.Errorf("the entry has %+v, %v", e.Change, err)
				}

				r := c.answer
				r.Attempt, r.Who, r.When = attempt, "dana", Noon().Add(2*time.Hour)
				if r.Trip != nil {
					r.Trip.ID, r.Trip.RiderID = id, "R-"+id
				}
				must(t, l.Resolve(ctx, r))
				got := Find(t, l, with(id, later))
				if (got.Change == nil) != c.closed || !slices.Equal(sorted(got.Differs), sorted(c.differs)) || got.MappingHash != c.mapping {
					t.Errorf("after the answer: %+v, differs in %v, mapping %s", got.Change, got.Differs, got.MappingHash)
				}
				if c.closed && slices.Contains(unresolved(t, l), id) {
					t.Error("it still waits")
				}
				if c.differs == nil && got.Time.Hour != 10 {
					t.Errorf("the trip begins at %s", got.Time.String())
				}
			})
		}
	}
}

// testAcceptedForgotten books a trip anew after a change: what is sent then counts.
func testAcceptedForgotten(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	attempt := booked(t, l, "1", 2)
	SendChange(t, l, Change("run-1", attempt, with("1", later), pickupTime, apptTime), importer.Updated)
	SendChange(t, l, Change("run-1", attempt, with("1", moved), address), importer.ChangeUnknown)
	must(t, l.Hold(ctx, attempt, true, ledger.Person{Who: "dana", When: Noon()}))
	must(t, l.Resolve(ctx, ledger.Resolution{Attempt: attempt, Verdict: importer.CancelledThere, State: importer.Waiting, Who: "dana", When: Noon()}))
	Book(t, l, Claim("run-1", Trip("1"), 2), "g-anew")
	got := Find(t, l, Trip("1"))
	if got.Differs != nil || got.Change != nil || got.Held || got.MappingHash != "bb22" || got.Attempt == attempt {
		t.Errorf("got %+v, %+v", got, got.Change)
	}
	if e, err := l.Entry(ctx, attempt); err != nil || !e.Superseded || e.Change != nil {
		t.Errorf("the entry of the first attempt: %+v, %v", e, err)
	}
}
