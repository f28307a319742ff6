package run_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/run"
)

// wholeDay says that the files have all trips of the fixture's day.
func wholeDay() *run.Whole { return &run.Whole{Days: []importer.Date{at("2026-12-02 09:00").Date}} }

// gone runs the program again, and gives the ids of the trips that are gone from the
// schedule and why that was not asked.
func (n *fixture) gone(t *testing.T) (ids []string, partial string) {
	t.Helper()
	next := n.again()
	end, err := next.do(t.Context(), t)
	if err != nil {
		t.Fatal(err)
	}
	for _, trip := range end.Gone {
		if o := trip.Outcome; o.State != importer.Gone || o.GUID == "" || o.Attempt == 0 || trip.Trip.Provider == "" || trip.Trip.Pickup.PickupTime.IsZero() || !trip.OffRow {
			t.Errorf("gone: %+v", trip)
		}
		ids = append(ids, trip.Trip.ID)
	}
	if len(next.service.posts) > 0 && len(ids) > 0 {
		ids = append(ids, "booked "+strings.Join(next.service.posts, ","))
	}
	return ids, end.Partial
}

// A booked trip that a whole schedule does not have any more is listed; one of which it
// has anything is not.
func TestGone(t *testing.T) {
	drop := func(rows ...int) func(*fixture) {
		return func(n *fixture) {
			var kept []importer.Mapped
			for i, m := range n.files[0].mapped {
				if !slices.Contains(rows, i) {
					kept = append(kept, m)
				}
			}
			n.files[0].mapped, n.files[0].name = kept, "later.csv"
		}
	}
	row := func(change func(*importer.Mapped)) func(*fixture) {
		return func(n *fixture) {
			m := &n.files[0].mapped[0]
			m.Trips = slices.Clone(m.Trips)
			change(m)
		}
	}
	tests := map[string]struct {
		change func(*fixture)
		want   string
	}{
		"nothing is gone":              {func(*fixture) {}, ""},
		"one is gone":                  {drop(0), "T0"},
		"two are gone":                 {drop(1, 2), "T1 T2"},
		"rows in other order":          {func(n *fixture) { slices.Reverse(n.files[0].mapped) }, ""},
		"a schedule that is not whole": {func(n *fixture) { drop(0)(n); n.whole = nil }, ""},
		"another day is whole":         {func(n *fixture) { drop(0)(n); n.whole.Days[0] = n.whole.Days[0].AddDays(1) }, ""},
		"both days are whole": {func(n *fixture) {
			drop(0)(n)
			n.whole.Days = append(n.whole.Days, n.whole.Days[0].AddDays(1))
		}, "T0"},
		"it is cancelled in the schedule": {row(func(m *importer.Mapped) { m.LeftOut, m.Cancelled = "cancelled", true }), ""},
		"it is left out":                  {row(func(m *importer.Mapped) { m.LeftOut = "turned back" }), ""},
		"its row is cancelled without a date": {row(func(m *importer.Mapped) {
			m.LeftOut, m.Cancelled, m.Key.Date = "cancelled", true, importer.Date{}
			m.Trips[0].Pickup.PickupTime, m.Trips[0].Dropoff.Appt = importer.DateTime{}, importer.DateTime{}
		}), ""},
		"its row has a fault": {row(func(m *importer.Mapped) { m.Problems = []importer.Problem{{Code: "ragged"}} }), ""},
		"its date can't be read": {row(func(m *importer.Mapped) {
			m.Key.Date = importer.Date{}
			m.Trips[0].Pickup.PickupTime, m.Trips[0].Dropoff.Appt = importer.DateTime{}, importer.DateTime{}
			m.Trips[0].ID = "" // it is made of the date
			m.Trips[0].Fault("time-unreadable", "it can't be read", "correct it", importer.FieldDate)
		}), ""},
		"its row makes no trip":  {row(func(m *importer.Mapped) { m.Trips, m.Problems = nil, []importer.Problem{{Code: "ragged"}} }), ""},
		"its row has a new word": {row(func(m *importer.Mapped) { m.NewWords = []importer.NewWord{{Text: "HOLD"}} }), ""},
		"its row is a round trip now": {row(func(m *importer.Mapped) {
			back := parseTrip("T0r", 0, importer.ReturnLeg)
			back.Pickup, back.Dropoff = back.Dropoff, back.Pickup
			back.Pickup.PickupTime, back.Dropoff.Appt = at("2026-12-02 12:00"), importer.DateTime{}
			m.Trips[0].Leg = importer.OutboundLeg
			m.Trips = append(m.Trips, back)
		}), ""},
		"it goes another way": {row(func(m *importer.Mapped) {
			t := &m.Trips[0]
			t.Pickup, t.Dropoff = t.Dropoff, t.Pickup
			t.Pickup.PickupTime = at("2026-12-02 09:00")
		}), ""},
		"another rider has its id": {row(func(m *importer.Mapped) { m.Trips[0].RiderID = "another" }), ""},
		"a person left it":         {func(n *fixture) { drop(0)(n); n.ledger.(*memory).decide(importer.Decision{Other: 1}, importer.LeaveIt) }, ""},
		"a person cancelled it":    {func(n *fixture) { drop(0)(n); n.ledger.(*memory).cancel(n.ledger.(*memory).entryOf(1), false) }, ""},
		"a person cancelled and reinstated it": {func(n *fixture) {
			drop(0)(n)
			n.ledger.(*memory).cancel(n.ledger.(*memory).entryOf(1), false)
			n.ledger.(*memory).reinstate(n.ledger.(*memory).entryOf(1))
		}, "T0"},
		"its id is booked on another day as well": {func(n *fixture) {
			// The schedule of the next day has the id again.
			drop(0)(n)
			again := importer.Mapped{Trips: []importer.Trip{parseTrip("T0", 0, importer.OnlyLeg)}}
			again.Trips[0].Pickup.PickupTime, again.Trips[0].Dropoff.Appt = at("2026-12-03 09:00"), at("2026-12-03 10:00")
			again.Trips[0].ID = "T0-3"
			again.Key = n.key("T0", again.Trips[0].Date())
			n.files[0].mapped = append(n.files[0].mapped, again)
		}, "T0 booked T0-3"},
		"a row asks whether it replaces it": {func(n *fixture) {
			m := &n.files[0].mapped[0]
			n.files[0].rules.Complete = true
			m.Trips = slices.Clone(m.Trips)
			m.Trips[0].ID, m.Trips[0].Pickup.PickupTime = "new", at("2026-12-02 15:00")
			m.Key = n.key("new", m.Trips[0].Date())
		}, ""},
		"it is known by its trip id alone": {func(n *fixture) { drop(0)(n); n.ledger.(*memory).entryOf(1).RowMark = "" }, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := newGone(t, 12)
			tt.change(n)
			if got, partial := n.gone(t); strings.Join(got, " ") != tt.want || partial != "" {
				t.Errorf("gone: %q (%s), want %q", got, partial, tt.want)
			}
		})
	}
}

