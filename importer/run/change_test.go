package run_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/run"
)

// fullTrip is a trip that has a value of every property but the address on one line.
func fullTrip(id string) importer.Trip {
	t := parseTrip(id, 0, importer.OnlyLeg)
	t.Phone, t.BillableDistance = "312-555-0100", importer.Miles{Value: 3.5, Given: true}
	t.AdditionalRiders = []importer.AdditionalRiders{{SpaceType: "AMB", Count: 1}}
	event := func(e importer.Event, name string, latitude float64) importer.Event {
		e.Name, e.Comment, e.LocationName, e.Phone = name, "ring twice", name+" house", "312-555-0101"
		e.Address1, e.Address2, e.City, e.State, e.Zip = "10 Example Street", "Apt 2", "Springfield", "IL", "62701"
		e.Position = importer.Position{Latitude: latitude, Longitude: -89.6, HasLatitude: true, HasLongitude: true}
		return e
	}
	t.Pickup, t.Dropoff = event(t.Pickup, "home", 39.8), event(t.Dropoff, "clinic", 39.9)
	t.Pickup.Appt = at("2026-12-02 09:10")
	return t
}

// oneLine gives the trip addresses on one line.
func oneLine(t *importer.Trip) {
	for _, e := range []*importer.Event{&t.Pickup, &t.Dropoff} {
		e.CompleteAddress = e.Address()
		e.Address1, e.Address2, e.City, e.State, e.Zip = "", "", "", "", ""
	}
}

// newChanges is a fixture with a schedule of one row of trips that is booked. Its runs
// change booked trips.
func newChanges(t *testing.T, trips ...importer.Trip) *fixture {
	t.Helper()
	n := newFixture()
	n.changes = &run.Changes{Freeze: importer.TimeOfDay{Hour: 23}}
	n.files[0].mapped = []importer.Mapped{{Trips: trips, Key: importer.RowKey{Broker: "Lakeshore", ID: "row", TripID: "row", Date: trips[0].Date(), IDs: importer.UniqueIDs}}}
	n.import_(t)
	return n
}

// import_ runs the program, in a process of its own.
func (n *fixture) import_(t *testing.T) *fixture {
	t.Helper()
	next := n.again()
	next.limit = n.limit
	if _, err := next.do(t.Context(), t); err != nil {
		t.Fatal(err)
	}
	return next
}

// trip is the trip number i of the only row of the schedule, as it is now.
func (n *fixture) trip(i int) *importer.Trip { return &n.files[0].mapped[0].Trips[i] }

// only returns the outcome of the only trip.
func (r *reporter) only() importer.Outcome { return r.rows[0].Trips[0].Outcome }

// A keyTest is the expected result for a booked trip in which only one property has
// changed.
type keyTest struct {
	change func(*importer.Trip)
	// sent are the keys that are sent, and byHand those that a person changes, for the
	// reason. Both are empty for a property whose changes nobody has to know.
	sent, byHand, reason string
}

