package check_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/check"

	"github.com/google/go-cmp/cmp"
)

var today = importer.Date{Year: 2026, Month: 12, Day: 1}

func at(day, hour, minute int) importer.DateTime {
	return importer.DateTime{
		Date:      importer.Date{Year: 2026, Month: 12, Day: day},
		TimeOfDay: importer.TimeOfDay{Hour: hour, Minute: minute},
	}
}

func position(lat, lng float64) importer.Position {
	return importer.Position{Latitude: lat, Longitude: lng, HasLatitude: true, HasLongitude: true}
}

// good returns an appointment without a fault, on a row of its own.
func good(row int) importer.Mapped {
	r := importer.Row{File: "night.csv", Num: row}
	return importer.Mapped{Row: r, Trips: []importer.Trip{{
		Provider: "Lakeshore Transit", FundingSource: "Lakeshore Health", ID: "T-100" + string(rune('a'+row%26)),
		RiderID: "R-" + string(rune('a'+row%26)), SpaceType: "AMB", Type: importer.Appointment, Phone: "3135550110",
		BillableDistance: importer.Miles{Value: 13, Given: true},
		Pickup: importer.Event{
			Address1: "12 Alder Way", Address2: "Apt 4", City: "Dearborn", State: "MI", Zip: "48124",
			Position: position(42.2951, -83.248), PickupTime: at(2, 8, 30),
		},
		Dropoff: importer.Event{
			LocationName: "Copper Clinic", CompleteAddress: "900 Forge St, Detroit, MI 48226-1234",
			Position: position(42.3312, -83.047), Appt: at(2, 9, 30), Phone: "3135550111",
		},
		Row: r.Ref(0), Origin: columns{},
	}}}
}

// columns has a column of its own for every field, named after the field.
type columns struct{}

func (columns) Columns(f importer.Field) []importer.Column {
	return []importer.Column{{Num: 1 + len(f), Header: string(f)}}
}

// roundTrip returns a row of two legs without a fault.
func roundTrip(row int) importer.Mapped {
	m := good(row)
	out := m.Trips[0]
	out.Leg = importer.OutboundLeg
	back := out
	back.Leg, back.ID, back.Type = importer.ReturnLeg, out.ID+"-B", importer.Return
	back.Pickup, back.Dropoff = out.Dropoff, out.Pickup
	back.Pickup.Appt, back.Dropoff.PickupTime = importer.DateTime{}, importer.DateTime{}
	back.Pickup.PickupTime = at(2, 13, 45)
	m.Trips = []importer.Trip{out, back}
	return m
}

func rules() importer.Rules {
	return importer.Rules{}
}

// codesOf checks rows as a run does and returns the codes of each, notices with a
// question mark.
func codesOf(t *testing.T, rules importer.Rules, rows ...importer.Mapped) [][]string {
	t.Helper()
	c := check.New(today)
	for i := range rows {
		c.Note(&rows[i])
	}
	codes := make([][]string, len(rows))
	for i := range rows {
		c.Check(&rows[i], &rules)
		for _, p := range rows[i].AllProblems() {
			mark := ""
			if p.Severity == importer.Notice {
				mark = "?"
			}
			codes[i] = append(codes[i], p.Code+mark)
		}
	}
	return codes
}

func TestGoodRowsHaveNoProblems(t *testing.T) {
	will := good(3)
	trip := &will.Trips[0]
	trip.Type, trip.Dropoff.Appt, trip.Pickup.PickupTime = importer.WillCall, importer.DateTime{}, importer.WillCallOn(at(2, 0, 0).Date)
	overnight := good(4)
	overnight.Trips[0].Pickup.PickupTime, overnight.Trips[0].Dropoff.Appt = at(2, 23, 30), at(3, 0, 45)
	for i, codes := range codesOf(t, rules(), good(1), roundTrip(2), will, overnight) {
		if codes != nil {
			t.Errorf("row %d: %v", i+1, codes)
		}
	}
}

