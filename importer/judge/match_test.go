package judge

import (
	"fmt"
	"slices"
	"testing"

	"tripimport/importer"
)

// What was booked from a row is found again when the row makes one trip instead of
// two, or two instead of one. rank 1 is a trip that a person has cancelled.
func TestMatchLegs(t *testing.T) {
	const only, out, back = importer.OnlyLeg, importer.OutboundLeg, importer.ReturnLeg
	type leg struct {
		leg      importer.Leg
		from, to string
		rank     int
	}
	for _, tt := range []struct {
		name                      string
		booked, now               []leg
		matched, unclear, dropped []int
	}{
		{"as before", []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []int{0, 1}, []int{-1, -1}, nil},
		{"same legs, other places", []leg{{only, "a", "b", 0}}, []leg{{only, "c", "d", 0}}, []int{0}, []int{-1}, nil},
		{"two from one", []leg{{only, "a", "b", 0}}, []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []int{0, -1}, []int{-1, -1}, nil},
		{"two from one that was the way back", []leg{{only, "b", "a", 0}}, []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []int{-1, 0}, []int{-1, -1}, nil},
		{"one from two", []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []leg{{only, "a", "b", 0}}, []int{0}, []int{-1}, []int{1}},
		{"only the way back is left", []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []leg{{only, "b", "a", 0}}, []int{1}, []int{-1}, []int{0}},
		{"one with an end changed", []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []leg{{only, "a", "c", 0}}, []int{0}, []int{-1}, []int{1}},
		{"one that nobody knows", []leg{{out, "a", "b", 0}, {back, "b", "a", 0}}, []leg{{only, "c", "d", 0}}, []int{-1}, []int{0}, nil},
		{"two, and nobody knows which is booked", []leg{{only, "a", "b", 0}}, []leg{{out, "c", "d", 0}, {back, "d", "c", 0}}, []int{-1, -1}, []int{0, 0}, nil},
		{"booked before it was cancelled", []leg{{out, "a", "b", 0}, {only, "a", "b", 1}}, []leg{{only, "a", "b", 0}}, []int{0}, []int{-1}, []int{1}},
		{"only cancelled", []leg{{back, "b", "a", 0}, {only, "a", "b", 1}}, []leg{{only, "a", "b", 0}}, []int{1}, []int{-1}, []int{0}},
		{"nothing is booked", nil, []leg{{only, "a", "b", 0}}, []int{-1}, []int{-1}, nil},
		{"the row makes nothing", []leg{{only, "a", "b", 0}}, nil, []int{}, []int{}, []int{0}},
	} {
		var row importer.Mapped
		var k importer.Known
		for i, l := range tt.now {
			row.Trips = append(row.Trips, importer.Trip{Leg: l.leg, ID: fmt.Sprint("now ", i)})
			k.Own = append(k.Own, importer.Own{Pickup: l.from, Dropoff: l.to})
		}
		var booked []*importer.Standing
		for i, l := range tt.booked {
			state := []importer.TripState{importer.TripBooked, importer.TripCancelled}[l.rank]
			booked = append(booked, &importer.Standing{Leg: l.leg, Pickup: l.from, Dropoff: l.to, TripID: fmt.Sprint("booked ", i), State: state})
		}
		m := matching{own: make([]*importer.Standing, len(tt.now)), unclear: make([]*importer.Standing, len(tt.now))}
		m.matchLegs(&row, &k, slices.Clone(booked))
		numbers := func(list []*importer.Standing) (all []int) {
			for _, s := range list {
				all = append(all, slices.Index(booked, s))
			}
			return all
		}
		matched, unclear, dropped := numbers(m.own), numbers(m.unclear), numbers(m.dropped)
		if !slices.Equal(matched, tt.matched) || !slices.Equal(unclear, tt.unclear) || !slices.Equal(dropped, tt.dropped) {
			t.Errorf("%s: matched %v, unclear %v, dropped %v; want %v, %v, %v", tt.name, matched, unclear, dropped, tt.matched, tt.unclear, tt.dropped)
		}
	}
}