// keyTests has each property that a trip can have.
func keyTests() map[string]keyTest {
	const cant = "the service can't change "
	tests := map[string]keyTest{
		"tp_api_key": {change: func(t *importer.Trip) { t.Provider = "prairie rides"; t.FundingSource = "Prairie Plan" }, reason: "gives it to Prairie Rides"},
		"trip_id":    {change: func(t *importer.Trip) { t.ID = "another" }, byHand: "trip_id", reason: cant + "trip id"},
		"rider_id":   {change: func(t *importer.Trip) { t.RiderID = "another" }, byHand: "rider_id", reason: "has another rider"},
		"funding_source_name": {
			change: func(t *importer.Trip) { t.FundingSource = "Harbor Plan" }, byHand: "funding_source_name", reason: "funding source now",
		},
		"space_type":            {change: func(t *importer.Trip) { t.SpaceType = "WCH" }, sent: "space_type"},
		"trip_type":             {change: func(t *importer.Trip) { t.Type = importer.Return }, sent: "trip_type"},
		"phone":                 {change: func(t *importer.Trip) { t.Phone = "312-555-0199" }},
		"billable_distance":     {change: func(t *importer.Trip) { t.BillableDistance.Value = 4 }, sent: "billable_distance"},
		"additional_passengers": {change: func(t *importer.Trip) { t.AdditionalRiders[0].Count = 2 }, sent: "additional_passengers"},
	}
	for _, side := range []string{"pickup.", "dropoff."} {
		of := func(change func(*importer.Event)) func(*importer.Trip) {
			return func(t *importer.Trip) {
				if side == "pickup." {
					change(&t.Pickup)
				} else {
					change(&t.Dropoff)
				}
			}
		}
		place := func(part string, change func(*importer.Event)) {
			key := side + part
			tests[key] = keyTest{change: of(change), sent: key + " " + side + "event_location.latitude " + side + "event_location.longitude"}
		}
		place("complete_address", func(e *importer.Event) { e.CompleteAddress = "12 Example Street, Springfield IL 62701" })
		place("event_location.location_name", func(e *importer.Event) { e.LocationName = "another house" })
		place("event_location.address1", func(e *importer.Event) { e.Address1 = "12 Example Street" })
		place("event_location.address2", func(e *importer.Event) { e.Address2 = "Apt 3" })
		place("event_location.city", func(e *importer.Event) { e.City = "Chatham" })
		place("event_location.state", func(e *importer.Event) { e.State = "MO" })
		place("event_location.zip", func(e *importer.Event) { e.Zip = "62702" })
		both := side + "event_location.latitude " + side + "event_location.longitude"
		tests[side+"event_location.latitude"] = keyTest{change: of(func(e *importer.Event) { e.Position.Latitude += 0.01 }), sent: both}
		tests[side+"event_location.longitude"] = keyTest{
			change: of(func(e *importer.Event) { e.Position.Longitude += 0.01 }),
			sent:   side + "event_location.longitude " + side + "event_location.latitude",
		}
		tests[side+"event_name"] = keyTest{change: of(func(e *importer.Event) { e.Name = "another" }), sent: side + "event_name"}
		tests[side+"event_comment"] = keyTest{change: of(func(e *importer.Event) { e.Comment = "ring once" })}
		tests[side+"phone_number"] = keyTest{change: of(func(e *importer.Event) { e.Phone = "312-555-0199" }), sent: side + "phone_number"}
		tests[side+"appt_time"] = keyTest{change: of(func(e *importer.Event) { e.Appt.Minute += 20 }), sent: side + "appt_time"}
	}
	tests["pickup.pickup_time"] = keyTest{change: func(t *importer.Trip) { t.Pickup.PickupTime.Minute = 5 }, sent: "pickup.pickup_time"}
	return tests
}

// neverSent are the properties that a trip of a schedule does not have, and why.
func neverSent() map[string]string {
	return map[string]string{
		"dropoff.pickup_time": "the service sets it: the checks take a mapping of it for a fault",
		"caller":              "no field of an insertion has it",
	}
}

// Each property that changes alone is sent alone, with what goes with it, by hand, or
// not at all. What was sent is booked then: the same schedule again changes nothing.
func TestEachPropertyChangesAlone(t *testing.T) {
	tests := keyTests()
	never := neverSent()
	for _, p := range importer.TripProperties() {
		if _, has := tests[p.Key]; !has && never[p.Key] == "" {
			t.Errorf("the table has nothing about %s", p.Key)
		}
	}
	for key, tt := range tests {
		t.Run(key, func(t *testing.T) {
			n := newChanges(t, withForm(key))
			tt.change(n.trip(0))
			next := n.import_(t)
			o := next.reporter.only()
			var sent []string
			if tt.sent != "" {
				sent = []string{n.trip(0).ID + ": " + strings.ReplaceAll(tt.sent, " ", ", ")}
			}
			if diff := cmp.Diff(sent, next.service.changes); diff != "" {
				t.Errorf("what was sent (-want +got):\n%s", diff)
			}
			if got := strings.Join(o.Updated, " "); got != tt.sent {
				t.Errorf("listed as sent: %q, want %q", got, tt.sent)
			}
			want := importer.AlreadyCreated
			switch {
			case tt.sent != "":
				want = importer.Updated
			case tt.byHand != "":
				want = importer.ChangeByHand
			case tt.reason != "":
				want = importer.Waiting
			}
			if o.State != want || !strings.Contains(o.Reason, tt.reason) {
				t.Errorf("%s: %q, want %s: %q", o.State.Code(), o.Reason, want.Code(), tt.reason)
			}
			if tt.byHand != "" && strings.Join(o.Changed, " ") != tt.byHand {
				t.Errorf("by hand: %q, want %q", o.Changed, tt.byHand)
			}
			if len(next.service.posts) > 0 {
				t.Errorf("it was booked again: %v", next.service.posts)
			}

			if last := next.import_(t); len(last.service.changes) > 0 || want == importer.Updated && last.reporter.only().State != importer.AlreadyCreated {
				t.Errorf("the same schedule again: %v, sent %v", last.reporter.lines(), last.service.changes)
			}
		})
	}
}

