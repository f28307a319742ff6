package ledgertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

func testBooked(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("0012-A")
	row.Trips[0].Alias = "hidden-1"
	Arrive(t, l, "run-1", Arrival(0), row)
	ticket := Claim(t, l, Step(t, l, "run-1", row, 0))
	if s := standing(t, l, ticket.Trip); s.State != importer.TripSending || s.Event != ticket.Event || s.Run != "run-1" {
		t.Errorf("claimed, it is %+v", s)
	}
	must(t, l.Settle(t.Context(), ticket, Settled(importer.TripBooked, "G-1")))
	w := word(t, l, row)
	for _, open := range []func(testing.TB) ledger.Ledger{f.ReadOnly, f.Crash} {
		s := standing(t, open(t), ticket.Trip)
		if s.State != importer.TripBooked || s.GUID != "G-1" || !s.Proved || s.Answered || s.TripID != "0012-A" || !strings.HasPrefix(s.Alias, "hidden-") ||
			s.Account != (importer.Account{Service: Service, Provider: "Lakeshore Transit"}) || s.Broker != Broker || s.RowID != w.ID || s.Row != w.Row ||
			!s.Sent.Equal(w.Legs[0].Values) || !s.Seen.Equal(s.Sent) || s.Mapping != "bb22" || s.Attempts != 1 || s.HTTPStatus != 200 ||
			!s.ClaimedAt.Equal(Noon()) || !s.SettledAt.Equal(Noon().Add(time.Second)) || s.Leg != importer.OnlyLeg || s.Copied || s.Held {
			t.Errorf("booked, it is %+v", s)
		}
	}
}

func testRefused(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	var number int64
	for i, state := range []importer.TripState{importer.TripRefused, importer.TripNotSent, importer.TripBooked} {
		ticket := Send(t, l, Step(t, l, "run-1", row, 0), Settled(state, "g-1"))
		if s := standing(t, l, ticket.Trip); s.State != state || s.Attempts != i+1 || number != 0 && ticket.Trip != number || (s.GUID != "") != (state == importer.TripBooked) {
			t.Errorf("%s, it is %+v", state.Code(), s)
		}
		number = ticket.Trip
	}
	wantMeanwhile(t, l, "a booked trip", Step(t, l, "run-1", row, 0))
	missing := Settled(importer.TripBooked, "")
	missing.GUIDMissing = true
	ticket := Send(t, l, Step(t, l, "run-1", Row("2"), 0), missing)
	byHand := Settled(importer.TripBooked, "")
	byHand.Code = importer.CodeBookedByHand
	hand := Send(t, l, Step(t, l, "run-1", Row("3"), 0), byHand)
	if a, b := standing(t, l, ticket.Trip), standing(t, l, hand.Trip); !a.GUIDMissing || !a.Proved || b.Proved || !b.Answered || b.GUIDMissing {
		t.Errorf("without a GUID it is %+v, by hand %+v", a, b)
	}
}

// testSeenOfWord books a row that a person fixed, and one that no arrival had.
func testSeenOfWord(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	s := Step(t, l, "run-1", moved(row, 45), 0)
	ticket := Send(t, l, s, Settled(importer.TripBooked, "g-1"))
	now, w := standing(t, l, ticket.Trip), word(t, l, row)
	if !now.Seen.Equal(w.Legs[0].Values) || !slices.Equal(now.Sent.Differs(now.Seen), []string{"pickup.pickup_time"}) {
		t.Errorf("sent and seen differ in %v", now.Sent.Differs(now.Seen))
	}

	alone := Row("2")
	ticket = Book(t, l, "run-1", alone, "g-2")
	k := Look(t, l, alone)
	if s := standing(t, l, ticket.Trip); !s.Seen.Equal(s.Sent) || !s.Seen.Equal(k.Own[0].Values) || k.Word() != nil || len(k.Words) > 0 || len(k.Trips) != 1 {
		t.Errorf("without a word it is %+v, the row %+v", s, k)
	}
	half := Arrival(10)
	half.Whole = false
	Arrive(t, l, "run-1", half, alone)
	if w := word(t, l, alone); w.Said != w.Event || len(w.Earlier) > 0 {
		t.Errorf("its first word is %+v", w)
	}
}

