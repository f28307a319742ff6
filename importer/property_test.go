package importer_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
	"tripimport/importer/triptest"
)

// Every field of a trip that a mapping can set is in the list of properties: a
// change of it alone changes the value of at least one property.
func TestEveryFieldIsAProperty(t *testing.T) {
	triptest.Each(&importer.Trip{}, func(path string, _ reflect.Value) {
		before, after := triptest.Full(), triptest.Full()
		triptest.Each(&after, func(p string, leaf reflect.Value) {
			if p == path {
				triptest.SetOther(leaf)
			}
		})
		if cmp.Equal(values(&before), values(&after)) {
			t.Errorf("%s: no property has its value; add one to property.go", path)
		}
	})
}

func values(trip *importer.Trip) map[string]string {
	all := map[string]string{}
	for _, p := range importer.TripProperties() {
		all[p.Key] = string(p.AppendValue(nil, trip))
	}
	return all
}

// Every property has a field, a key and a name of its own, and a value in a
// trip that has all of them.
func TestTripProperties(t *testing.T) {
	full := triptest.Full()
	fields, keys, names := map[importer.Field]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range importer.TripProperties() {
		if fields[p.Field] || keys[p.Key] || names[p.Name] {
			t.Errorf("%s, %s or %q is listed twice", p.Field, p.Key, p.Name)
		}
		fields[p.Field], keys[p.Key], names[p.Name] = true, true, true
		if len(p.AppendValue(nil, &full)) == 0 {
			t.Errorf("%s has no value in a trip that has all", p.Key)
		}
		if got := p.AppendValue(nil, &importer.Trip{}); len(got) != 0 {
			t.Errorf("%s is %q in an empty trip", p.Key, got)
		}
		if importer.PropertyName(p.Key) != p.Name {
			t.Errorf("%s has the name %q", p.Key, importer.PropertyName(p.Key))
		}
	}
	if !importer.Identifying([]string{"phone", "rider_id"}) || importer.Identifying([]string{"phone", "trip_id"}) {
		t.Error("a rider makes another trip, a phone does not")
	}
	for _, p := range full.Properties() {
		if p.Key == "tp_api_key" {
			t.Error("the provider is a property of the trip, and not of its account")
		}
	}
}

// The keys that can be changed are those of the service's change operation;
// caller is none of a trip's, and the service sets a dropoff's pickup time.
func TestChangeableProperties(t *testing.T) {
	want := "billable_distance additional_passengers space_type trip_type"
	for _, side := range []string{"pickup.", "dropoff."} {
		for _, part := range strings.Fields("event_name complete_address event_location.location_name event_location.address1 event_location.address2 " +
			"event_location.city event_location.state event_location.zip event_location.latitude event_location.longitude appt_time pickup_time phone_number") {
			want += " " + side + part
		}
	}
	left := map[string]bool{}
	for _, key := range strings.Fields(want) {
		left[key] = true
	}
	for _, p := range importer.TripProperties() {
		if p.Changeable != left[p.Key] {
			t.Errorf("%s can be changed: %v, want %v", p.Key, p.Changeable, left[p.Key])
		}
		delete(left, p.Key)
	}
	for key := range left {
		t.Errorf("%s can be changed and is not listed", key)
	}
}

// Only two properties are identifying.
func TestIdentifyingProperties(t *testing.T) {
	for _, p := range importer.TripProperties() {
		if got, want := p.Identifying, p.Key == "rider_id" || p.Key == "funding_source_name"; got != want {
			t.Errorf("%s is identifying: %v, want %v", p.Key, got, want)
		}
		if importer.Identifying([]string{p.Key}) != p.Identifying {
			t.Errorf("%s: Identifying does not say so", p.Key)
		}
	}
}
