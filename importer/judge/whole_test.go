package judge_test

import (
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

func TestWhole(t *testing.T) {
	all := filler(20)
	t.Run("half an export", func(t *testing.T) {
		w := booked(all...)
		a := arrivalOf(w.now, true, all[:13]...)
		if why := w.whole(a, all[:13]); a.Whole || len(why) != 1 || !strings.Contains(why[0], "13 of the 20 rows") {
			t.Errorf("whole %v: %v", a.Whole, why)
		}
	})
	t.Run("seven tenths", func(t *testing.T) {
		w := booked(all...)
		a := arrivalOf(w.now, true, all[:14]...)
		if why := w.whole(a, all[:14]); !a.Whole || len(why) > 0 {
			t.Errorf("whole %v: %v", a.Whole, why)
		}
	})
	t.Run("few rows", func(t *testing.T) {
		w := booked(all[:9]...)
		a := arrivalOf(w.now, true, all[:1]...)
		if w.whole(a, all[:1]); !a.Whole {
			t.Error("nine rows are too few to judge by")
		}
	})
	t.Run("as many rows, with other ids", func(t *testing.T) {
		w := booked(all...)
		var others []*importer.Mapped
		for _, m := range all {
			others = append(others, visit("x"+m.Key.ID, m.Trips[0].RiderID, "10:00"))
		}
		a := arrivalOf(w.now, true, others...)
		if w.whole(a, others); a.Whole {
			t.Error("a schedule of new ids made all others gone")
		}
	})
	t.Run("unseen rows of an earlier arrival count", func(t *testing.T) {
		w := newWorld()
		earlier := arrivalOf(w.now, true, all...)
		a := arrivalOf(w.now.Add(time.Hour), true, all[:5]...)
		if judge.Whole(a, &judge.Scheduled{Known: []importer.Arrival{*earlier}, Now: importer.DateTimeOf(w.now), Zone: time.UTC}); a.Whole {
			t.Error("five of twenty are whole")
		}
	})
	t.Run("an export of the afternoon", func(t *testing.T) {
		morning, later, gone := filler(12), visit("1", "r", "15:00"), visit("2", "s", "16:00")
		w := booked(with(morning, later, gone)...)
		w.now = time.Date(2026, 12, 2, 12, 30, 0, 0, time.UTC)
		a := arrivalOf(w.now, true, later)
		why := w.whole(a, []*importer.Mapped{later})
		if !a.Whole || len(why) > 0 || a.Scopes[0].From != at(day(2), "12:30") {
			t.Fatalf("whole %v from %s: %v", a.Whole, a.Scopes[0].From, why)
		}
		w.record(a, []*importer.Mapped{later})
		if w.words[13].Says != importer.SaysGone || w.words[0].Says != importer.SaysLive {
			t.Error("the afternoon's row is gone, those of the morning are not")
		}
	})
	t.Run("not the newest", func(t *testing.T) {
		w := booked(all...)
		w.arrive(w.now, false, all[:19]...)
		a := arrivalOf(w.now.Add(-time.Minute), true, all[:18]...)
		why := w.whole(a, all[:18])
		if !a.Whole || len(why) != 1 || a.Tells(day(2), pair(), at(day(2), "10:00")) {
			t.Errorf("an older arrival tells what is gone: %v", why)
		}
	})
}

// A pair that a newer whole schedule has no row of any more, although the one before had it
// beside the others, is gone with its trips.
func TestLostPairs(t *testing.T) {
	other := importer.Pair{Provider: "Cedar Valley Rides", FundingSource: payer}
	of := func(rows ...*importer.Mapped) []*importer.Mapped {
		for _, m := range rows {
			for i := range m.Trips {
				m.Trips[i].Provider, m.Trips[i].FundingSource = other.Provider, other.FundingSource
			}
		}
		return rows
	}
	first, lone, gone := filler(12), of(visit("1", "r", "08:00")), at(day(2), "08:00")

	t.Run("the only trip of a provider", func(t *testing.T) {
		w := booked(with(first, lone...)...)
		a := arrivalOf(w.now, true, first...)
		if why := w.whole(a, first); !a.Whole || len(why) > 0 || !a.Tells(day(2), other, gone) {
			t.Fatalf("whole %v, tells %v: %v", a.Whole, a.Tells(day(2), other, gone), why)
		}
		w.record(a, first)
		if got := summary(judge.Gone(w.look(lone[0]), w.opts())); got != "not made: cancel_by_hand" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("two files with a provider each", func(t *testing.T) {
		w := booked(first...)
		w.arrive(w.now, true, lone...)
		a := arrivalOf(w.now.Add(time.Hour), true, first...)
		if why := w.whole(a, first); !a.Whole || len(why) > 0 || a.Tells(day(2), other, gone) {
			t.Errorf("whole %v, tells %v: %v", a.Whole, a.Tells(day(2), other, gone), why)
		}
	})
	t.Run("a provider of many trips", func(t *testing.T) {
		var many []*importer.Mapped
		for i := range 12 {
			many = append(many, of(visit("8"+pad(int64(i)), "r"+pad(int64(i)), "08:00"))...)
		}
		w := booked(with(first, many...)...)
		a := arrivalOf(w.now, true, first...)
		why := w.whole(a, first)
		if !a.Whole || a.Tells(day(2), other, gone) || len(why) != 1 || !strings.Contains(why[0], "12 trips") {
			t.Errorf("whole %v, tells %v: %v", a.Whole, a.Tells(day(2), other, gone), why)
		}
	})
	t.Run("half an export tells of no pair", func(t *testing.T) {
		w := booked(with(first, lone...)...)
		a := arrivalOf(w.now, true, first[:5]...)
		if w.whole(a, first[:5]); a.Whole || len(a.Scopes) != 1 {
			t.Errorf("whole %v, scopes %v", a.Whole, a.Scopes)
		}
	})
	t.Run("its trip has another provider now", func(t *testing.T) {
		w := booked(with(first, lone...)...)
		rows := with(first, visit("1", "r", "08:00"))
		a := arrivalOf(w.now, true, rows...)
		if why := w.whole(a, rows); !a.Whole || len(why) > 0 || len(a.Scopes) != 2 { // it speaks of the trip as booked
			t.Errorf("whole %v, scopes %v: %v", a.Whole, a.Scopes, why)
		}
	})
}

func TestGone(t *testing.T) {
	all := filler(12)
	w := booked(with(all, visit("1", "r", "08:00"))...)
	w.arrive(w.now, true, all...)
	k := w.look(visit("1", "r", "08:00"))
	d := judge.Gone(k, w.opts())
	if summary(d) != "not made: cancel_by_hand" || d[0].Outcome.Why != importer.WhyGone || d[0].Outcome.GUID == "" {
		t.Fatalf("got %s", summary(d))
	}
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused != nil {
		t.Fatal(refused.Reason)
	}
	if got := judge.Gone(w.look(visit("1", "r", "08:00")), w.opts()); len(got) > 0 {
		t.Errorf("left, and listed again: %s", summary(got))
	}
	w.now = w.now.Add(time.Hour)
	if got := summary(w.tonight(with(all, visit("1", "r", "08:00"))...)); got != "booked_earlier" {
		t.Errorf("back after it was left: %s", got)
	}
	w.now = w.now.Add(time.Hour)
	w.arrive(w.now, true, all...)
	if got := judge.Gone(w.look(visit("1", "r", "08:00")), w.opts()); len(got) != 1 {
		t.Error("gone once more, and not listed")
	}
	w.now = w.now.Add(48 * time.Hour)
	if got := judge.Gone(w.look(visit("1", "r", "08:00")), w.opts()); len(got) > 0 {
		t.Error("a trip of the past is listed")
	}
}

func TestOlder(t *testing.T) {
	w := newWorld()
	first := w.arrive(w.now, true, visit("1", "r", "08:00"))
	w.arrive(w.now.Add(time.Hour), true, visit("1", "r", "08:30"))
	for name, test := range map[string]struct {
		a    *importer.Arrival
		want int64
	}{
		"older":               {arrivalOf(w.now.Add(time.Minute), true, visit("1", "r", "08:00")), 2},
		"the newest":          {arrivalOf(w.now.Add(2*time.Hour), true, visit("1", "r", "08:00")), 0},
		"of another day":      {arrivalOf(w.now, true, onDay(visit("1", "r", "08:00"), day(3))), 0},
		"as old as the first": {arrivalOf(first.Stamp, true, visit("1", "r", "08:00")), 2},
	} {
		got := judge.Older(test.a, w.arrivals)
		if (got == nil) != (test.want == 0) || got != nil && got.Number != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}

	add := func(rows ...*importer.Mapped) bool {
		var back judge.TakenBack
		for _, m := range rows {
			back.Add(w.look(m))
		}
		return back.All()
	}
	if !add(visit("1", "r", "08:00")) {
		t.Error("a row that says what it said before")
	}
	if add(visit("1", "r", "08:30")) || add(visit("1", "r", "09:00")) || add(visit("1", "r", "08:00"), visit("2", "s", "08:00")) {
		t.Error("the last word, a new time or a new row only takes rows back")
	}
}

// A trip of which a person gave the day is gone when the row with its id on that day is, and not when the row with the wrong day is.
// A return after midnight is its row's, whatever the next day's row with that id says, also one that came to be there later, or
// because a person fixed its time.
func TestGoneOnTheDayThatAPersonGave(t *testing.T) {
	for _, c := range []struct {
		name        string
		begins, now importer.Date // of the leg, as its row had it when it was sent, and has it now
		outbound    importer.Date // of the row's other leg, which is booked
		row, other  importer.Says // what the words of its row, and of the row with its id on its day, say
		gone        int
	}{
		{"corrected by the broker", day(1), day(1), importer.Date{}, importer.SaysGone, importer.SaysLive, 0},
		{"dropped", day(1), day(1), importer.Date{}, importer.SaysLive, importer.SaysGone, 1},
		{"cancelled", day(1), day(1), importer.Date{}, importer.SaysLive, importer.SaysLeftOut, 1},
		{"both legs, dropped", day(1), day(1), day(2), importer.SaysLive, importer.SaysGone, 2},
		{"a return after midnight, dropped", day(2), day(2), day(1), importer.SaysGone, importer.SaysLive, 2},
		{"a return after midnight, wanted", day(2), day(2), day(1), importer.SaysLive, importer.SaysGone, 0},
		{"a return that was moved after midnight, dropped", day(1), day(2), importer.Date{}, importer.SaysGone, importer.SaysLive, 1},
		{"a return that was moved after midnight, wanted", day(1), day(2), importer.Date{}, importer.SaysLive, importer.SaysGone, 0},
		{"a return that was fixed to be after midnight, dropped", day(1), day(1), day(1), importer.SaysGone, importer.SaysLive, 2},
		{"a return that was fixed to be after midnight, wanted", day(1), day(1), day(1), importer.SaysLive, importer.SaysGone, 0},
	} {
		legs := func(on importer.Date) []importer.LegWord {
			return []importer.LegWord{{Leg: importer.OutboundLeg, Begins: importer.DateTime{Date: day(1)}}, {Leg: importer.ReturnLeg, Begins: importer.DateTime{Date: on}}}
		}
		k := importer.Known{
			ID: "5", Row: 1,
			Words: []importer.Word{
				{Row: 1, ID: "5", Day: day(1), Said: 4, Says: c.row, Legs: legs(c.now), Earlier: []importer.WordVersion{{Said: 1, Legs: legs(c.begins)}}},
				{Row: 2, ID: "5", Day: day(2), Said: 3, Says: c.other},
			},
			Trips: []importer.Standing{{Number: 1, Row: 1, Leg: importer.ReturnLeg, Day: day(2), State: importer.TripBooked, Claimed: 2}},
		}
		if !c.outbound.IsZero() {
			k.Trips = append(k.Trips, importer.Standing{Number: 2, Row: 1, Leg: importer.OutboundLeg, Day: c.outbound, State: importer.TripBooked, Claimed: 2})
		}
		if d := judge.Gone(&k, newWorld().opts()); len(d) != c.gone {
			t.Errorf("%s: %s", c.name, summary(d))
		}
	}
}
