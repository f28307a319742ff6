package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tripimport/importer"
	"tripimport/importer/triptest"
)

func TestTripAsTheContractShowsIt(t *testing.T) {
	body, err := encode(goodTrip(), importer.NewSecret("key-1"))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"tp_api_key":"key-1","trip_id":"T-1001","rider_id":"R-77",` +
		`"pickup":{"event_name":"Home","complete_address":"12 Willow Lane, Duluth, MN 55802",` +
		`"event_location":{"latitude":46.78,"longitude":-92.1},"pickup_time":"2026-12-02 08:30:00.000"},` +
		`"dropoff":{"event_comment":"ring <twice> & wait","event_location":{"location_name":"Harbor Clinic",` +
		`"address1":"400 Clinic Road","address2":"Suite 3","city":"Duluth","state":"MN","zip":"55805",` +
		`"latitude":46.8,"longitude":-92.08},"appt_time":"2026-12-02 09:15:30.000","phone_number":"218-555-0190"},` +
		`"funding_source_name":"Northwind Health Plan","space_type":"AMB","billable_distance":3.5,` +
		`"phone":"218-555-0117","trip_type":"Appointment","additional_passengers":[{"space_type":"AMB","count":1}]}`
	var wanted, got any
	if err := errors.Join(json.Unmarshal([]byte(want), &wanted), json.Unmarshal(body, &got)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" || !strings.Contains(string(body), "ring <twice> & wait") {
		t.Errorf("%s %s", diff, body)
	}
}

// Every property of a trip is written under its own key with its own value, and
// nothing else is written.
func TestEveryPropertyIsWritten(t *testing.T) {
	trip := triptest.Full()
	// The body has the provider's API key where the list has its name.
	body, err := encode(&trip, importer.NewSecret(trip.Provider))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		t.Fatal(err)
	}

	written := map[string]string{}
	flatten(written, "", object)
	for _, p := range importer.TripProperties() {
		got, ok := written[p.Key]
		delete(written, p.Key)
		want := string(p.AppendValue(nil, &trip))
		switch {
		case p.Key == "dropoff.pickup_time":
			if ok {
				t.Errorf("%s is written, but only the service sets it", p.Key)
			}
		case !ok:
			t.Errorf("%s is not written: add it to trip.go", p.Key)
		case got != want && got != want+":00.000": // a time
			t.Errorf("%s is written as %q, want %q", p.Key, got, want)
		}
	}
	for key := range written {
		t.Errorf("%s is written and not a property of a trip: list it in importer/property.go", key)
	}
}

// flatten collects the values of an object by their dotted keys, in the canonical
// form that the list of properties has for them.
func flatten(into map[string]string, path string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			flatten(into, strings.TrimPrefix(path+"."+name, "."), member)
		}
	case []any:
		var parts []string
		for _, element := range v {
			entry := element.(map[string]any)
			parts = append(parts, fmt.Sprint(entry["space_type"], "|", entry["count"]))
		}
		into[path] = strings.Join(parts, ";")
	case float64:
		into[path] = strconv.FormatFloat(v, 'f', -1, 64)
		if strings.HasSuffix(path, "itude") {
			into[path] = strconv.FormatFloat(v, 'f', 6, 64)
		}
	default:
		into[path] = fmt.Sprint(v)
	}
}

func TestTripForms(t *testing.T) {
	day := importer.Date{Year: 2026, Month: 12, Day: 2}
	for name, c := range map[string]struct {
		edit func(*importer.Trip)
		path string
		want any // nil: left out
	}{
		"will call": {func(t *importer.Trip) {
			t.Type = importer.WillCall
			t.Pickup.PickupTime = importer.WillCallOn(day)
		}, "pickup.pickup_time", "2026-12-02 23:59"},
		"a will call's type": {func(t *importer.Trip) { t.Type = importer.WillCall }, "trip_type", "willcall"},
		"a return":           {func(t *importer.Trip) { t.Type = importer.Return }, "trip_type", "Return"},
		"a return at 23:59 is none": {func(t *importer.Trip) {
			t.Type = importer.Return
			t.Pickup.PickupTime = importer.WillCallOn(day)
		}, "pickup.pickup_time", "2026-12-02 23:59:00.000"},
		"no pickup time":           {func(t *importer.Trip) { t.Pickup.PickupTime = importer.DateTime{} }, "pickup.pickup_time", nil},
		"midnight":                 {func(t *importer.Trip) { t.Pickup.PickupTime.TimeOfDay = importer.TimeOfDay{} }, "pickup.pickup_time", "2026-12-02 00:00:00.000"},
		"no distance":              {func(t *importer.Trip) { t.BillableDistance = importer.Miles{} }, "billable_distance", nil},
		"a distance of nothing":    {func(t *importer.Trip) { t.BillableDistance = importer.Miles{Given: true} }, "billable_distance", 0.},
		"a latitude of zero":       {func(t *importer.Trip) { t.Pickup.Position.Latitude = 0 }, "pickup.event_location.latitude", 0.},
		"a dropoff has no pickup":  {func(t *importer.Trip) { t.Dropoff.PickupTime = importer.WillCallOn(day) }, "dropoff.pickup_time", nil},
		"a pickup's own appt_time": {func(t *importer.Trip) { t.Pickup.Appt = importer.WillCallOn(day) }, "pickup.appt_time", "2026-12-02 23:59:00.000"},
		"no passengers":            {func(t *importer.Trip) { t.AdditionalRiders = nil }, "additional_passengers", nil},
		"no phone":                 {func(t *importer.Trip) { t.Phone = "" }, "phone", nil},
	} {
		t.Run(name, func(t *testing.T) {
			trip := goodTrip()
			c.edit(trip)
			body, err := encode(trip, importer.NewSecret("key-1"))
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal(body, &value); err != nil {
				t.Fatal(err)
			}
			for part := range strings.SplitSeq(c.path, ".") {
				value = value.(map[string]any)[part]
			}
			if value != c.want {
				t.Errorf("%s is %v, want %v", c.path, value, c.want)
			}
		})
	}
}

// The body of every trip that a mapping can make is valid by the schema, and has
// the trip's times and coordinates unchanged.
func TestAnyTripKeepsToTheSchema(t *testing.T) {
	schema := contractSchema(t, "insert")
	rapid.Check(t, func(r *rapid.T) {
		trip := anyTrip(r)
		body, err := encode(trip, importer.NewSecret("key-1"))
		if err != nil {
			r.Fatal(err)
		}
		validates(t, schema, body)
		type event struct {
			Comment  string                                `json:"event_comment"`
			Time     string                                `json:"pickup_time"`
			Location struct{ Latitude, Longitude float64 } `json:"event_location"`
		}
		var back struct {
			ID              string `json:"trip_id"`
			Pickup, Dropoff event
		}
		if err := json.Unmarshal(body, &back); err != nil {
			r.Fatal(err)
		}
		if back.ID != trip.ID || back.Pickup.Location.Latitude != trip.Pickup.Position.Latitude ||
			back.Dropoff.Location.Longitude != trip.Dropoff.Position.Longitude ||
			back.Dropoff.Comment != trip.Dropoff.Comment {
			r.Fatalf("%+v came back as %s", trip, body)
		}
		if at := trip.Pickup.PickupTime; !at.IsZero() && !strings.HasPrefix(back.Pickup.Time, at.String()) {
			r.Fatalf("%v was written as %s", at, back.Pickup.Time)
		}
	})
}

func anyTrip(r *rapid.T) *importer.Trip {
	filled := rapid.StringN(1, 20, -1).Filter(func(s string) bool { return strings.ToValidUTF8(s, "") == s && strings.TrimSpace(s) != "" })
	text := rapid.OneOf(rapid.Just(""), filled)
	at := func(label string) importer.DateTime {
		if rapid.Bool().Draw(r, label) {
			return importer.DateTime{}
		}
		return importer.DateTime{
			Date: importer.Date{Year: 2026, Month: 1, Day: 1}.AddDays(rapid.IntRange(0, 2000).Draw(r, label)),
			TimeOfDay: importer.TimeOfDay{
				Hour: rapid.IntRange(0, 23).Draw(r, "h"), Minute: rapid.IntRange(0, 59).Draw(r, "m"),
				Second: rapid.SampledFrom([]int{0, 0, 0, 7, 59}).Draw(r, "s"),
			},
		}
	}
	event := func(label string) importer.Event {
		e := importer.Event{
			Name: text.Draw(r, label), Comment: text.Draw(r, label), CompleteAddress: text.Draw(r, label),
			LocationName: text.Draw(r, label), Phone: text.Draw(r, label),
			Position: importer.Position{
				Latitude:  rapid.Float64Range(-90, 90).Draw(r, label),
				Longitude: rapid.Float64Range(-180, 180).Draw(r, label), HasLatitude: true, HasLongitude: true,
			},
			Appt: at(label), PickupTime: at(label),
		}
		if e.CompleteAddress == "" {
			e.Address1, e.Address2, e.City, e.State, e.Zip = filled.Draw(r, label), text.Draw(r, label), filled.Draw(r, label), filled.Draw(r, label), filled.Draw(r, label)
		}
		return e
	}
	trip := &importer.Trip{
		ID: filled.Draw(r, "id"), RiderID: filled.Draw(r, "rider"), FundingSource: filled.Draw(r, "payer"),
		SpaceType: filled.Draw(r, "space"), Phone: text.Draw(r, "phone"),
		Type:             rapid.SampledFrom([]importer.TripType{importer.WillCall, importer.Appointment, importer.Return}).Draw(r, "type"),
		BillableDistance: importer.Miles{Value: rapid.Float64Range(0, 1e6).Draw(r, "miles"), Given: rapid.Bool().Draw(r, "given")},
		Pickup:           event("pickup"), Dropoff: event("dropoff"),
	}
	for range rapid.IntRange(0, 3).Draw(r, "companions") {
		trip.AdditionalRiders = append(trip.AdditionalRiders, importer.AdditionalRiders{
			SpaceType: filled.Draw(r, "space"), Count: rapid.IntRange(1, 9).Draw(r, "count"),
		})
	}
	return trip
}
