package sandbox

import (
	"net/http"
	"strings"
	"testing"
)

// Every operation wants exactly the word bearer, one space and the token.
func TestBearer(t *testing.T) {
	c := start(t, Config{Token: "tok-1"})
	for header, want := range map[string]int{
		"bearer tok-1": 200, "Bearer tok-1": 401, "BEARER tok-1": 401, "tok-1": 401, "bearer": 401,
		"bearer tok-2": 401, "bearertok-1": 401, "bearer  tok-1": 401, "token tok-1": 401, "": 401,
	} {
		req := c.request(t.Context(), "GET", "/v1/access", "")
		req.Header.Del("Authorization")
		if header != "" {
			req.Header["Authorization"] = []string{header}
		}
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%q is answered with %d, want %d", header, resp.StatusCode, want)
		}
	}
	if s := c.sandbox.Token().Reveal(); s != "tok-1" {
		t.Errorf("the token is %q", s)
	}
	for _, path := range []string{"/v1/singletrip", "/v1/singletrip/withProperties"} {
		if status, text := c.do("POST", path, c.trip(nil)); status != 401 || !strings.Contains(text, "no access to this resource") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	if n := len(c.booked()); n != 0 {
		t.Errorf("%d trips were booked without a token", n)
	}
}

func TestPathsAndMethods(t *testing.T) {
	c := start(t, Config{})
	for _, r := range []struct {
		method, path string
		want         int
	}{
		{"GET", "/v1/access", 200},
		{"POST", "/v1/access", 405},
		{"GET", "/v1/singletrip", 405},
		{"PATCH", "/v1/singletrip", 405},
		{"PUT", "/v1/singletrip/withProperties", 405},
		{"PATCH", "/v1/singletrip/withProperties", 405},
		{"GET", "/v2/access", 404},
		{"GET", "/access", 404},
		{"GET", "/v1/Access", 404},
		{"POST", "/v1/singletrip/", 404},
		{"POST", "/v1/singletrip/withproperties", 404},
		{"GET", "/", 404},
	} {
		if status, _ := c.do(r.method, r.path, c.trip(nil)); status != r.want {
			t.Errorf("%s %s is answered with %d, want %d", r.method, r.path, status, r.want)
		}
	}
	for contentType, want := range map[string]int{
		"application/json": 200, "application/json; charset=UTF-8": 200, "": 415, "text/plain": 415,
		"application/x-www-form-urlencoded": 415, "application/json; charset=latin1": 415, "application/jsonx": 415,
	} {
		req := c.request(t.Context(), "POST", "/v1/singletrip", c.trip(nil))
		req.Header.Set("Content-Type", contentType)
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%q is answered with %d, want %d", contentType, resp.StatusCode, want)
		}
	}
	if status, _ := c.do("POST", "/v1/singletrip", strings.Repeat(" ", maxRequest+1)); status != 413 {
		t.Errorf("2 MB are answered with %d, want 413", status)
	}
}

