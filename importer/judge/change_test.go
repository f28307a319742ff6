package judge_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/judge"
)

// TestChange: what is sent of a booked trip that differs, and what a person does by hand.
func TestChange(t *testing.T) {
	const pickup = "pickup.pickup_time"
	morning := func(w *world, clock string) { w.now, _ = at(day(2), clock).In(time.UTC) }
	for _, test := range []struct {
		name string
		was  *importer.Mapped
		now  *importer.Mapped
		set  func(*world)
		want string
		why  string // a part of the reason
	}{
		{name: "nobody asked to send changes", set: func(w *world) { w.options.SendChanges = false }, want: "change_by_hand", why: "unless somebody asks"},
		{name: "guarded", set: func(w *world) { w.options.Guarded = "312 trips, all + 60 min" }, want: "change_by_hand", why: "312 trips"},
		{name: "guarded and confirmed", set: func(w *world) { w.options.Guarded, w.options.Confirmed = "312 trips", true }, want: "change " + pickup},
		{name: "another mapping", set: func(w *world) { w.mapping = "m2" }, want: "change_by_hand", why: "the mapping has changed since"},
		{name: "another mapping, confirmed", set: func(w *world) { w.mapping, w.options.Confirmed = "m2", true }, want: "change " + pickup},
		{name: "on hold", set: func(w *world) { w.trips[0].Held = true }, want: "change_by_hand", why: "on hold"},
		{name: "without a GUID", set: func(w *world) { w.trips[0].GUID = "" }, want: "change_by_hand", why: "GUID is missing"},
		{name: "its time has passed", set: func(w *world) { morning(w, "08:10") }, want: "change_by_hand", why: "its time has passed"},
		{name: "before the freeze", set: func(w *world) { w.options.Freeze = 3 * time.Hour; morning(w, "04:59") }, want: "change " + pickup},
		{name: "in the freeze", set: func(w *world) { w.options.Freeze = 3 * time.Hour; morning(w, "05:10") }, want: "change_by_hand", why: "too near"},
		{name: "in the freeze of the earlier pickup", now: visit("1", "r", "06:30"), set: func(w *world) { w.options.Freeze = 3 * time.Hour; morning(w, "04:00") }, want: "change_by_hand", why: "too near"},
		{name: "in the freeze, by a clock that went forward", was: visitOn(2027, 3, 14, "04:30"), now: visitOn(2027, 3, 14, "05:00"), set: inNewYork(2027, 3, 14, 0, 45), want: "change_by_hand", why: "too near"},
		{name: "before the freeze, by a clock that went forward", was: visitOn(2027, 3, 14, "04:30"), now: visitOn(2027, 3, 14, "05:00"), set: inNewYork(2027, 3, 14, 0, 29), want: "change " + pickup},
		{name: "in the freeze, in the hour that comes twice", was: visitOn(2027, 11, 7, "04:30"), now: visitOn(2027, 11, 7, "05:00"), set: inNewYork(2027, 11, 7, 1, 45), want: "change_by_hand", why: "too near"},
		{name: "before the freeze, by a clock that goes back", was: visitOn(2027, 11, 7, "04:30"), now: visitOn(2027, 11, 7, "05:00"), set: inNewYork(2027, 11, 7, 0, 45), want: "change " + pickup},
		{name: "after the evening's time", set: func(w *world) {
			w.options.FreezeAt = importer.TimeOfDay{Hour: 23}
			w.now = time.Date(2026, 12, 1, 23, 10, 0, 0, time.UTC)
		}, want: "change_by_hand", why: "too near"},
		{name: "a will call on the evening before", was: visit("1", "r", "23:59"), now: visit("1", "r", "08:00"), set: func(w *world) {
			w.options.Freeze = 3 * time.Hour
			w.now = time.Date(2026, 12, 1, 22, 30, 0, 0, time.UTC)
		}, want: "change trip_type," + pickup},
		{name: "a will call on its day", was: visit("1", "r", "23:59"), now: visit("1", "r", "18:00"), set: func(w *world) { w.options.Freeze = 3 * time.Hour; morning(w, "00:10") }, want: "change_by_hand", why: "too near"},
		{name: "a will call since this morning", now: visit("1", "r", "23:59"), set: func(w *world) { morning(w, "01:00") }, want: "change_by_hand", why: "will call on its day"},
		{name: "a will call since this morning, from another place", now: func() *importer.Mapped {
			m := visit("1", "r", "23:59")
			m.Trips[0].Pickup.Address1 = "14 Elm St"
			return m
		}(), set: func(w *world) { morning(w, "01:00") }, want: "change pickup.event_location.address1,pickup.event_location.latitude,pickup.event_location.longitude", why: "will call on its day"},
		{name: "a will call since this morning, between other places", now: func() *importer.Mapped {
			m := visit("1", "r", "23:59")
			m.Trips[0].Pickup.Address1, m.Trips[0].Dropoff.Address1 = "14 Elm St", "16 Elm St"
			return m
		}(), set: func(w *world) { morning(w, "01:00") }, want: "change_by_hand", why: "will call on its day"},
		{name: "a change may still arrive", set: func(w *world) {
			lose(w, visit("1", "r", "08:30"), w.now.Add(-time.Minute))
		}, want: "change_unknown", why: "may still arrive"},
		{name: "a change was lost", set: func(w *world) { lose(w, visit("1", "r", "08:30"), w.now.Add(-time.Hour)) }, want: "change " + pickup},
		{name: "a change was lost, and taken back", now: visit("1", "r", "08:00"), set: func(w *world) { lose(w, visit("1", "r", "08:30"), w.now.Add(-time.Hour)) }, want: "change " + pickup},
		{name: "a change was lost, on the day", set: func(w *world) { lose(w, visit("1", "r", "08:30"), w.now); morning(w, "05:00") }, want: "change_unknown", why: "may not have arrived"},
		{name: "a change was answered about another trip", now: visit("1", "r", "09:00"), set: func(w *world) {
			lose(w, visit("1", "r", "08:30"), w.now.Add(-time.Hour))
			w.trips[0].Code = importer.Reply{Kind: importer.ReplyForeign, Status: 200}.Code()
		}, want: "change_unknown", why: "see whose the GUID is"},
		{name: "refused before with the same values", set: func(w *world) { refuse(w, visit("1", "r", "08:30")) }, want: "change_by_hand", why: "refused this change before"},
		{name: "refused before with other values", set: func(w *world) { refuse(w, visit("1", "r", "08:20")) }, want: "change " + pickup},
		{name: "refused before, and taken back", now: visit("1", "r", "08:00"), set: func(w *world) {
			w.tonight(visit("1", "r", "08:30"))
			refuse(w, visit("1", "r", "08:30"))
			w.event++
			w.trips[0].Changed = w.event
		}, want: "change_by_hand", why: "another pickup time"},
		{name: "an address with its position", now: func() *importer.Mapped {
			m := visit("1", "r", "08:00")
			m.Trips[0].Pickup.Address1 = "14 Elm St"
			return m
		}(), want: "change pickup.event_location.address1,pickup.event_location.latitude,pickup.event_location.longitude"},
		{name: "an address that is spelt otherwise", now: func() *importer.Mapped {
			m := visit("1", "r", "08:00")
			m.Trips[0].Pickup.Address1 = "12 ELM STREET"
			return m
		}(), want: "booked_earlier"},
		{name: "a remark", now: func() *importer.Mapped {
			m := visit("1", "r", "08:00")
			m.Trips[0].Pickup.Comment = "ring twice"
			return m
		}(), want: "booked_earlier"},
		{name: "a value that is blank now", now: func() *importer.Mapped {
			m := visit("1", "r", "08:00")
			m.Trips[0].SpaceType = ""
			return m
		}(), want: "change_by_hand", why: "blank now"},
		{name: "another funding source", now: func() *importer.Mapped {
			m := visit("1", "r", "08:00")
			m.Trips[0].FundingSource = "State"
			return m
		}(), want: "change_by_hand", why: "another rider, day or funding source"},
		{name: "beside a row that may be the same", now: func() *importer.Mapped {
			m := visit("1", "r", "08:30")
			m.Trips[0].Report(importer.CodeDoubleBooking, "x", "y", importer.FieldRiderID)
			return m
		}(), want: "change " + pickup},
		{name: "a fault in the row", now: func() *importer.Mapped {
			m := visit("1", "r", "08:30")
			m.Trips[0].Report("phone", "x", "y", importer.FieldPhone)
			return m
		}(), want: "change_by_hand", why: "has to be fixed first"},
	} {
		t.Run(test.name, func(t *testing.T) {
			was, now := test.was, test.now
			if was == nil {
				was = visit("1", "r", "08:00")
			}
			if now == nil {
				now = visit("1", "r", "08:30")
			}
			w := booked(was)
			if test.set != nil {
				test.set(w)
			}
			d := w.tonight(now)
			if got := summary(d); got != test.want || !strings.Contains(d[0].Outcome.Reason, test.why) {
				t.Errorf("got %s (%s), want %s", got, d[0].Outcome.Reason, test.want)
			}
		})
	}
}

