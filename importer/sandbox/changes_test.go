package sandbox

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const changePath = "/v1/singletrip/withProperties"

// book books a trip and returns it as the sandbox has it.
func (c *client) book(edit func(map[string]any)) BookedTrip {
	c.t.Helper()
	if status, text := c.do("POST", "/v1/singletrip", c.trip(edit)); status != 200 {
		c.t.Fatalf("%d %s", status, text)
	}
	all := c.booked()
	return all[len(all)-1]
}

// change changes properties and returns the status and the body, an object.
func (c *client) change(guid string, pairs ...string) (int, map[string]any) {
	c.t.Helper()
	status, text := c.do("POST", changePath, changeJSON(c.t, guid, c.key, pairs...))
	var object map[string]any
	if err := json.Unmarshal([]byte(text), &object); err != nil {
		c.t.Fatalf("%v in %s", err, text)
	}
	return status, object
}

// at returns the value at a dotted path of an object, nil if there is none.
func at(object map[string]any, path string) any {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		object, _ = object[name].(map[string]any)
	}
	return object[names[len(names)-1]]
}

// The service has a trip's values as they were sent by the insertion or by a change, in
// the forms of the change operation.
func TestTripsAreWhatWasSent(t *testing.T) {
	c := start(t, Config{})
	booked := c.book(func(trip map[string]any) {
		set("additional_passengers", []any{map[string]any{"space_type": "AMB", "count": 1}, map[string]any{"space_type": "WCH", "count": 2.0}})(trip)
		set("billable_distance", 3.25)(trip)
	})
	want := map[string]string{
		"trip_id": "T-1001", "rider_id": "R-77", "funding_source_name": "Northwind Health Plan", "space_type": "AMB",
		"trip_type": "2", "billable_distance": "3.25", "additional_passengers": "AMB|1;WCH|2",
		"pickup.complete_address": "12 Willow Lane, Duluth, MN 55802", "pickup.pickup_time": "2026-12-02 08:30:00.000",
		"pickup.event_location.latitude": "46.78", "pickup.event_location.longitude": "-92.1",
		"dropoff.event_location.address1": "400 Clinic Road", "dropoff.event_location.city": "Duluth",
		"dropoff.event_location.state": "MN", "dropoff.event_location.zip": "55805",
		"dropoff.event_location.latitude": "46.8", "dropoff.event_location.longitude": "-92.08",
		"dropoff.appt_time": "2026-12-02 09:15:00.000",
	}
	if diff := cmp.Diff(want, booked.Values); diff != "" {
		t.Error(diff)
	}

	// The last of several changes counts, also within one.
	for _, pairs := range [][]string{
		{"caller", "Front desk", "dropoff.event_location.zip", "55806"},
		{"dropoff.event_location.zip", "55807", "additional_passengers", "AMB|2"},
		{"trip_type", "3", "trip_type", "2", "pickup.pickup_time", "2026-12-02 08:00:00.000"},
	} {
		if status, text := c.change(booked.GUID, pairs...); status != 200 {
			t.Fatalf("%d %v", status, text)
		}
	}
	want["caller"], want["dropoff.event_location.zip"], want["additional_passengers"] = "Front desk", "55807", "AMB|2"
	want["pickup.pickup_time"] = "2026-12-02 08:00:00.000"
	if diff := cmp.Diff(want, c.booked()[0].Values); diff != "" {
		t.Error(diff)
	}

	// A change that is refused changes nothing, and what Trips returned is a copy.
	if status, _ := c.change(booked.GUID, "caller", "Nobody", "billable_distance", "far"); status != 400 {
		t.Errorf("a change that is wrong in part is answered with %d", status)
	}
	c.booked()[0].Values["caller"] = "Nobody"
	if diff := cmp.Diff(want, c.booked()[0].Values); diff != "" {
		t.Error(diff)
	}
}

