package judge_test

import (
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestLeaveAndSince: `leave it` stands for its row until somebody says something else of the trip, and
// what the person can't have meant is told.
func TestLeaveAndSince(t *testing.T) {
	must := func(t *testing.T, refused *judge.Refusal) {
		t.Helper()
		if refused != nil {
			t.Fatal(refused.Reason)
		}
	}
	// otherRider is a booked trip whose row has another rider, and the row is left.
	otherRider := func(t *testing.T) (*world, judge.Decision) {
		w := booked(visit("1", "r", "08:00"))
		d := w.tonight(visit("1", "s", "08:00"))
		must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
		return w, d[0]
	}
	// reinstated is a trip that was cancelled by hand, whose row is live again.
	reinstated := func(t *testing.T) (*world, []judge.Decision) {
		w := booked(visit("1", "r", "08:00"))
		d := w.tonight(cancelled(visit("1", "r", "08:00")))
		must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand))
		w.now = w.now.Add(time.Hour)
		return w, w.tonight(visit("1", "r", "08:00"))
	}
	// refused is a trip that the service refused, and that is left.
	refused := func(t *testing.T) (*world, []judge.Decision) {
		w, m := newWorld(), visit("1", "r", "08:00")
		w.arrive(w.now, true, m)
		w.book(m, 0, importer.TripRefused)
		d := w.judge(m, &w.arrivals[0])
		d[0].Outcome.State = importer.Refused
		must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
		return w, d
	}
	of := func(w *world, rider, clock string) []judge.Decision {
		w.now = w.now.Add(time.Minute)
		return w.tonight(visit("1", rider, clock))
	}

	// byHand is a trip that was not sent, and that a person booked by hand.
	byHand := func(t *testing.T) (*world, []judge.Decision) {
		w := newWorld()
		d := of(w, "r", "08:00")
		must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand))
		return w, d
	}
	byHandAndCancelled := func(t *testing.T) (*world, []judge.Decision) {
		w, _ := byHand(t)
		w.now = w.now.Add(time.Hour)
		d := w.tonight(cancelled(visit("1", "r", "08:00")))
		w.now = w.now.Add(time.Hour)
		return w, d[1:]
	}

	for _, test := range []struct {
		name  string
		got   func(t *testing.T) []judge.Decision
		want  string
		asked bool
	}{
		{"the same rider", func(t *testing.T) []judge.Decision {
			w, _ := otherRider(t)
			return of(w, "s", "08:00")
		}, "left_out", false},
		{"the same rider, and what was written beside the trip since can't be taken", func(t *testing.T) []judge.Decision {
			w, _ := otherRider(t)
			w.now = w.now.Add(time.Minute)
			w.take(importer.Answer{Trip: 1, Saw: w.event, Shown: importer.ChangeByHand, Note: "ask Dana", Who: "Ann", Where: "list.xlsx, B2", In: "list.xlsx", At: w.now})
			return of(w, "s", "08:00")
		}, "held rider?", true},
		{"booked by hand on another day, and what was written beside this day's trip can't be taken", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			moved := func() []judge.Decision {
				w.now = w.now.Add(time.Hour)
				return w.tonight(onDay(visit("1", "r", "08:00"), day(3)))
			}
			moved()
			w.take(importer.Answer{Row: 1, Saw: w.event, Shown: importer.Held, Question: importer.AskAgain, Note: "ask Dana", Who: "Ann", Where: "list.xlsx, B2", In: "list.xlsx", At: w.now})
			d := moved()
			if got := summary(d); got != "held again? | not made: cancel_by_hand" {
				t.Fatalf("moved: %s", got)
			}
			must(t, w.answer(t, &d[1], importer.OnlyLeg, importer.LeaveIt))
			return moved()
		}, "held again?", true},
		{"a third rider, whom nobody left", func(t *testing.T) []judge.Decision {
			w, _ := otherRider(t)
			return of(w, "q", "08:00")
		}, "left_out", true},
		{"a third rider, after somebody gave the trip to the second", func(t *testing.T) []judge.Decision {
			w, d := otherRider(t)
			must(t, w.take(importer.Answer{Row: 1, Other: 1, Question: importer.AskRider, Shown: d.Outcome.State, Verdict: importer.DoneByHand, Saw: w.event, Who: "Ben", At: w.now}))
			if got := summary(of(w, "s", "08:00")); got != "booked_earlier" {
				t.Errorf("the second rider: %s", got)
			}
			return of(w, "q", "08:00")
		}, "held rider?", true},
		{"not reinstated", func(t *testing.T) []judge.Decision {
			w, d := reinstated(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			return of(w, "r", "08:00")
		}, "left_out", false},
		{"not reinstated, and a colleague reinstated it", func(t *testing.T) []judge.Decision {
			w, d := reinstated(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			if w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand) == nil {
				t.Error("two different answers both count")
			}
			return of(w, "r", "08:00")
		}, "reinstate_by_hand", true},
		{"reinstated, and a colleague left it", func(t *testing.T) []judge.Decision {
			w, d := reinstated(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand))
			if w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt) == nil {
				t.Error("two different answers both count")
			}
			return of(w, "r", "08:00")
		}, "reinstate_by_hand", true},
		{"not reinstated, said twice, and cancelled and live once more", func(t *testing.T) []judge.Decision {
			w, d := reinstated(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			_ = w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			d = of(w, "r", "08:00")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand))
			if got := summary(of(w, "r", "08:00")); got != "booked_earlier" {
				t.Errorf("reinstated: %s", got)
			}
			w.now = w.now.Add(time.Hour)
			d = w.tonight(cancelled(visit("1", "r", "08:00")))
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand))
			return of(w, "r", "08:00")
		}, "reinstate_by_hand", true},
		{"a colleague booked what was left", func(t *testing.T) []judge.Decision {
			w, d := refused(t)
			if w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand) == nil {
				t.Error("two different answers both count")
			}
			return of(w, "r", "08:00")
		}, "unknown", true},
		{"a colleague booked what was left, and it is not there", func(t *testing.T) []judge.Decision {
			w, d := refused(t)
			_ = w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand)
			w.now = w.now.Add(time.Hour)
			d = of(w, "r", "08:00")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.NotThere))
			return of(w, "r", "08:00")
		}, "send", true},
		{"booked by hand, and moved since", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			return of(w, "r", "08:30")
		}, "held again?", true},
		{"booked by hand, moved, and booked by hand as it is now", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			d := of(w, "r", "08:30")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand))
			return of(w, "r", "08:30")
		}, "enter", true},
		{"booked by hand", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			return of(w, "r", "08:00")
		}, "enter", true},
		{"booked by hand, and its id spelt in another way since", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			w.now = w.now.Add(time.Minute)
			return w.tonight(visit("01", "r", "08:00"))
		}, "enter", true},
		{"booked by hand, and given to another provider since, with its id spelt in another way", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			m := visit("01", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			w.now = w.now.Add(time.Minute)
			return w.tonight(m)
		}, "held again?", true},
		{"booked by hand, cancelled since, and live again with its id spelt in another way", func(t *testing.T) []judge.Decision {
			w, _ := byHandAndCancelled(t)
			return w.tonight(visit("01", "r", "08:00"))
		}, "held again?", true},
		{"booked by hand as an older list had it", func(t *testing.T) []judge.Decision {
			w := newWorld()
			d := of(w, "r", "08:00")
			_ = of(w, "r", "08:30")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.BookedByHand))
			return of(w, "r", "08:30")
		}, "held again?", true},
		{"left as an older list had it", func(t *testing.T) []judge.Decision {
			w := newWorld()
			d := of(w, "r", "08:00")
			_ = of(w, "r", "08:30")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			return of(w, "r", "08:30")
		}, "left_out", true},
		{"left, moved, and left as it is now", func(t *testing.T) []judge.Decision {
			w := newWorld()
			d := of(w, "r", "08:00")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			d = of(w, "r", "08:30")
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			return of(w, "r", "08:30")
		}, "left_out", false},
		{"booked by hand, cancelled by the broker, and live again", func(t *testing.T) []judge.Decision {
			w, _ := byHandAndCancelled(t)
			return of(w, "r", "08:00")
		}, "held again?", true},
		{"booked by hand, and cancelled by the broker", func(t *testing.T) []judge.Decision {
			w, _ := byHand(t)
			return w.tonight(cancelled(visit("1", "r", "08:00")))
		}, "left_out | not made: cancel_by_hand", true},
		{"booked by hand, cancelled by the broker, and by hand", func(t *testing.T) []judge.Decision {
			w, d := byHandAndCancelled(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand))
			return w.tonight(cancelled(visit("1", "r", "08:00")))
		}, "left_out", false},
		{"booked by hand, cancelled by the broker and by hand, and live again", func(t *testing.T) []judge.Decision {
			w, d := byHandAndCancelled(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand))
			return of(w, "r", "08:00")
		}, "send", true},
		{"booked by hand, cancelled by the broker, and left", func(t *testing.T) []judge.Decision {
			w, d := byHandAndCancelled(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			return w.tonight(cancelled(visit("1", "r", "08:00")))
		}, "left_out", false},
		{"booked by hand, cancelled by the broker, left, and live again", func(t *testing.T) []judge.Decision {
			w, d := byHandAndCancelled(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			return of(w, "r", "08:00")
		}, "held again?", true},
		{"booked by hand, cancelled by the broker, left, and cancelled by hand", func(t *testing.T) []judge.Decision {
			w, d := byHandAndCancelled(t)
			must(t, w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt))
			if w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand) == nil {
				t.Error("two different answers both count")
			}
			return w.tonight(cancelled(visit("1", "r", "08:00")))
		}, "left_out | not made: cancel_by_hand", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := test.got(t)
			if got := summary(d); got != test.want || judge.Asks(&d[len(d)-1].Outcome) != test.asked {
				t.Errorf("got %s, asked %v", got, judge.Asks(&d[len(d)-1].Outcome))
			}
		})
	}
}
