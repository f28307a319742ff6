package importer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // a machine may have no list of zones

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
)

// Column letters and numbers are each other's inverse.
func TestColumns(t *testing.T) {
	for name, want := range map[string]int{"A": 1, "Z": 26, "AA": 27, "az": 52, "BA": 53, "ZZ": 702, "AAA": 703, "XFD": importer.MaxColumns} {
		if got, ok := importer.ColumnNumber(name); !ok || got != want {
			t.Errorf("%s is column %d, %v; want %d", name, got, ok, want)
		}
	}
	for _, name := range []string{"", "A1", "XFE", "AAAA", "É", " A"} {
		if _, ok := importer.ColumnNumber(name); ok {
			t.Errorf("%q is taken for a column", name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		col := rapid.IntRange(1, importer.MaxColumns).Draw(t, "col")
		if got, ok := importer.ColumnNumber(importer.ColumnName(col)); !ok || got != col {
			t.Errorf("%d is %s, and that is %d", col, importer.ColumnName(col), got)
		}
	})
}

// Days are counted on the calendar, whatever daylight saving does.
func TestDates(t *testing.T) {
	for _, d := range []struct {
		year  int
		month time.Month
		day   int
		want  bool
	}{
		{2026, time.February, 28, true},
		{2026, time.February, 29, false},
		{2028, time.February, 29, true},
		{2026, time.February, 30, false},
		{2026, time.April, 30, true},
		{2026, time.April, 31, false},
		{2026, time.December, 31, true},
		{2026, time.December, 32, false},
		{2026, time.December, 0, false},
		{2026, 0, 5, false},
		{2026, 13, 5, false},
		{999, time.May, 5, false},
		{10_000, time.May, 5, false},
	} {
		if _, ok := importer.NewDate(d.year, d.month, d.day); ok != d.want {
			t.Errorf("%d-%d-%d is a day: %v", d.year, d.month, d.day, ok)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		date := importer.DateOf(time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).UTC())
		days := rapid.IntRange(-1000, 1000).Draw(t, "days")
		moved := date.AddDays(days)
		if got := date.DaysUntil(moved); got != days {
			t.Errorf("from %s to %s are %d days, want %d", date, moved, got, days)
		}
		if got := date.Compare(moved); got != -moved.Compare(date) || got < 0 != (days > 0) || got == 0 != (days == 0) {
			t.Errorf("%s compares with %s as %d", date, moved, got)
		}
		if back, err := importer.ParseDate(date.String()); err != nil || back != date {
			t.Errorf("%s is read as %s, %v", date, back, err)
		}
	})
}

// Times on a wall clock are as far apart as they would be in UTC.
func TestWallClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).UTC()
		to := from.Add(time.Duration(rapid.Int64Range(-3e6, 3e6).Draw(t, "later")) * time.Second)
		a, b := importer.DateTimeOf(from), importer.DateTimeOf(to)
		if got, want := a.MinutesUntil(b), int(to.Sub(from)/time.Minute); got != want {
			t.Errorf("from %s to %s are %d minutes, want %d", a, b, got, want)
		}
		if got, want := a.Compare(b), from.Compare(to); got != want {
			t.Errorf("%s compares with %s as %d, want %d", a, b, got, want)
		}
	})
}

// Daylight saving skips an hour: no clock shows a time in it.
func TestSkippedHour(t *testing.T) {
	chicago, err := time.LoadLocation("America/Chicago")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"2026-03-08 01:59": true, "2026-03-08 02:30": false, "2026-03-08 03:00": true, "2026-11-01 01:30": true} {
		if _, ok := at(text).In(chicago); ok != want {
			t.Errorf("%s is shown by a clock: %v, want %v", text, ok, want)
		}
	}
}

