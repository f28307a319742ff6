package ledgertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
)

// rowKey returns the key of a row of the broker Lakeshore.
func rowKey(id string) importer.RowKey {
	return importer.RowKey{Broker: "Lakeshore", ID: id, TripID: id, Date: Night()}
}

// legOf returns a trip of a row, with the row's rider. A return goes back.
func legOf(row, id string, leg importer.Leg) *importer.Trip {
	trip := Trip(id)
	trip.RiderID, trip.Leg = "R-"+row, leg
	if leg == importer.ReturnLeg {
		trip.Type, trip.Dropoff.Appt = importer.Return, importer.DateTime{}
		trip.Pickup.Address1, trip.Dropoff.Address1 = trip.Dropoff.Address1, trip.Pickup.Address1
		trip.Pickup.Zip, trip.Dropoff.Zip = trip.Dropoff.Zip, trip.Pickup.Zip
		trip.Pickup.PickupTime.Hour = 13
	}
	return trip
}

// onDay moves a trip to another day.
func onDay(trip *importer.Trip, day importer.Date) *importer.Trip {
	trip.Pickup.PickupTime.Date = day
	if !trip.Dropoff.Appt.IsZero() {
		trip.Dropoff.Appt.Date = day
	}
	return trip
}

// rowClaim returns the claim of a row's trip, as one of an input of its own.
func rowClaim(key importer.RowKey, trip *importer.Trip) importer.Claim {
	c := Claim("run-1", trip, 2)
	c.Key, c.Input = key, "input of "+trip.ID
	return c
}

func bookRow(t *testing.T, l ledger.Ledger, key importer.RowKey, trip *importer.Trip) {
	t.Helper()
	Book(t, l, rowClaim(key, trip), "g-"+trip.ID)
}

// rowTrips returns the ids of the booked trips that a row's trips match, that are
// unclear, and that are dropped.
func rowTrips(t *testing.T, l ledger.Ledger, service string, key importer.RowKey, trips ...*importer.Trip) string {
	t.Helper()
	m := &importer.Mapped{Key: key}
	for _, trip := range trips {
		m.Trips = append(m.Trips, *trip)
	}
	found, err := l.RowTrips(t.Context(), service, m)
	must(t, err)
	var words []string
	for _, records := range [][]*importer.Record{found.Matched, found.Unclear} {
		for _, r := range records {
			if r == nil {
				words = append(words, "-")
			} else {
				words = append(words, r.TripID)
			}
		}
		words = append(words, "|")
	}
	for _, r := range found.Dropped {
		words = append(words, r.TripID)
	}
	return strings.Join(words, " ")
}

// testRowTrips books the trips of a row, and asks about the row in another shape.
func testRowTrips(t *testing.T, f fixture) {
	const only, out, back = importer.OnlyLeg, importer.OutboundLeg, importer.ReturnLeg
	elsewhere := func(trip *importer.Trip) *importer.Trip {
		trip.Pickup.Address1, trip.Dropoff.Address1 = "77 Birch Ln", "9 Cedar Ct"
		return trip
	}
	moved := func(trip *importer.Trip) *importer.Trip {
		trip.Pickup.PickupTime.Hour, trip.Dropoff.Address1 = 11, "9 Cedar Ct"
		return trip
	}
	for i, c := range []struct {
		name        string
		booked, now []importer.Leg
		change      func(*importer.Trip) *importer.Trip
		want        string
	}{
		{"as before", []importer.Leg{out, back}, []importer.Leg{out, back}, moved, "outbound return | - - |"},
		{"two from one", []importer.Leg{only}, []importer.Leg{out, back}, nil, "only - | - - |"},
		{"two from one, an end corrected", []importer.Leg{only}, []importer.Leg{out, back}, moved, "only - | - - |"},
		{"one from two", []importer.Leg{out, back}, []importer.Leg{only}, nil, "outbound | - | return"},
		{"nobody knows which", []importer.Leg{only}, []importer.Leg{out, back}, elsewhere, "- - | only only |"},
		{"the row makes nothing", []importer.Leg{out, back}, nil, nil, "| | outbound return"},
	} {
		row := "row-" + string(rune('a'+i))
		for _, leg := range c.booked {
			bookRow(t, f.Ledger, rowKey(row), legOf(row, row+"."+leg.Code(), leg))
		}
		var now []*importer.Trip
		for _, leg := range c.now {
			trip := legOf(row, "new id", leg)
			if c.change != nil && leg != back {
				trip = c.change(trip)
			} else if c.change != nil && len(c.booked) == 1 {
				trip = elsewhere(trip)
			}
			now = append(now, trip)
		}
		for _, l := range []ledger.Ledger{f.Ledger, f.ReadOnly(t)} {
			if got := strings.ReplaceAll(rowTrips(t, l, Lakeshore().Service, rowKey(row), now...), row+".", ""); strings.TrimSpace(got) != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
		}
	}
}