func testGUIDTaken(t *testing.T, f fixture) {
	l := f.Ledger
	has := Book(t, l, "run-1", Row("1"), "3f2504e0-4f89-11d3-9a0c-0305e82c3301").Trip
	ticket := Claim(t, l, Step(t, l, "run-1", Row("2"), 0))
	number := l.Number()
	err := l.Settle(t.Context(), ticket, Settled(importer.TripBooked, "{3F2504E04F8911D39A0C0305E82C3301}"))
	if !errors.Is(err, importer.GUIDTaken{Trip: has}) || l.Number() != number || standing(t, l, ticket.Trip).State != importer.TripSending {
		t.Errorf("the GUID of another trip ended with %v and the number %d", err, l.Number())
	}
	must(t, l.Settle(t.Context(), ticket, Settled(importer.TripUnclear, "")))
}

func testSettledOnce(t *testing.T, f fixture) {
	l := f.Ledger
	ticket := Book(t, l, "run-1", Row("1"), "g-1")
	wantError(t, l.Settle(t.Context(), ticket, Settled(importer.TripRefused, "")), "ledger-settled")
	if s := standing(t, l, ticket.Trip); s.State != importer.TripBooked || s.GUID != "g-1" {
		t.Errorf("it is %+v", s)
	}
	if l.Settle(t.Context(), ticket, importer.Settled{State: importer.TripSending}) == nil {
		t.Error("an attempt ended as sending")
	}
}

// testChanges sends a change in each way that it can end.
func testChanges(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	number := Book(t, l, "run-1", row, "g-1").Trip
	now := moved(row, 45)
	now.Trips[0].Pickup.Name = "Door B"
	Arrive(t, l, "run-1", Arrival(10), now)
	was, w := standing(t, l, number), word(t, l, now)
	open := w.Legs[0].Values.Differs(was.Seen)
	if !slices.Equal(open, []string{"pickup.event_name", "pickup.pickup_time"}) {
		t.Fatalf("the schedule differs in %v", open)
	}
	send := func(state importer.TripState, keys ...string) importer.Standing {
		t.Helper()
		ticket := Claim(t, l, Change(t, l, "run-1", now, keys...))
		if s := standing(t, l, number); s.Change == nil || s.Change.State != importer.ChangeSending || s.State != importer.TripBooked {
			t.Errorf("claimed, the change is %+v", s.Change)
		}
		wantMeanwhile(t, l, "a second change", Change(t, l, "run-1", now, keys...))
		must(t, l.Settle(t.Context(), ticket, Settled(state, "")))
		return standing(t, l, number)
	}

	if s := send(importer.TripNotSent, "pickup.pickup_time"); s.Change != nil || !s.Seen.Equal(was.Seen) || !s.Sent.Equal(was.Sent) {
		t.Errorf("not sent, it is %+v", s)
	}
	s := send(importer.TripRefused, "pickup.pickup_time")
	if s.Change == nil || s.Change.State != importer.ChangeRefusedByService || !s.Seen.Equal(was.Seen) {
		t.Errorf("refused, it is %+v", s.Change)
	}
	s = send(importer.TripUnclear, "pickup.pickup_time")
	if s.Change == nil || s.Change.State != importer.ChangeUnclear || !slices.Equal(s.Seen.Differs(was.Seen), []string{"pickup.pickup_time"}) || !s.Sent.Equal(was.Sent) {
		t.Errorf("unclear, it is %+v", s)
	}
	s = send(importer.TripNotSent, "pickup.event_name")
	if s.Change == nil || s.Change.State != importer.ChangeUnclear || !slices.Equal(s.Change.Keys, []string{"pickup.pickup_time"}) {
		t.Errorf("a change that was not sent took the unclear one away: %+v", s.Change)
	}
	s = send(importer.TripBooked, "pickup.event_name", "pickup.pickup_time")
	if s.Change != nil || !s.Seen.Equal(w.Legs[0].Values) || !s.Sent.Equal(s.Seen) || s.GUID != "g-1" || s.HTTPStatus != 200 {
		t.Errorf("changed, it is %+v", s)
	}
}