func TestRefs(t *testing.T) {
	tests := map[string]importer.Ref{
		"Trips!H7 (Appt Time)":    {Sheet: "Trips", Row: 7, Col: 8, Header: "Appt\n Time"},
		"Trips, row 7":            {Sheet: "Trips", Row: 7},
		"Trips":                   {Sheet: "Trips"},
		"Trips!H":                 {Sheet: "Trips", Col: 8},
		"H7 (Appt)":               {Row: 7, Shown: 7, Col: 8, Header: "Appt"},
		"H7 (Appt), line 9":       {Row: 9, Shown: 7, Col: 8, Header: "Appt"},
		"row 7, line 9":           {Row: 9, Shown: 7},
		"row 7":                   {Row: 7, Shown: 7},
		"line 7, column H (Appt)": {Row: 7, Col: 8, Header: "Appt"},
		"line 7":                  {Row: 7},
		"column H":                {Col: 8},
		"":                        {},
	}
	for want, ref := range tests {
		if got := ref.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Two trips that would be booked alike have the same properties. Coordinates that did not
// come from the row are not among them.
func TestProperties(t *testing.T) {
	trip := importer.Trip{
		ID: "T1", RiderID: "R1", FundingSource: "Lakeshore Plan", SpaceType: "WCH", Type: importer.WillCall,
		BillableDistance: importer.Miles{Value: 12.5, Given: true},
		AdditionalRiders: []importer.AdditionalRiders{{SpaceType: "AMB", Count: 1}, {SpaceType: "WCH", Count: 2}},
		Pickup: importer.Event{
			CompleteAddress: "100 Example Street", PickupTime: importer.WillCallOn(at("2026-12-02 00:00").Date),
			Position: importer.Position{Latitude: 41.5, Longitude: -87.25, HasLatitude: true, HasLongitude: true},
		},
		Dropoff: importer.Event{City: "Springfield", Position: importer.Position{
			Latitude: 41, Longitude: -87, HasLatitude: true, HasLongitude: true, Source: "places list",
		}},
	}
	want := []importer.PropertyValue{
		{Key: "trip_id", Value: "T1"},
		{Key: "rider_id", Value: "R1"},
		{Key: "funding_source_name", Value: "Lakeshore Plan"},
		{Key: "space_type", Value: "WCH"},
		{Key: "trip_type", Value: "willcall"},
		{Key: "billable_distance", Value: "12.5"},
		{Key: "additional_passengers", Value: "AMB|1;WCH|2"},
		{Key: "pickup.complete_address", Value: "100 Example Street"},
		{Key: "pickup.event_location.latitude", Value: "41.500000"},
		{Key: "pickup.event_location.longitude", Value: "-87.250000"},
		{Key: "pickup.pickup_time", Value: "2026-12-02 23:59"},
		{Key: "dropoff.event_location.city", Value: "Springfield"},
	}
	if diff := cmp.Diff(want, trip.Properties()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// A secret is shown nowhere.
func TestSecret(t *testing.T) {
	secret := importer.NewSecret("canary")
	encoded, err := json.Marshal(map[string]any{"key": secret})
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{
		string(encoded), fmt.Sprint(secret), fmt.Sprintf("%s %v %+v %#v %q", secret, secret, secret, secret, secret),
		fmt.Sprintf("%+v %#v", importer.Account{Key: secret}, importer.Account{Key: secret}), secret.LogValue().String(),
	} {
		if strings.Contains(shown, "canary") {
			t.Errorf("it shows as %q", shown)
		}
	}
}

// States have the order in which a row shows them, a code and words each of
// their own.
func TestStates(t *testing.T) {
	want := []string{"unknown", "reinstate_by_hand", "change_unknown", "cancel_by_hand", "change_by_hand", "refused", "fix", "not_sent", "held", "changed", "booked", "booked_earlier", "left_out", "ready"}
	var got []string
	words := map[string]bool{}
	for s := range importer.StateCount {
		got = append(got, importer.State(s).Code())
		words[importer.State(s).String()] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(words) != importer.StateCount {
		t.Errorf("two states have the same words: %v", words)
	}
}

// A fault that legs share is reported once.
func TestAllProblems(t *testing.T) {
	shared := importer.Problem{Code: "zip", Message: "not a ZIP", Cells: []importer.Ref{{Row: 2, Col: 3}}}
	other := shared
	other.Cells = []importer.Ref{{Row: 2, Col: 4}}
	m := importer.Mapped{Trips: []importer.Trip{
		{Problems: []importer.Problem{shared}},
		{Problems: []importer.Problem{shared, other}},
	}}
	if diff := cmp.Diff([]importer.Problem{shared, other}, m.AllProblems()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// Providers are found by name in any case and spacing, but not if two have the
// name.
func TestAccessNames(t *testing.T) {
	access := importer.Access{Providers: []importer.Provider{{Name: "Lakeshore Transit"}, {Name: "Double Cabs"}, {Name: "DOUBLE  CABS"}}}
	if p, ok := access.Provider(" lakeshore   TRANSIT"); !ok || p.Name != "Lakeshore Transit" {
		t.Errorf("got %q, %v", p.Name, ok)
	}
	for _, name := range []string{"Double Cabs", "Lakeshore", ""} {
		if _, ok := access.Provider(name); ok {
			t.Errorf("%q was found", name)
		}
	}
}

// The code of a leg is unique and leads back to it; these are stored in ledgers.
func TestLegCodes(t *testing.T) {
	for leg, code := range map[importer.Leg]string{
		importer.OnlyLeg: "only", importer.OutboundLeg: "outbound", importer.ReturnLeg: "return",
	} {
		if leg.Code() != code {
			t.Errorf("leg %d has the code %q, want %q", leg, leg.Code(), code)
		}
		var back importer.Leg
		if err := back.UnmarshalText([]byte(code)); err != nil || back != leg {
			t.Errorf("%q is leg %d, %v", code, back, err)
		}
	}
	if err := new(importer.Leg).UnmarshalText(nil); err == nil || importer.Leg(9).Code() != "" {
		t.Error("a number that no leg has has a code")
	}
}

// at reads a date and time like 2026-12-02 08:30.
func at(s string) importer.DateTime {
	when, err := time.Parse("2006-01-02 15:04", s)
	if err != nil {
		panic(err)
	}
	return importer.DateTimeOf(when)
}
