package service

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/triptest"
)

const otherGUID = "4f0c9a52-7c1e-4c58-9a7e-0d4b6f1e2a33"

func goodChange(keys ...string) importer.TripChange {
	if keys == nil {
		keys = []string{"pickup.pickup_time"}
	}
	return importer.TripChange{GUID: testGUID, TripID: goodTrip().ID, RiderID: goodTrip().RiderID, Trip: goodTrip(), Keys: keys}
}

func change(t testing.TB, c *Client, ch importer.TripChange) importer.Reply {
	t.Helper()
	return c.Change(t.Context(), importer.NewSecret(testKey), ch)
}

// sent returns the pairs of a change's body, in their order.
func sent(t testing.TB, body string) (pairs [][2]string) {
	t.Helper()
	var b struct {
		Properties []struct{ Key, Value string } `json:"properties_to_change"`
	}
	if err := json.Unmarshal([]byte(body), &b); err != nil {
		t.Fatal(err)
	}
	for _, p := range b.Properties {
		pairs = append(pairs, [2]string{p.Key, p.Value})
	}
	return pairs
}

// Every changeable property can be changed, and no other. The value is the one that an
// insertion would send.
func TestEveryChangeablePropertyHasAWireForm(t *testing.T) {
	trip := triptest.Full()
	trip.Pickup.Position.Source, trip.Dropoff.Position.Source = "census", "places list" // no value to compare
	body, err := encode(&trip, importer.NewSecret(trip.Provider))
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		t.Fatal(err)
	}
	inserted := map[string]string{}
	flatten(inserted, "", object)

	schema := contractSchema(t, "change")
	for _, p := range importer.TripProperties() {
		text, err := encodeChange(importer.TripChange{GUID: testGUID, Trip: &trip, Keys: []string{p.Key}}, importer.NewSecret("k"))
		if (err == nil) != p.Changeable {
			t.Errorf("%s is changeable: %v, and is sent as %s", p.Key, p.Changeable, text)
		}
		if !p.Changeable {
			continue
		}
		validates(t, schema, text)
		got, want := sent(t, string(text))[0][1], inserted[p.Key]
		switch {
		case p.Key == "trip_type":
			want = "2"
		case p.Key == "dropoff.pickup_time": // an insertion never has it
			want = fullTime(trip.Dropoff.PickupTime)
		case strings.HasSuffix(p.Key, "itude"):
			got += strings.Repeat("0", 6-len(got[strings.IndexByte(got, '.')+1:]))
		}
		if got != want {
			t.Errorf("%s is changed to %q, and inserted as %q", p.Key, got, want)
		}
	}
}

