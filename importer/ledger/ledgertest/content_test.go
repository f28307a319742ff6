package ledgertest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
)

// testDiffers changes a booked trip, and wants the changed properties named.
func testDiffers(t *testing.T, f fixture) {
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
	for name, c := range map[string]struct {
		change func(*importer.Trip)
		want   []string
	}{
		"nothing":  {func(*importer.Trip) {}, nil},
		"a value":  {func(t *importer.Trip) { t.Pickup.City = "Chatham" }, []string{"pickup.event_location.city"}},
		"one more": {func(t *importer.Trip) { t.Pickup.Comment = "side door" }, []string{"pickup.event_comment"}},
		"one less": {func(t *importer.Trip) { t.Phone = "" }, []string{"phone"}},
		"several": {
			func(t *importer.Trip) { t.SpaceType, t.Dropoff.Name, t.Phone = "WCH", "", "312-555-0199" },
			[]string{"space_type", "phone", "dropoff.event_name"},
		},
		"a value moved": {
			func(t *importer.Trip) { t.Pickup.Name, t.Dropoff.Name = t.Dropoff.Name, "" },
			[]string{"pickup.event_name", "dropoff.event_name"},
		},
		"a placed position": {
			func(t *importer.Trip) { t.Pickup.Position.Source = "the places list" }, nil,
		},
		"another position": {
			func(t *importer.Trip) { t.Pickup.Position.Latitude += 0.001 },
			[]string{"pickup.event_location.latitude"},
		},
	} {
		trip := Trip("1")
		c.change(trip)
		if diff := cmp.Diff(c.want, Find(t, f.Ledger, trip).Differs); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// testPlacedBefore books a trip whose position is not in its row, and finds one whose row
// has it.
func testPlacedBefore(t *testing.T, f fixture) {
	placed := Trip("1")
	placed.Pickup.Position.Source = "the places list"
	Book(t, f.Ledger, Claim("run-1", placed, 2), "g1")
	if got := Find(t, f.Ledger, Trip("1")).Differs; got != nil {
		t.Errorf("the position of the row differs from the one that was placed: %v", got)
	}
}

func testOtherTrip(t *testing.T, f fixture) {
	Book(t, f.Ledger, Claim("run-1", Trip("1"), 2), "g1")
	for name, c := range map[string]struct {
		change func(*importer.Trip)
		want   bool
	}{
		"the same":       {func(*importer.Trip) {}, false},
		"another hour":   {func(t *importer.Trip) { t.Pickup.PickupTime.Hour = 7 }, false},
		"another place":  {func(t *importer.Trip) { t.Dropoff.Address1 = "1 Main St" }, false},
		"another rider":  {func(t *importer.Trip) { t.RiderID = "R-9" }, true},
		"another payer":  {func(t *importer.Trip) { t.FundingSource = "State Plan" }, true},
		"another day":    {func(t *importer.Trip) { t.Pickup.PickupTime.Date = Night().AddDays(1) }, true},
		"no longer paid": {func(t *importer.Trip) { t.FundingSource = "" }, true},
	} {
		trip := Trip("1")
		c.change(trip)
		if got := Find(t, f.Ledger, trip).OtherTrip; got != c.want {
			t.Errorf("%s: other trip %v, want %v", name, got, c.want)
		}
	}
}

// similarCase is a trip under another id beside one that is booked at 8:30 with
// an appointment at 9:00, and whether it may be the same trip.
type similarCase struct {
	change func(*importer.Trip)
	want   bool
}

func similarCases() map[string]similarCase {
	at := func(hour, minute, second int) func(*importer.Trip) {
		return func(t *importer.Trip) {
			t.Pickup.PickupTime.TimeOfDay = importer.TimeOfDay{Hour: hour, Minute: minute, Second: second}
			t.Dropoff.Appt = importer.DateTime{}
		}
	}

	appointment := func(hour, minute int) func(*importer.Trip) {
		return func(t *importer.Trip) {
			t.Pickup.PickupTime.Hour = 6
			t.Dropoff.Appt.TimeOfDay = importer.TimeOfDay{Hour: hour, Minute: minute}
		}
	}

	return map[string]similarCase{
		"the same":                   {func(*importer.Trip) {}, true},
		"15 minutes before":          {at(8, 15, 0), true},
		"15 minutes after":           {at(8, 45, 0), true},
		"15 minutes and some":        {at(8, 45, 59), true},
		"16 minutes before":          {at(8, 14, 0), false},
		"16 minutes after":           {at(8, 46, 0), false},
		"one appointment":            {appointment(9, 0), true},
		"appointments 15 min apart":  {appointment(9, 15), true},
		"appointments 16 min apart":  {appointment(9, 16), false},
		"a pickup at an appointment": {at(9, 0, 0), false},
		"another rider":              {func(t *importer.Trip) { t.RiderID = "R-9" }, false},
		"another way to":             {func(t *importer.Trip) { t.Dropoff.Address1 = "401 Oak Ave" }, false},
		"another suite":              {func(t *importer.Trip) { t.Dropoff.Address2 = "Suite 6" }, false},
		"a suite, respelt":           {func(t *importer.Trip) { t.Dropoff.Address2 = "SUITE #5" }, true},
		"the way back":               {func(t *importer.Trip) { t.Pickup, t.Dropoff = t.Dropoff, t.Pickup }, false},
		"another type":               {func(t *importer.Trip) { t.Type = importer.Return }, true},
		"another day": {func(t *importer.Trip) {
			t.Pickup.PickupTime.Date, t.Dropoff.Appt.Date = Night().AddDays(1), Night().AddDays(1)
		}, false},
		"written differently": {func(t *importer.Trip) { t.Pickup.Address1, t.Pickup.Zip = " 12 ELM St. ", "62704-1234" }, true},
		"in one line": {func(t *importer.Trip) {
			t.Pickup.CompleteAddress = "12 Elm St, Springfield, IL 62704"
			t.Pickup.Address1, t.Pickup.City, t.Pickup.State, t.Pickup.Zip = "", "", "", ""
		}, true},
		"no rider": {func(t *importer.Trip) { t.RiderID = "" }, false},
		"no time":  {func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = importer.DateTime{}, importer.DateTime{} }, false},
	}
}

func testSimilar(t *testing.T, f fixture) {
	ctx := t.Context()
	booked := Trip("1")
	booked.RiderID, booked.Dropoff.Address2 = "R-1", "Suite 5"
	Book(t, f.Ledger, Claim("run-1", booked, 2), "g1")
	if got := similarIDs(t, f, booked); got != nil {
		t.Errorf("a trip is similar to itself: %v", got)
	}

	for name, c := range similarCases() {
		trip := Trip("2")
		trip.RiderID, trip.Dropoff.Address2 = "R-1", "Suite 5"
		c.change(trip)
		for _, account := range []importer.Account{Lakeshore(), prairie()} {
			found, err := f.Ledger.Similar(ctx, account, trip, 15)
			must(t, err)
			if got := len(found) == 1 && found[0].TripID == "1" && found[0].GUID == "g1"; got != c.want || len(found) > 1 {
				t.Errorf("%s, booked with %s: got %+v, want similar: %v", name, account.Provider, found, c.want)
			}
		}
	}

	if r, err := f.Ledger.Similar(ctx, prairie(), booked, 15); len(r) != 1 || err != nil {
		t.Errorf("the same id with another provider is not similar: %+v, %v", r, err)
	}

	testSimilarAtMidnight(t, f)
	testSimilarWillCall(t, f)
	testSimilarUnits(t, f)
}

// testSimilarUnits books a trip from one unit of a building. One from another unit
// is another trip; one without a unit may be the same.
func testSimilarUnits(t *testing.T, f fixture) {
	t.Helper()
	booked := Trip("unit-1")
	booked.RiderID, booked.Pickup.Address2 = "R-units", "Apt 4"
	Book(t, f.Ledger, Claim("run-1", booked, 901), "g-unit")
	for unit, want := range map[string]int{"Apt 4": 1, "#4": 1, "": 1, "Apt 5": 0} {
		asked := Trip("unit-2")
		asked.RiderID, asked.Pickup.Address2 = "R-units", unit
		if got := similarIDs(t, f, asked); len(got) != want {
			t.Errorf("unit %q: the similar trips %v, want %d", unit, got, want)
		}
	}
}

func testSimilarAtMidnight(t *testing.T, f fixture) {
	late := Trip("late")
	late.Pickup.PickupTime.TimeOfDay = importer.TimeOfDay{Hour: 23, Minute: 55}
	Book(t, f.Ledger, Claim("run-1", late, 20), "g-late")
	early := Trip("early")
	early.RiderID, early.Dropoff.Appt = late.RiderID, importer.DateTime{}
	early.Pickup.PickupTime = importer.DateTime{Date: Night().AddDays(1), TimeOfDay: importer.TimeOfDay{Minute: 5}}
	if got := similarIDs(t, f, early); !slices.Equal(got, []string{"late"}) {
		t.Errorf("ten minutes later, past midnight: %v", got)
	}
}

func testSimilarWillCall(t *testing.T, f fixture) {
	first := Trip("wc-1")
	first.Type, first.Dropoff.Appt, first.Pickup.PickupTime = importer.WillCall, importer.DateTime{}, importer.WillCallOn(Night())
	Book(t, f.Ledger, Claim("run-1", first, 21), "g-wc")
	second := Trip("wc-2")
	second.RiderID, second.Type, second.Dropoff.Appt = first.RiderID, importer.WillCall, importer.DateTime{}
	second.Pickup.PickupTime.TimeOfDay = importer.TimeOfDay{Hour: 6}
	if got := similarIDs(t, f, second); !slices.Equal(got, []string{"wc-1"}) {
		t.Errorf("a will call on the same day: %v", got)
	}

	second.Pickup.PickupTime.Date = Night().AddDays(1)
	if got := similarIDs(t, f, second); got != nil {
		t.Errorf("a will call on the next day: %v", got)
	}
}

func similarIDs(t *testing.T, f fixture, trip *importer.Trip) []string {
	t.Helper()
	found, err := f.Ledger.Similar(t.Context(), Lakeshore(), trip, 15)
	must(t, err)
	return idsOf(found)
}

// testSimilarStates books, or fails to book, four trips of one rider at one
// time: those that may be booked are similar to a fifth.
func testSimilarStates(t *testing.T, f fixture) {
	for i, state := range []importer.State{importer.Created, importer.Unknown, importer.Refused, importer.NotSent} {
		trip := Trip(state.Code())
		trip.RiderID = "R-1"
		Send(t, f.Ledger, Claim("run-1", trip, i+2), Settlement(state, "g1"))
	}

	sending := Trip("sending")
	sending.RiderID = "R-1"
	take(t, f.Ledger, Claim("run-1", sending, 9))
	fifth := Trip("fifth")
	fifth.RiderID = "R-1"
	if diff := cmp.Diff([]string{"created", "unknown", "sending"}, similarIDs(t, f, fifth)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// testSimilarIsMayBe claims random trips and asks after random others: the
// ledger must find those of which the definition says that they may be one.
func testSimilarIsMayBe(t *testing.T, f fixture) {
	draw := 0
	rapid.Check(t, func(rt *rapid.T) {
		draw++ // the ledger stays the same, so each draw has a rider of its own
		trip := func(n int) *importer.Trip {
			trip := Trip(fmt.Sprintf("may-be-%d-%d", draw, n))
			trip.RiderID = fmt.Sprint("R-may-be-", draw)
			trip.Type = rapid.SampledFrom([]importer.TripType{importer.Appointment, importer.Return, importer.WillCall}).Draw(rt, "type")
			trip.Dropoff.Address2 = rapid.SampledFrom([]string{"", "Suite 5", "STE 5"}).Draw(rt, "unit")
			trip.Pickup.PickupTime, trip.Dropoff.Appt = randomTime(rt), randomTime(rt)
			return trip
		}
		var want []string
		asked := trip(0)
		id, known := asked.Identity()
		minutes := rapid.SampledFrom([]int{0, 1, 15, 60}).Draw(rt, "minutes")
		for n := range rapid.IntRange(1, 4).Draw(rt, "trips") {
			booked := trip(n + 1)
			if rapid.Bool().Draw(rt, "sent before") { // as another trip, which must be forgotten
				before := *booked
				before.Dropoff.Address2, before.Pickup.PickupTime = asked.Dropoff.Address2, asked.Pickup.PickupTime
				Send(t, f.Ledger, Claim("run-1", &before, draw*10+n), Settlement(importer.Refused, ""))
			}
			Send(t, f.Ledger, Claim("run-1", booked, draw*10+n), Settlement(importer.Unknown, ""))
			if other, ok := booked.Identity(); ok && known && id.MayBe(other, minutes) {
				want = append(want, booked.ID)
			}
		}
		found, err := f.Ledger.Similar(t.Context(), Lakeshore(), asked, minutes)
		if got := idsOf(found); err != nil || !slices.Equal(got, want) {
			rt.Fatalf("the ledger finds %v, the definition says %v, %v", got, want, err)
		}
	})
}

// randomTime is around midnight, where days meet, or none.
func randomTime(t *rapid.T) importer.DateTime {
	if rapid.IntRange(0, 3).Draw(t, "no time") == 0 {
		return importer.DateTime{}
	}
	at := rapid.IntRange(-40*60, 40*60).Draw(t, "seconds after midnight")
	day := Night()
	if at < 0 {
		day, at = day.AddDays(-1), at+24*60*60
	}
	return importer.DateTime{Date: day, TimeOfDay: importer.TimeOfDay{Hour: at / 3600, Minute: at / 60 % 60, Second: at % 60}}
}
