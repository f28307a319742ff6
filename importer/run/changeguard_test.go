package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/run"
)

// newNight is a fixture with a schedule of trips of one day that are booked, each on a
// row of its own.
func newNight(t *testing.T, trips int) *fixture {
	t.Helper()
	n := newFixture(manyRows(trips)...)
	n.changes = &run.Changes{Freeze: importer.TimeOfDay{Hour: 23}}
	n.import_(t)
	return n
}

// some changes the first trips of the schedule.
func (n *fixture) some(count int, change func(i int, t *importer.Trip)) {
	rows := n.files[0].mapped
	for i := range rows[:count] {
		rows[i].Trips = slices.Clone(rows[i].Trips)
		change(i, &rows[i].Trips[0])
	}
}

// planned makes the first pass, and returns its count of changes.
func (n *fixture) planned(t *testing.T) *run.ChangePlan {
	t.Helper()
	next := n.again()
	next.plan(t)
	return &next.earlier.Planned
}

func shift(minutes int) func(int, *importer.Trip) {
	return func(_ int, t *importer.Trip) {
		for _, at := range []*importer.DateTime{&t.Pickup.PickupTime, &t.Dropoff.Appt} {
			of := at.Hour*60 + at.Minute + minutes
			at.Hour, at.Minute = of/60, of%60
		}
	}
}

// A plan that looks like a fault of the schedule or of the mapping is suspicious; what
// happens in any office is not.
func TestSuspiciousChanges(t *testing.T) {
	phone := func(_ int, t *importer.Trip) { t.Dropoff.Phone = "312-555-0199" }
	scattered := func(i int, t *importer.Trip) { shift(5*(1+i%11))(i, t) }
	onlyAppt := func(_ int, t *importer.Trip) { t.Dropoff.Appt.Hour++ }
	noPickup := func(_ int, t *importer.Trip) { t.Pickup.PickupTime = importer.DateTime{} }
	tests := []struct {
		name           string
		booked         int
		before         func(int, *importer.Trip)
		changed        int
		change         func(int, *importer.Trip)
		want, property string
	}{
		{"nothing", 600, nil, 0, phone, "", ""},
		{"a mapping edit that alters 500", 600, nil, 500, phone, "500 trips of 600 on", "phone"},
		{"20 phones of 100", 100, nil, 20, phone, "", ""},
		{"21 phones of 100", 100, nil, 21, phone, "21 trips of 100 on", "phone"},
		{"21 phones of 210, a tenth", 210, nil, 21, phone, "", ""},
		{"22 phones of 210", 210, nil, 22, phone, "22 trips of 210 on", "phone"},
		{"30 phones of 600", 600, nil, 30, phone, "", ""},
		{"all + 60 minutes", 60, nil, 60, shift(60), "60 trips, all + 60 min", ""},
		{"AM and PM lost", 40, nil, 40, shift(720), "40 trips, all + 720 min", ""},
		{"all an hour earlier", 40, nil, 40, shift(-60), "40 trips, all - 60 min", ""},
		{"20 of 600 + 60 minutes", 600, nil, 20, shift(60), "", ""},
		{"21 of 600 + 60 minutes", 600, nil, 21, shift(60), "21 trips, all + 60 min", ""},
		{"most + 60 minutes", 600, nil, 40, func(i int, t *importer.Trip) {
			if i < 30 {
				shift(60)(i, t)
			} else {
				shift(5+i)(i, t)
			}
		}, "30 trips, most + 60 min", ""},
		{"under half + 60 minutes", 600, nil, 50, func(i int, t *importer.Trip) {
			if i < 24 {
				shift(60)(i, t)
			} else {
				shift(5+i)(i, t)
			}
		}, "", ""},
		{"a snow day, which a person confirms", 300, nil, 100, scattered, "100 trips of 300 on", "time"},
		{"times of an ordinary day", 600, nil, 55, scattered, "", ""},
		{"3 trips of a small day", 4, nil, 3, shift(60), "", ""},
		{"all of a small day", 20, nil, 20, shift(60), "", ""},
		{"appointments + 60 minutes, without a pickup time", 600, noPickup, 40, onlyAppt, "40 trips, all + 60 min", ""},
		{"appointments of a few", 600, noPickup, 20, onlyAppt, "", ""},
		{"a funding source that is written otherwise", 600, nil, 500, func(i int, t *importer.Trip) {
			t.FundingSource = "LAKESHORE  plan"
			phone(i, t)
		}, "500 trips of 600 on", "phone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newFixture(manyRows(tt.booked)...)
			n.changes = &run.Changes{Freeze: importer.TimeOfDay{Hour: 23}}
			if tt.before != nil {
				n.some(tt.booked, tt.before)
			}
			n.some(tt.booked, func(_ int, t *importer.Trip) { t.Dropoff.Phone = "312-555-0100" })
			n.import_(t)
			n.some(tt.changed, tt.change)
			why := n.planned(t).Suspicious()
			if (why == "") != (tt.want == "") || !strings.HasPrefix(why, tt.want) || !strings.Contains(why, tt.property) {
				t.Errorf("%q, want %q %q", why, tt.want, tt.property)
			}
			if again := n.planned(t).Suspicious(); again != why {
				t.Errorf("the second time %q, the first %q", again, why)
			}
		})
	}
}