func TestFormsOfChanges(t *testing.T) {
	day := importer.Date{Year: 2026, Month: 12, Day: 2}
	for _, c := range []struct {
		name string
		edit func(*importer.Trip)
		key  string
		want string // empty: it can't be sent
	}{
		{"a time", func(*importer.Trip) {}, "pickup.pickup_time", "2026-12-02 08:30:00.000"},
		{"a time with seconds", func(*importer.Trip) {}, "dropoff.appt_time", "2026-12-02 09:15:30.000"},
		{"midnight", func(t *importer.Trip) { t.Pickup.PickupTime.TimeOfDay = importer.TimeOfDay{} }, "pickup.pickup_time", "2026-12-02 00:00:00.000"},
		{"a will call's time", func(t *importer.Trip) {
			t.Type, t.Pickup.PickupTime = importer.WillCall, importer.WillCallOn(day)
		}, "pickup.pickup_time", "2026-12-02 23:59"},
		{"23:59 of no will call", func(t *importer.Trip) { t.Pickup.PickupTime = importer.WillCallOn(day) }, "pickup.pickup_time", "2026-12-02 23:59:00.000"},
		{"a will call's appointment", func(t *importer.Trip) { t.Type, t.Dropoff.Appt = importer.WillCall, importer.WillCallOn(day) }, "dropoff.appt_time", "2026-12-02 23:59:00.000"},
		{"no time", func(*importer.Trip) {}, "pickup.appt_time", ""},
		{"a will call", func(t *importer.Trip) { t.Type = importer.WillCall }, "trip_type", "1"},
		{"an appointment", func(*importer.Trip) {}, "trip_type", "2"},
		{"a return", func(t *importer.Trip) { t.Type = importer.Return }, "trip_type", "3"},
		{"no type", func(t *importer.Trip) { t.Type = importer.NoType }, "trip_type", ""},
		{"a distance", func(t *importer.Trip) { t.BillableDistance.Value = 1234567.25 }, "billable_distance", "1234567.25"},
		{"a tiny distance", func(t *importer.Trip) { t.BillableDistance.Value = 0.00000001 }, "billable_distance", "0.00000001"},
		{"a distance of nothing", func(t *importer.Trip) { t.BillableDistance.Value = 0 }, "billable_distance", "0"},
		{"no distance", func(t *importer.Trip) { t.BillableDistance = importer.Miles{} }, "billable_distance", ""},
		{"a latitude of zero", func(t *importer.Trip) { t.Pickup.Position.Latitude = 0 }, "pickup.event_location.latitude", "0"},
		{"all its digits", func(t *importer.Trip) { t.Pickup.Position.Longitude = -92.10123456789 }, "pickup.event_location.longitude", "-92.10123456789"},
		{"coordinates from a list", func(t *importer.Trip) { t.Pickup.Position.Source = "places list" }, "pickup.event_location.latitude", "46.78"},
		{"half a position", func(t *importer.Trip) { t.Pickup.Position.HasLongitude = false }, "pickup.event_location.latitude", ""},
		{"passengers", func(t *importer.Trip) {
			t.AdditionalRiders = append(t.AdditionalRiders, importer.AdditionalRiders{SpaceType: "WCH", Count: 2})
		}, "additional_passengers", "AMB|1;WCH|2"},
		{"no passengers", func(t *importer.Trip) { t.AdditionalRiders = nil }, "additional_passengers", ""},
		{"a text as it is", func(t *importer.Trip) { t.Dropoff.Address1 = `400 "old"  clinic rd. <b> & Ñandú` }, "dropoff.event_location.address1", `400 "old"  clinic rd. <b> & Ñandú`},
		{"a blank text", func(t *importer.Trip) { t.Dropoff.Address2 = "" }, "dropoff.event_location.address2", ""},
		{"another event's text", func(*importer.Trip) {}, "pickup.event_location.city", ""},
		{"the rider", func(*importer.Trip) {}, "rider_id", ""},
		{"the trip's phone", func(*importer.Trip) {}, "phone", ""},
		{"a comment", func(*importer.Trip) {}, "dropoff.event_comment", ""},
		{"the caller", func(*importer.Trip) {}, "caller", ""},
		{"a flat key", func(*importer.Trip) {}, "dropoff_zip", ""},
		{"nothing", func(*importer.Trip) {}, "", ""},
	} {
		url, got := serve(t, answers(200, jsonType, "{}"))
		ch := goodChange(c.key, "space_type")
		c.edit(ch.Trip)
		a := change(t, clientOf(t, url, nil), ch)
		all := got()
		if c.want == "" {
			if a.Kind != importer.ReplyRefused || a.Status != 0 || a.Message == "" || len(all) != 0 {
				t.Errorf("%s: %v %q, and %d requests", c.name, a.Kind, a.Message, len(all))
			}
			continue
		}
		if a.Kind != importer.ReplyChanged || len(all) != 1 {
			t.Errorf("%s: %v %q, and %d requests", c.name, a.Kind, a.Message, len(all))
			continue
		}
		if diff := cmp.Diff([][2]string{{c.key, c.want}, {"space_type", "AMB"}}, sent(t, all[0].body)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		validates(t, contractSchema(t, "change"), []byte(all[0].body))
	}
}

func TestChangeAsItArrives(t *testing.T) {
	url, got := serve(t, answers(200, jsonType, withGUID))
	c := clientOf(t, url+"/api/", nil)
	if a := change(t, c, goodChange()); a.Kind != importer.ReplyChanged || a.Message != "" || a.GUID != "" {
		t.Errorf("%+v", a)
	}
	for _, ch := range []importer.TripChange{{GUID: "", Trip: goodTrip(), Keys: []string{"space_type"}}, {GUID: testGUID, Trip: goodTrip()}} {
		if a := change(t, c, ch); a.Kind != importer.ReplyRefused {
			t.Errorf("%+v", a)
		}
	}
	all := got()
	if len(all) != 1 {
		t.Fatalf("%d requests arrived", len(all))
	}
	r := all[0]
	if r.method != "POST" || r.path != "/api/v1/singletrip/withProperties" {
		t.Errorf("%s %s", r.method, r.path)
	}
	for name, want := range map[string]string{
		"Authorization": "bearer " + testToken, "Content-Type": "application/json", "Accept": "application/json",
		"Idempotency-Key": "", "X-Idempotency-Key": "", "Accept-Encoding": "", "Cookie": "", "Referer": "",
	} {
		if got := strings.Join(r.header.Values(name), "|"); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	want := map[string]any{
		"trip_guid": testGUID, "tp_api_key": testKey,
		"properties_to_change": []any{map[string]any{"Key": "pickup.pickup_time", "Value": "2026-12-02 08:30:00.000"}},
	}
	var body map[string]any
	if err := json.Unmarshal([]byte(r.body), &body); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, body); diff != "" {
		t.Error(diff)
	}
}

// A change whose answer names another trip is not believed, because the GUID may belong to
// that trip.
func TestForeignAnswerToChange(t *testing.T) {
	url, _ := serve(t, answers(200, jsonType, `{"trip_id":"T-9"}`))
	if a := change(t, clientOf(t, url, nil), goodChange()); a.Kind != importer.ReplyForeign {
		t.Errorf("%+v", a)
	}
}

// The field of the GUID is configurable, and a GUID that is none is still ours.
func TestGUIDOfChange(t *testing.T) {
	for _, c := range []struct {
		field, ours, body string
		want              importer.ReplyKind
	}{
		{"Booking", testGUID, `{"booking":"` + testGUID + `","trip_guid":"` + otherGUID + `"}`, importer.ReplyChanged},
		{"Booking", testGUID, `{"booking":"` + otherGUID + `"}`, importer.ReplyForeign},
		{"", "{" + strings.ToUpper(testGUID) + "}", withGUID, importer.ReplyChanged},
		{"", "TRIP-7", `{"trip_guid":"trip-7"}`, importer.ReplyChanged},
		{"", "TRIP-7", withGUID, importer.ReplyForeign},
	} {
		url, got := serve(t, answers(200, jsonType, c.body))
		ch := goodChange()
		ch.GUID = c.ours
		if a := change(t, clientOf(t, url, func(cfg *Config) { cfg.GUIDField = c.field }), ch); a.Kind != c.want {
			t.Errorf("%+v: %+v", c, a)
		}
		if body := got()[0].body; !strings.Contains(body, `"trip_guid":"`+c.ours+`"`) {
			t.Errorf("the GUID is not sent as it is: %s", body)
		}
	}
}

// Where the answer says that the service placed the addresses.
func TestPositionsInAnswers(t *testing.T) {
	at := func(latitude, longitude float64) importer.Position {
		return importer.Position{Latitude: latitude, Longitude: longitude, HasLatitude: true, HasLongitude: true}
	}
	none := importer.Position{}
	places := goodChange("pickup.event_location.latitude", "dropoff.event_location.latitude")
	for _, c := range []struct {
		body            string
		pickup, dropoff importer.Position
	}{
		{`{"pickup":{"event_location":{"latitude":46.1,"longitude":-92.1}},"dropoff":{"event_location":{"latitude":46.2,"longitude":-92.2}}}`, at(46.1, -92.1), at(46.2, -92.2)},
		{`{"success":true,"data":{"Trip":{"Dropoff":{"Event_Location":{"Latitude":46.2,"Longitude":-92.2}}}}}`, none, at(46.2, -92.2)},
		{`{"pickup":{"event_location":{"latitude":0,"longitude":0}}}`, at(0, 0), none},
		{`{"pickup":{"event_location":{"latitude":"46.1","longitude":"-92.1"}}}`, at(46.1, -92.1), none},
		{`{"pickup":{"event_location":{"latitude":46.1,"longitude":-92.1}},"sent":{"pickup":{"event_location":{"latitude":46.5,"longitude":-92.5}}}}`, at(46.1, -92.1), none},

		// Nothing, something else, or two things.
		{``, none, none},
		{`{"latitude":46.1,"longitude":-92.1}`, none, none},
		{`{"previous_pickup_latitude":46.1,"previous_pickup_longitude":-92.1}`, none, none},
		{`{"pickup":{"event_location":{"latitude":46.1}}}`, none, none},
		{`{"pickup":{"event_location":{"latitude":null,"longitude":"west"}}}`, none, none},
		{`{"pickup":{"event_location":{"latitude":"NaN","longitude":"Inf"}}}`, none, none},
		{`{"old":{"pickup":{"event_location":{"latitude":46.1,"longitude":-92.1}}},"new":{"pickup":{"event_location":{"latitude":46.9,"longitude":-92.1}}}}`, none, none},
		{strings.Repeat(`{"_":`, 5000) + `1` + strings.Repeat(`}`, 5000), none, none},
	} {
		url, _ := serve(t, answers(200, jsonType, c.body))
		a := change(t, clientOf(t, url, nil), places)
		if a.Kind != importer.ReplyChanged {
			t.Errorf("%.100s: %+v", c.body, a)
		}
		for name, p := range map[string][2]importer.Position{"pickup": {a.Pickup, c.pickup}, "dropoff": {a.Dropoff, c.dropoff}} {
			if p[0].IsSet() != p[1].IsSet() || p[1].IsSet() && p[0] != p[1] {
				t.Errorf("%.100s: the %s is at %+v, want %+v", c.body, name, p[0], p[1])
			}
		}
	}
	for _, status := range []int{202, 400, 500} {
		url, _ := serve(t, answers(status, jsonType, `{"pickup":{"event_location":{"latitude":46.1,"longitude":-92.1}}}`))
		if a := change(t, clientOf(t, url, nil), places); a.Pickup.IsSet() {
			t.Errorf("%d: %+v", status, a)
		}
	}
}

// Neither token nor key nor a control character is in a message.
func TestMessagesOfChanges(t *testing.T) {
	quoted, _ := json.Marshal(map[string]string{"message": "token " + testToken + " and key " + testKey + " \x1b[31mare not valid"})
	for _, status := range []int{200, 400, 404, 500} {
		url, _ := serve(t, answers(status, jsonType, string(quoted)))
		a := change(t, clientOf(t, url, nil), goodChange())
		if a.Kind == importer.ReplyChanged || strings.Contains(a.Message, testToken) || strings.Contains(a.Message, "81c2") ||
			strings.Contains(a.Message, "\x1b") || !strings.Contains(a.Message, "***") {
			t.Errorf("%d: %v %q", status, a.Kind, a.Message)
		}
	}
}

// An answer may name any rider if it is not known for whom the trip was booked, and no other trip.
func TestChangeForRiderNotKnown(t *testing.T) {
	for body, want := range map[string]importer.ReplyKind{
		`{"trip_id":"T-1001","rider_id":"R-78"}`: importer.ReplyChanged,
		`{"trip_id":"T-1002","rider_id":"R-78"}`: importer.ReplyForeign,
		`{"trip_guid":"` + otherGUID + `"}`:      importer.ReplyForeign,
	} {
		url, _ := serve(t, answers(200, jsonType, body))
		ch := goodChange()
		ch.RiderID = ""
		if a := change(t, clientOf(t, url, nil), ch); a.Kind != want {
			t.Errorf("%s: %+v, want %v", body, a, want)
		}
	}
}

// A new token is used by the next change.
func TestChangeWithRenewedToken(t *testing.T) {
	url, got := serve(t, answers(401, jsonType, `{}`))
	c := clientOf(t, url, func(cfg *Config) { cfg.Token = &tokens{"tok-1", "tok-2"} })
	change(t, c, goodChange())
	if _, err := c.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	change(t, c, goodChange())
	all := got()
	if len(all) != 2 || all[0].header.Get("Authorization") != "bearer tok-1" || all[1].header.Get("Authorization") != "bearer tok-2" {
		t.Errorf("%+v", all)
	}
}