// Each trip has one mistake, and is refused for it.
func TestInsertRefusals(t *testing.T) {
	c := start(t, Config{})
	wrong := []struct {
		path   string
		value  any
		status int
		says   string
	}{
		{"tp_api_key", nil, 400, "missing property 'tp_api_key'"},
		{"tp_api_key", "another key", 401, "no access to this resource"},
		{"trip_id", nil, 400, "missing property 'trip_id'"},
		{"trip_id", "", 400, "trip_id: "},
		{"trip_id", " ", 400, "trip_id: "},
		{"trip_id", 70411, 400, "trip_id: got "},
		{"rider_id", nil, 400, "missing property 'rider_id'"},
		{"rider_id", "\t", 400, "rider_id: "},
		{"funding_source_name", nil, 400, "missing property 'funding_source_name'"},
		{"funding_source_name", "NORTHWIND HEALTH PLAN", 401, "no access to this resource"},
		{"space_type", nil, 400, "missing property 'space_type'"},
		{"trip_type", nil, 400, "missing property 'trip_type'"},
		{"trip_type", "appointment", 400, "trip_type: value must be one of"},
		{"trip_type", "WillCall", 400, "trip_type: value must be one of"},
		{"trip_type", "", 400, "trip_type: "},
		{"trip_type", 2, 400, "trip_type: got "},
		{"phone", 2185550117, 400, "phone: got "},
		{"billable_distance", "3.5", 400, "billable_distance: got "},
		{"billable_distance", -1, 400, "billable_distance: "},
		{"pickup", nil, 400, "missing property 'pickup'"},
		{"pickup", "Duluth", 400, "pickup: got "},
		{"dropoff", nil, 400, "missing property 'dropoff'"},
		{"dropoff", []any{}, 400, "dropoff: got "},
		{"trip_guid", "x", 400, "additional properties 'trip_guid' not allowed"},
		{"Trip_ID", "x", 400, "additional properties 'Trip_ID' not allowed"},
		{"pickup.event_time", "x", 400, "pickup: additional properties 'event_time' not allowed"},
		{"pickup.event_location.lat", 1, 400, "pickup.event_location: additional properties 'lat' not allowed"},
		{"pickup.event_location", nil, 400, "pickup: missing property 'event_location'"},
		{"pickup.event_location.latitude", nil, 400, "pickup.event_location: missing property 'latitude'"},
		{"pickup.event_location.longitude", nil, 400, "pickup.event_location: missing property 'longitude'"},
		{"dropoff.event_location.latitude", "46.8", 400, "dropoff.event_location.latitude: got "},
		{"dropoff.event_location.longitude", 180.5, 400, "dropoff.event_location.longitude: "},
		{"dropoff.event_location.latitude", -90.1, 400, "dropoff.event_location.latitude: "},
		{"dropoff.event_location.zip", 55805, 400, "dropoff.event_location.zip: got "},
		{"dropoff.complete_address", "400 Clinic Road, Duluth", 400, "dropoff.event_location.address1: maxLength"},
		{"pickup.event_location.city", "Duluth", 400, "pickup.event_location.city: maxLength"},
		{"pickup.complete_address", nil, 400, "pickup.event_location: missing properties 'address1', 'city', 'state', 'zip'"},
		{"dropoff.event_location.zip", nil, 400, "missing property 'zip'"},
		{"dropoff.event_location.address1", nil, 400, "missing property 'address1'"},
		{"dropoff.pickup_time", "2026-12-02 08:30:00.000", 400, "dropoff.pickup_time: "},
		{"dropoff.appt_time", nil, 400, "an appointment needs dropoff.appt_time"},
		{"dropoff.appt_time", "", 400, "dropoff.appt_time: "},
		{"dropoff.appt_time", "2026-12-02T09:15:00", 400, "dropoff.appt_time: "},
		{"dropoff.appt_time", "2026-12-02 09:15", 400, "dropoff.appt_time is not a possible date and time"},
		{"dropoff.appt_time", "2026-02-30 09:15:00.000", 400, "dropoff.appt_time is not a possible date and time"},
		{"dropoff.appt_time", "2026-12-02 24:00:00.000", 400, "dropoff.appt_time is not a possible date and time"},
		{"dropoff.appt_time", "2026-12-02 08:29:59.999", 400, "the pickup time is later than the appointment time"},
		{"dropoff.appt_time", "12/02/2026 8:29 AM", 400, "the pickup time is later than the appointment time"},
		{"dropoff.appt_time", "12/02/2026 13:00 PM", 400, "dropoff.appt_time is not a possible date and time"},
		{"pickup.pickup_time", "12/02/2026 8:15 AM", 400, "pickup.pickup_time is not a possible date and time"},
		{"pickup.pickup_time", "2026-12-02 08:30", 400, "only will calls"},
		{"pickup.pickup_time", "2026-12-03 08:30:00.000", 400, "the pickup time is later than the appointment time"},
		{"pickup.pickup_time", 830, 400, "pickup.pickup_time: got "},
		{"additional_passengers", map[string]any{}, 400, "additional_passengers: got "},
		{"additional_passengers", []any{map[string]any{"space_type": "AMB"}}, 400, "additional_passengers.0: missing property 'count'"},
		{"additional_passengers", []any{map[string]any{"space_type": "", "count": 1}}, 400, "additional_passengers.0.space_type: "},
		{"additional_passengers", []any{map[string]any{"space_type": "AMB", "count": 0}}, 400, "additional_passengers.0.count: "},
		{"additional_passengers", []any{map[string]any{"space_type": "AMB", "count": 1.5}}, 400, "additional_passengers.0.count: got "},
		{"additional_passengers", []any{map[string]any{"space_type": "AMB", "count": "1"}}, 400, "additional_passengers.0.count: got "},
	}
	for _, w := range wrong {
		status, text := c.do("POST", "/v1/singletrip", c.trip(set(w.path, w.value)))
		if status != w.status || !strings.Contains(text, pointed(w.says)) {
			t.Errorf("%s as %v: %d %s, want %d %q", w.path, w.value, status, text, w.status, w.says)
		}
	}
	if n := len(c.booked()); n != 0 {
		t.Errorf("%d of them were booked", n)
	}
}

