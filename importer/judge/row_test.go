package judge_test

import (
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// booked is a world in which a whole schedule with the rows was imported and booked.
func booked(rows ...*importer.Mapped) *world {
	w := newWorld()
	w.arrive(w.now, true, rows...)
	for _, m := range rows {
		for i := range m.Trips {
			if m.LeftOut == "" {
				w.book(m, i, importer.TripBooked)
			}
		}
	}
	w.now = w.now.Add(time.Hour)
	return w
}

func roundTrip(id, rider, out, back string) *importer.Mapped {
	return row(id, tripOf{importer.OutboundLeg, rider, "12", "90", at(day(2), out)}, tripOf{importer.ReturnLeg, rider, "90", "12", at(day(2), back)})
}

func onDay(m *importer.Mapped, d importer.Date) *importer.Mapped {
	m.Key.Date = d
	for i := range m.Trips {
		m.Trips[i].Pickup.PickupTime.Date = d
	}
	return m
}

func ids(use importer.IDUse, rows ...*importer.Mapped) []*importer.Mapped {
	for _, m := range rows {
		m.Key.IDs = use
	}
	return rows
}

// filler are rows of other riders, so that a file without a row is not half an export.
func filler(n int) (rows []*importer.Mapped) {
	for i := range n {
		rows = append(rows, visit("9"+pad(int64(i)), "other"+pad(int64(i)), "10:00"))
	}
	return rows
}

func with(rows []*importer.Mapped, more ...*importer.Mapped) []*importer.Mapped {
	return append(append([]*importer.Mapped{}, rows...), more...)
}

// tonight imports a newer whole schedule of the rows, and judges the last of them.
func (w *world) tonight(rows ...*importer.Mapped) []judge.Decision {
	a := w.arrive(w.now, true, rows...)
	return w.judge(rows[len(rows)-1], a)
}

func TestRow(t *testing.T) {
	late := "pickup.pickup_time"
	for _, test := range []struct {
		name string
		got  func() []judge.Decision
		want string
	}{
		{"a new row", func() []judge.Decision { return newWorld().tonight(visit("1", "r", "08:00")) }, "send"},
		{"without a ledger", func() []judge.Decision {
			w := newWorld()
			m := roundTrip("1", "r", "08:00", "12:00")
			return judge.Row(&judge.Wanted{Row: m}, &importer.Known{}, w.opts())
		}, "send | send"},
		{"the same again", func() []judge.Decision { return booked(visit("1", "r", "08:00")).tonight(visit("1", "r", "08:00")) }, "booked_earlier"},
		{"the id spelt otherwise", func() []judge.Decision {
			return booked(visit("0017-a", "r", "08:00")).tonight(visit(" 17 A", "r", "08:00"))
		}, "booked_earlier"},
		{"another time", func() []judge.Decision { return booked(visit("1", "r", "08:00")).tonight(visit("1", "r", "08:30")) }, "change " + late},
		{"another rider", func() []judge.Decision { return booked(visit("1", "r", "08:00")).tonight(visit("1", "s", "08:00")) }, "held rider?"},
		{"a time that has passed", func() []judge.Decision {
			w := newWorld()
			w.now = w.now.Add(15 * time.Hour) // 09:00 of the day
			return w.tonight(visit("1", "r", "08:00"))
		}, "not_sent late"},
		{"moved to another day, ids unique", func() []judge.Decision {
			return booked(visit("1", "r", "08:00")).tonight(onDay(visit("1", "r", "08:00"), day(3)))
		}, "change_by_hand"},
		{"an id of a day that is past, ids unique", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			w.now = w.now.Add(48 * time.Hour)
			return w.tonight(onDay(visit("1", "r", "08:00"), day(4)))
		}, "held other_day?"},
		{"another day, ids unsaid", func() []judge.Decision {
			w := booked(ids(importer.UnsaidIDs, visit("1", "r", "08:00"))...)
			return w.tonight(ids(importer.UnsaidIDs, onDay(visit("1", "r", "08:00"), day(3)))...)
		}, "held other_day?"},
		{"another day, ids repeat", func() []judge.Decision {
			w := booked(ids(importer.RepeatedIDs, visit("1", "r", "08:00"))...)
			return w.tonight(ids(importer.RepeatedIDs, onDay(visit("1", "r", "08:00"), day(3)))...)
		}, "send"},
		{"one way yesterday, round trip today", func() []judge.Decision {
			return booked(visit("1", "r", "08:00")).tonight(roundTrip("1", "r", "08:00", "12:00"))
		}, "booked_earlier | send"},
		{"round trip yesterday, one way today", func() []judge.Decision {
			return booked(roundTrip("1", "r", "08:00", "12:00")).tonight(visit("1", "r", "08:00"))
		}, "booked_earlier | not made: cancel_by_hand"},
		{"another shape, and the places say nothing", func() []judge.Decision {
			elsewhere := row("1", tripOf{importer.OutboundLeg, "r", "55", "66", at(day(2), "08:00")}, tripOf{importer.ReturnLeg, "r", "66", "55", at(day(2), "12:00")})
			return booked(visit("1", "r", "08:00")).tonight(elsewhere)
		}, "held way? | held way?"},
		{"another provider", func() []judge.Decision {
			m := visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			return booked(visit("1", "r", "08:00")).tonight(m)
		}, "held reassigned?"},
		{"another provider, for a rider with several trips a day", func() []judge.Decision {
			w, m := booked(visit("1", "r", "08:00")), visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			w.meant[meantKey(m)] = true
			return w.tonight(m)
		}, "held reassigned?"},
		{"given to another provider after it was cancelled with the first", func() []judge.Decision {
			w, m := booked(visit("1", "r", "08:00")), visit("1", "r", "08:00")
			m.Trips[0].Provider = "Harbor Rides"
			d := w.tonight(m)
			w.answer(t, &d[0], importer.OnlyLeg, importer.CancelledThere)
			return w.tonight(m)
		}, "send"},
		{"two rows of a rider a quarter of an hour apart", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			return w.tonight(visit("1", "r", "08:00"), visit("2", "r", "08:10"))
		}, "held double_booking?"},
		{"two rows of a rider two hours apart, both listed", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			return w.tonight(visit("1", "r", "08:00"), visit("2", "r", "10:00"))
		}, "send"},
		{"two riders of one household", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			return w.tonight(visit("1", "r", "08:00"), visit("2", "s", "08:00"))
		}, "send"},
		{"two units of one house", func() []judge.Decision {
			a, b := visit("1", "r", "08:00"), visit("2", "r", "08:00")
			a.Trips[0].Pickup.Address2, b.Trips[0].Pickup.Address2 = "Apt 1", "Apt 2"
			return booked(a).tonight(a, b)
		}, "send"},
		{"the ride back", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			return w.tonight(visit("1", "r", "08:00"), row("2", tripOf{rider: "r", from: "90", to: "12", at: at(day(2), "08:10")}))
		}, "send"},
		{"a new id in place of one that is gone", func() []judge.Decision {
			w := booked(with(filler(12), visit("1", "r", "08:00"))...)
			return w.tonight(with(filler(12), visit("2", "r", "13:00"))...)
		}, "held replaced?"},
		{"a new id in place of one that is gone, for a rider with several trips a day", func() []judge.Decision {
			w := booked(with(filler(12), visit("1", "r", "08:00"))...)
			w.meant[meantKey(visit("2", "r", "13:00"))] = true
			return w.tonight(with(filler(12), visit("2", "r", "13:00"))...)
		}, "held replaced?"},
		{"cancelled, and rebooked under a new id", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			return w.tonight(cancelled(visit("1", "r", "08:00")), visit("2", "r", "11:00"))
		}, "held replaced?"},
		{"cancelled, and rebooked after somebody cancelled it", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			rows := []*importer.Mapped{visit("2", "r", "11:00"), cancelled(visit("1", "r", "08:00"))}
			d := w.tonight(rows...)
			w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return w.tonight(rows[1], rows[0])
		}, "send"},
		{"several trips a day are meant", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			w.meant[meantKey(visit("1", "r", "08:00"))] = true
			return w.tonight(visit("1", "r", "08:00"), visit("2", "r", "08:05"))
		}, "send"},
		{"cancelled", func() []judge.Decision {
			return booked(visit("1", "r", "08:00")).tonight(cancelled(visit("1", "r", "08:00")))
		}, "cancel_by_hand"},
		{"cancelled, with everything but the id blank", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			return w.tonight(cancelled(row("1", tripOf{})))
		}, "cancel_by_hand"},
		{"cancelled, never booked", func() []judge.Decision { return newWorld().tonight(cancelled(visit("1", "r", "08:00"))) }, "left_out"},
		{"cancelled, and may be booked", func() []judge.Decision {
			w := newWorld()
			w.arrive(w.now, true, visit("1", "r", "08:00"))
			w.book(visit("1", "r", "08:00"), 0, importer.TripUnclear)
			w.now = w.now.Add(time.Hour)
			return w.tonight(cancelled(visit("1", "r", "08:00")))
		}, "unknown"},
		{"left out for another reason", func() []judge.Decision {
			m := visit("1", "r", "08:00")
			m.LeftOut = "turned back"
			return booked(visit("1", "r", "08:00")).tonight(m)
		}, "cancel_by_hand"},
		{"cancelled and live again", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			w.tonight(cancelled(visit("1", "r", "08:00")))
			w.now = w.now.Add(time.Hour)
			return w.tonight(visit("1", "r", "08:00"))
		}, "change_by_hand"},
		{"cancelled and live again at another time", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			w.tonight(cancelled(visit("1", "r", "08:00")))
			w.now = w.now.Add(time.Hour)
			return w.tonight(visit("1", "r", "09:00"))
		}, "change_by_hand"},
		{"cancelled by hand and live again", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			d := w.tonight(cancelled(visit("1", "r", "08:00")))
			w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			w.now = w.now.Add(time.Hour)
			return w.tonight(visit("1", "r", "08:00"))
		}, "reinstate_by_hand"},
		{"reinstated by hand", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			d := w.tonight(cancelled(visit("1", "r", "08:00")))
			w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			w.now = w.now.Add(time.Hour)
			d = w.tonight(visit("1", "r", "08:00"))
			w.answer(t, &d[0], importer.OnlyLeg, importer.DoneByHand)
			return w.tonight(visit("1", "r", "08:00"))
		}, "booked_earlier"},
		{"without an id, cancelled", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			m := row("", tripOf{rider: "r", from: "12", to: "90", at: at(day(2), "08:00")})
			return w.tonight(cancelled(m))
		}, "cancel_by_hand"},
		{"without an id, cancelled, beside a live row", func() []judge.Decision {
			w := booked(visit("1", "r", "08:00"))
			m := row("", tripOf{rider: "r", from: "12", to: "90", at: at(day(2), "08:00")})
			return w.tonight(visit("1", "r", "08:00"), cancelled(m))
		}, "left_out"},
		{"cancelled, the id of another day, ids unsaid", func() []judge.Decision {
			w := booked(ids(importer.UnsaidIDs, onDay(visit("1", "r", "08:00"), day(3)))...)
			w.arrive(w.now, true, onDay(visit("7", "q", "08:00"), day(3)))
			return w.tonight(ids(importer.UnsaidIDs, cancelled(visit("1", "r", "08:00")))...)
		}, "cancel_by_hand"},
		{"cancelled on one day of a standing order, live on the other", func() []judge.Decision {
			rows := ids(importer.UnsaidIDs, onDay(visit("1", "r", "08:00"), day(3)), cancelled(visit("1", "r", "08:00")))
			return booked(rows[0]).tonight(rows...)
		}, "left_out"},
		{"a word that nobody approved", func() []judge.Decision {
			m := visit("1", "r", "08:00")
			m.NewWords = []importer.NewWord{{Text: "HOLD"}}
			return newWorld().tonight(m)
		}, "held word?"},
		{"a word that nobody approved, booked and changed", func() []judge.Decision {
			m := visit("1", "r", "09:00")
			m.NewWords = []importer.NewWord{{Text: "HOLD"}}
			return booked(visit("1", "r", "08:00")).tonight(m)
		}, "change_by_hand word?"},
		{"a fault in one leg", func() []judge.Decision {
			m := roundTrip("1", "r", "08:00", "12:00")
			m.Trips[1].Report("rider-missing", "blank", "fill it in", importer.FieldRiderID)
			return newWorld().tonight(m)
		}, "held | fix"},
		{"a fault that may hide a leg", func() []judge.Decision {
			m := visit("1", "r", "08:00")
			m.Problems = []importer.Problem{{Code: importer.CodeRowRagged, Severity: importer.Fault}}
			return booked(roundTrip("1", "r", "08:00", "12:00")).tonight(m)
		}, "change_by_hand"},
		{"may be booked", func() []judge.Decision {
			w := newWorld()
			w.arrive(w.now, true, visit("1", "r", "08:00"))
			w.book(visit("1", "r", "08:00"), 0, importer.TripUnclear)
			return w.tonight(visit("1", "r", "08:00"))
		}, "unknown"},
		{"refused before", func() []judge.Decision {
			w := newWorld()
			w.arrive(w.now, true, visit("1", "r", "08:00"))
			w.book(visit("1", "r", "08:00"), 0, importer.TripRefused)
			return w.tonight(visit("1", "r", "08:00"))
		}, "send"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := summary(test.got()); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// meantKey is the key under which a world keeps that the rider has several trips a day.
func meantKey(m *importer.Mapped) string {
	own := ownOf("", &m.Trips[0])
	return importer.RiderText(m.Trips[0].RiderID) + own.Pickup + own.Dropoff
}

// TestNewest: only the last word about a row is sent, and an older file says why it waits.
func TestNewest(t *testing.T) {
	old, newer := visit("1", "r", "08:00"), visit("1", "r", "08:30")
	file := with(filler(12), old)

	t.Run("an older file", func(t *testing.T) {
		w := newWorld()
		w.arrive(w.now.Add(70*time.Minute), true, with(filler(12), newer)...)
		a := w.arrive(w.now, true, file...)
		d := w.judge(old, a)
		if summary(d) != "held" || !strings.Contains(d[0].Outcome.Reason, "19:10 has another pickup time: work with its results") {
			t.Errorf("got %s: %s", summary(d), d[0].Outcome.Reason)
		}
	})
	for name, now := range map[string][]*importer.Mapped{
		"cancelled":      with(filler(12), cancelled(old)),
		"cancel_by_hand": filler(13),
	} {
		t.Run("an older file, "+name, func(t *testing.T) {
			w := newWorld()
			w.arrive(w.now.Add(time.Hour), true, now...)
			a := w.arrive(w.now, true, file...)
			if got := summary(w.judge(old, a)); got != "held" {
				t.Errorf("got %s", got)
			}
		})
	}
	t.Run("an older file that says the same", func(t *testing.T) {
		w := newWorld()
		w.arrive(w.now.Add(time.Hour), true, file...)
		a := w.arrive(w.now, true, file...)
		if got := summary(w.judge(old, a)); got != "send" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("a change taken back", func(t *testing.T) {
		w := booked(file...)
		if got := summary(w.tonight(with(filler(12), newer)...)); got != "change pickup.pickup_time" {
			t.Errorf("got %s", got)
		}
		w.trips[12].Sent, w.trips[12].Seen = valuesOf(w.trips[12].RowID, &newer.Trips[0]), valuesOf(w.trips[12].RowID, &newer.Trips[0])
		w.now = w.now.Add(time.Hour)
		if got := summary(w.tonight(file...)); got != "change pickup.pickup_time" {
			t.Errorf("the first bytes again: %s", got)
		}
		older := w.arrive(w.now.Add(-30*time.Minute), true, with(filler(12), newer)...)
		if got := summary(w.judge(newer, older)); got != "change_by_hand" {
			t.Errorf("the bytes of the second, as old as they are: %s", got)
		}
	})
	t.Run("a workbook", func(t *testing.T) {
		w := newWorld()
		a := w.arrive(w.now, true, file...)
		fixed := visit("1", "r", "08:05")
		retry := &judge.Wanted{Row: fixed, Arrival: a, Version: w.words[12].Said}
		if got := summary(judge.Row(retry, w.look(fixed), w.opts())); got != "send" {
			t.Errorf("the last word, fixed: %s", got)
		}
		w.now = w.now.Add(time.Hour)
		w.arrive(w.now, true, file...)
		if got := summary(judge.Row(retry, w.look(fixed), w.opts())); got != "send" {
			t.Errorf("the newer schedule says the same: %s", got)
		}
		w.now = w.now.Add(time.Hour)
		w.arrive(w.now, true, with(filler(12), newer)...)
		if got := summary(judge.Row(retry, w.look(fixed), w.opts())); got != "held" {
			t.Errorf("the newer schedule has another time: %s", got)
		}
		w.now = w.now.Add(time.Hour)
		w.arrive(w.now, true, file...)
		if got := summary(judge.Row(retry, w.look(fixed), w.opts())); got != "send" {
			t.Errorf("the newest schedule says the same again: %s", got)
		}
	})
}

// TestFixedDay: where ids repeat, a person gives a row of older results the day on which the newer schedule has it. The trip
// is that row's, and nobody is told to cancel it.
func TestFixedDay(t *testing.T) {
	visit := func(id string, on int) *importer.Mapped {
		m := row(id, tripOf{rider: "r" + id, from: "12", to: "90", at: at(day(on), "08:00")})
		m.Key.IDs = importer.RepeatedIDs
		return m
	}
	w := newWorld()
	a := w.arrive(w.now, true, visit("1", 2), visit("2", 2), visit("3", 3))
	w.now = w.now.Add(time.Hour)
	w.arrive(w.now, true, visit("1", 3), visit("2", 2), visit("3", 3))
	fixed := visit("1", 3)
	w.book(fixed, 0, importer.TripBooked)
	fixed.Row.Version = w.words[0].Earlier[0].Said
	if got := summary(judge.Row(&judge.Wanted{Row: fixed, Arrival: a, Version: fixed.Row.Version, Workbook: true}, w.look(fixed), w.opts())); got != "booked_earlier" {
		t.Error(got)
	}
}

// TestReturnAfterMidnight: ids come again on each day, and the return of one day is on the next. It is not that of the next
// day's row.
func TestReturnAfterMidnight(t *testing.T) {
	visit := func(on int) *importer.Mapped {
		m := row("1", tripOf{leg: importer.OutboundLeg, rider: "r", from: "12", to: "90", at: at(day(on), "20:00")},
			tripOf{leg: importer.ReturnLeg, rider: "r", from: "90", to: "12", at: at(day(on+1), "00:30")})
		m.Key.IDs = importer.RepeatedIDs
		return m
	}
	w := booked(visit(2))
	next := visit(3)
	if got := summary(w.judge(next, w.arrive(w.now, true, visit(2), next))); got != "send | send" {
		t.Errorf("the next day: %s", got)
	}
	w.book(next, 0, importer.TripBooked)
	w.book(next, 1, importer.TripBooked)
	w.now = w.now.Add(time.Hour)
	both := []*importer.Mapped{visit(2), visit(3)}
	a := w.arrive(w.now, true, both...)
	for _, m := range both {
		if got := summary(w.judge(m, a)); got != "booked_earlier | booked_earlier" {
			t.Errorf("again: %s", got)
		}
	}
	one := row("1", tripOf{rider: "r", from: "12", to: "90", at: at(day(2), "20:00")})
	one.Key.IDs = importer.RepeatedIDs
	w.now = w.now.Add(time.Hour)
	if got := summary(w.judge(one, w.arrive(w.now, true, one, visit(3)))); got != "booked_earlier | not made: cancel_by_hand" {
		t.Errorf("without the way back: %s", got)
	}
}

// TestFixed: the schedule is compared with the schedule, so a fix in a workbook is no change the
// next night.
func TestFixed(t *testing.T) {
	w := newWorld()
	a := w.arrive(w.now, true, visit("1", "r", "08:00"))
	fixed := visit("1", "r", "08:05")
	w.book(fixed, 0, importer.TripBooked)
	w.now = w.now.Add(time.Hour)
	d := w.tonight(visit("1", "r", "08:00"))
	if summary(d) != "booked_earlier" {
		t.Errorf("the schedule as it was: %s", summary(d))
	}
	if d := w.tonight(visit("1", "r", "08:05")); summary(d) != "booked_earlier" {
		t.Errorf("the schedule, corrected to the same: %s", summary(d))
	}
	w.now = w.now.Add(time.Hour)
	if got := summary(w.tonight(visit("1", "r", "08:00"))); got != "change pickup.pickup_time" {
		t.Errorf("and its first word after that: %s", got)
	}
	w.now = w.now.Add(time.Hour)
	if got := summary(w.tonight(visit("1", "r", "08:45"))); got != "change pickup.pickup_time" {
		t.Errorf("the schedule's next word: %s", got)
	}
	w = booked(visit("1", "r", "08:00"))
	d = w.tonight(visit("1", "r", "08:05"))
	d[0].Outcome.State = importer.ChangeByHand
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused != nil {
		t.Fatal(refused.Reason)
	}
	if d := w.tonight(visit("1", "r", "08:05")); summary(d) != "booked_earlier" {
		t.Errorf("a change that is left: %s", summary(d))
	}
	w.trips[0].Sent, w.trips[0].Changed = w.look(visit("1", "r", "08:10")).Own[0].Values, w.next() // a retry sent it
	if d := w.tonight(visit("1", "r", "08:05")); summary(d) != "booked_earlier" {
		t.Errorf("a change that was left, and is fixed since: %s", summary(d))
	}
	w = newWorld()
	file := with(filler(12), visit("1", "r", "08:00"))
	w.arrive(w.now, true, file...)
	w.book(fixed, 0, importer.TripBooked)
	w.arrive(w.now.Add(time.Minute), true, file[:12]...)
	d = judge.Gone(w.look(visit("1", "r", "08:00")), w.opts())
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused != nil {
		t.Fatal(refused.Reason)
	}
	if d := w.judge(file[12], w.arrive(w.now.Add(2*time.Minute), true, file...)); summary(d) != "booked_earlier" {
		t.Errorf("a fixed trip that is left in the service while its row is gone: %s", summary(d))
	}

	w = newWorld()
	a = w.arrive(w.now, true, visit("1", "r", "08:00"))
	w.book(fixed, 0, importer.TripBooked)
	w.now = w.now.Add(time.Hour)

	w.arrive(w.now.Add(time.Minute), true, visit("1", "r", "08:00"))
	retry := func(m *importer.Mapped) string {
		return summary(judge.Row(&judge.Wanted{Row: m, Arrival: a, Version: w.words[0].Said, Workbook: true, Mapping: "m1"}, w.look(m), w.opts()))
	}
	if got := retry(fixed); got != "booked_earlier" {
		t.Errorf("the same fix again: %s", got)
	}
	if got := retry(visit("1", "r", "08:10")); got != "change pickup.pickup_time" {
		t.Errorf("another fix: %s", got)
	}
}

// TestLeave: a trip that the service refused can be left.
func TestLeave(t *testing.T) {
	w := newWorld()
	m := visit("1", "r", "08:00")
	w.arrive(w.now, true, m)
	w.book(m, 0, importer.TripRefused)
	d := w.judge(m, &w.arrivals[0])
	d[0].Outcome.State = importer.Refused
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused != nil {
		t.Fatal(refused.Reason)
	}
	if got := summary(w.judge(m, &w.arrivals[0])); got != "left_out" {
		t.Errorf("left: %s", got)
	}
	// Somebody looks for it once more, as after an older ledger was taken into use.
	w.trips[0].Said = &importer.StandingAnswer{Verdict: importer.NotThere, Event: w.next(), Who: "dana"}
	if got := summary(w.judge(m, &w.arrivals[0])); got != "left_out" {
		t.Errorf("left, and not there: %s", got)
	}
	d = w.judge(m, &w.arrivals[0])
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.Book); refused != nil {
		t.Fatal(refused.Reason)
	}
	if got := summary(w.judge(m, &w.arrivals[0])); got != "send" {
		t.Errorf("to be booked after all: %s", got)
	}
}

// TestLeaveRow: an answer to leave a trip that is not booked stands until somebody says book.
func TestLeaveRow(t *testing.T) {
	w := newWorld()
	a := w.arrive(w.now, true, visit("1", "r", "08:00"))
	d := w.judge(visit("1", "r", "08:00"), a)
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.LeaveIt); refused != nil {
		t.Fatal(refused.Reason)
	}
	if got := summary(w.judge(visit("1", "r", "08:00"), a)); got != "left_out" {
		t.Errorf("left: %s", got)
	}
	moved := arrivalOf(w.now.Add(time.Minute), true, visit("1", "r", "09:00"))
	d = judge.Row(w.wanted(visit("1", "r", "09:00"), moved), w.look(visit("1", "r", "09:00")), w.opts())
	if o := &d[0].Outcome; summary(d) != "left_out" || !o.Moved || !judge.Asks(o) {
		t.Errorf("its time moved: %s, moved %v, asks %v", summary(d), o.Moved, judge.Asks(o))
	}
	if got := summary(w.tonight(onDay(visit("1", "r", "08:00"), day(3)))); got != "send" {
		t.Errorf("another day: %s", got)
	}
	w.arrive(w.now, true, visit("1", "r", "08:00"))
	d = w.judge(visit("1", "r", "08:00"), &w.arrivals[len(w.arrivals)-1])
	if refused := w.answer(t, &d[0], importer.OnlyLeg, importer.Book); refused != nil {
		t.Fatal(refused.Reason)
	}
	if got := summary(w.judge(visit("1", "r", "08:00"), &w.arrivals[len(w.arrivals)-1])); got != "send" {
		t.Errorf("book after all: %s", got)
	}
}

// TestPlan: in a plan the file's words are a proposal.
func TestPlan(t *testing.T) {
	w := booked(with(filler(12), visit("1", "r", "08:00"))...)
	rows := with(filler(12), visit("2", "r", "13:00"))
	a := arrivalOf(w.now, true, rows...)
	k := w.look(rows[12])
	has := func(word *importer.Word) (importer.Proposal, bool) {
		return importer.Proposal{Says: importer.SaysLive, Trips: 1}, hasRow(rows, word)
	}
	judge.Propose(k, a, has)
	if got := summary(judge.Row(w.wanted(rows[12], a), k, w.opts())); got != "held replaced?" {
		t.Errorf("in place of a row that the file does not have: %s", got)
	}

	rows = with(rows, visit("1", "r", "08:00"))
	k = w.look(rows[12])
	judge.Propose(k, a, has)
	if got := summary(judge.Row(w.wanted(rows[12], a), k, w.opts())); got != "send" {
		t.Errorf("beside a row that the file has: %s", got)
	}
}