// testChangedTime wants the time and the places of a trip as they were accepted last.
func testChangedTime(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	number := Book(t, l, "run-1", row, "g-1").Trip
	now := moved(row, 45)
	now.Trips[0].Dropoff.Address1 = "9 Birch Rd"
	Arrive(t, l, "run-1", Arrival(10), now)
	was, want := standing(t, l, number), Look(t, l, now).Own[0].Identity
	Send(t, l, Change(t, l, "run-1", now, "pickup.pickup_time"), Settled(importer.TripUnclear, ""))
	if s := standing(t, l, number); s.Begins != was.Begins {
		t.Errorf("an unclear change moved the trip to %s", s.Begins)
	}
	Send(t, l, Change(t, l, "run-1", now, "pickup.pickup_time"), Settled(importer.TripBooked, ""))
	s := standing(t, l, number)
	if s.Begins != now.Trips[0].Time() || s.Identity.Times[0] != want.Times[0] || s.Identity.Dropoff != was.Identity.Dropoff {
		t.Errorf("it begins at %s, and is %+v", s.Begins, s.Identity)
	}
	Send(t, l, Change(t, l, "run-1", now, "dropoff.event_location.address1"), Settled(importer.TripBooked, ""))
	if s := standing(t, l, number); !s.Identity.SamePlaces(want) {
		t.Errorf("it goes to %+v", s.Identity)
	}
}

// testUnsettled leaves claims without a settlement, by the end of the run and by a crash.
func testUnsettled(t *testing.T, f fixture) {
	l, row := f.Ledger, Row("2")
	ended := Claim(t, l, Step(t, l, "run-1", Row("1"), 0))
	must(t, l.End(t.Context(), "run-1", importer.Totals{}, Noon(), "interrupted"))
	if s := standing(t, l, ended.Trip); s.State != importer.TripUnclear {
		t.Errorf("after the end of its run it is %s", s.State.Code())
	}
	must(t, l.Settle(t.Context(), ended, Settled(importer.TripBooked, "g-1"))) // a reply that came late is recorded

	Begin(t, l, "run-2")
	Arrive(t, l, "run-2", Arrival(0), row)
	number := Book(t, l, "run-2", row, "g-2").Trip
	seen := standing(t, l, number).Seen
	Arrive(t, l, "run-2", Arrival(10), moved(row, 45))
	Claim(t, l, Change(t, l, "run-2", moved(row, 45), "pickup.pickup_time"))
	lost := Claim(t, l, Step(t, l, "run-2", Row("3"), 0))
	if s := standing(t, f.ReadOnly(t), lost.Trip); s.State != importer.TripSending {
		t.Errorf("beside its run it is %s", s.State.Code())
	}
	l = f.Crash(t)
	for _, l := range []ledger.Ledger{l, f.ReadOnly(t)} {
		a, b, c := standing(t, l, ended.Trip), standing(t, l, number), standing(t, l, lost.Trip)
		if a.State != importer.TripBooked || c.State != importer.TripUnclear || b.State != importer.TripBooked || b.Change == nil ||
			b.Change.State != importer.ChangeUnclear || !slices.Equal(b.Seen.Differs(seen), []string{"pickup.pickup_time"}) {
			t.Errorf("after the crash they are %+v, %+v, %+v", a, b, c)
		}
	}
	Begin(t, l, "run-3")
	Send(t, l, Change(t, l, "run-3", moved(row, 45), "pickup.pickup_time"), Settled(importer.TripNotSent, ""))
	if s := standing(t, l, number); s.Change == nil || s.Change.State != importer.ChangeUnclear {
		t.Errorf("the lost change became %+v", s.Change)
	}
	must(t, verified(t, l))
}

// A tripsModel is what a ledger must know of trips, in its simplest form.
type tripsModel struct {
	state   map[string]importer.TripState
	guid    map[string]string
	pending map[string]importer.Ticket
	run     string
}