func visitOn(year int, month time.Month, of int, clock string) *importer.Mapped {
	return row("1", tripOf{rider: "r", from: "12", to: "90", at: at(importer.Date{Year: year, Month: month, Day: of}, clock)})
}

// inNewYork sets a freeze of three hours, and what its clocks show.
func inNewYork(year int, month time.Month, of, hour, minute int) func(*world) {
	return func(w *world) {
		zone, err := time.LoadLocation("America/New_York")
		if err != nil {
			panic(err)
		}
		w.options.Freeze, w.options.Rules.Location = 3*time.Hour, zone
		w.now = time.Date(year, month, of, hour, minute, 0, 0, zone)
	}
}

func lose(w *world, m *importer.Mapped, at time.Time) {
	keys := []string{"pickup.pickup_time"}
	w.trips[0].Seen = w.trips[0].Seen.Forget(keys)
	w.trips[0].Change = &importer.ChangeStanding{Keys: keys, Values: valuesOf(w.trips[0].RowID, &m.Trips[0]), At: at}
}

func refuse(w *world, m *importer.Mapped) {
	w.trips[0].Change = &importer.ChangeStanding{
		State: importer.ChangeRefusedByService, Keys: []string{"pickup.pickup_time"},
		Values: valuesOf(w.trips[0].RowID, &m.Trips[0]), At: w.now,
	}
}