// A file with a part of the day is judged by the trips that it has, and each day by
// itself.
func TestSuspicionIsOfOneDay(t *testing.T) {
	n := newNight(t, 300)
	n.files[0].mapped = n.files[0].mapped[:40]
	n.some(25, func(_ int, t *importer.Trip) { t.Dropoff.Phone = "312-555-0199" })
	if why := n.planned(t).Suspicious(); !strings.HasPrefix(why, "25 trips of 40") {
		t.Errorf("a part file: %q", why)
	}

	days := newFixture(manyRows(60)...)
	days.changes = &run.Changes{Freeze: importer.TimeOfDay{Hour: 23}}
	days.some(30, func(_ int, t *importer.Trip) {
		t.Pickup.PickupTime, t.Dropoff.Appt = at("2026-12-03 09:00"), at("2026-12-03 10:00")
	})
	days.import_(t)
	days.some(40, func(i int, t *importer.Trip) {
		if i >= 20 {
			t.Dropoff.Phone = "312-555-0199"
		}
	})
	if why := days.planned(t).Suspicious(); why != "" {
		t.Errorf("10 of each of two days: %q", why)
	}
}

// What the plan counts is what a run sends, by its kinds.
func TestCountsOfAPlan(t *testing.T) {
	n := newNight(t, 8)
	n.files[0].mapped[7].Trips[0].RiderID = "another"
	n.some(7, func(i int, t *importer.Trip) {
		switch i {
		case 0, 1:
			shift(15)(i, t)
		case 2:
			t.Pickup.Address1 = "12 Example Street"
		case 3:
			t.Pickup.Phone = "312-555-0199"
		case 4:
			t.SpaceType, t.Dropoff.Name = "WCH", "clinic"
		case 5:
			t.Pickup.Comment = "ring twice"
		}
	})
	plan := n.planned(t)
	if got, want := run.Counts(plan.Trips), "2 times, 1 address, 1 phone, 1 space type, 1 other value"; got != want || plan.ByHand != 1 {
		t.Errorf("%q and %d by hand, want %q and 1", got, plan.ByHand, want)
	}
	var sent []string
	for _, trip := range plan.Sent(n.changes) {
		sent = append(sent, trip.TripID+": "+strings.Join(trip.Keys, ", "))
	}
	if diff := cmp.Diff(sent, n.import_(t).service.changes); diff != "" {
		t.Errorf("the plan and what was sent (-plan +sent):\n%s", diff)
	}
	if left := n.planned(t); len(left.Trips) != 0 || left.Suspicious() != "" {
		t.Errorf("a plan is left: %+v", left)
	}
}