// testTripsModel does random things to a ledger, also crashes, and compares it with a model
// after each.
func testTripsModel(t *testing.T, f fixture) {
	checks := 0
	rapid.Check(t, func(rt *rapid.T) {
		checks++ // the ledger stays the same, so each check has ids of its own
		m := tripsModel{map[string]importer.TripState{}, map[string]string{}, map[string]importer.Ticket{}, fmt.Sprint("model-", checks)}
		Begin(t, f.Ledger, m.run)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			id := fmt.Sprintf("m%d-%d", checks, rapid.IntRange(0, 2).Draw(rt, "row"))
			switch rapid.IntRange(0, 12).Draw(rt, "do") {
			case 0:
				f.Ledger, m.pending = f.Crash(t), map[string]importer.Ticket{}
				m.run += "+"
				Begin(t, f.Ledger, m.run)
			case 1, 2, 3, 4, 5:
				m.claim(rt, t, f.Ledger, id)
			case 6:
				m.answer(rt, t, f.Ledger, id)
			default:
				state := rapid.SampledFrom([]importer.TripState{importer.TripBooked, importer.TripUnclear, importer.TripRefused, importer.TripNotSent}).Draw(rt, "state")
				m.settle(rt, t, f.Ledger, id, state, fmt.Sprintf("m%d-g%d", checks, rapid.IntRange(0, 1).Draw(rt, "guid")))
			}
			m.compare(rt, t, f.Ledger, id)
		}
	})
	must(t, verified(t, f.Ledger))
}

func (m *tripsModel) claim(rt *rapid.T, t *testing.T, l ledger.Ledger, id string) {
	state, known := m.state[id]
	ticket, err := l.Claim(t.Context(), Step(t, l, m.run, Row(id), 0))
	free := !known || !state.Taken()
	if (err == nil) != free || err != nil && !errors.Is(err, importer.ErrMeanwhile) {
		rt.Fatalf("claiming %s, which is %s: %v", id, state.Code(), err)
	}
	if free {
		m.state[id], m.guid[id], m.pending[id] = importer.TripSending, "", ticket
	}
}

func (m *tripsModel) settle(rt *rapid.T, t *testing.T, l ledger.Ledger, id string, state importer.TripState, guid string) {
	ticket, pending := m.pending[id]
	if !pending {
		return
	}
	taken := false
	for other, g := range m.guid {
		taken = taken || other != id && g == guid && state == importer.TripBooked
	}
	err := l.Settle(t.Context(), ticket, Settled(state, guid))
	if _, is := errors.AsType[importer.GUIDTaken](err); taken != is || !taken && err != nil {
		rt.Fatalf("settling %s with %s: %v, want taken: %v", id, guid, err, taken)
	}
	if taken {
		return
	}
	delete(m.pending, id)
	m.state[id] = state
	if state == importer.TripBooked {
		m.guid[id] = guid
	}
}

// answer lets a person say that an unclear trip is not there.
func (m *tripsModel) answer(rt *rapid.T, t *testing.T, l ledger.Ledger, id string) {
	state, known := m.state[id]
	if _, pending := m.pending[id]; pending || !known || state != importer.TripUnclear && state != importer.TripSending {
		return
	}
	trip := Look(t, l, Row(id)).Trips[0]
	err := l.Record(t.Context(), importer.Effect{
		Answer: importer.Answer{Trip: trip.Number, Verdict: importer.NotThere, Who: "dana", At: Noon()},
		Saw:    []importer.LastEvent{{Trip: trip.Number, Event: trip.Event}}, State: importer.TripNotSent,
	})
	if err != nil {
		rt.Fatal(err)
	}
	m.state[id] = importer.TripNotSent
}

func (m *tripsModel) compare(rt *rapid.T, t *testing.T, l ledger.Ledger, id string) {
	want, known := m.state[id]
	_, pending := m.pending[id]
	if want == importer.TripSending && !pending {
		want = importer.TripUnclear
	}
	trips := Look(t, l, Row(id)).Trips
	if (len(trips) == 1) != known || known && (trips[0].State != want || trips[0].GUID != m.guid[id]) {
		rt.Fatalf("%s is %+v, want %v, %s, %q", id, trips, known, want.Code(), m.guid[id])
	}
}