// TestGuards: which changes of a file nobody may send unattended. shift returns by how many
// minutes the trip with the number is moved, 0 for one that is not.
func TestGuards(t *testing.T) {
	for _, test := range []struct {
		name   string
		booked int
		shift  func(i int) int
		want   string
	}{
		{"fifteen single corrections on thirty", 30, func(i int) int { return choose(i < 15, 5*(i+1), 0) }, ""},
		{"four that shift alike", 20, func(i int) int { return choose(i < 4, 60, 0) }, ""},
		{"five that shift alike", 20, func(i int) int { return choose(i < 5, 60, 0) }, "5 trips, all + 60 min"},
		{"five that shift alike, of six hundred", 600, func(i int) int { return choose(i < 5, 60, 0) }, ""},
		{"most of the day an hour earlier", 40, func(i int) int { return choose(i < 19, choose(i < 15, -60, -7*i), 0) }, "15 trips, most - 60 min"},
		{"six of eight that lose their PM", 8, func(i int) int { return choose(i < 6, -12*60, 0) }, "6 trips, moved by exactly 12 hours"},
		{"two that move by twelve hours", 30, func(i int) int { return choose(i < 2, 12*60, 0) }, ""},
		{"five of eight, each on its own", 8, func(i int) int { return choose(i < 5, 5*(i+1), 0) }, "5 trips of 8"},
		{"twenty of forty, each on its own", 40, func(i int) int { return choose(i < 20, 3*(i+1), 0) }, ""},
		{"twenty-one of a hundred", 100, func(i int) int { return choose(i < 21, 3*(i+1), 0) }, "21 trips of 100 on Wed Dec 2, 2026, all with another pickup time"},
		{"twenty-one of six hundred", 600, func(i int) int { return choose(i < 21, 3*(i+1), 0) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c judge.Changes
			for i := range test.booked {
				add(&c, i, test.shift(i), false)
			}
			why, examples := c.Why(), c.Examples()
			if test.want == "" && (why != "" || len(examples) > 0) || !strings.HasPrefix(why, test.want) {
				t.Errorf("got %q, want %q", why, test.want)
			}
			if test.want != "" && (len(examples) != 5 || slices.ContainsFunc(examples, func(p judge.PlannedChange) bool { return p.Shift == 0 })) {
				t.Errorf("examples %v", examples)
			}
		})
	}

	var c judge.Changes
	add(&c, 1, 5, true)
	if why := c.Why(); !strings.Contains(why, "copy") {
		t.Errorf("a copied ledger: %q", why)
	}
	if got := judge.Names(c.Trips); got != "pickup time" {
		t.Errorf("it names %q", got)
	}
}

// TestShift: an appointment that moves alone counts for the guards too.
func TestShift(t *testing.T) {
	due := func(pickup, appointment string) *importer.Mapped {
		m := visit("1", "r", pickup)
		m.Trips[0].Dropoff.Appt = at(day(2), appointment)
		return m
	}
	for _, test := range []struct {
		now  *importer.Mapped
		want int
	}{{due("08:00", "09:30"), 30}, {due("08:05", "09:30"), 5}, {due("08:00", "21:00"), 720}, {due("08:00", "09:00"), 0}} {
		w := booked(due("08:00", "09:00"))
		if d := w.tonight(test.now); d[0].Shift != test.want {
			t.Errorf("%v: shifted by %d, want %d", test.now.Trips[0].Dropoff.Appt, d[0].Shift, test.want)
		}
	}
}

func choose(first bool, a, b int) int {
	if first {
		return a
	}
	return b
}

// add adds a booked trip that is moved by so many minutes to the changes.
func add(c *judge.Changes, i, shift int, copied bool) {
	s := &importer.Standing{Number: int64(i + 1), State: importer.TripBooked, Day: day(2), Begins: at(day(2), "10:00"), Copied: copied}
	m := visit("1", "r", "10:00")
	d := judge.Decision{Trip: s, Outcome: importer.Outcome{State: importer.BookedEarlier}, Shift: shift}
	if shift != 0 {
		minute := 600 + shift
		m.Trips[0].Pickup.PickupTime.Hour, m.Trips[0].Pickup.PickupTime.Minute = minute/60, minute%60
		d.Do, d.Send, d.Outcome.State = judge.Change, []string{"pickup.pickup_time"}, importer.ChangeByHand
	}
	c.Add(&d, &m.Trips[0])
}

func TestRepeats(t *testing.T) {
	for _, test := range []struct {
		otherDay, rows int
		want           bool
	}{{2, 10, false}, {3, 100, true}, {3, 151, false}, {3, 150, true}, {12, 600, true}, {11, 600, false}} {
		if got := judge.Repeats(test.otherDay, test.rows); got != test.want {
			t.Errorf("%d of %d: %v", test.otherDay, test.rows, got)
		}
	}
}
