package ledgertest

import (
	"errors"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// effect returns the effect of an answer about a trip as it stands now.
func effect(tb testing.TB, l ledger.Ledger, trip int64, v importer.Verdict, state importer.TripState) importer.Effect {
	tb.Helper()
	s := standing(tb, l, trip)
	return importer.Effect{
		Answer: importer.Answer{
			Trip: trip, Saw: s.Event, Verdict: v, Who: "dana", Host: "FRONT-DESK", Where: "terminal", Note: "called them", At: Noon().Add(time.Hour),
		},
		Saw: []importer.LastEvent{{Trip: trip, Event: s.Event}}, State: state,
	}
}

func testAnswers(t *testing.T, f fixture) {
	l := f.Ledger
	number := Send(t, l, Step(t, l, "run-1", Row("1"), 0), Settled(importer.TripUnclear, "")).Trip
	there := effect(t, l, number, importer.There, importer.TripBooked)
	there.Answer.GUID = "g-1"
	must(t, l.Record(t.Context(), there))
	if s := standing(t, l, number); s.State != importer.TripBooked || s.GUID != "g-1" || !s.Answered || s.Proved || s.Event <= there.Saw[0].Event {
		t.Errorf("there, it is %+v", s)
	}
	if err := l.Record(t.Context(), there); !errors.Is(err, importer.ErrMeanwhile) {
		t.Errorf("the answer about an earlier state ended with %v", err)
	}

	hold := effect(t, l, number, importer.DoneByHand, importer.TripUnclear)
	hold.Keep, hold.Hold = true, true
	hold.Seen = standing(t, l, number).Seen.With(nil, []string{"phone"})
	must(t, l.Record(t.Context(), hold))
	if s := standing(t, l, number); s.State != importer.TripBooked || !s.Held || s.GUID != "g-1" || s.Seen.Same(s.Sent, "phone") {
		t.Errorf("held, it is %+v", s)
	}
	early := effect(t, l, number, importer.NotThere, importer.TripUnclear)
	early.Keep, early.LookAfter, early.Release = true, Noon().Add(2*time.Hour), true
	must(t, l.Record(t.Context(), early))
	if s := standing(t, l, number); !s.LookAfter.Equal(Noon().Add(2*time.Hour)) || s.Held {
		t.Errorf("too early, it is %+v", s)
	}
	must(t, l.Record(t.Context(), effect(t, l, number, importer.DoneByHand, importer.TripCancelled)))
	if s := standing(t, l, number); s.State != importer.TripCancelled || s.GUID != "g-1" {
		t.Errorf("cancelled, it is %+v", s)
	}
	must(t, l.Record(t.Context(), effect(t, l, number, importer.NotThere, importer.TripNotSent)))
	if s := standing(t, l, number); s.State != importer.TripNotSent || s.GUID != "" {
		t.Errorf("not there, it is %+v", s)
	}
}

// A trip of which it is in doubt whether the service's answer was its own is not proved any more.
func testProofInDoubt(t *testing.T, f fixture) {
	l := f.Ledger
	number := Book(t, l, "run-1", Row("1"), "g-1").Trip
	must(t, l.Record(t.Context(), effect(t, l, number, importer.NoVerdict, importer.TripUnclear)))
	if s := standing(t, l, number); s.State != importer.TripUnclear || s.Proved || s.GUID != "" {
		t.Errorf("in doubt, it is %+v", s)
	}
}

func testAllOrNothing(t *testing.T, f fixture) {
	l := f.Ledger
	has := Book(t, l, "run-1", Row("0"), "g-0").Trip
	a := Send(t, l, Step(t, l, "run-1", Row("1"), 0), Settled(importer.TripUnclear, "")).Trip
	b := Send(t, l, Step(t, l, "run-1", Row("2"), 0), Settled(importer.TripUnclear, "")).Trip
	for _, wrong := range []struct {
		what  string
		guids [2]string
		event int64
		want  error
	}{
		{"another event", [2]string{"g-1", "g-2"}, 1, importer.ErrMeanwhile},
		{"the GUID of another trip", [2]string{"g-1", "G-0"}, 0, importer.GUIDTaken{Trip: has}},
		{"one GUID for both", [2]string{"g-1", "g-1"}, 0, importer.GUIDTaken{}},
	} {
		number := l.Number()
		first, second := effect(t, l, a, importer.There, importer.TripBooked), effect(t, l, b, importer.There, importer.TripBooked)
		first.Answer.GUID, second.Answer.GUID = wrong.guids[0], wrong.guids[1]
		second.Saw[0].Event += wrong.event
		if err := l.Record(t.Context(), first, second); !errors.Is(err, wrong.want) {
			t.Errorf("%s ended with %v", wrong.what, err)
		}
		if s := standing(t, l, a); s.State != importer.TripUnclear || l.Number() != number {
			t.Errorf("%s left %+v and the number %d", wrong.what, s, l.Number())
		}
	}
	missing := effect(t, l, a, importer.There, importer.TripBooked)
	missing.Answer.Trip, missing.Saw = 12345, nil
	if err := l.Record(t.Context(), missing); !errors.Is(err, importer.ErrMeanwhile) {
		t.Errorf("an answer about no trip ended with %v", err)
	}
}

func testRowAnswers(t *testing.T, f fixture) {
	l, row := f.Ledger, roundTrip("1")
	Arrive(t, l, "run-1", Arrival(0), row)
	w := word(t, l, row)
	about := func(v importer.Verdict, other int64) importer.Effect {
		w := word(t, l, row)
		return importer.Effect{
			Answer: importer.Answer{Row: w.Row, Leg: importer.ReturnLeg, Other: other, Saw: w.Event, Verdict: v, Who: "dana", At: Noon()},
			Saw:    []importer.LastEvent{{Row: w.Row, Event: w.Event}}, Keep: true, ForRow: true,
		}
	}
	s := Step(t, l, "run-1", row, 0)
	must(t, l.Record(t.Context(), about(importer.LeaveIt, 0)))
	wantMeanwhile(t, l, "an answer about the row", s)
	must(t, l.Record(t.Context(), about(importer.Meant, 77)))
	Arrive(t, l, "run-1", Arrival(10), moved(row, 45))
	got := word(t, l, row).Answers
	if len(got) != 2 || got[0].Verdict != importer.LeaveIt || got[0].Leg != importer.ReturnLeg || got[0].Day != Night() || got[0].Who != "dana" ||
		got[1].Other != 77 || got[1].Event <= got[0].Event {
		t.Errorf("the answers are %+v", got)
	}
	must(t, l.Record(t.Context(), about(importer.Book, 0)))
	if got := word(t, l, row).Answers; len(got) != 2 || got[1].Verdict != importer.Book {
		t.Errorf("corrected, they are %+v", got)
	}
	before := about(importer.DoneByHand, 0) // about the day before, which the row had once
	before.Begins.Date = Night().AddDays(-1)
	must(t, l.Record(t.Context(), before, about(importer.Book, 0)))
	if got := word(t, l, row).Answers; len(got) != 3 || got[1].Day != before.Begins.Date || got[2].Day != Night() {
		t.Errorf("about two days, they are %+v", got)
	}
	events, err := l.Events(t.Context(), 0, w.Row)
	must(t, err)
	if last := events[len(events)-1]; last.Number != word(t, l, row).Event || last.Kind != "answered" || last.Who != "dana" || last.What != "book" {
		t.Errorf("the last event is %+v", last)
	}
}

// testMeant records that a rider has two trips a day between two places, by a row and by a
// trip.
func testMeant(t *testing.T, f fixture) {
	l := f.Ledger
	Arrive(t, l, "run-1", Arrival(0), Row("1"), Row("2"))
	w := word(t, l, Row("1"))
	trip := Book(t, l, "run-1", Row("2"), "g-2").Trip
	byTrip := effect(t, l, trip, importer.Meant, importer.TripBooked)
	byTrip.Keep, byTrip.Meant = true, true
	byTrip.Answer.Places = &Row("2").Trips[0]
	must(t, l.Record(t.Context(), byTrip, importer.Effect{
		Answer: importer.Answer{Row: w.Row, Verdict: importer.Meant, Places: &Row("1").Trips[0], Who: "dana", At: Noon()},
		Saw:    []importer.LastEvent{{Row: w.Row, Event: w.Event}}, Keep: true, Meant: true,
	}))
	for _, rider := range []string{"R-1", "R-2", "R-3"} {
		row := Row("9")
		row.Trips[0].RiderID, row.Trips[0].Pickup.PickupTime.Date = rider, Night().AddDays(30)
		if got, want := Look(t, l, row).Own[0].Meant, rider != "R-3"; got != want {
			t.Errorf("for %s on another day it is meant: %v", rider, got)
		}
		row.Trips[0].Dropoff.Address1 = "9 Birch Rd"
		if Look(t, l, row).Own[0].Meant {
			t.Errorf("for %s and another place it is meant", rider)
		}
	}
}

// testLateReply lets a person answer about a trip before the reply of its run is recorded.
func testLateReply(t *testing.T, f fixture) {
	l := f.Ledger
	for id, settled := range map[string]importer.Settled{"booked": Settled(importer.TripBooked, "g-1"), "unclear": Settled(importer.TripUnclear, "")} {
		run := "run of " + id
		Begin(t, l, run)
		ticket := Claim(t, l, Step(t, l, run, Row(id), 0))
		must(t, l.End(t.Context(), run, importer.Totals{}, Noon(), "lost"))
		must(t, l.Record(t.Context(), effect(t, l, ticket.Trip, importer.NotThere, importer.TripNotSent)))
		must(t, l.Settle(t.Context(), ticket, settled))
		want := importer.TripNotSent
		if id == "booked" {
			want = importer.TripBooked
		}
		if s := standing(t, l, ticket.Trip); s.State != want || s.Proved != (id == "booked") {
			t.Errorf("%s, it is %+v", id, s)
		}
	}
}