// A frozen trip is in the plan, and sent if a person allows it. A trip that another
// provider has now, that was refused before, or that a person cancelled is not.
func TestPlanHasFrozenTrips(t *testing.T) {
	n := newNight(t, 4)
	n.some(4, shift(15))
	n.files[0].mapped[1].Trips[0].Provider = "Prairie Rides"
	n.ledger.(*memory).cancel(n.ledger.(*memory).entryOf(3), false)
	n.ledger.(*memory).hold(n.ledger.(*memory).entryOf(4), true)
	n.clock.(*clock).set("2026-12-01 23:10")
	plan := n.planned(t)
	if len(plan.Trips) != 1 || !plan.Trips[0].Frozen || plan.Trips[0].TripID != "T0" || plan.Trips[0].Shift != 15 || plan.ByHand != 2 {
		t.Fatalf("%d by hand, planned %+v", plan.ByHand, plan.Trips)
	}
	if sent := plan.Sent(n.changes); len(sent) != 0 {
		t.Errorf("sent without a word: %+v", sent)
	}
	n.changes.Allowed = map[int64]bool{plan.Trips[0].Attempt: true}
	if sent := plan.Sent(n.changes); len(sent) != 1 {
		t.Error("not sent, although a person wants it")
	}
}

// A plan has an id of its own: other values, another file and another ledger have
// another one.
func TestPlanID(t *testing.T) {
	n := newNight(t, 3)
	n.some(2, shift(15))
	inputs := []importer.InputInfo{{Name: "night.csv", Hash: "1"}}
	first := n.planned(t).ID(inputs, 7)
	ids := map[string]string{first: "the first"}
	add := func(what, id string) {
		if ids[id] != "" {
			t.Errorf("%s and %s have the id %s", what, ids[id], id)
		}
		ids[id] = what
	}
	if again := n.planned(t).ID(inputs, 7); again != first {
		t.Errorf("the same plan has the ids %s and %s", first, again)
	}
	add("another file", n.planned(t).ID([]importer.InputInfo{{Name: "night.csv", Hash: "2"}}, 7))
	add("another ledger", n.planned(t).ID(inputs, 8))
	n.some(1, shift(1))
	add("another time", n.planned(t).ID(inputs, 7))
	n.some(3, func(_ int, t *importer.Trip) { t.SpaceType = "WCH" })
	add("another trip", n.planned(t).ID(inputs, 7))
}

// While there is a reason against it, nothing is changed: the trip stays as it is booked,
// and is listed with the properties that differ.
func TestWhatKeepsAChange(t *testing.T) {
	tests := map[string]struct {
		keep   func(*fixture, *importer.Mapped)
		state  importer.State
		reason string
	}{
		"nothing":         {func(*fixture, *importer.Mapped) {}, importer.Updated, ""},
		"it is suspected": {func(n *fixture, _ *importer.Mapped) { n.changes.Withheld = "no change was sent" }, importer.Changed, "no change was sent"},
		"the mapping changed": {
			func(n *fixture, _ *importer.Mapped) { n.mapping = "another" }, importer.Changed, "the mapping has changed",
		},
		"the mapping changed, and a person confirmed": {
			func(n *fixture, _ *importer.Mapped) { n.mapping, n.changes.Confirmed = "another", true }, importer.Updated, "",
		},
		"a person holds it": {
			func(n *fixture, _ *importer.Mapped) { n.ledger.(*memory).hold(n.ledger.(*memory).entryOf(1), true) }, importer.ChangeByHand, "a person put it on hold",
		},
		"a person held it": {
			func(n *fixture, _ *importer.Mapped) {
				n.ledger.(*memory).hold(n.ledger.(*memory).entryOf(1), true)
				n.ledger.(*memory).hold(n.ledger.(*memory).entryOf(1), false)
			}, importer.Updated, "",
		},
		"its GUID is missing": {
			func(n *fixture, _ *importer.Mapped) { n.ledger.(*memory).entryOf(1).GUID = "" }, importer.Changed, "its GUID is missing",
		},
		"a fault of the trip": {
			func(_ *fixture, m *importer.Mapped) {
				m.Trips[0].Fault("space-type-unknown", "WCH is not one", "", importer.FieldSpaceType)
			}, importer.Changed, "fixed first",
		},
		"a fault of the row": {
			func(_ *fixture, m *importer.Mapped) {
				m.Problems = []importer.Problem{{Code: "ragged", Message: "the row has too many columns"}}
			}, importer.Changed, "fixed first",
		},
		"a notice of the trip": {
			func(_ *fixture, m *importer.Mapped) {
				m.Trips[0].Notice("times-short", "it is a short one", "", importer.FieldSpaceType)
			}, importer.Updated, "",
		},
		"a new word": {
			func(_ *fixture, m *importer.Mapped) { m.NewWords = []importer.NewWord{{Text: "HOLD"}} }, importer.Changed, "a word that nobody has approved",
		},
		"it is cancelled by a person": {
			func(n *fixture, _ *importer.Mapped) { n.ledger.(*memory).cancel(n.ledger.(*memory).entryOf(1), false) }, importer.Reinstate, "",
		},
		"the row is left out": {
			func(_ *fixture, m *importer.Mapped) { m.LeftOut = "turned back" }, importer.Skipped, "turned back",
		},
		"it is a check":         {func(n *fixture, _ *importer.Mapped) { n.checks = true }, importer.Changed, "sends it"},
		"no changes are wanted": {func(n *fixture, _ *importer.Mapped) { n.changes = nil }, importer.Changed, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := newChanges(t, fullTrip("A"))
			n.trip(0).SpaceType = "WCH"
			tt.keep(n, &n.files[0].mapped[0])
			next := n.import_(t)
			o := next.reporter.only()
			sent := slices.Equal(next.service.changes, []string{"A: space_type"})
			if o.State != tt.state || !strings.Contains(o.Reason, tt.reason) || sent != (tt.state == importer.Updated) {
				t.Errorf("%s (%s), sent %v, want %s (%s)", o.State.Code(), o.Reason, next.service.changes, tt.state.Code(), tt.reason)
			}
			if tt.state == importer.Changed && !slices.Equal(o.Changed, []string{"space_type"}) {
				t.Errorf("%q are listed", o.Changed)
			}
		})
	}
}