// A person left a trip that was gone from the schedule, or cancelled in it. Once a
// schedule has it again it is listed when it goes again; a check and results that come
// back change nothing of what the person said.
func TestLeftIsForgottenOnceItIsBack(t *testing.T) {
	gone := func(m []importer.Mapped) []importer.Mapped { return m[1:] }
	cancelled := func(m []importer.Mapped) []importer.Mapped {
		m = slices.Clone(m)
		m[0].LeftOut, m[0].Cancelled = "cancelled", true
		return m
	}
	changed := func(m []importer.Mapped) []importer.Mapped {
		m = slices.Clone(m)
		m[0].Trips = slices.Clone(m[0].Trips)
		m[0].Trips[0].SpaceType = "WCH"
		return m
	}
	for name, tt := range map[string]struct {
		without, back func([]importer.Mapped) []importer.Mapped
		between       func(*fixture)
		want          bool
	}{
		"gone again":                   {gone, slices.Clone[[]importer.Mapped], func(*fixture) {}, true},
		"cancelled again":              {cancelled, slices.Clone[[]importer.Mapped], func(*fixture) {}, true},
		"back with another space type": {gone, changed, func(*fixture) {}, true},
		"never back":                   {gone, gone, func(*fixture) {}, false},
		"cancelled all the time":       {cancelled, cancelled, func(*fixture) {}, false},
		"back in a check":              {gone, slices.Clone[[]importer.Mapped], func(n *fixture) { n.checks = true }, false},
		"back in old results":          {gone, slices.Clone[[]importer.Mapped], func(n *fixture) { n.command = "retry" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			n := newGone(t, 12)
			all := n.files[0].mapped
			run := func(rows []importer.Mapped, with func(*fixture)) (listed bool) {
				n.files[0].mapped = rows
				next := n.again()
				with(next)
				end, err := next.do(t.Context(), t)
				if err != nil || len(next.service.posts) > 0 {
					t.Fatal(err, next.service.posts)
				}
				return len(end.Gone) > 0 || slices.Contains(next.reporter.lines(), "T0 cancelled_created")
			}
			none := func(*fixture) {}
			if !run(tt.without(all), none) {
				t.Fatal("it is not listed")
			}
			n.ledger.(*memory).decide(importer.Decision{Other: 1}, importer.LeaveIt)
			if run(tt.without(all), none) {
				t.Error("it is listed, although a person left it")
			}
			run(tt.back(all), tt.between)
			if got := run(tt.without(all), none); got != tt.want {
				t.Errorf("listed: %v, want %v", got, tt.want)
			}
		})
	}
}

