package ledgertest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// testHold holds trips.
func testHold(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	by := ledger.Person{Who: "dana", Host: "FRONT-DESK", When: Noon()}
	attempt := booked(t, l, "1", 2)
	for _, hold := range []bool{true, true, false, true} {
		must(t, l.Hold(ctx, attempt, hold, by))
		if got := Find(t, l, Trip("1")); got.Held != hold {
			t.Errorf("held is %v, want %v", got.Held, hold)
		}
	}
	if e, err := f.Crash(t).Entry(ctx, attempt); err != nil || !e.Held {
		t.Errorf("got %+v, %v", e, err)
	}
}

func testHoldRefuses(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	Send(t, l, Claim("run-1", Trip("refused"), 2), Settlement(importer.Refused, ""))
	refused := Find(t, l, Trip("refused")).Attempt
	Send(t, l, Claim("run-1", Trip("again"), 3), Settlement(importer.NotSent, ""))
	again := Find(t, l, Trip("again")).Attempt
	Book(t, l, Claim("run-1", Trip("again"), 3), "g-again")
	for code, attempt := range map[string]int64{"ledger-not-booked": refused, "ledger-sent-again": again, "ledger-no-attempt": 999} {
		if !AsError(t, l.Hold(ctx, attempt, true, ledger.Person{Who: "dana", When: Noon()}), code).OneTrip {
			t.Errorf("%s: the error does not say that only this trip is refused", code)
		}
	}
}

// testFixed books trips that a person fixed, and asks about what the schedule still
// has.
func testFixed(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	wrong := func(t *importer.Trip) { t.Dropoff.Name, t.Dropoff.Address1, t.Pickup.Zip = "Dr. Wrong", "", "00000" }
	rider := func(t *importer.Trip) { wrong(t); t.RiderID = "R-wrong" }
	day := func(t *importer.Trip) {
		t.Pickup.PickupTime.Date, t.Dropoff.Appt.Date = Night().AddDays(1), Night().AddDays(1)
	}
	fixed := []string{eventName, address, "pickup.event_location.zip"}
	retry := Run("run-retry")
	retry.Command = "retry"
	must(t, l.Begin(ctx, retry))
	n := 0
	for name, c := range map[string]struct {
		imported       bool // by an import
		noteAfter      bool
		again          func(*importer.Trip) // noted once more, while it may be booked
		key            func(*importer.RowKey)
		now, noted     func(*importer.Trip)
		change         func(attempt int64, id string)
		fixed, differs []string
	}{
		"the schedule is as it was":  {now: wrong, fixed: fixed},
		"something else changed":     {now: func(t *importer.Trip) { wrong(t); later(t) }, fixed: fixed, differs: []string{pickupTime, apptTime}},
		"the schedule was corrected": {now: func(*importer.Trip) {}},
		"the schedule changed again": {now: func(t *importer.Trip) { wrong(t); renamed(t) }, fixed: fixed[1:], differs: []string{eventName}},
		"the schedule has less":      {now: func(t *importer.Trip) { wrong(t); t.Dropoff.Name = "" }, fixed: fixed[1:], differs: []string{eventName}},
		"booked by an import":        {imported: true, now: wrong, differs: fixed},
		"noted after it was booked":  {noteAfter: true, now: wrong, differs: fixed},
		"noted again":                {again: wrong, now: wrong, fixed: fixed},
		"noted otherwise":            {again: renamed, now: renamed, differs: []string{eventName}},
		"without a row id":           {key: func(k *importer.RowKey) { k.ID = "" }, now: wrong, differs: fixed},
		"an id that comes again":     {key: func(k *importer.RowKey) { k.IDs, k.Date = importer.RepeatedIDs, Night() }, now: wrong, fixed: fixed},
		"the rider was fixed":        {now: rider, noted: rider, fixed: append([]string{"rider_id"}, fixed...)},
		"the day was fixed":          {now: day, noted: day, fixed: []string{pickupTime, apptTime}},
		"another day":                {now: day, differs: []string{pickupTime, apptTime}},
		"a change that was sent": {now: wrong, change: func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, renamed), eventName), importer.Updated)
		}, fixed: fixed[1:], differs: []string{eventName}},
		"a change that did not come": {now: wrong, change: func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, renamed), eventName), importer.ChangeRefused)
		}, fixed: fixed},
		"a change of something else": {now: wrong, change: func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, later), pickupTime), importer.Updated)
		}, fixed: fixed, differs: []string{pickupTime}},
		"the same value as was noted": {now: func(t *importer.Trip) { wrong(t); later(t) }, change: func(a int64, id string) {
			SendChange(t, l, Change("run-1", a, with(id, func(t *importer.Trip) { t.SpaceType = "WCH" }), "space_type"), importer.Updated)
		}, fixed: fixed, differs: []string{pickupTime, apptTime, "space_type"}},
	} {
		t.Run(name, func(t *testing.T) {
			n++
			id := fmt.Sprint("f", n)
			claim := Claim(retry.ID, Trip(id), n)
			if c.imported {
				claim.Run = "run-1"
			}
			claim.Key = importer.RowKey{Broker: "Alpha", ID: id, TripID: id}
			if c.key != nil {
				c.key(&claim.Key)
			}
			noted := with(id, wrong)
			if c.noted != nil {
				noted = with(id, c.noted)
			}
			noted.ID = "" // as the rest of it, the id may have been wrong
			note := func() {
				must(t, l.NoteSchedule(ctx, claim.Key, noted))
				must(t, l.NoteChange(ctx, claim.Key, with(id, renamed))) // of a later schedule: says nothing of that
			}
			if !c.noteAfter {
				must(t, l.NoteSchedule(ctx, claim.Key, with(id, renamed))) // the later note counts
				note()
			}
			attempt := Send(t, l, claim, Settlement(importer.Unknown, "")).Attempt
			if c.again != nil {
				must(t, l.NoteSchedule(ctx, claim.Key, with(id, c.again)))
			}
			must(t, l.Resolve(ctx, ledger.Resolution{Attempt: attempt, Verdict: importer.There, Who: "sam", When: Noon()}))
			if c.noteAfter {
				note()
			}
			if c.change != nil {
				c.change(attempt, id)
			}
			got := Find(t, l, with(id, c.now))
			if !slices.Equal(sorted(got.Fixed), sorted(c.fixed)) || !slices.Equal(sorted(got.Differs), sorted(c.differs)) || got.OtherTrip != (name == "another day") {
				t.Errorf("fixed %v, differs %v, other trip %v", got.Fixed, got.Differs, got.OtherTrip)
			}
		})
	}
}