// A change that is not sent holds no other row and no other leg.
func TestWithheldChangesDoNotHoldBookings(t *testing.T) {
	n := newFixture("A+B", "C")
	n.changes = &run.Changes{Freeze: importer.TimeOfDay{Hour: 23}, Withheld: "no change was sent"}
	n.service.insert = func(id string, _ int) importer.Reply {
		if id == "B" {
			return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
		}
		return booked(id)
	}
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	n.files[0].mapped[0].Trips[0].SpaceType = "WCH"
	next := n.import_(t)
	if diff := cmp.Diff([]string{"A changed (space_type), B created", "C already_created"}, next.reporter.lines()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// An update books nothing, and says so.
func TestUpdateBooksNothing(t *testing.T) {
	n := newChanges(t, fullTrip("A"))
	n.changes.Only = true
	n.trip(0).SpaceType = "WCH"
	n.files[0].mapped = append(n.files[0].mapped, importer.Mapped{Trips: []importer.Trip{fullTrip("B")}})
	next := n.import_(t)
	if diff := cmp.Diff([]string{"A updated", "B not_sent"}, next.reporter.lines()); diff != "" || len(next.service.posts) > 0 {
		t.Errorf("booked %v (-want +got)\n%s", next.service.posts, diff)
	}
	if reason := next.reporter.outcome(t, "B").Reason; !strings.Contains(reason, "`tripimport import` books it") {
		t.Error(reason)
	}
}

// A limit counts the rows that are changed as well.
func TestLimitOfChanges(t *testing.T) {
	n := newNight(t, 4)
	n.some(3, shift(15))
	n.limit = 2
	var left int
	for i, want := range [][]string{{"T0", "T1"}, {"T2"}, nil} {
		next := n.import_(t)
		var sent []string
		for _, change := range next.service.changes {
			id, _, _ := strings.Cut(change, ":")
			sent = append(sent, id)
		}
		if !slices.Equal(sent, want) {
			t.Errorf("run %d changed %v, want %v", i, sent, want)
		}
		for _, row := range next.reporter.rows {
			if o := row.Trips[0].Outcome; o.State == importer.Changed {
				left++
				if !strings.Contains(o.Reason, "limited") {
					t.Error(o.Reason)
				}
			}
		}
	}
	if left != 1 {
		t.Errorf("%s left by the limit", fmt.Sprint(left))
	}
}
