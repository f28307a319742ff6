package app_test

import (
	"context"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tripimport/importer"
	"tripimport/importer/sandbox"
	"tripimport/importer/service"
)

// differsInService returns the keys of the properties in which the service has another
// value than the trip. What the trip has no value for is not compared, such as a
// distance that the service calculated.
func differsInService(has sandbox.BookedTrip, trip *importer.Trip) (keys []string) {
	fromRow := *trip // positions from a list of places have no value to compare
	fromRow.Pickup.Position.Source, fromRow.Dropoff.Position.Source = "", ""
	for _, p := range importer.TripProperties() {
		want, got := string(p.AppendValue(nil, &fromRow)), has.Values[p.Key]
		switch {
		case p.OfAccount || want == "":
			continue
		case p.Key == "trip_type":
			got = map[string]string{"1": "willcall", "2": "Appointment", "3": "Return"}[got]
		case strings.HasSuffix(p.Key, "_time"):
			got = strings.TrimSuffix(strings.TrimSuffix(got, ".000"), ":00")
			if len(got) == len("2026-12-02 08") { // the minutes were 00
				got += ":00"
			}
		case strings.HasSuffix(p.Key, "itude"):
			degrees, _ := strconv.ParseFloat(got, 64)
			got = strconv.FormatFloat(degrees, 'f', 6, 64)
		}
		if got != want {
			keys = append(keys, p.Key)
		}
	}
	return keys
}

// Each property that can be changed, changed alone, reaches the sandbox as the contract
// wants it, and the service then has the trip as it is now.
func TestEachPropertyChangedInTheService(t *testing.T) {
	box, err := sandbox.New(sandbox.Config{})
	if err != nil {
		t.Fatal(err)
	}
	box.Allow("Lakeshore Transit", "County Medicaid Plan")
	server := httptest.NewServer(box)
	defer server.Close()
	client, err := service.New(service.Config{BaseURL: server.URL, Token: sandboxToken{box}})
	if err != nil {
		t.Fatal(err)
	}
	access, err := client.Access(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	key := access.Providers[0].Key

	at := func(hour, minute int) importer.DateTime {
		return importer.DateTime{Date: importer.Date{Year: 2026, Month: 12, Day: 2}, TimeOfDay: importer.TimeOfDay{Hour: hour, Minute: minute}}
	}
	booked := func(id string) importer.Trip {
		position := importer.Position{Latitude: 46.78, Longitude: -92.1, HasLatitude: true, HasLongitude: true}
		return importer.Trip{
			Provider: "Lakeshore Transit", FundingSource: "County Medicaid Plan", ID: id, RiderID: "R-77", SpaceType: "AMB", Type: importer.Appointment,
			BillableDistance: importer.Miles{Value: 3.5, Given: true}, AdditionalRiders: []importer.AdditionalRiders{{SpaceType: "AMB", Count: 1}},
			Pickup:  importer.Event{CompleteAddress: "12 Willow Lane, Duluth, MN 55802", Position: position, PickupTime: at(8, 30)},
			Dropoff: importer.Event{Address1: "400 Clinic Road", City: "Duluth", State: "MN", Zip: "55805", Position: position, Appt: at(10, 0)},
		}
	}
	edits := map[string]func(*importer.Trip){
		"space_type":        func(t *importer.Trip) { t.SpaceType = "WCH" },
		"billable_distance": func(t *importer.Trip) { t.BillableDistance.Value = 4.125 },
		"additional_passengers": func(t *importer.Trip) {
			t.AdditionalRiders = []importer.AdditionalRiders{{SpaceType: "AMB", Count: 1}, {SpaceType: "WCH", Count: 2}}
		},
		"trip_type": func(t *importer.Trip) { t.Type = importer.WillCall },
	}
	for side, event := range map[string]func(*importer.Trip) *importer.Event{
		"pickup.":  func(t *importer.Trip) *importer.Event { return &t.Pickup },
		"dropoff.": func(t *importer.Trip) *importer.Event { return &t.Dropoff },
	} {
		for name, edit := range map[string]func(*importer.Event){
			"event_name":                   func(e *importer.Event) { e.Name = "Front door" },
			"complete_address":             func(e *importer.Event) { e.CompleteAddress = "12 Pier Road, Duluth, MN 55806" },
			"event_location.location_name": func(e *importer.Event) { e.LocationName = "Harbor Clinic" },
			"event_location.address1":      func(e *importer.Event) { e.Address1 = "12 Pier Road" },
			"event_location.address2":      func(e *importer.Event) { e.Address2 = "Suite 3" },
			"event_location.city":          func(e *importer.Event) { e.City = "Hermantown" },
			"event_location.state":         func(e *importer.Event) { e.State = "WI" },
			"event_location.zip":           func(e *importer.Event) { e.Zip = "55806" },
			"event_location.latitude":      func(e *importer.Event) { e.Position.Latitude, e.Position.Source = 46.8123456, "census" },
			"event_location.longitude":     func(e *importer.Event) { e.Position.Longitude = -92.0987 },
			"appt_time":                    func(e *importer.Event) { e.Appt = at(9, 0) },
			"pickup_time":                  func(e *importer.Event) { e.PickupTime = at(9, 0) },
			"phone_number":                 func(e *importer.Event) { e.Phone = "218-555-0190" },
		} {
			edits[side+name] = func(t *importer.Trip) { edit(event(t)) }
		}
	}

	n := 0
	for _, p := range importer.TripProperties() {
		if !p.Changeable {
			continue
		}
		trip := booked("T-" + strconv.Itoa(n))
		a := client.Insert(t.Context(), key, &trip)
		if has := box.Trips()[n]; a.Kind != importer.ReplyCreated || len(differsInService(has, &trip)) > 0 {
			t.Fatalf("%v %s: the service has %v", a.Kind, a.Message, has.Values)
		}
		keys := []string{p.Key}
		if edits[p.Key] == nil {
			t.Fatalf("%s can be changed in the service: add a change of it to edits", p.Key)
		}
		edits[p.Key](&trip)
		if p.Key == "trip_type" { // a will call has its own time
			trip.Pickup.PickupTime, trip.Dropoff.Appt = importer.WillCallOn(at(0, 0).Date), importer.WillCallOn(at(0, 0).Date)
			keys = append(keys, "pickup.pickup_time", "dropoff.appt_time")
		}
		if got := differsInService(box.Trips()[n], &trip); !slices.Contains(got, p.Key) || len(got) != len(keys) {
			t.Errorf("%s: before the change %v differ", p.Key, got)
		}

		a = client.Change(t.Context(), key, importer.TripChange{GUID: a.GUID, TripID: trip.ID, RiderID: trip.RiderID, Trip: &trip, Keys: keys})
		side, isPlace := importer.PlaceOf(p.Key)
		if a.Kind != importer.ReplyChanged || a.Pickup.IsSet() != (isPlace && side == importer.FieldPickup) || a.Dropoff.IsSet() != (isPlace && side == importer.FieldDropoff) {
			t.Errorf("%s: %+v", p.Key, a)
		}
		if got := differsInService(box.Trips()[n], &trip); len(got) > 0 {
			t.Errorf("%s: after the change %v differ", p.Key, got)
		}
		n++
	}
	if n != len(edits) {
		t.Errorf("%d properties can be changed, %d were", len(edits), n)
	}
}

// A sandboxToken is the token of a sandbox.
type sandboxToken struct{ *sandbox.Sandbox }

func (s sandboxToken) Token(context.Context) (importer.Secret, error) { return s.Sandbox.Token(), nil }