// testChangedByHand answers that booked trips were changed by hand. The schedule must not
// change back values that it did not have.
func testChangedByHand(t *testing.T, f fixture) {
	ctx := t.Context()
	at := func(minute int) *importer.Trip {
		return with("1", func(t *importer.Trip) { t.Pickup.PickupTime.Minute = minute })
	}
	otherRow := importer.RowKey{Broker: "Alpha", ID: "2", TripID: "2"}
	for i, c := range []struct {
		name     string
		ids      importer.IDUse
		changed  *importer.Trip // as the schedule has it now; nil for as before
		notSent  bool           // it was noted before it was booked
		otherRow bool
		verdict  importer.Verdict
		byHand   *importer.Trip
		held     bool
	}{
		{name: "as the schedule has it", changed: at(40), verdict: importer.DoneByHand, byHand: at(40)},
		{name: "as the schedule of the day has it", ids: importer.RepeatedIDs, changed: at(40), verdict: importer.DoneByHand, byHand: at(40)},
		{name: "as the schedule had it before it was booked", changed: at(40), notSent: true, verdict: importer.DoneByHand, byHand: at(40)},
		{name: "as results alone have it", verdict: importer.DoneByHand, byHand: at(20), held: true},
		{name: "otherwise than the schedule has it", changed: at(40), verdict: importer.DoneByHand, byHand: at(20), held: true},
		{name: "as another day of the schedule has it", ids: importer.RepeatedIDs, changed: onDay(at(40), Night().AddDays(1)), verdict: importer.DoneByHand, byHand: at(40), held: true},
		{name: "as another row has it", changed: at(40), otherRow: true, verdict: importer.DoneByHand, byHand: at(40), held: true},
		{name: "left as it is", verdict: importer.LeaveIt, byHand: at(20)},
	} {
		f := f.another(t)
		l := f.Ledger
		Begin(t, l, "run-1")
		claim := Claim("run-1", Trip("1"), i)
		claim.Key = importer.RowKey{Broker: "Alpha", ID: "1", TripID: "1", IDs: c.ids, Date: Night()}
		booked := Send(t, l, claim, Settlement(importer.Created, "g-1"))
		key, note := claim.Key, l.NoteChange
		if c.otherRow {
			key = otherRow
		}
		if c.notSent {
			note = l.NoteSchedule
		}
		if c.changed != nil {
			must(t, note(ctx, key, c.changed))
		}
		must(t, l.Resolve(ctx, ledger.Resolution{Attempt: booked.Attempt, Verdict: c.verdict, State: importer.Changed, Trip: c.byHand, Who: "dana", When: Noon()}))
		if got := Find(t, l, c.byHand); got.Held != c.held || got.Differs != nil {
			t.Errorf("%s: held %v, differs in %v", c.name, got.Held, got.Differs)
		}
	}
}

