package judge_test

import (
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestOlderList: persons answer about lists of which the row says something else by now.
func TestOlderList(t *testing.T) {
	// send sends the row's trips and judges the row as the schedule has it.
	send := func(w *world, m *importer.Mapped, state importer.TripState) []judge.Decision {
		w.now = w.now.Add(time.Hour)
		for _, d := range w.tonight(m) {
			if d.Do == judge.Send {
				w.book(m, d.Leg, state)
			}
		}
		return w.judge(m, &w.arrivals[len(w.arrivals)-1])
	}
	// toReinstate is a trip that was cancelled by hand and is wanted again.
	toReinstate := func(w *world) []judge.Decision {
		send(w, visit("1", "r", "08:00"), importer.TripBooked)
		w.now = w.now.Add(time.Hour)
		d := w.tonight(cancelled(visit("1", "r", "08:00")))
		if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
			t.Fatal(refused.Reason)
		}
		return send(w, visit("1", "r", "08:00"), importer.TripBooked)
	}

	for _, test := range []struct {
		name    string
		got     func(w *world) (*judge.Refusal, []judge.Decision)
		refused bool
		want    string
	}{
		{"booked by hand, and booked since as two legs", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := send(w, visit("1", "r", "08:00"), importer.TripRefused)
			m := roundTrip("1", "r", "08:00", "12:00")
			send(w, m, importer.TripBooked)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			return refused, w.tonight(m)
		}, true, "change_by_hand | booked_earlier"},
		{"booked by hand, and booked since for another rider", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := send(w, visit("1", "r", "08:00"), importer.TripRefused)
			send(w, visit("1", "s", "08:00"), importer.TripBooked)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, true, "change_by_hand"},
		{"an older file, with another provider", func(w *world) (*judge.Refusal, []judge.Decision) {
			m := visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			w.arrive(w.now, true, m)
			return nil, w.judge(visit("1", "r", "08:00"), arrivalOf(w.now.Add(-time.Hour), true, visit("1", "r", "08:00")))
		}, false, "held"},
		{"results of an older file, with another provider", func(w *world) (*judge.Refusal, []judge.Decision) {
			w.arrive(w.now.Add(-time.Hour), true, visit("1", "r", "08:00"))
			version := w.words[0].Said
			m := visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			w.arrive(w.now, true, m)
			again := w.wanted(visit("1", "r", "08:00"), &w.arrivals[0])
			again.Version = version
			return nil, judge.Row(again, w.look(again.Row), w.opts())
		}, false, "held"},
		{"an older file with what the newer one says again", func(w *world) (*judge.Refusal, []judge.Decision) {
			w.arrive(w.now, true, visit("1", "r", "08:00"))
			return nil, w.judge(visit("1", "r", "08:00"), arrivalOf(w.now.Add(-time.Hour), true, visit("1", "r", "08:00")))
		}, false, "send"},
		{"an older file of a booked trip, with another phone alone", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			m := visit("1", "r", "08:00")
			m.Trips[0].Phone = "248-555-0100"
			return nil, w.judge(m, arrivalOf(w.now.Add(-24*time.Hour), true, m))
		}, false, "booked_earlier"},
		{"an older file of a booked trip, with another phone and time", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			m := visit("1", "r", "08:30")
			m.Trips[0].Phone = "248-555-0100"
			return nil, w.judge(m, arrivalOf(w.now.Add(-24*time.Hour), true, m))
		}, false, "change_by_hand"},
		{"booked by hand, as it was sent", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := send(w, visit("1", "r", "08:00"), importer.TripRefused)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			return refused, w.tonight(visit("1", "r", "08:00"))
		}, false, "booked_earlier"},
		{"booked by hand as its row said then, and back to what was sent", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripUnclear)
			d := send(w, visit("1", "r", "08:30"), importer.TripUnclear)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			return refused, send(w, visit("1", "r", "08:00"), importer.TripUnclear)
		}, false, "change pickup.pickup_time"},
		{"booked by hand with the provider of its row, and may be booked with another one", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripUnclear)
			m := visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			d := send(w, m, importer.TripUnclear)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			return refused, send(w, m, importer.TripUnclear)
		}, true, "unknown"},
		{"not there, too soon, and once more in the same list later", func(w *world) (*judge.Refusal, []judge.Decision) {
			m := visit("1", "r", "08:00")
			d := send(w, m, importer.TripUnclear)
			w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere)
			w.now = w.now.Add(16 * time.Minute)
			return w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere), w.tonight(m)
		}, true, "unknown"},
		{"not there, too soon, and later in a newer list", func(w *world) (*judge.Refusal, []judge.Decision) {
			m := tooSoon(t, w)
			d := w.tonight(m)
			return w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere), w.tonight(m)
		}, false, "send"},
		{"there, and too soon not there in a newer list", func(w *world) (*judge.Refusal, []judge.Decision) {
			m := visit("1", "r", "08:00")
			w.arrive(w.now, true, m)
			w.book(m, 0, importer.TripUnclear)
			d := w.tonight(m)
			w.answer(t, &d[0], importer.OnlyLeg, importer.There)
			d = w.tonight(m)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere)
			d = w.tonight(m)
			if d[0].Outcome.Answered || !strings.Contains(d[0].Outcome.Reason, "look again after") {
				t.Errorf("it is %+v", d[0].Outcome)
			}
			return refused, d
		}, true, "unknown"},
		{"booked by hand as its row says", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripUnclear)
			d := send(w, visit("1", "r", "08:30"), importer.TripUnclear)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			return refused, send(w, visit("1", "r", "08:30"), importer.TripUnclear)
		}, false, "booked_earlier"},
		{"not there, and a colleague cancelled it there", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := send(w, visit("1", "r", "08:00"), importer.TripUnclear)
			w.now = w.now.Add(time.Hour)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere); refused != nil {
				return refused, nil
			}
			refused := w.take(importer.Answer{Trip: 1, Shown: importer.Held, Verdict: importer.CancelledThere, Saw: d[0].Outcome.Saw, Who: "Ben", At: w.now})
			return refused, w.tonight(visit("1", "r", "08:00"))
		}, true, "unknown"},
		{"changed by hand, and back by a colleague with an older list", func(w *world) (*judge.Refusal, []judge.Decision) {
			return byOlderList(t, w, time.Hour)
		}, true, "change_by_hand"},
		{"changed by hand, and an older workbook is taken once more", func(w *world) (*judge.Refusal, []judge.Decision) {
			return byOlderList(t, w, -time.Hour)
		}, false, "booked_earlier"},
		{"reinstated for a rider whose row has another by now", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := toReinstate(w)
			send(w, visit("1", "s", "08:00"), importer.TripBooked)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, false, "booked_earlier | not made: cancel_by_hand"},
		{"reinstated with a provider whose row has another one by now", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := toReinstate(w)
			m := visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			send(w, m, importer.TripBooked)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return refused, w.tonight(m)
		}, false, "booked_earlier | not made: cancel_by_hand"},
		{"in doubt whether it was reinstated, and of another rider", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := toReinstate(w)
			w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt)
			return refused, send(w, visit("1", "s", "08:00"), importer.TripBooked)
		}, true, "held rider?"},
		{"given to a rider by hand, and by a colleague with an older list to another one", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			older := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			newer := send(w, visit("1", "q", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &newer[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
				return refused, nil
			}
			w.now = w.now.Add(time.Hour)
			refused := w.answer(t, &older[0], importer.OnlyLeg, importer.DoneByHand)
			return refused, w.tonight(visit("1", "q", "08:00"))
		}, true, "change_by_hand"},
		{"given to a rider by hand, and cancelled there by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			d := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
				return refused, nil
			}
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.CancelledThere)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, true, "change_by_hand"},
		{"cancelled there, and given to a rider by hand by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			d := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.CancelledThere); refused != nil {
				return refused, nil
			}
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, true, "held rider?"},
		{"cancelled there, and sent, and given to the rider by hand by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			d := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.CancelledThere); refused != nil {
				return refused, nil
			}
			send(w, visit("1", "s", "08:00"), importer.TripBooked)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, true, "change_by_hand"},
		{"left, and given to the rider by hand by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			d := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused != nil {
				return refused, nil
			}
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, true, "held rider?"},
		{"given to the rider by hand, and left by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			d := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
				return refused, nil
			}
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt)
			return refused, w.tonight(visit("1", "s", "08:00"))
		}, true, "change_by_hand"},
		{"given to the rider by hand, and said twice", func(w *world) (*judge.Refusal, []judge.Decision) {
			send(w, visit("1", "r", "08:00"), importer.TripBooked)
			d := send(w, visit("1", "s", "08:00"), importer.TripBooked)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
				return refused, nil
			}
			event := w.event
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand); refused != nil || w.event != event {
				t.Errorf("the same answer again is event %d, after %d", w.event, event)
			}
			return nil, w.tonight(visit("1", "s", "08:00"))
		}, false, "booked_earlier"},
		{"meant beside another trip, and that cancelled there by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			return besideCancelled(t, w, importer.Meant)
		}, true, "change_by_hand"},
		{"left beside another trip, and that cancelled there by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			return besideCancelled(t, w, importer.LeaveIt)
		}, true, "change_by_hand"},
		{"meant beside another trip, and sent, and that one cancelled there by a colleague", func(w *world) (*judge.Refusal, []judge.Decision) {
			d := beside(w)
			if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.Meant); refused != nil {
				return refused, nil
			}
			w.book(visit("2", "r", "08:10"), 0, importer.TripBooked)
			refused := w.answer(t, &d[0], importer.OnlyLeg, importer.CancelledThere)
			return refused, w.tonight(visit("2", "r", "08:10"), visit("1", "r", "08:00"))
		}, false, "reinstate_by_hand"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld()
			w.options.SendChanges = true
			refused, d := test.got(w)
			if got := summary(d); got != test.want || (refused != nil) != test.refused {
				t.Errorf("got %s, refused %v", got, refused)
			}
		})
	}
}

