package check_test

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"tripimport/importer"
	"tripimport/importer/check"
	"tripimport/importer/triptest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// on moves a row to another line.
func on(m importer.Mapped, row int) importer.Mapped {
	m.Row.Num = row
	m.Trips = append([]importer.Trip(nil), m.Trips...)
	for i := range m.Trips {
		m.Trips[i].Row = m.Row.Ref(0)
	}
	return m
}

// with changes the row's first trip.
func with(m importer.Mapped, change func(*importer.Trip)) importer.Mapped {
	m.Trips = append([]importer.Trip(nil), m.Trips...)
	change(&m.Trips[0])
	return m
}

func TestCopyIsLeftOut(t *testing.T) {
	r := rules()
	for name, first := range map[string]importer.Mapped{"one trip": good(2), "round trip": roundTrip(2)} {
		rows := []importer.Mapped{
			on(first, 2), on(good(5), 3), on(first, 9), on(first, 12),
		}
		if got := codesOf(t, r, rows...); got[0] != nil || got[2] != nil || got[3] != nil {
			t.Errorf("%s: %v", name, got)
		}
		var reasons []string
		for _, m := range rows {
			reasons = append(reasons, m.LeftOut)
		}
		want := []string{"", "", "copy of line 2", "copy of line 2"}
		if diff := cmp.Diff(want, reasons); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Copies counts by day the trips that Check leaves out as copies.
func TestCopies(t *testing.T) {
	c := check.New(today)
	undated := with(good(7), func(t *importer.Trip) {
		t.Pickup.PickupTime, t.Pickup.Appt, t.Dropoff.Appt = importer.DateTime{}, importer.DateTime{}, importer.DateTime{}
	})
	day := roundTrip(2).Trips[0].Date()
	for _, m := range []importer.Mapped{
		on(roundTrip(2), 2), on(good(5), 3), on(roundTrip(2), 9),
		on(undated, 10), on(undated, 11),
	} {
		c.Note(&m)
	}
	if diff := cmp.Diff(map[importer.Date]int{day: 2, {}: 1}, c.Copies()); diff != "" {
		t.Error(diff)
	}
}

// TestEveryPropertyTellsRowsApart changes one field of a trip at a time, by
// reflection, so that a field added later is tried as well: rows with one id
// are then no copies, and both are faulty.
func TestEveryPropertyTellsRowsApart(t *testing.T) {
	differ := func(name string, change func(*importer.Trip)) {
		first := with(good(2), func(t *importer.Trip) { *t = fullAt(t) })
		got := codesOf(t, rules(), first, with(on(first, 3), change))
		for i, codes := range got {
			if !strings.Contains(fmt.Sprint(codes), "trip-id-twice") {
				t.Errorf("%s: row %d has %v", name, i, codes)
			}
		}
	}
	triptest.Each(&importer.Trip{}, func(path string, _ reflect.Value) {
		if path == "ID" {
			return
		}
		differ(path, func(trip *importer.Trip) {
			triptest.Each(trip, func(p string, leaf reflect.Value) {
				if p == path {
					triptest.SetOther(leaf)
				}
			})
		})
	})
	differ("a problem", func(t *importer.Trip) { t.Report("unreadable", `"TBD" is no date`, "fix it", "dropoff.appt_time") })
}

// fullAt is a trip with all fields, where the given one was read.
func fullAt(at *importer.Trip) importer.Trip {
	full := triptest.Full()
	full.Leg, full.Row, full.Origin, full.ID = at.Leg, at.Row, at.Origin, at.ID
	return full
}

func TestSameIDTwice(t *testing.T) {
	later := func(t *importer.Trip) { t.Pickup.PickupTime.Minute = 45 }
	both := roundTrip(6)
	both.Trips[1].ID = both.Trips[0].ID
	cancel := func(m importer.Mapped) importer.Mapped {
		m.LeftOut, m.Cancelled = "cancelled", true
		return m
	}
	unreadable := func(cell string) importer.Mapped {
		m := on(good(2), 2)
		m.Problems = []importer.Problem{{Code: "cell-error", Message: cell + " is an error"}}
		return m
	}
	turnedBack := on(good(4), 8)
	turnedBack.LeftOut = "turned back"
	for _, tc := range []struct {
		name string
		rows []importer.Mapped
		want [][]string
	}{
		{"different", []importer.Mapped{good(2), with(on(good(2), 3), later)}, [][]string{{"trip-id-twice"}, {"trip-id-twice"}}},
		{
			"a copy and a different one",
			[]importer.Mapped{good(2), on(good(2), 3), with(on(good(2), 4), later)},
			[][]string{{"trip-id-twice"}, {"trip-id-twice"}, {"trip-id-twice"}},
		},
		{
			"another fault of the row",
			[]importer.Mapped{good(2), unreadable("#N/A")},
			[][]string{{"trip-id-twice"}, {"cell-error", "trip-id-twice"}},
		},
		{"two legs of a row", []importer.Mapped{both}, [][]string{{"trip-id-twice"}}},
		{"cancelled", []importer.Mapped{good(2), cancel(on(good(2), 3))}, [][]string{{"trip-id-cancelled"}, nil}},
		{"cancelled twice", []importer.Mapped{cancel(good(2)), cancel(on(good(2), 3))}, [][]string{nil, nil}},
		{"left out", []importer.Mapped{good(4), turnedBack}, [][]string{nil, nil}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, codesOf(t, rules(), tc.rows...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheOtherRowIsNamed(t *testing.T) {
	r := rules()
	rows := []importer.Mapped{good(2), with(on(good(2), 7), func(t *importer.Trip) { t.SpaceType = "WCH" })}
	codesOf(t, r, rows...)
	if got, want := rows[0].Trips[0].Problems[0].Message, `line 7, with`; !strings.Contains(got, want) {
		t.Errorf("%q does not name %s", got, want)
	}
	if got := rows[0].Trips[0].Problems[0].Cells; len(got) != 1 || got[0].Header != "trip_id" {
		t.Errorf("at %v", got)
	}
}

func TestDoubleBooking(t *testing.T) {
	again := func(change func(*importer.Trip)) importer.Mapped {
		return with(on(good(2), 3), func(t *importer.Trip) { t.ID = "other"; change(t) })
	}
	willCall := func(t *importer.Trip) {
		t.Type, t.Dropoff.Appt, t.Pickup.PickupTime = importer.WillCall, importer.DateTime{}, importer.WillCallOn(at(2, 0, 0).Date)
	}
	const double = "double-booking"
	for _, tc := range []struct {
		name  string
		first importer.Mapped
		again importer.Mapped
		want  bool
	}{
		{"same time", good(2), again(func(*importer.Trip) {}), true},
		{"another spelling", good(2), again(func(t *importer.Trip) { t.Pickup.Address1 = "12  ALDER WAY." }), true},
		{"another provider", good(2), again(func(t *importer.Trip) { t.Provider = "Other" }), true},
		{"15 minutes later", good(2), again(func(t *importer.Trip) { t.Pickup.PickupTime.Minute = 45; t.Dropoff.Appt.Minute = 45 }), true},
		{"16 minutes later", good(2), again(func(t *importer.Trip) { t.Pickup.PickupTime.Minute = 46; t.Dropoff.Appt.Minute = 46 }), false},
		{"without a pickup time", good(2), again(func(t *importer.Trip) { t.Pickup.PickupTime = importer.DateTime{} }), true},
		{"another rider", good(2), again(func(t *importer.Trip) { t.RiderID = "other" }), false},
		{"another street number", good(2), again(func(t *importer.Trip) { t.Pickup.Address1 = "14 Alder Way" }), false},
		{"another suite", good(2), again(func(t *importer.Trip) { t.Pickup.Address2 = "Suite 7" }), false},
		{"another day", good(2), again(func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(3, 8, 30), at(3, 9, 30) }), false},
		{"will calls", with(good(2), willCall), again(willCall), true},
		{"will call beside a time", good(2), again(willCall), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for i, codes := range codesOf(t, rules(), tc.first, tc.again) {
				if got := strings.Contains(fmt.Sprint(codes), double); got != tc.want {
					t.Errorf("row %d: %v", i, codes)
				}
			}
		})
	}
}

// TestDuplicatesAgainstPairs compares the result for all rows with that of
// importer.Identity for each pair of rows.
func TestDuplicatesAgainstPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rules()
		var rows []importer.Mapped
		for n := range rapid.IntRange(1, 12).Draw(t, "rows") {
			id := fmt.Sprint("T-", rapid.IntRange(1, 6).Draw(t, "id"))
			minute := rapid.IntRange(0, 59).Draw(t, "minute")
			unit := rapid.SampledFrom([]string{"", "Apt 1", "Apt 2"}).Draw(t, "unit")
			zip := rapid.SampledFrom([]string{"48124", "48124-1234", "48126", ""}).Draw(t, "ZIP")
			rows = append(rows, with(on(good(2), n+2), func(trip *importer.Trip) {
				trip.ID, trip.Pickup.PickupTime, trip.Dropoff.Appt = id, at(2, 8, minute), importer.DateTime{}
				trip.Type, trip.Pickup.Address2, trip.Pickup.Zip = importer.Return, unit, zip
			}))
		}
		c := check.New(today)
		for i := range rows {
			c.Note(&rows[i])
		}
		for i := range rows {
			m := rows[i]
			c.Check(&m, &r)
			a := &rows[i].Trips[0]
			var wantTwice, wantCopy, wantDouble bool
			for j := range rows {
				b := &rows[j].Trips[0]
				wantDouble = wantDouble || a.ID != b.ID && mayBe(a, b)
				wantTwice = wantTwice || a.ID == b.ID && (a.Pickup.PickupTime != b.Pickup.PickupTime || a.Pickup.Address2 != b.Pickup.Address2 || a.Pickup.Zip != b.Pickup.Zip)
			}
			for j := range rows[:i] {
				wantCopy = wantCopy || !wantTwice && a.ID == rows[j].Trips[0].ID && noneDiffers(rows, a.ID)
			}
			if got := m.LeftOut != ""; got != wantCopy {
				t.Fatalf("row %d: left out %q, want %v", i, m.LeftOut, wantCopy)
			}
			if wantCopy {
				continue
			}
			codes := ""
			for _, p := range m.Trips[0].Problems {
				codes += p.Code + " "
			}
			if got := strings.Contains(codes, "trip-id-twice"); got != wantTwice {
				t.Fatalf("row %d: twice %v, want %v", i, got, wantTwice)
			}
			if got := strings.Contains(codes, "double-booking"); got != wantDouble {
				t.Fatalf("row %d: double %v, want %v", i, got, wantDouble)
			}
		}
	})
}

func mayBe(a, b *importer.Trip) bool {
	first, _ := a.Identity()
	second, ok := b.Identity()
	first.Pickup.Town, second.Pickup.Town = a.Pickup.Town(), b.Pickup.Town()
	return ok && first.MayBe(second)
}

// noneDiffers reports whether all rows of an id are alike.
func noneDiffers(rows []importer.Mapped, id string) bool {
	var first *importer.Trip
	for i := range rows {
		t := &rows[i].Trips[0]
		switch {
		case t.ID != id:
		case first == nil:
			first = t
		case t.Pickup.PickupTime != first.Pickup.PickupTime || t.Pickup.Address2 != first.Pickup.Address2 || t.Pickup.Zip != first.Pickup.Zip:
			return false
		}
	}
	return true
}

func TestCheckIsSafeForConcurrentUse(t *testing.T) {
	r := rules()
	c := check.New(today)
	var rows []importer.Mapped
	for n := range 200 {
		rows = append(rows, on(good(n%26), n+2))
	}
	for i := range rows {
		c.Note(&rows[i])
	}
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			for i := w; i < len(rows); i += 4 {
				c.Check(&rows[i], &r)
			}
		})
	}
	wait.Wait()
	left := 0
	for i := range rows {
		if rows[i].LeftOut != "" {
			left++
		}
	}
	if left != 200-26 {
		t.Errorf("%d copies left out", left)
	}
}