// withForm is a trip that has the property.
func withForm(key string) importer.Trip {
	trip := fullTrip("A")
	if strings.HasSuffix(key, "complete_address") {
		oneLine(&trip)
	}
	return trip
}

// A value that becomes blank can't be sent, and nor can the rest of its place.
func TestBlankedValuesGoByHand(t *testing.T) {
	tests := map[string]struct {
		change       func(*importer.Trip)
		sent, byHand string
	}{
		"a phone":         {func(t *importer.Trip) { t.Pickup.Phone = "" }, "", "pickup.phone_number"},
		"a distance":      {func(t *importer.Trip) { t.BillableDistance.Given = false }, "", "billable_distance"},
		"the passengers":  {func(t *importer.Trip) { t.AdditionalRiders = nil }, "", "additional_passengers"},
		"an appointment":  {func(t *importer.Trip) { t.Pickup.Appt = importer.DateTime{} }, "", "pickup.appt_time"},
		"half an address": {func(t *importer.Trip) { t.Pickup.Address2, t.Pickup.City = "", "Chatham" }, "", "pickup.event_location.address2 pickup.event_location.city"},
		"one of two, and the rest is sent": {
			func(t *importer.Trip) { t.Pickup.Phone, t.SpaceType, t.Dropoff.City = "", "WCH", "Chatham" },
			"dropoff.event_location.city dropoff.event_location.latitude dropoff.event_location.longitude space_type", "pickup.phone_number",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := newChanges(t, fullTrip("A"))
			tt.change(n.trip(0))
			o := n.import_(t).reporter.only()
			slices.Sort(o.Updated)
			if got := strings.Join(o.Updated, " "); got != tt.sent {
				t.Errorf("sent %q, want %q", got, tt.sent)
			}
			if got := strings.Join(o.Changed, " "); got != tt.byHand || o.State != importer.ChangeByHand || !strings.Contains(o.Reason, "is blank now") {
				t.Errorf("%s by hand: %q (%s), want %q", o.State.Code(), got, o.Reason, tt.byHand)
			}
			if again := n.import_(t); len(again.service.changes) > 0 || again.reporter.only().State != importer.ChangeByHand {
				t.Errorf("the same schedule again: %v, sent %v", again.reporter.lines(), again.service.changes)
			}
		})
	}
}