// testRowRecord looks at what is said of a row's trip: under another trip id nothing
// has changed, and another account's trip is known.
func testRowRecord(t *testing.T, f fixture) {
	l, key := f.Ledger, rowKey("70411")
	Book(t, l, under(prairie(), rowClaim(key, legOf("r", "A", importer.OnlyLeg))), "g1")

	now := legOf("r", "B", importer.OnlyLeg)
	find := func(key importer.RowKey, service string) *importer.Record {
		found, err := l.RowTrips(t.Context(), service, &importer.Mapped{Key: key, Trips: []importer.Trip{*now}})
		must(t, err)
		return found.Matched[0]
	}
	service := Lakeshore().Service
	if r := find(key, service); r == nil || r.TripID != "A" || r.GUID != "g1" || r.Differs != nil || r.OtherTrip || r.Account.Provider != "Prairie Rides" {
		t.Errorf("got %+v", r)
	}
	now.RiderID = "R-other"
	if r := find(key, service); r == nil || !r.OtherTrip || !slices.Equal(r.Differs, []string{"rider_id"}) {
		t.Errorf("of another rider: %+v", r)
	}

	spaced, other, none, foreign := key, key, key, key
	spaced.Broker, other.Broker, none.ID, foreign.ID = " LAKESHORE ", "Prairie", "", "70412"
	for name, c := range map[string]struct {
		key     importer.RowKey
		service string
		want    bool
	}{
		"the broker's name in other letters": {spaced, service, true}, "another broker": {other, service, false},
		"no id": {none, service, false}, "another row": {foreign, service, false}, "another service": {key, testHost, false},
	} {
		if r := find(c.key, c.service); (r != nil) != c.want {
			t.Errorf("%s: %+v", name, r)
		}
	}

	// What is free to be sent is not booked.
	for _, state := range []importer.State{importer.Refused, importer.NotSent, importer.Unknown} {
		row := "row " + state.Code()
		Send(t, l, rowClaim(rowKey(row), legOf(row, row, importer.OnlyLeg)), Settlement(state, ""))
		if r := find(rowKey(row), service); (r != nil) != (state == importer.Unknown) {
			t.Errorf("%s: %+v", state.Code(), r)
		}
	}
}