// testFixedRows keeps the notes of rows, legs, brokers and days apart.
func testFixedRows(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	retry := Run("run-retry")
	retry.Command = "retry"
	must(t, l.Begin(ctx, retry))
	key := importer.RowKey{Broker: "Alpha", ID: "1", TripID: "1", IDs: importer.RepeatedIDs, Date: Night()}
	wrong := func(t *importer.Trip) { t.Dropoff.Name = "Dr. Wrong" }
	tomorrow := with("1", wrong)
	tomorrow.Pickup.PickupTime.Date, tomorrow.Dropoff.Appt.Date = Night().AddDays(1), Night().AddDays(1)
	back := with("1", wrong)
	back.Leg = importer.ReturnLeg
	otherRow, otherBroker := key, key
	otherRow.ID, otherBroker.Broker = "2", "Beta"
	must(t, l.NoteSchedule(ctx, otherRow, with("1", wrong)))
	must(t, l.NoteSchedule(ctx, otherBroker, with("1", wrong)))
	must(t, l.NoteSchedule(ctx, key, tomorrow))
	must(t, l.NoteSchedule(ctx, key, back))
	claim := Claim(retry.ID, Trip("1"), 2)
	claim.Key = key
	Book(t, l, claim, "g1")
	if got := Find(t, l, with("1", wrong)); got.Fixed != nil || len(got.Differs) != 1 {
		t.Errorf("another row's note counts: %v", got.Fixed)
	}

	// Whoever asks for a rider's trips gets none that a person booked for another one.
	otherRider := func(t *importer.Trip) { t.RiderID = "R-wrong" }
	claim = Claim(retry.ID, Trip("2"), 3)
	claim.Key = otherRow
	must(t, l.NoteSchedule(ctx, otherRow, with("2", otherRider)))
	Book(t, l, claim, "g2")
	if got := Find(t, l, with("2", otherRider)); got.OtherTrip || !slices.Equal(got.Fixed, []string{"rider_id"}) {
		t.Errorf("fixed %v, other trip %v", got.Fixed, got.OtherTrip)
	}
	for trip, want := range map[*importer.Trip]int{Trip("2"): 1, with("2", otherRider): 0} {
		if found, err := l.TripsOfRider(ctx, Lakeshore().Service, trip); err != nil || len(found) != want {
			t.Errorf("trips of %s: %+v, %v", trip.RiderID, found, err)
		}
	}
}