// newGone is a fixture with a day of booked trips, and says that its files have the whole
// day. The ids of its rows come again on other days.
func newGone(t *testing.T, trips int) *fixture {
	n := newFixture(manyRows(trips)...)
	for i := range n.files[0].mapped {
		m := &n.files[0].mapped[i]
		m.Key = n.key(m.Trips[0].ID, m.Trips[0].Date())
	}
	n.changes = &run.Changes{}
	n.import_(t)
	n.whole = wholeDay()
	return n
}

func (*fixture) key(id string, day importer.Date) importer.RowKey {
	return importer.RowKey{Broker: "Lakeshore", ID: id, TripID: id, IDs: importer.RepeatedIDs, Date: day}
}

// Two providers and two funding sources have a file each: what a file does not have of
// the others is not gone.
func TestGoneIsOfAProviderAndAFundingSource(t *testing.T) {
	n := newGone(t, 4)
	rows := n.files[0].mapped
	other := newFile("harbor.csv", "H0", "H1")
	for i := range other.mapped {
		other.mapped[i].Trips[0].FundingSource = "Harbor Plan"
	}
	prairie := newFile("prairie.csv", "P0")
	prairie.mapped[0].Trips[0].Provider, prairie.mapped[0].Trips[0].FundingSource = "prairie rides", "Prairie Plan"
	lakeshore := n.files[0]

	for _, f := range []*file{other, prairie} {
		n.files = []*file{f}
		if got, _ := n.gone(t); got != nil {
			t.Errorf("%s: %v are gone", f.name, got)
		}
	}
	other.mapped = other.mapped[1:]
	n.files = []*file{other}
	if got, _ := n.gone(t); !slices.Equal(got, []string{"H0"}) {
		t.Errorf("of the other funding source %v are gone", got)
	}
	lakeshore.mapped = rows[1:]
	n.files = []*file{lakeshore, other}
	if got, _ := n.gone(t); !slices.Equal(got, []string{"T0", "H0"}) {
		t.Errorf("of both files %v are gone", got)
	}
}

// Half an export, one of a day that has begun, and one that is older than the last have
// no list; and say why.
func TestNoListOfHalfAnExport(t *testing.T) {
	tests := []struct {
		name         string
		booked, kept int
		at           string
		older        bool
		gone         int
		partial      string
	}{
		{name: "70 % of ten", booked: 10, kept: 7, gone: 3},
		{name: "under 70 % of ten", booked: 10, kept: 6, partial: "only 6 of the 10 trips"},
		{name: "a third of nine", booked: 9, kept: 3, gone: 6},
		{name: "70 % of 600", booked: 600, kept: 420, gone: 180},
		{name: "one less than 70 % of 600", booked: 600, kept: 419, partial: "only 419 of the 600 trips"},
		{name: "all", booked: 600, kept: 600},
		{name: "at the first pickup", booked: 10, kept: 9, at: "2026-12-02 09:00", gone: 1},
		{name: "after the first pickup", booked: 10, kept: 9, at: "2026-12-02 09:01", partial: "have begun"},
		{name: "after it, and nothing is gone", booked: 10, kept: 10, at: "2026-12-02 09:01"},
		{name: "older", booked: 10, kept: 9, older: true, partial: "a later schedule"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := newGone(t, tt.booked)
			n.files[0].mapped = n.files[0].mapped[:tt.kept]
			n.files[0].rules.AllowPast = true
			n.whole.Older = tt.older
			if tt.at != "" {
				n.clock.(*clock).set(tt.at)
			}
			got, partial := n.gone(t)
			if len(got) != tt.gone || !strings.Contains(partial, tt.partial) || (partial == "") != (tt.partial == "") {
				t.Errorf("%d gone (%s), want %d (%s)", len(got), partial, tt.gone, tt.partial)
			}
		})
	}
}

// A trip that may be booked and is gone is still one to be looked for.
func TestGoneAndUnknown(t *testing.T) {
	n := newFixture("A", "B")
	n.changes = &run.Changes{}
	n.service.insert = func(id string, _ int) importer.Reply {
		if id == "A" {
			return importer.Reply{}
		}
		return booked(id)
	}
	if _, err := n.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	n.files[0].mapped, n.whole = n.files[0].mapped[1:], wholeDay()
	end, err := n.again().do(t.Context(), t)
	if err != nil || len(end.Gone) != 1 || end.Gone[0].Outcome.State != importer.Unknown || end.Totals.Urgencies[importer.ActNow] != 0 && end.Totals.Urgencies[importer.Listed] != 0 {
		t.Errorf("%v: %v", err, fmt.Sprintf("%+v", end.Gone))
	}
}