// A trip that was not booked, for whatever reason, is fixed in the results and booked by a
// retry. The schedule, which still has the old values, does not take that back.
func TestFixedAfterAnyEnd(t *testing.T) {
	for name, first := range map[string]struct {
		insert func(n *fixture, cancel func()) importer.Reply // of A, before B
		fixed  string
	}{
		"refused": {func(*fixture, func()) importer.Reply {
			return importer.Reply{Kind: importer.ReplyRefused, Status: 400}
		}, "A"},
		"stopped before it": {func(n *fixture, _ func()) importer.Reply {
			n.gate.Stop(&importer.Stop{Code: "page", Reason: "a web page came back"})
			return importer.Reply{Kind: importer.ReplyCreated, GUID: "g-A"}
		}, "B"},
		"interrupted before it": {func(_ *fixture, cancel func()) importer.Reply {
			cancel()
			return importer.Reply{Kind: importer.ReplyCreated, GUID: "g-A"}
		}, "B"},
		"no proof came back": {func(*fixture, func()) importer.Reply { return importer.Reply{Status: 500} }, "A"},
	} {
		t.Run(name, func(t *testing.T) {
			n, m := newFixture("A", "B"), newMemory()
			n.ledger = m
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			n.service.insert = func(id string, _ int) importer.Reply {
				if id == "A" {
					return first.insert(n, cancel)
				}
				return importer.Reply{Kind: importer.ReplyCreated, GUID: "g-" + id}
			}
			if _, err := n.do(ctx, t); err != nil {
				t.Fatal(err)
			}
			m.resolve("A", importer.NotSent, "")

			retry := n.again()
			retry.command = "retry"
			if err := m.Begin(t.Context(), importer.RunInfo{ID: retry.run, Command: retry.command}); err != nil {
				t.Fatal(err)
			}
			retry.files = []*file{newFile("night.csv", "A", "B")}
			for i := range retry.files[0].mapped {
				trip := &retry.files[0].mapped[i].Trips[0]
				if trip.ID == first.fixed {
					trip.Pickup.PickupTime.Minute = 25
				}
			}
			if _, err := retry.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}

			next := n.again()
			next.run += "+"
			next.changes = &run.Changes{NoFreeze: true}
			if _, err := next.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			o := next.reporter.outcome(t, first.fixed)
			if len(next.service.changes) > 0 || o.State != importer.AlreadyCreated || !slices.Equal(o.Fixed, []string{"pickup.pickup_time"}) {
				t.Errorf("sent %q, and the trip is %+v", next.service.changes, o)
			}

			// Another value of the schedule is a change.
			next.files = []*file{newFile("night.csv", "A", "B")}
			for i := range next.files[0].mapped {
				next.files[0].mapped[i].Trips[0].Pickup.PickupTime.Minute = 40
			}
			if last := next.import_(t); len(last.service.changes) != 2 {
				t.Errorf("changed in the schedule: sent %q", last.service.changes)
			}
		})
	}
}

// Coordinates that come from elsewhere than the row are no change, and go with an
// address that is.
func TestPlacedCoordinatesAreNoChange(t *testing.T) {
	placed := func(t *importer.Trip) { t.Pickup.Position.Source = "the places list" }
	moved := func(t *importer.Trip) { t.Pickup.Position.Latitude += 0.5; placed(t) }
	corrected := func(t *importer.Trip) { t.Pickup.Address1 = "12 Example Street"; moved(t) }
	nothing := func(*importer.Trip) {}
	address := "A: pickup.event_location.address1, pickup.event_location.latitude, pickup.event_location.longitude"
	tests := map[string]struct {
		before, after func(*importer.Trip)
		sent          string
	}{
		"placed before, in the row now":   {placed, func(t *importer.Trip) { t.Pickup.Position.Source = "" }, ""},
		"in the row before, placed now":   {nothing, moved, ""},
		"placed twice":                    {placed, moved, ""},
		"another address, placed":         {placed, corrected, address},
		"another address, no row now":     {nothing, corrected, address},
		"in the row twice, the same":      {nothing, nothing, ""},
		"in the row twice, and elsewhere": {nothing, func(t *importer.Trip) { t.Pickup.Position.Latitude += 0.5 }, "A: pickup.event_location.latitude, pickup.event_location.longitude"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			trip := fullTrip("A")
			tt.before(&trip)
			n := newChanges(t, trip)
			tt.after(n.trip(0))
			if got := strings.Join(n.import_(t).service.changes, "; "); got != tt.sent {
				t.Errorf("sent %q, want %q", got, tt.sent)
			}
			if again := n.import_(t); len(again.service.changes) > 0 || again.reporter.only().State != importer.AlreadyCreated {
				t.Errorf("the same schedule again: %v, sent %v", again.reporter.lines(), again.service.changes)
			}
		})
	}
}