// testTripsOfDay asks for the trips of a day.
func testTripsOfDay(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	service := Lakeshore().Service
	send := func(id, broker string, row int, state importer.State, changes ...func(*importer.Trip)) int64 {
		c := Claim("run-1", with(id, changes...), row)
		c.Key = importer.RowKey{Broker: broker, ID: id, TripID: id}
		claimed, err := l.Claim(ctx, c)
		must(t, err)
		must(t, l.Settle(ctx, claimed, Settlement(state, "g-"+id)))
		return claimed.Attempt
	}
	tomorrow := func(t *importer.Trip) {
		t.Pickup.PickupTime.Date, t.Dropoff.Appt.Date = Night().AddDays(1), Night().AddDays(1)
	}
	send("late", "Alpha", 2, importer.Created, later)
	send("early", "Alpha", 3, importer.Created)
	send("unknown", "alpha", 4, importer.Unknown)
	send("refused", "Alpha", 5, importer.Refused)
	send("other broker", "Beta", 6, importer.Created)
	send("tomorrow", "Alpha", 7, importer.Created, tomorrow)
	send("other payer", "Alpha", 9, importer.Created, func(t *importer.Trip) { t.FundingSource = "State Plan" })
	pairs := []importer.Pair{{Provider: "LAKESHORE Transit", FundingSource: "County Health"}, {Provider: "Prairie Rides", FundingSource: "State Plan"}}
	a := send("moved", "Alpha", 8, importer.Created)
	now := with("moved", tomorrow)
	SendChange(t, l, Change("run-1", a, now, pickupTime, apptTime), importer.Updated)
	for day, want := range map[importer.Date][]string{
		Night(): {"early", "unknown", "late"}, Night().AddDays(1): {"tomorrow", "moved"}, Night().AddDays(2): nil,
	} {
		found, err := l.TripsOfDay(ctx, service, "ALPHA", day, pairs)
		must(t, err)
		var got []string
		for _, r := range found {
			got = append(got, r.TripID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", day, diff)
		}
	}
	if found, err := l.TripsOfDay(ctx, "https://staging.example.test/v1", "Alpha", Night(), pairs); err != nil || len(found) != 0 {
		t.Errorf("another service's: %+v, %v", found, err)
	}
}

// testLatestStamp begins runs with schedules of several ages.
func testLatestStamp(t *testing.T, f fixture) {
	l, ctx := f.Ledger, context.Background()
	days := []importer.Date{Night(), Night().AddDays(1)}
	lakeshore := importer.Pair{Provider: "Lakeshore Transit", FundingSource: "County Health"}
	prairie := importer.Pair{Provider: "Prairie Rides", FundingSource: "County Health"}
	at := func(hour int) time.Time { return Noon().Add(time.Duration(hour) * time.Hour) }
	of := func(input string, hour int, days []importer.Date, pairs ...importer.Pair) importer.Schedule {
		return importer.Schedule{Input: input, Days: days, Pairs: pairs, Stamp: at(hour)}
	}
	info := func(id, broker string, all ...importer.Schedule) importer.RunInfo {
		r := Run(id)
		r.RowIDs.Broker, r.Inputs, r.Schedules = broker, nil, all
		for _, s := range all {
			r.Inputs = append(r.Inputs, importer.InputInfo{Name: s.Input, Hash: s.Input})
		}
		return r
	}
	must(t, l.Begin(ctx, info("a", "Alpha", of("f5", 5, days, lakeshore))))
	must(t, l.Begin(ctx, info("b", "Alpha", of("f3", 3, days, lakeshore))))
	must(t, l.Begin(ctx, info("c", "Beta", of("f9", 9, days, lakeshore))))
	unsaid := of("f0", 0, days, lakeshore)
	unsaid.Stamp = time.Time{}
	must(t, l.Begin(ctx, info("d", "Alpha", unsaid)))
	// Each of two files has a stamp of its own.
	must(t, l.Begin(ctx, info("e", "Alpha", of("f1", 1, days[:1], lakeshore), of("f7", 7, days[1:], prairie))))
	for name, c := range map[string]struct {
		broker string
		ask    importer.Schedule
		want   time.Time
	}{
		"an older file":              {"alpha", of("f4", 4, days[:1], lakeshore), at(5)},
		"the latest itself":          {"Alpha", of("f5", 5, days[:1], lakeshore), at(3)},
		"another provider":           {"Alpha", of("f4", 4, days[:1], prairie), time.Time{}},
		"another provider's day":     {"Alpha", of("f4", 4, days, prairie), at(7)},
		"one of two files":           {"Alpha", of("f7", 7, days, prairie), time.Time{}},
		"another provider as well":   {"Alpha", of("f4", 4, days[:1], prairie, lakeshore), at(5)},
		"both days and providers":    {"Alpha", of("f4", 4, days, prairie, lakeshore), at(7)},
		"another broker":             {"Beta", of("f5", 5, days[1:], lakeshore), at(9)},
		"a day without schedules":    {"Alpha", of("f4", 4, []importer.Date{Night().AddDays(5)}, lakeshore), time.Time{}},
		"a broker that is not known": {"Gamma", of("f4", 4, days, lakeshore), time.Time{}},
	} {
		if got, err := f.Ledger.LatestStamp(ctx, info("", c.broker, c.ask), &c.ask); err != nil || !got.Equal(c.want) {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}

	// Two files of one provider and day are not older than each other.
	l = f.another(t).Ledger
	two := []importer.Schedule{of("f1", 1, days, lakeshore), of("f2", 2, days, lakeshore)}
	must(t, l.Begin(ctx, info("a", "Alpha", two...)))
	for i := range two {
		if got, err := l.LatestStamp(ctx, info("", "Alpha", two[1], two[0]), &two[i]); err != nil || !got.IsZero() {
			t.Errorf("the same inputs: %s, %v", got, err)
		}
	}
}