// testRowsOnOtherDays asks about an id on another day: where ids come again it is
// another row, otherwise it was moved. A return after midnight is of its row.
func testRowsOnOtherDays(t *testing.T, f fixture) {
	l, service := f.Ledger, Lakeshore().Service
	tomorrow := Night().AddDays(1)
	row := func(use importer.IDUse, day importer.Date) importer.RowKey {
		key := rowKey("70411")
		key.IDs, key.Date = use, day
		return key
	}
	out, back := legOf("r", "A", importer.OutboundLeg), onDay(legOf("r", "B", importer.ReturnLeg), tomorrow)
	back.Pickup.PickupTime.Hour = 0
	bookRow(t, l, row(importer.RepeatedIDs, Night()), out)
	bookRow(t, l, row(importer.RepeatedIDs, Night()), back)

	outTomorrow := onDay(legOf("r", "C", importer.OutboundLeg), tomorrow)
	backTomorrow := onDay(legOf("r", "D", importer.ReturnLeg), tomorrow.AddDays(1))
	for name, c := range map[string]struct {
		key   importer.RowKey
		trips []*importer.Trip
		want  string
	}{
		"the same day":                {row(importer.RepeatedIDs, Night()), []*importer.Trip{out, back}, "A B | - - |"},
		"the next day":                {row(importer.RepeatedIDs, tomorrow), []*importer.Trip{outTomorrow, backTomorrow}, "- - | - - |"},
		"a week later":                {row(importer.RepeatedIDs, Night().AddDays(7)), []*importer.Trip{onDay(legOf("r", "E", importer.OutboundLeg), Night().AddDays(7))}, "- | - |"},
		"no day":                      {row(importer.RepeatedIDs, importer.Date{}), []*importer.Trip{out}, "- | - |"},
		"the next day, of unique ids": {row(importer.UniqueIDs, tomorrow), []*importer.Trip{outTomorrow, backTomorrow}, "A B | - - |"},
		"the next day, nothing said":  {row(importer.UnsaidIDs, tomorrow), []*importer.Trip{outTomorrow, backTomorrow}, "A B | - - |"},
	} {
		if got := strings.TrimSpace(rowTrips(t, l, service, c.key, c.trips...)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	bookRow(t, l, row(importer.RepeatedIDs, tomorrow), outTomorrow) // the ids come again
	wantTaken(t, l, "the row's outbound under another id", rowClaim(row(importer.RepeatedIDs, Night()), legOf("r", "F", importer.OutboundLeg)))
}

// testRowsOfOtherSystems keeps the rows of two systems apart, and knows those of one
// system under each of its addresses.
func testRowsOfOtherSystems(t *testing.T, f fixture) {
	l, ctx, key, office := f.Ledger, t.Context(), rowKey("70411"), Lakeshore().Service
	bookRow(t, l, key, legOf("r", "A", importer.OnlyLeg))
	must(t, l.Separate(ctx, testHost, dana()))
	now := legOf("r", "B", importer.OnlyLeg)
	if got := rowTrips(t, l, testHost, key, now); got != "- | - |" {
		t.Errorf("at another system: %q", got)
	}
	there := rowClaim(key, now)
	there.Account, there.Within = at(testHost), 15
	Book(t, l, there, "g-there")
	if got := rowTrips(t, l, testHost, key, now) + rowTrips(t, l, office, key, now); got != "B | - |A | - |" {
		t.Errorf("at both: %q", got)
	}
	must(t, l.Link(ctx, office, movedTo, dana()))
	if got := rowTrips(t, l, movedTo, key, now); got != "A | - |" {
		t.Errorf("at the new address: %q", got)
	}
}

// testRespelt asks about ids that differ in their spelling alone.
func testRespelt(t *testing.T, f fixture) {
	l := f.Ledger
	bookRow(t, l, rowKey("00701"), legOf("r-1", "00701", importer.OnlyLeg))
	Send(t, l, rowClaim(rowKey("00801"), legOf("r-1", "00801", importer.OnlyLeg)), Settlement(importer.Refused, ""))
	Send(t, l, rowClaim(rowKey("tr-901"), legOf("r-1", "tr-901", importer.OnlyLeg)), Settlement(importer.Unknown, ""))
	other, night := rowKey("701"), Night()
	other.Broker = "Prairie"
	unique := rowKey("701")
	unique.IDs = importer.UniqueIDs
	for _, crashed := range []bool{false, true} {
		if crashed {
			l = f.Crash(t)
		}
		for name, c := range map[string]struct {
			key   importer.RowKey
			rider string
			day   importer.Date
			want  string
		}{
			"without zeros": {rowKey("701"), "R-r-1", night, "00701"}, "and the rider in other letters": {rowKey("701"), "rr1", night, "00701"},
			"without the hyphen": {rowKey("TR901"), "R-r-1", night, "tr-901"},
			"the same row":       {rowKey("00701"), "R-r-1", night, ""}, "refused": {rowKey("801"), "R-r-1", night, ""},
			"another rider, the same places": {rowKey("701"), "R-r-2", night, "00701"}, "another rider elsewhere": {rowKey("701"), "R-elsewhere", night, ""}, "another day": {rowKey("701"), "R-r-1", night.AddDays(1), ""},
			"moved, where an id is used once": {unique, "R-r-1", night.AddDays(-7), "00701"}, "too far": {unique, "R-r-1", night.AddDays(8), ""}, "moved, another rider": {unique, "R-r-2", night.AddDays(1), ""},
			"another broker": {other, "R-r-1", night, ""}, "another id": {rowKey("7010"), "R-r-1", night, ""},
			"no rider": {rowKey("701"), "", night, "00701"}, "no id": {rowKey(""), "R-r-1", night, ""},
		} {
			trip := onDay(legOf("r-1", "asked", importer.OnlyLeg), c.day)
			trip.RiderID, trip.Pickup.PickupTime.Hour = c.rider, 17
			if c.rider == "R-elsewhere" {
				trip.Pickup.Address1 = "9 Fern St"
			}
			found, err := l.Respelt(t.Context(), Lakeshore().Service, c.key, trip)
			must(t, err)
			if got := sortedIDs(found); got != c.want {
				t.Errorf("%s: %q, want %q", name, got, c.want)
			}
		}
	}
}

// testOutdated claims a trip after another process has booked one that may be the same, or
// a person has left it: after it was asked about.
func testOutdated(t *testing.T, f fixture) {
	if f.Beside == nil {
		return // nothing is booked meanwhile
	}
	other := f.Beside(t)
	Begin(t, other, "run-2")
	at := func(trip *importer.Trip, hour int) *importer.Trip {
		trip.Pickup.PickupTime.Hour, trip.Dropoff.Appt.Hour = hour, hour+1
		return trip
	}
	cancelled := ledger.Resolution{Verdict: importer.DoneByHand, State: importer.CancelledCreated, Who: "dana", When: Noon()}
	for i, c := range []struct {
		name    string
		run     string // that books theirs
		id      string // of their row
		places  bool   // theirs goes elsewhere
		look    *importer.Look
		after   ledger.Resolution // an answer about theirs
		refused bool
	}{
		{name: "spelt otherwise", run: "run-2", id: "0070%d", look: &importer.Look{}, refused: true},
		{name: "spelt otherwise, and left by another", run: "run-2", id: "0070%d", places: true, look: &importer.Look{}, refused: true},
		{name: "spelt otherwise, and known", run: "run-2", id: "0070%d", look: &importer.Look{Found: []int64{0}}},
		{name: "spelt otherwise, by the same run", run: "run-1", id: "0070%d", look: &importer.Look{}},
		{name: "spelt otherwise, and cancelled", run: "run-2", id: "0070%d", look: &importer.Look{}, after: cancelled},
		{name: "spelt otherwise, and booked all the same", run: "run-2", id: "0070%d"},
		{name: "another row of the day", run: "run-2", id: "B-%d", look: &importer.Look{SameDay: true}, refused: true},
		{name: "another row of the day, and known", run: "run-2", id: "B-%d", look: &importer.Look{SameDay: true, Found: []int64{0}}},
		{name: "another row of the day, by the same run", run: "run-1", id: "B-%d", look: &importer.Look{SameDay: true}},
		{name: "another row of the day, that is not asked for", run: "run-2", id: "B-%d", look: &importer.Look{}},
		{name: "another row of the day elsewhere", run: "run-2", id: "B-%d", places: true, look: &importer.Look{SameDay: true}},
		{name: "left meanwhile", look: &importer.Look{}, refused: true},
		{name: "left meanwhile, and booked by hand"},
	} {
		row := fmt.Sprint("r-", i)
		id := fmt.Sprint("70", i)
		ours := at(legOf(row, id, importer.OnlyLeg), 8)
		claim := rowClaim(rowKey(id), ours)
		take(t, f.Ledger, rowClaim(rowKey("before"+row), legOf("before"+row, "before"+row, importer.OnlyLeg))) // the ledger knows the account
		l := map[string]ledger.Ledger{"": other, "run-1": f.Ledger, "run-2": other}[c.run]
		if c.run == "" {
			must(t, l.Decide(t.Context(), importer.Decision{Key: claim.Key, Trip: ours}, importer.LeaveIt, dana()))
		} else {
			theirs := at(legOf(row, fmt.Sprintf(c.id, i), importer.OnlyLeg), 17)
			if c.places {
				theirs.Pickup.Address1 = "9 Fern St"
			}
			booking := rowClaim(rowKey(theirs.ID), theirs)
			booking.Run = c.run
			booked := Send(t, l, booking, Settlement(importer.Created, "g-"+theirs.ID))
			if c.look != nil && len(c.look.Found) > 0 {
				c.look.Found[0] = booked.Attempt
			}
			if c.after.Verdict != importer.NoVerdict {
				c.after.Attempt = booked.Attempt
				must(t, l.Resolve(t.Context(), c.after))
			}
		}
		claim.Look = c.look
		if _, err := f.Ledger.Claim(t.Context(), claim); errors.Is(err, importer.ErrOutdated) != c.refused || err != nil && !c.refused {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// idsOf returns the ids of trips, in their order; nil for none.
func idsOf(records []importer.Record) []string {
	var ids []string
	for _, r := range records {
		ids = append(ids, r.TripID)
	}
	return ids
}

func sortedIDs(records []importer.Record) string {
	ids := idsOf(records)
	slices.Sort(ids)
	return strings.Join(ids, " ")
}

// testTripsOfIDAndRider looks for trips of which a cancelled row has only the id, or
// only the rider and the day.
func testTripsOfIDAndRider(t *testing.T, f fixture) {
	l, ctx, service := f.Ledger, t.Context(), Lakeshore().Service
	bookRow(t, l, rowKey("1"), legOf("r", "A", importer.OutboundLeg))
	bookRow(t, l, rowKey("1"), legOf("r", "B", importer.ReturnLeg))
	bookRow(t, l, rowKey("2"), onDay(legOf("r", "C", importer.OnlyLeg), Night().AddDays(1)))
	bookRow(t, l, rowKey("3"), legOf("other", "D", importer.OnlyLeg))
	Send(t, l, rowClaim(rowKey("4"), legOf("r", "E", importer.OnlyLeg)), Settlement(importer.Refused, ""))
	Send(t, l, rowClaim(rowKey("5"), legOf("r", "F", importer.OnlyLeg)), Settlement(importer.Unknown, ""))
	Book(t, l, under(prairie(), rowClaim(rowKey("6"), legOf("other", "A", importer.OnlyLeg))), "g-prairie")

	for _, c := range []struct{ service, id, want string }{
		{service, "A", "A A"}, {service, "C", "C"}, {service, "E", ""}, {service, "F", "F"}, {service, "a", ""}, {testHost, "A", ""},
	} {
		found, err := l.TripsOfID(ctx, c.service, c.id)
		if got := sortedIDs(found); err != nil || got != c.want {
			t.Errorf("of the id %q at %s: %q, want %q, %v", c.id, c.service, got, c.want, err)
		}
	}

	asked := &importer.Trip{RiderID: "R-r"}
	asked.Pickup.PickupTime.Date = Night()
	for name, c := range map[string]struct {
		service, rider string
		day            importer.Date
		want           string
	}{
		"the rider and the day": {service, "R-r", Night(), "A B F"}, "the next day": {service, "R-r", Night().AddDays(1), "C"},
		"another rider": {service, "R-nobody", Night(), ""}, "no rider": {service, "", Night(), ""},
		"no day": {service, "R-r", importer.Date{}, ""}, "another service": {testHost, "R-r", Night(), ""},
	} {
		asked.RiderID, asked.Pickup.PickupTime.Date = c.rider, c.day
		found, err := l.TripsOfRider(ctx, c.service, asked)
		if got := sortedIDs(found); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q, %v", name, got, c.want, err)
		}
	}
}

// testSameDay asks for trips of the same rider and places at whatever time.
func testSameDay(t *testing.T, f fixture) {
	l := f.Ledger
	booked := legOf("r", "A", importer.OnlyLeg)
	booked.Dropoff.Address2 = "Suite 5"
	bookRow(t, l, rowKey("1"), booked)
	Send(t, l, rowClaim(rowKey("2"), legOf("r", "E", importer.OnlyLeg)), Settlement(importer.Refused, ""))
	for name, c := range map[string]struct {
		change func(*importer.Trip)
		want   string
	}{
		"another time":    {func(*importer.Trip) {}, "A"},
		"a will call":     {func(t *importer.Trip) { t.Type = importer.WillCall }, "A"},
		"no unit":         {func(t *importer.Trip) { t.Dropoff.Address2 = "" }, "A"},
		"another unit":    {func(t *importer.Trip) { t.Dropoff.Address2 = "Suite 6" }, ""},
		"another rider":   {func(t *importer.Trip) { t.RiderID = "R-other" }, ""},
		"another place":   {func(t *importer.Trip) { t.Dropoff.Address1 = "9 Cedar Ct" }, ""},
		"another day":     {func(t *importer.Trip) { onDay(t, Night().AddDays(1)) }, ""},
		"the trip itself": {func(t *importer.Trip) { t.ID = "A" }, ""},
	} {
		trip := legOf("r", "asked", importer.OnlyLeg)
		trip.Dropoff.Address2, trip.Pickup.PickupTime.Hour, trip.Dropoff.Appt = "Suite 5", 18, importer.DateTime{}
		c.change(trip)
		found, err := l.SameDay(t.Context(), Lakeshore(), trip)
		if got := sortedIDs(found); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q, %v", name, got, c.want, err)
		}
	}
}

// testRowMarks tells rows and brokers apart by the marks of their trips.
func testRowMarks(t *testing.T, f fixture) {
	l, key := f.Ledger, rowKey("70411")
	bookRow(t, l, key, legOf("r", "A", importer.OnlyLeg))
	Book(t, l, Claim("run-1", Trip("without a row"), 9), "g9")
	other, broker := rowKey("70412"), key
	broker.Broker = "Prairie"
	mark := Find(t, l, Trip("A")).RowMark
	if marks := l.RowMarks(key); mark == "" || !slices.Contains(marks, mark) {
		t.Errorf("the trip has the mark %q, its row %q", mark, marks)
	}
	if slices.Contains(l.RowMarks(other), mark) || slices.Contains(l.RowMarks(broker), mark) {
		t.Error("another row has the mark")
	}
	if !importer.OtherBroker(l.RowMarks(broker)[0], mark) || importer.OtherBroker(l.RowMarks(other)[0], mark) {
		t.Error("the marks do not tell the brokers apart")
	}
	if marks := l.RowMarks(rowKey("")); len(marks) != 0 {
		t.Errorf("a row without an id has the marks %q", marks)
	}
	if mark := Find(t, l, Trip("without a row")).RowMark; mark != "" {
		t.Errorf("a trip without a row has the mark %q", mark)
	}
}

// testRowIDs names the rows of a broker otherwise, with and without trips ahead.
func testRowIDs(t *testing.T, f fixture) {
	l, ctx, n := f.Ledger, t.Context(), 1
	begin := func(broker, columns string) {
		n++
		run := Run("run-" + string(rune('0'+n)))
		run.RowIDs = importer.RowIDs{Broker: broker, Columns: columns}
		must(t, l.Begin(ctx, run))
	}
	want := func(broker, columns string, from importer.Date, known bool, code string) {
		t.Helper()
		got, err := l.CheckRowIDs(ctx, importer.RowIDs{Broker: broker, Columns: columns}, from)
		if got != known {
			t.Errorf("%s: known %v", broker, got)
		}
		if code != "" {
			WantError(t, err, code)
		} else if err != nil {
			t.Errorf("%s by %s: %v", broker, columns, err)
		}
	}

	want("Lakeshore", "order", Night(), false, "")
	begin("Lakeshore", "order")
	want("lakeshore", "order", Night(), true, "")
	want("Prairie", "order", Night(), false, "")
	want("Lakeshore", "tripnumber", Night(), true, "") // nothing is booked
	begin("Lakeshore", "tripnumber")
	bookRow(t, l, rowKey("70411"), legOf("r", "A", importer.OnlyLeg))
	begin("Prairie", "order")
	l = f.Crash(t)
	want("Lakeshore", "tripnumber", Night(), true, "")
	want("Lakeshore", "order", Night(), true, "ledger-row-ids")
	want("Lakeshore", "order", Night().AddDays(1), true, "") // the trip is past
	want("Prairie", "tripnumber", Night(), true, "")
}

// testRowCollisions claims trips of one row in several shapes, as two machines do.
func testRowCollisions(t *testing.T, f fixture) {
	const only, out, back = importer.OnlyLeg, importer.OutboundLeg, importer.ReturnLeg
	l, ctx := f.Ledger, t.Context()
	for i, c := range []struct {
		name          string
		first, second importer.Leg
		state         importer.State
		granted       bool
	}{
		{"the same leg", out, out, importer.Created, false},
		{"one, then two", only, out, importer.Created, false},
		{"two, then one", out, only, importer.Created, false},
		{"the way back", out, back, importer.Created, true},
		{"one, then the way back", only, back, importer.Created, true},
		{"one that may be booked", only, out, importer.Unknown, false},
		{"one that was refused", only, out, importer.Refused, true},
		{"one that was not sent", out, only, importer.NotSent, true},
	} {
		row := "row-" + string(rune('a'+i))
		Send(t, l, rowClaim(rowKey(row), legOf(row, row+"-1", c.first)), Settlement(c.state, "g-"+row))
		_, err := l.Claim(ctx, rowClaim(rowKey(row), legOf(row, row+"-2", c.second)))
		if (err == nil) != c.granted || err != nil && !errors.Is(err, importer.ErrClaimed) {
			t.Errorf("%s: %v", c.name, err)
		}
	}

	// At the same moment one of them wins.
	won := make(chan bool)
	for _, leg := range []importer.Leg{only, out} {
		go func() {
			_, err := l.Claim(ctx, rowClaim(rowKey("both"), legOf("both", "both-"+leg.Code(), leg)))
			won <- err == nil
		}()
	}
	if a, b := <-won, <-won; a == b {
		t.Errorf("of two shapes of a row both or none were claimed: %v", a)
	}
}

// testClaimWithin claims a trip of a rider at about the time of another.
func testClaimWithin(t *testing.T, f fixture) {
	l, ctx := f.Ledger, t.Context()
	bookRow(t, l, rowKey("1"), legOf("r", "A", importer.OnlyLeg))
	claim := func(row, id string, minute, within int) error {
		trip := legOf("r", id, importer.OnlyLeg)
		trip.Pickup.PickupTime.Minute += minute
		trip.Dropoff.Appt = importer.DateTime{}
		c := rowClaim(rowKey(row), trip)
		c.Within = within
		claimed, err := l.Claim(ctx, c)
		if err == nil {
			must(t, l.Settle(ctx, claimed, Settlement(importer.Refused, "")))
		}
		return err
	}
	if err := claim("2", "B", 10, 15); !errors.Is(err, importer.ErrClaimed) {
		t.Errorf("ten minutes later: %v", err)
	}
	for name, err := range map[string]error{
		"half an hour later": claim("3", "C", 29, 15), "both are meant": claim("4", "D", 10, 0),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}

	// What a person cancelled is not in the way, neither of the row nor of others.
	cancelled := resolution(Find(t, l, Trip("A")).Attempt, importer.DoneByHand, "", time.Hour)
	cancelled.State = importer.CancelledCreated
	must(t, l.Resolve(ctx, cancelled))
	if err := claim("2", "B", 10, 15); err != nil {
		t.Errorf("beside a cancelled trip: %v", err)
	}
	if err := claim("1", "A2", 10, 15); err != nil {
		t.Errorf("the row of a cancelled trip: %v", err)
	}
	if got := rowTrips(t, l, Lakeshore().Service, rowKey("1"), legOf("r", "A", importer.OnlyLeg)); got != "A | - |" {
		t.Errorf("the cancelled trip is not its row's any more: %q", got)
	}
}