// byOlderList is a trip that a person changed by hand to what the newest list says, and about which
// another person answers with an older list, at that time after the first.
func byOlderList(t *testing.T, w *world, after time.Duration) (*judge.Refusal, []judge.Decision) {
	w.options.SendChanges = false
	m := visit("1", "r", "08:00")
	w.tonight(m)
	w.book(m, 0, importer.TripBooked)
	w.now = w.now.Add(time.Hour)
	older := w.tonight(visit("1", "r", "08:30"))
	w.now = w.now.Add(time.Hour)
	newer := w.tonight(visit("1", "r", "09:00"))
	if refused := w.answer(t, &newer[0], importer.OnlyLeg, importer.DoneByHand); refused != nil {
		return refused, nil
	}
	w.now = w.now.Add(after)
	refused := w.answer(t, &older[0], importer.OnlyLeg, importer.DoneByHand)
	w.now = w.now.Add(4 * time.Hour)
	return refused, w.tonight(visit("1", "r", "09:00"))
}

// tooSoon sends a row of which no proof comes back, and lets a person look too soon, 16 minutes ago.
func tooSoon(t *testing.T, w *world) *importer.Mapped {
	t.Helper()
	m := visit("1", "r", "08:00")
	a := w.arrive(w.now, true, m)
	w.book(m, 0, importer.TripUnclear)
	d := w.judge(m, a)
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere); refused == nil {
		t.Error("a look at once counts")
	}
	w.now = w.now.Add(16 * time.Minute)
	return m
}

