package sandbox

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// Which keys can be changed, and to which values.
func TestChange(t *testing.T) {
	c := start(t, Config{})
	c.sandbox.Allow("Pine Valley Rides", "County Plan")
	_, text := c.do("POST", "/v1/singletrip", c.trip(nil))
	var booked answered
	if err := json.Unmarshal([]byte(text), &booked); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		name, key, value string
		status           int
		says             string
	}{
		{"a text", "pickup.event_name", "Home", 200, ""},
		{"an address", "dropoff.event_location.address2", "Suite 9", 200, `"address2":"Suite 9"`},
		{"a latitude", "pickup.event_location.latitude", "46.79", 200, ""},
		{"a latitude that does not parse", "pickup.event_location.latitude", "north", 400, "0.Value: "},
		{"a longitude out of range", "pickup.event_location.longitude", "-192", 400, "0.Value: "},
		{"a distance", "billable_distance", "4.25", 200, ""},
		{"a distance that does not parse", "billable_distance", "4,25", 400, "0.Value: "},
		{"no number", "billable_distance", "NaN", 400, "0.Value: "},
		{"a caller", "caller", "Front desk", 200, ""},
		{"a dropoff's pickup time", "dropoff.pickup_time", "2026-12-02 08:40:00.000", 200, ""},
		{"a time", "dropoff.appt_time", "2026-12-02 10:00:00.000", 200, ""},
		{"a time that can't be", "dropoff.appt_time", "2026-13-02 10:00:00.000", 400, "is not a possible date and time"},
		{"a time without its date", "dropoff.appt_time", "10:00", 400, "is not a possible date and time"},
		{"an appointment before the pickup", "dropoff.appt_time", "2026-12-02 08:00:00.000", 400, "the pickup time is later"},
		{"a type that its times don't fit", "trip_type", "1", 400, "a will call has the pickup time 23:59"},
		{"a type by its text", "trip_type", "Appointment", 400, "Value: value must be one of '1', '2', '3'"},
		{"passengers", "additional_passengers", "AMB|1;WCH|2", 200, ""},
		{"passengers without a count", "additional_passengers", "AMB|1;WCH", 400, "0.Value: "},
		{"passengers with no count", "additional_passengers", "AMB|0", 400, "0.Value: "},
		{"no passengers", "additional_passengers", "", 400, "0.Value: "},
		{"a blank space type", "space_type", " ", 400, "0.Value: "},
		{"a flat key", "pickup_zip", "55802", 400, "Key: value must be one of"},
		{"another case", "Pickup.event_name", "Home", 400, "Key: value must be one of"},
		{"a comment", "pickup.event_comment", "x", 400, "Key: value must be one of"},
		{"the rider", "rider_id", "R-2", 400, "Key: value must be one of"},
		{"the trip's phone", "phone", "218-555-0117", 400, "Key: value must be one of"},
	} {
		status, text := c.do("POST", "/v1/singletrip/withProperties", changeJSON(t, booked.GUID, c.key, k.key, k.value))
		if status != k.status || !strings.Contains(text, pointed(k.says)) {
			t.Errorf("%s: %d %s, want %d %q", k.name, status, text, k.status, k.says)
		}
	}
	if b := c.booked(); len(b) != 1 || b[0].Values["dropoff.appt_time"] != "2026-12-02 10:00:00.000" || b[0].Values["trip_type"] != "2" {
		t.Errorf("the book holds %+v", b)
	}

	for name, k := range map[string]struct {
		body   string
		status int
		says   string
	}{
		"another provider's key": {changeJSON(t, booked.GUID, keyFor("Pine Valley Rides").Reveal(), "caller", "x"), 403, "no access to this resource"},
		"an unknown key":         {changeJSON(t, booked.GUID, "key-9", "caller", "x"), 403, "no access to this resource"},
		"an unknown trip":        {changeJSON(t, uuid.NewString(), c.key, "caller", "x"), 400, "there is no trip"},
		"nothing to change":      {`{"trip_guid":"g","tp_api_key":"k","properties_to_change":[]}`, 400, "properties_to_change: "},
		"a number for a value":   {`{"trip_guid":"g","tp_api_key":"k","properties_to_change":[{"Key":"caller","Value":1}]}`, 400, "Value: got "},
		"no value":               {`{"trip_guid":"g","tp_api_key":"k","properties_to_change":[{"Key":"caller"}]}`, 400, ": missing property 'Value'"},
		"a key in lower case":    {`{"trip_guid":"g","tp_api_key":"k","properties_to_change":[{"key":"caller","Value":"x"}]}`, 400, ": missing property 'Key'"},
		"nothing at all":         {`{}`, 400, "'trip_guid'"},
	} {
		if status, text := c.do("POST", "/v1/singletrip/withProperties", k.body); status != k.status || !strings.Contains(text, pointed(k.says)) {
			t.Errorf("%s: %d %s, want %d %q", name, status, text, k.status, k.says)
		}
	}
}

// A trip can become a will call when its times become those of one.
func TestChangeOfTypeAndTimeTogether(t *testing.T) {
	c := start(t, Config{})
	_, text := c.do("POST", "/v1/singletrip", c.trip(func(trip map[string]any) {
		set("trip_type", "Return")(trip)
		set("dropoff.appt_time", nil)(trip)
	}))
	var booked answered
	if err := json.Unmarshal([]byte(text), &booked); err != nil {
		t.Fatal(err)
	}
	body := changeJSON(t, booked.GUID, c.key, "trip_type", "1", "pickup.pickup_time", "2026-12-02 23:59")
	if status, text := c.do("POST", "/v1/singletrip/withProperties", body); status != 200 {
		t.Errorf("%d %s", status, text)
	}
}

func changeJSON(t *testing.T, guid, key string, pairs ...string) string {
	t.Helper()
	list := []map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, map[string]string{"Key": pairs[i], "Value": pairs[i+1]})
	}
	text, err := json.Marshal(map[string]any{"trip_guid": guid, "tp_api_key": key, "properties_to_change": list})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// pointed returns a sentence about the value at a path, with the path as the validator writes it.
func pointed(says string) string {
	path, what, found := strings.Cut(says, ": ")
	if !found || path == "" || strings.Contains(path, " ") {
		return says
	}
	return "/" + strings.ReplaceAll(path, ".", "/") + "': " + what
}
