package inject

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"tripimport/importer/sandbox"
)

// latitude returns the latitude of an event in an answer, nil if there is none.
func latitude(answer map[string]any, event string) any {
	of, _ := answer[event].(map[string]any)
	place, _ := of["event_location"].(map[string]any)
	return place["latitude"]
}

// A changed address is placed elsewhere.
func TestMovedAddress(t *testing.T) {
	for _, k := range []struct {
		key, value string
		want       float64
	}{
		{"dropoff.complete_address", "12 Pier Road, Duluth, MN 55806", 46.8 + 450.0/111195},
		{"dropoff.event_location.zip", "55806", 46.8 + 450.0/111195},
	} {
		c := start(t, sandbox.Config{Faults: &Plan{Faults: []Fault{{On: sandbox.Change, Trip: "T-1001", Kind: "moved", Metres: 450}}}})
		c.do("POST", "/v1/singletrip", c.trip("T-1001"))
		status, text := c.do("POST", "/v1/singletrip/withProperties", c.change(k.key, k.value))
		var answer map[string]any
		if err := json.Unmarshal([]byte(text), &answer); err != nil || status != 200 {
			t.Fatalf("%d %s", status, text)
		}
		got, _ := latitude(answer, "dropoff").(float64)
		if math.Abs(got-k.want) > 1e-6 {
			t.Errorf("%s: the latitude %v, want %v", k.key, got, k.want)
		}
	}
}

// Failures of a change, and whether it is stored.
func TestFailuresOfChanges(t *testing.T) {
	for _, k := range []struct {
		kind, commit string
		status       int // 0: no whole answer
		changed      bool
		check        func(answer map[string]any) bool
	}{
		{"400", "", 400, false, nil},
		{"403", "", 403, false, nil},
		{"429", "", 429, false, nil},
		{"500", "before", 500, false, nil},
		{"500", "after", 500, true, nil},
		{"eof", "before", 0, false, nil},
		{"eof", "after", 0, true, nil},
		{"reset", "after", 0, true, nil},
		{"reset-body", "after", 0, true, nil},
		{"late", "", 200, true, func(a map[string]any) bool { return latitude(a, "pickup") == 46.78 }},
		{"no-guid", "", 200, true, func(a map[string]any) bool { return a["trip_guid"] == nil && a["trip_id"] == "T-1001" }},
	} {
		var log entryLog
		c := start(t, sandbox.Config{Log: log.add, Faults: &Plan{Faults: []Fault{{On: sandbox.Change, Kind: k.kind, Commit: k.commit}}}})
		c.do("POST", "/v1/singletrip", c.trip("T-1001"))
		booked := c.sandbox.Trips()[0]
		resp, text, err := c.try("POST", "/v1/singletrip/withProperties", c.change("caller", "Front desk"))
		status := 0
		if err == nil {
			status = resp.StatusCode
		}
		var answer map[string]any
		if status != k.status || k.check != nil && (json.Unmarshal([]byte(text), &answer) != nil || !k.check(answer)) {
			t.Errorf("%s: %d %s %v", k.kind, status, text, err)
		}
		if got := c.sandbox.Trips()[0].Values["caller"] == "Front desk"; got != k.changed {
			t.Errorf("%s: changed %v, want %v", k.kind, got, k.changed)
		}
		committed := slices.ContainsFunc(log.all(), func(e sandbox.Entry) bool {
			return e.Operation == sandbox.Change && e.Phase == sandbox.Committed && e.GUID == booked.GUID && e.TripID == "T-1001"
		})
		if committed != k.changed {
			t.Errorf("%s: the log says changed %v, want %v", k.kind, committed, k.changed)
		}
	}
}