// The answer to a change is the trip with its addresses where they were placed.
func TestChangedAddressIsPlaced(t *testing.T) {
	const latitude, longitude = "dropoff.event_location.latitude", "dropoff.event_location.longitude"
	for name, k := range map[string]struct {
		pairs []string
		want  float64
	}{
		"an address and its coordinates": {[]string{"dropoff.event_location.address1", "12 Pier Road", latitude, "46.81"}, 46.81},
		"a ZIP alone":                    {[]string{"dropoff.event_location.zip", "55806"}, 46.8},
		"a whole address":                {[]string{"dropoff.complete_address", "12 Pier Road, Duluth, MN 55806"}, 46.8},
		"coordinates alone":              {[]string{latitude, "46.82", longitude, "-92.07"}, 46.82},
		"a time":                         {[]string{"dropoff.appt_time", "2026-12-02 10:00:00.000"}, 46.8},
		"the other address":              {[]string{"pickup.complete_address", "1 Birch Court, Duluth, MN 55802"}, 46.8},
	} {
		c := start(t, Config{})
		booked := c.book(nil)
		status, answer := c.change(booked.GUID, k.pairs...)
		got, _ := at(answer, latitude).(float64)
		if status != 200 || math.Abs(got-k.want) > 1e-6 || answer["trip_guid"] != booked.GUID || answer["trip_id"] != "T-1001" || at(answer, k.pairs[0]) == nil {
			t.Errorf("%s: %d %v, want the latitude %v", name, status, answer, k.want)
		}
		if has := c.booked()[0].Values[latitude]; has != fmt.Sprint(got) {
			t.Errorf("%s: the answer has the latitude %v, the service %s", name, got, has)
		}
	}
}

// A dispatcher changes, cancels and books trips in the service itself.
func TestPut(t *testing.T) {
	c := start(t, Config{})
	edited, cancelled := c.book(nil), c.book(set("trip_id", "T-2"))
	edited.Values["pickup.pickup_time"] = "2026-12-02 09:30:00.000" // later than the appointment
	cancelled.Cancelled = true
	guids := []string{edited.GUID, cancelled.GUID}
	for _, trip := range []BookedTrip{edited, cancelled, {Provider: edited.Provider, TripID: "D-1", Values: map[string]string{"trip_type": "3"}}} {
		if guid := c.sandbox.Put(trip); !slices.Contains(guids, guid) {
			guids = append(guids, guid)
		}
	}
	edited.Values["caller"] = "not stored"

	has := c.booked()
	if len(guids) != 3 || len(has) != 3 || has[2].GUID != guids[2] || has[2].TripID != "D-1" || has[0].Values["caller"] != "" || !has[1].Cancelled {
		t.Errorf("the service has %+v", has)
	}
	if status, answer := c.change(edited.GUID, "caller", "x"); status != 400 || !strings.Contains(fmt.Sprint(answer), "the pickup time is later") {
		t.Errorf("a change is judged without the dispatcher's: %d %v", status, answer)
	}
	if status, answer := c.change(cancelled.GUID, "caller", "x"); status != 400 {
		t.Errorf("a cancelled trip is changed: %d %v", status, answer)
	}
	if status, answer := c.change(guids[2], "pickup.pickup_time", "2026-12-02 12:00:00.000"); status != 200 {
		t.Errorf("a trip that a dispatcher booked is not changed: %d %v", status, answer)
	}
}

// The log has every body, also one that is refused, once; what is no JSON it leaves out.
func TestLogHasBodies(t *testing.T) {
	var entries []Entry
	c := start(t, Config{Log: func(e Entry) { entries = append(entries, e) }})
	booked := c.book(nil)
	bodies := []string{
		changeJSON(t, booked.GUID, c.key, "pickup.event_name", "Birch House", "dropoff.event_location.zip", "55806"),
		changeJSON(t, booked.GUID, c.key, "billable_distance", "Birch"),
	}
	for _, body := range bodies {
		c.do("POST", changePath, body)
	}
	c.do("POST", changePath, `{"trip_guid":"Birch`)

	var got []string
	for _, e := range entries {
		if e.Phase == Received && e.Operation == Change && e.Body != nil {
			got = append(got, string(e.Body))
		}
		if e.Phase == Committed && e.Body != nil {
			t.Error("a body is there twice")
		}
	}
	if diff := cmp.Diff(bodies, got); diff != "" {
		t.Error(diff)
	}
}

// Changes that arrive at the same time are all stored, each once.
func TestConcurrentChanges(t *testing.T) {
	c := start(t, Config{})
	keys := []string{"pickup.event_name", "dropoff.event_name", "pickup.phone_number", "dropoff.phone_number", "caller", "space_type"}
	booked := c.book(nil)
	var sending sync.WaitGroup
	for _, key := range keys {
		sending.Go(func() {
			for n := range 20 {
				body := changeJSON(t, booked.GUID, c.key, key, fmt.Sprint(n))
				if resp, text, err := c.try("POST", changePath, body); err != nil || resp.StatusCode != http.StatusOK {
					t.Errorf("%v %s", err, text)
				}
			}
		})
	}
	sending.Wait()
	for _, key := range keys {
		if got := c.booked()[0].Values[key]; got != "19" {
			t.Errorf("%s is %q", key, got)
		}
	}
}