// beside returns what is decided about a row that may be the same as a booked one.
func beside(w *world) []judge.Decision {
	w.arrive(w.now, true, visit("1", "r", "08:00"))
	w.book(visit("1", "r", "08:00"), 0, importer.TripBooked)
	w.now = w.now.Add(time.Hour)
	return w.tonight(visit("1", "r", "08:00"), visit("2", "r", "08:10"))
}

// besideCancelled has a person answer about such a row, and then a colleague, that the booked one was cancelled there. It
// returns what is decided about that one.
func besideCancelled(t *testing.T, w *world, first importer.Verdict) (*judge.Refusal, []judge.Decision) {
	d := beside(w)
	if refused := w.answer(t, &d[0], importer.OnlyLeg, first); refused != nil {
		return refused, nil
	}
	refused := w.answer(t, &d[0], importer.OnlyLeg, importer.CancelledThere)
	return refused, w.tonight(visit("2", "r", "08:10"), visit("1", "r", "08:00"))
}

// TestCancelledBeforeItWasSent: whoever says of a trip that was sent since that it was cancelled there may have cancelled
// the new one: it is asked about. An answer that wants it, and one beside a trip that is not booked, put nothing in doubt.
func TestCancelledBeforeItWasSent(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer importer.Answer
		state  importer.TripState
		waits  bool
	}{
		{"the trip that the question names", importer.Answer{Row: 1, Other: 1, Question: importer.AskReplaced, Shown: importer.Held, Verdict: importer.CancelledThere}, importer.TripBooked, true},
		{"the trip itself", importer.Answer{Trip: 1, Shown: importer.CancelByHand, Verdict: importer.DoneByHand}, importer.TripBooked, true},
		{"it may be booked", importer.Answer{Trip: 1, Shown: importer.CancelByHand, Verdict: importer.DoneByHand}, importer.TripUnclear, true},
		{"it was refused again", importer.Answer{Trip: 1, Shown: importer.CancelByHand, Verdict: importer.DoneByHand}, importer.TripRefused, false},
		{"not there", importer.Answer{Trip: 1, Shown: importer.Unknown, Verdict: importer.NotThere}, importer.TripBooked, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, m := newWorld(), visit("1", "r", "08:00")
			w.arrive(w.now, true, m)
			saw := w.event
			w.now = w.now.Add(time.Hour)
			w.book(m, 0, test.state)
			a := test.answer
			a.Saw, a.Who, a.At = saw, "Ben", w.now
			refused := w.take(a)
			if refused == nil || refused.Waits != test.waits {
				t.Fatalf("%+v", refused)
			}
			if d := w.judge(m, &w.arrivals[0]); strings.Contains(d[0].Outcome.Reason, "Ben answered") != test.waits {
				t.Errorf("%s %s", d[0].Outcome.State.Code(), d[0].Outcome.Reason)
			}
		})
	}
}