// Each leg of a round trip is changed by itself, whatever the other one needs.
func TestLegsChangeApart(t *testing.T) {
	legs := func() (importer.Trip, importer.Trip) {
		out, back := fullTrip("A"), fullTrip("B")
		out.Leg, back.Leg = importer.OutboundLeg, importer.ReturnLeg
		back.Pickup.PickupTime, back.Dropoff.Appt = at("2026-12-02 11:00"), at("2026-12-02 12:00")
		return out, back
	}
	tests := map[string]struct {
		change func(out, back *importer.Trip)
		sent   []string
		lines  []string
	}{
		"the outbound": {
			func(out, _ *importer.Trip) { out.SpaceType = "WCH" },
			[]string{"A: space_type"},
			[]string{"A updated, B already_created"},
		},
		"the return": {
			func(_, back *importer.Trip) { back.Pickup.PickupTime.Minute = 30 },
			[]string{"B: pickup.pickup_time"},
			[]string{"A already_created, B updated"},
		},
		"both": {
			func(out, back *importer.Trip) { out.SpaceType, back.SpaceType = "WCH", "STR" },
			[]string{"A: space_type", "B: space_type"},
			[]string{"A updated, B updated"},
		},
		"one by hand, the other sent": {
			func(out, back *importer.Trip) { out.RiderID, back.SpaceType = "another", "WCH" },
			[]string{"B: space_type"},
			[]string{"A change_by_hand (rider_id), B updated"},
		},
		"one with a fault, the other sent": {
			func(out, back *importer.Trip) {
				out.SpaceType, back.SpaceType = "WCH", "WCH"
				out.Fault("space-type-unknown", "WCH is not a space type", "correct it", importer.FieldSpaceType)
			},
			[]string{"B: space_type"},
			[]string{"A changed (space_type), B updated"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			n := newChanges(t, slices.Collect(func(yield func(importer.Trip) bool) {
				out, back := legs()
				_ = yield(out) && yield(back)
			})...)
			tt.change(n.trip(0), n.trip(1))
			next := n.import_(t)
			if diff := cmp.Diff(tt.sent, next.service.changes); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.lines, next.reporter.lines()); diff != "" {
				t.Errorf("outcomes (-want +got):\n%s", diff)
			}
		})
	}
}

// willCall makes a trip a will call.
func willCall(t *importer.Trip) {
	t.Type, t.Pickup.PickupTime = importer.WillCall, importer.WillCallOn(t.Date())
	t.Pickup.Appt, t.Dropoff.Appt = importer.DateTime{}, importer.DateTime{}
}

// timed gives a will call a time.
func timed(t *importer.Trip) { t.Type, t.Pickup.PickupTime = importer.Return, at("2026-12-02 14:30") }

