package check_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// The limits of the rules about the order of times: what is just inside them and
// what is just outside.
func TestLimitsOfTimes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*importer.Trip)
		want   []string
	}{
		{"a pickup at the appointment", func(t *importer.Trip) { t.Pickup.PickupTime = at(2, 9, 30) }, nil},
		{"a pickup a minute before", func(t *importer.Trip) { t.Pickup.PickupTime = at(2, 9, 29) }, nil},
		{"a pickup a minute after", func(t *importer.Trip) { t.Pickup.PickupTime = at(2, 9, 31) }, []string{"pickup-after-appointment"}},
		{"a pickup a second after", func(t *importer.Trip) {
			t.Pickup.PickupTime = at(2, 9, 30)
			t.Pickup.PickupTime.Second = 1
		}, []string{"pickup-after-appointment"}},
		{"a pickup at an appointment at the pickup", func(t *importer.Trip) { t.Pickup.Appt = t.Pickup.PickupTime }, nil},
		{"a pickup 12 hours before", func(t *importer.Trip) { t.Dropoff.Appt = at(2, 20, 30) }, nil},
		{"a pickup 12 hours and a minute before", func(t *importer.Trip) { t.Dropoff.Appt = at(2, 20, 31) }, []string{"pickup-long-before-appointment?"}},
		{"a pickup at 23:58", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(2, 23, 58), at(3, 0, 30) }, nil},
		{"an appointment at 23:59", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(2, 23, 0), at(2, 23, 59) }, nil},
		{"an appointment at midnight", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(2, 23, 0), at(3, 0, 0) }, []string{"time-midnight?"}},
		{"today", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(1, 8, 30), at(1, 9, 30) }, nil},
		{"180 days ahead", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(1+180, 8, 30), at(1+180, 9, 30) }, nil},
		{"181 days ahead", func(t *importer.Trip) { t.Pickup.PickupTime, t.Dropoff.Appt = at(1+181, 8, 30), at(1+181, 9, 30) }, []string{"date-far"}},
	} {
		m := good(1)
		tc.change(&m.Trips[0])
		if diff := cmp.Diff([][]string{tc.want}, codesOf(t, rules(), m)); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
	}
}