// TestRules breaks one thing at a time.
func TestRules(t *testing.T) {
	none := importer.DateTime{}
	for _, tc := range []struct {
		name  string
		wrong func(*importer.Trip)
		want  string
	}{
		{"no provider", func(t *importer.Trip) { t.Provider = "" }, "value-missing"},
		{"no funding source", func(t *importer.Trip) { t.FundingSource = "" }, "value-missing"},
		{"no trip id", func(t *importer.Trip) { t.ID = "" }, "value-missing"},
		{"no rider", func(t *importer.Trip) { t.RiderID = "" }, "value-missing"},
		{"no space type", func(t *importer.Trip) { t.SpaceType = "" }, "value-missing"},
		{"no type", func(t *importer.Trip) { t.Type = importer.NoType }, "time-missing"},

		{"no appointment", func(t *importer.Trip) { t.Dropoff.Appt = none }, "time-missing"},
		{"pickup late", func(t *importer.Trip) { t.Pickup.PickupTime = at(2, 9, 31) }, "pickup-after-appointment"},
		{"pickup very early", func(t *importer.Trip) { t.Dropoff.Appt = at(2, 21, 30) }, "pickup-long-before-appointment?"},
		{"return without pickup", func(t *importer.Trip) { t.Type, t.Dropoff.Appt, t.Pickup.PickupTime = importer.Return, none, none }, "time-missing"},
		{"will call without date", func(t *importer.Trip) { t.Type, t.Dropoff.Appt, t.Pickup.PickupTime = importer.WillCall, none, none }, "date-missing"},
		{"will call undeclared", func(t *importer.Trip) {
			t.Type, t.Dropoff.Appt, t.Pickup.PickupTime = importer.Return, none, at(2, 23, 59)
		}, "will-call-undeclared"},
		{"midnight", func(t *importer.Trip) { t.Pickup.PickupTime = at(2, 0, 0) }, "time-midnight?"},
		{"past", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = none, at(0, 9, 30) }, "date-past"},
		{"far off", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = none, at(200, 9, 30) }, "date-far"},

		{"no address", func(t *importer.Trip) { t.Dropoff.CompleteAddress = "" }, "address-missing"},
		{"both styles", func(t *importer.Trip) { t.Dropoff.City = "Detroit" }, "address-both-styles"},
		{"a street beside a complete address", func(t *importer.Trip) { t.Dropoff.Address1 = "900 Forge St" }, "address-both-styles"},
		{"a unit beside a complete address", func(t *importer.Trip) { t.Dropoff.Address2 = "Suite 4" }, "address-both-styles"},
		{"a ZIP beside a complete address", func(t *importer.Trip) { t.Dropoff.Zip = "48226" }, "address-both-styles"},
		{"incomplete", func(t *importer.Trip) { t.Pickup.City, t.Pickup.Zip = "", "" }, "address-incomplete"},
		{"a house number alone", func(t *importer.Trip) { t.Pickup.Address1 = "12-14" }, "address-incomplete"},
		{"state", func(t *importer.Trip) { t.Pickup.State = "Mich" }, "state-unknown"},
		{"ZIP", func(t *importer.Trip) { t.Pickup.Zip = "787" }, "zip-shape"},
		{"ZIP of another state", func(t *importer.Trip) { t.Pickup.Zip = "78701" }, "zip-not-in-state?"},
		{"phone", func(t *importer.Trip) { t.Phone = "555-0114" }, "phone-shape?"},
		{"phone of an event", func(t *importer.Trip) { t.Dropoff.Phone = "0000000000" }, "phone-shape?"},

		{"no coordinates", func(t *importer.Trip) { t.Pickup.Position = importer.Position{} }, "position-missing"},
		{"no longitude", func(t *importer.Trip) { t.Pickup.Position.HasLongitude = false }, "position-wrong"},
		{"no latitude", func(t *importer.Trip) { t.Dropoff.Position.HasLatitude = false }, "position-wrong"},
		{"zero", func(t *importer.Trip) { t.Pickup.Position = position(0, 0) }, "position-wrong"},
		{"a latitude of zero", func(t *importer.Trip) { t.Pickup.Position = position(0, -83.248) }, "position-wrong"},
		{"a longitude of zero", func(t *importer.Trip) { t.Pickup.Position = position(42.2951, 0) }, "position-wrong"},
		{"a latitude over 90", func(t *importer.Trip) { t.Pickup.Position = position(95, -83.248) }, "position-wrong"},
		{"not a number", func(t *importer.Trip) { t.Pickup.Position = position(math.NaN(), -83) }, "position-wrong"},
		{"infinite", func(t *importer.Trip) { t.Pickup.Position = position(42, math.Inf(-1)) }, "position-wrong"},
		{"off the globe", func(t *importer.Trip) { t.Pickup.Position = position(42, 200) }, "position-wrong"},
		{"whole degrees", func(t *importer.Trip) { t.Pickup.Position = position(42, -83) }, "position-wrong"},
		{"swapped", func(t *importer.Trip) { t.Pickup.Position = position(-83.248, 42.2951) }, "position-wrong"},
		{"swapped far west", func(t *importer.Trip) { t.Pickup.Position = position(-111.84, 33.38) }, "position-wrong"},
		{"no minus", func(t *importer.Trip) { t.Pickup.Position = position(42.2951, 83.248) }, "position-wrong"},
		{"another state", func(t *importer.Trip) { t.Pickup.Position = position(39.77, -86.16) }, "position-wrong"},
		{"another state, in small letters", func(t *importer.Trip) { t.Pickup.State, t.Pickup.Position = "mi", position(39.77, -86.16) }, "position-wrong"},
		{"a state of two signs", func(t *importer.Trip) { t.Pickup.State = "M1" }, "state-unknown"},
		{"another state than the line's", func(t *importer.Trip) { t.Dropoff.Position = position(39.77, -86.16) }, "position-wrong"},
		{"one decimal", func(t *importer.Trip) { t.Pickup.Position = position(42.3, -83.2) }, "position-wrong"},

		{"a space that is none", func(t *importer.Trip) { t.RiderID = "R\u00a01" }, "id-unusable"},
		{"control character", func(t *importer.Trip) { t.Pickup.Name = "Elm\x07" }, "text-unusual?"},
		{"a tab in a city", func(t *importer.Trip) { t.Pickup.City += "\tX" }, "text-unusual?"},
		{"damaged provider", func(t *importer.Trip) { t.Provider += "\ufffd" }, "text-unusual?"},
		{"damaged text", func(t *importer.Trip) { t.Pickup.City = "Cañon\ufffd" }, "text-unusual?"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := good(1)
			tc.wrong(&m.Trips[0])
			if diff := cmp.Diff([][]string{{tc.want}}, codesOf(t, rules(), m)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAllowedSpellings(t *testing.T) {
	for _, wrong := range []func(*importer.Trip){
		func(t *importer.Trip) { t.Pickup.Position = position(42.3, -83.248) }, // 42.3000
		func(t *importer.Trip) { t.Pickup.Zip = "481241234" },
		func(t *importer.Trip) { t.Pickup.State = "mi" },
		func(t *importer.Trip) { t.Phone = "4145550104" },
		func(t *importer.Trip) { t.Pickup.City = "Cañon" },
		func(t *importer.Trip) { t.BillableDistance.Given = false },
		func(t *importer.Trip) { t.Dropoff.State = "MI" }, // a constant beside a complete address
		func(t *importer.Trip) { t.ID = "T 100" },
	} {
		m := good(1)
		wrong(&m.Trips[0])
		if codes := codesOf(t, rules(), m); codes[0] != nil {
			t.Errorf("%v of %+v", codes[0], m.Trips[0])
		}
	}
}

// TestUnreadableIsNotMissing: what the mapping could not read has its fault
// already.
func TestUnreadableIsNotMissing(t *testing.T) {
	m := good(1)
	trip := &m.Trips[0]
	for _, f := range []importer.Field{"trip_id", "rider_id", "space_type", "dropoff.appt_time", "pickup.zip", "pickup.state", "pickup", "phone"} {
		trip.Report("unreadable", "can't be read", "fix it", f)
	}
	trip.ID, trip.RiderID, trip.SpaceType, trip.Dropoff.Appt = "", "", "", importer.DateTime{}
	trip.Pickup.Zip, trip.Pickup.State, trip.Pickup.Position, trip.Phone = "787", "", importer.Position{}, "1"
	trip.Type = importer.NoType
	for _, code := range codesOf(t, rules(), m)[0] {
		if code != "unreadable" {
			t.Error("also", code)
		}
	}
}

func TestRoundTripFaultsAreSaidOnce(t *testing.T) {
	m := roundTrip(1)
	for i := range m.Trips {
		m.Trips[i].RiderID = ""
	}
	m.Trips[0].Pickup.Zip, m.Trips[1].Dropoff.Zip = "787", "787"
	m.Trips[1].Pickup.PickupTime = at(2, 9, 0)
	got := codesOf(t, rules(), m)[0]
	want := []string{"value-missing", "zip-shape", "return-before-appointment"}
	if slices.Sort(got); len(got) < 3 || !slices.Contains(got, want[2]) || !slices.Contains(got, want[0]) {
		t.Errorf("found %v, want %v", got, want)
	}
}

func TestReturn(t *testing.T) {
	for _, tc := range []struct {
		name string
		back func(out, back *importer.Trip)
		want []string
	}{
		{"before the appointment", func(_, b *importer.Trip) { b.Pickup.PickupTime = at(2, 9, 0) }, []string{"return-before-appointment"}},
		{"at the appointment", func(_, b *importer.Trip) { b.Pickup.PickupTime = at(2, 9, 30) }, nil},
		{"on the next day", func(_, b *importer.Trip) { b.Pickup.PickupTime = at(3, 9, 0) }, []string{"return-on-another-day?"}},
		{"will call on the day", func(_, b *importer.Trip) {
			b.Type, b.Pickup.PickupTime = importer.WillCall, importer.WillCallOn(at(2, 0, 0).Date)
		}, nil},
		{"will call the day before", func(_, b *importer.Trip) {
			b.Type, b.Pickup.PickupTime = importer.WillCall, importer.WillCallOn(at(1, 0, 0).Date)
		}, []string{"return-before-appointment"}},
		{"before the outbound's pickup", func(o, b *importer.Trip) {
			o.Type, o.Dropoff.Appt, b.Pickup.PickupTime = importer.Return, importer.DateTime{}, at(2, 8, 0)
		}, []string{"return-before-appointment"}},
		{"to an appointment before the outbound's", func(_, b *importer.Trip) {
			b.Type, b.Pickup.PickupTime, b.Dropoff.Appt = importer.Appointment, importer.DateTime{}, at(2, 9, 0)
		}, []string{"return-before-appointment"}},
		{"after an outbound will call", func(o, b *importer.Trip) {
			o.Type, o.Dropoff.Appt, o.Pickup.PickupTime = importer.WillCall, importer.DateTime{}, importer.WillCallOn(at(2, 0, 0).Date)
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := roundTrip(1)
			tc.back(&m.Trips[0], &m.Trips[1])
			if diff := cmp.Diff(tc.want, codesOf(t, rules(), m)[0]); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSkippedTime(t *testing.T) {
	newYork, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	r := rules()
	r.Location = newYork
	m := good(1)
	gap := importer.DateTime{Date: importer.Date{Year: 2027, Month: 3, Day: 14}, TimeOfDay: importer.TimeOfDay{Hour: 2, Minute: 30}}
	m.Trips[0].Pickup.PickupTime = gap
	gap.Hour = 3
	m.Trips[0].Dropoff.Appt = gap
	if diff := cmp.Diff([]string{"time-skipped"}, codesOf(t, r, m)[0]); diff != "" {
		t.Error(diff)
	}
}

// A problem is at the cells where a person can fix it.
func TestCells(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*importer.Trip)
		want   string // the headers
	}{
		{"coordinates of the row", func(t *importer.Trip) { t.Pickup.Position = position(42.2951, 83.248) }, "pickup.latitude pickup.longitude"},
		{"coordinates that were looked up", func(t *importer.Trip) {
			t.Pickup.Position = position(42.2951, 83.248)
			t.Pickup.Position.Source = "places list"
		}, "pickup"},
		{"a past date, with a column of its own", func(t *importer.Trip) {
			t.Pickup.PickupTime, t.Dropoff.Appt = importer.DateTime{}, at(0, 9, 30)
		}, "date"},
		{"a missing part of an address", func(t *importer.Trip) { t.Pickup.City, t.Pickup.Zip = "", "" }, "pickup.city pickup.zip"},
		{"a longitude without a latitude", func(t *importer.Trip) { t.Pickup.Position.HasLatitude = false }, "pickup.latitude pickup.longitude"},
	} {
		m := with(good(1), tc.change)
		codesOf(t, rules(), m)
		var headers []string
		for _, ref := range m.Trips[0].Problems[0].Cells {
			headers = append(headers, ref.Header)
		}
		if got := strings.Join(headers, " "); got != tc.want {
			t.Errorf("%s: at %s, want %s", tc.name, got, tc.want)
		}
	}
}

// A message says what to do about it.
func TestFixOfMissingMinus(t *testing.T) {
	m := with(good(1), func(t *importer.Trip) { t.Pickup.Position = position(42.2951, 83.248) })
	codesOf(t, rules(), m)
	if got := m.Trips[0].Problems[0].Fix; got != "write the longitude with its minus: -83.248" {
		t.Errorf("the fix is %q", got)
	}
}

// A fault of the whole row is not reported again for a trip.
func TestFaultOfTheRow(t *testing.T) {
	m := good(1)
	m.Trips[0].RiderID = ""
	m.Problems = []importer.Problem{{Code: "cell-error", Field: importer.FieldRiderID}}
	if diff := cmp.Diff([][]string{{"cell-error"}}, codesOf(t, rules(), m)); diff != "" {
		t.Error(diff)
	}
}

// TestStreetsWithoutAName checks that a street that is a number or a box is one.
func TestStreetsWithoutAName(t *testing.T) {
	for _, street := range []string{"12 5th", "PO Box 12", "N6W23001", "100 S 200 E"} {
		m := with(good(2), func(t *importer.Trip) { t.Pickup.Address1 = street })
		if got := codesOf(t, rules(), m); len(got) > 0 && len(got[0]) > 0 {
			t.Errorf("%s: %v", street, got)
		}
	}
}