// Times, places, trip type and space type are not changed shortly before the trip: from
// 23:00 on the evening before, for a will call from midnight on. Everything else is.
func TestFreeze(t *testing.T) {
	back := func(t *importer.Trip) {
		t.Type, t.Pickup.Appt, t.Dropoff.Appt = importer.Return, importer.DateTime{}, importer.DateTime{}
	}
	later := func(t *importer.Trip) { back(t); t.Pickup.PickupTime.Hour = 15 }
	phone := func(t *importer.Trip) { t.Dropoff.Phone = "312-555-0199" }
	const near, late, passed = "too near", "became a will call on its day", "time has passed"
	tests := []struct {
		name          string
		before, after func(*importer.Trip)
		at, sent      string
		reason        string
	}{
		{"a time, before the freeze", back, later, "2026-12-01 22:59", "pickup.pickup_time", ""},
		{"a time, in the freeze", back, later, "2026-12-01 23:00", "", near},
		{"a time, on its day", back, later, "2026-12-02 07:00", "", near},
		{"a phone, in the freeze", back, phone, "2026-12-01 23:00", "dropoff.phone_number", ""},
		{"a phone, on its day", back, phone, "2026-12-02 08:59", "dropoff.phone_number", ""},
		{"a phone, at the last minute", back, phone, "2026-12-02 09:00", "dropoff.phone_number", ""},
		{"a phone, after its time", back, phone, "2026-12-02 09:01", "", passed},
		{"a phone, a day later", back, phone, "2026-12-03 09:01", "", passed},
		{"a phone and a time, in the freeze", back, func(t *importer.Trip) { later(t); phone(t) }, "2026-12-01 23:30", "dropoff.phone_number", near},
		{"later, once its time has passed", back, func(t *importer.Trip) { later(t); phone(t) }, "2026-12-02 10:00", "", passed},
		{"a time that would be past", func(t *importer.Trip) { back(t); t.Pickup.PickupTime.Hour = 15 }, func(t *importer.Trip) { t.Pickup.PickupTime.Hour = 9 }, "2026-12-02 10:00", "", passed},
		{"a city, before the freeze", back, func(t *importer.Trip) { back(t); t.Pickup.City = "Chatham" }, "2026-12-01 22:59", "pickup.event_location.city pickup.event_location.latitude pickup.event_location.longitude", ""},
		{"a city, in the freeze", back, func(t *importer.Trip) { back(t); t.Pickup.City = "Chatham" }, "2026-12-01 23:00", "", near},
		{"a space type, in the freeze", back, func(t *importer.Trip) { back(t); t.SpaceType = "WCH" }, "2026-12-01 23:00", "", near},
		{"a distance, in the freeze", back, func(t *importer.Trip) { back(t); t.BillableDistance.Value = 9 }, "2026-12-01 23:00", "billable_distance", ""},
		{"a will call is timed, days before", willCall, timed, "2026-12-01 20:00", "pickup.pickup_time trip_type", ""},
		{"a will call is timed, late in the evening", willCall, timed, "2026-12-01 23:59", "pickup.pickup_time trip_type", ""},
		{"a will call is timed, on its day", willCall, timed, "2026-12-02 00:00", "", near},
		{"a will call is timed, at noon", willCall, timed, "2026-12-02 12:00", "", near},
		{"a will call's phone, on its day", willCall, phone, "2026-12-02 23:00", "dropoff.phone_number", ""},
		{"a will call's city, late in the evening", willCall, func(t *importer.Trip) { willCall(t); t.Pickup.City = "Chatham" }, "2026-12-01 23:30", "pickup.event_location.city pickup.event_location.latitude pickup.event_location.longitude", ""},
		{"a will call's city, on its day", willCall, func(t *importer.Trip) { willCall(t); t.Pickup.City = "Chatham" }, "2026-12-02 00:00", "", near},
		{"a timed trip becomes a will call", back, willCall, "2026-12-01 22:59", "pickup.pickup_time trip_type", ""},
		{"a timed trip becomes a will call in the freeze", back, willCall, "2026-12-01 23:30", "", near},
		{"a timed trip becomes a will call on its day", back, willCall, "2026-12-02 07:00", "", late},
		{"a time that can't be read", back, func(t *importer.Trip) { back(t); t.Pickup.PickupTime = importer.DateTime{} }, "2026-12-01 20:00", "", "can't be read"},
		{"a day later", back, func(t *importer.Trip) { back(t); t.Pickup.PickupTime.Date = t.Date().AddDays(1) }, "2026-12-01 20:00", "", "another rider, day"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			trip := fullTrip("A")
			trip.Type = importer.Return
			tt.before(&trip)
			n := newChanges(t, trip)
			n.files[0].rules.AllowPast = true // the changes are what stops
			n.clock.(*clock).set(tt.at)
			tt.after(n.trip(0))
			next := n.import_(t)
			o := next.reporter.only()
			slices.Sort(o.Updated)
			if got := strings.Join(o.Updated, " "); got != tt.sent || !strings.Contains(o.Reason, tt.reason) || (o.State == importer.ChangeByHand) != (tt.reason != "") {
				t.Errorf("sent %q (%s: %s), want %q (%s)", got, o.State.Code(), o.Reason, tt.sent, tt.reason)
			}
		})
	}
}

// A person may have a frozen trip changed all the same; no freeze lets a timed trip
// become a will call on its day.
func TestFreezeIsLifted(t *testing.T) {
	for name, lift := range map[string]func(*run.Changes){
		"there is none":             func(c *run.Changes) { c.NoFreeze = true },
		"a person wants it changed": func(c *run.Changes) { c.Allowed = map[int64]bool{1: true} },
	} {
		n := newChanges(t, fullTrip("A"))
		n.clock.(*clock).set("2026-12-02 07:00")
		lift(n.changes)
		n.trip(0).SpaceType = "WCH"
		if got := n.import_(t); !slices.Equal(got.service.changes, []string{"A: space_type"}) {
			t.Errorf("%s: %v", name, got.reporter.lines())
		}
		willCall(n.trip(0))
		if got := n.import_(t); len(got.service.changes) > 0 || got.reporter.only().State != importer.ChangeByHand {
			t.Errorf("%s, a will call on its day: %v", name, got.reporter.lines())
		}
	}
}