func TestInsertTypesAndForms(t *testing.T) {
	c := start(t, Config{})
	for name, k := range map[string]struct {
		kind, pickup, appt string
		want               int
	}{
		"appointment":                {"Appointment", "2026-12-02 08:30:00.000", "2026-12-02 09:15:00.000", 200},
		"appointment by code":        {"2", "", "2026-12-02 09:15:00.000", 200},
		"appointment in the US form": {"Appointment", "", "12/02/2026 9:15 AM", 200},
		"picked up on the minute":    {"Appointment", "2026-12-02 09:15:00.000", "2026-12-02 09:15:00.000", 200},
		"past midnight":              {"Appointment", "2026-12-02 23:50:00.000", "2026-12-03 00:20:00.000", 200},
		"return":                     {"Return", "2026-12-02 13:00:00.000", "", 200},
		"return by code":             {"3", "2026-12-02 13:00:00.000", "", 200},
		"return without a time":      {"Return", "", "", 400},
		"return with an appointment": {"Return", "2026-12-02 13:00:00.000", "2026-12-02 14:00:00.000", 400},
		"will call":                  {"willcall", "2026-12-02 23:59", "", 200},
		"Will Call":                  {"Willcall", "2026-12-02 23:59:00.000", "", 200},
		"will call by code":          {"1", "2026-12-02 23:59", "", 200},
		"will call without a time":   {"willcall", "", "", 400},
		"will call at noon":          {"willcall", "2026-12-02 12:00", "", 400},
		"will call a second late":    {"willcall", "2026-12-02 23:59:01.000", "", 400},
		"will call after its appt":   {"willcall", "2026-12-02 23:59", "2026-12-02 15:00:00.000", 400},
	} {
		body := c.trip(func(trip map[string]any) {
			set("trip_type", k.kind)(trip)
			set("pickup.pickup_time", nilIfEmpty(k.pickup))(trip)
			set("dropoff.appt_time", nilIfEmpty(k.appt))(trip)
		})
		if status, text := c.do("POST", "/v1/singletrip", body); status != k.want {
			t.Errorf("%s: %d %s, want %d", name, status, text, k.want)
		}
	}
}

func nilIfEmpty(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func TestBodiesThatAreNotOneObject(t *testing.T) {
	c := start(t, Config{})
	good := c.trip(nil)
	for name, body := range map[string]string{
		"nothing": "", "null": "null", "a list": "[" + good + "]", "cut": good[:len(good)-1], "two": good + good,
		"a huge number":    strings.Replace(good, "46.78", "1e999999999", 1),
		"broken UTF-8":     strings.Replace(good, "Willow", "Wil\xffow", 1),
		"null for a text":  strings.Replace(good, `"AMB"`, "null", 1),
		"a comma too many": good[:len(good)-1] + ",}",
		"deep":             strings.Repeat("[", 100_000),
	} {
		if status, text := c.do("POST", "/v1/singletrip", body); status != 400 || !strings.Contains(text, `"message":"`) {
			t.Errorf("%s: %d %s, want 400 with a message", name, status, text)
		}
	}
}

// Everything that is wrong with a request is named, not only the first.
func TestAllViolationsAreNamed(t *testing.T) {
	c := start(t, Config{})
	_, text := c.do("POST", "/v1/singletrip", `{"trip_id":"T-1","pickup":{"event_location":{"latitude":"x"}},"extra":1}`)
	for _, says := range []string{"tp_api_key", "rider_id", "dropoff", "latitude': got ", "missing property 'longitude'", "additional properties 'extra' not allowed"} {
		if !strings.Contains(text, says) {
			t.Errorf("%q is not in %s", says, text)
		}
	}
}

func TestGivenDistanceIsKept(t *testing.T) {
	c := start(t, Config{})
	if _, text := c.do("POST", "/v1/singletrip", c.trip(set("billable_distance", 0))); !strings.Contains(text, `"billable_distance":0,`) {
		t.Errorf("got %s", text)
	}
}

// 2.0 is a whole number in JSON.
func TestCountWithAPoint(t *testing.T) {
	c := start(t, Config{})
	body := strings.Replace(c.trip(nil), `"AMB"`, `"AMB","additional_passengers":[{"space_type":"WCH","count":2.0}]`, 1)
	if status, text := c.do("POST", "/v1/singletrip", body); status != 200 || !strings.Contains(text, `"count":2,`) {
		t.Errorf("%d %s", status, text)
	}
}

// The contract does not say that a trip id is refused the second time. Because
// the sandbox books it again, tests notice clients that send a trip twice.
func TestSameTripIDIsBookedAgain(t *testing.T) {
	c := start(t, Config{})
	c.sandbox.Allow("Pine Valley Rides", "Northwind Health Plan")
	other := tripJSON(t, keyFor("Pine Valley Rides").Reveal(), nil)
	for _, body := range []string{c.trip(nil), c.trip(nil), other} {
		if status, text := c.do("POST", "/v1/singletrip", body); status != 200 {
			t.Fatalf("%d %s", status, text)
		}
	}
	booked := c.booked()
	if len(booked) != 3 || booked[0].Again != 0 || booked[1].Again != 1 || booked[2].Again != 0 || booked[0].GUID == booked[1].GUID {
		t.Errorf("the book holds %+v", booked)
	}
}
