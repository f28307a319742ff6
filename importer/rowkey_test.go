package importer_test

import (
	"slices"
	"testing"

	"tripimport/importer"
)

// One common place tells the way of a trip, and places that are not known tell
// nothing.
func TestCompareWays(t *testing.T) {
	for _, tt := range []struct {
		name                                 string
		pickupA, dropoffA, pickupB, dropoffB string
		want                                 importer.Way
	}{
		{"same", "home", "clinic", "home", "clinic", importer.SameWay},
		{"back", "home", "clinic", "clinic", "home", importer.OtherWay},
		{"onwards", "home", "clinic", "clinic", "pharmacy", importer.OtherWay},
		{"home at last", "home", "clinic", "pharmacy", "home", importer.OtherWay},
		{"another clinic", "home", "clinic", "home", "hospital", importer.SameWay},
		{"from elsewhere", "home", "clinic", "daughter", "clinic", importer.SameWay},
		{"both others", "home", "clinic", "daughter", "hospital", importer.WayUnclear},
		{"round about", "home", "home", "home", "home", importer.WayUnclear},
		{"nothing known", "", "", "home", "clinic", importer.WayUnclear},
		{"one place known", "home", "", "", "", importer.WayUnclear},
	} {
		if got := importer.CompareWays(tt.pickupA, tt.dropoffA, tt.pickupB, tt.dropoffB); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// What was booked from a row is found again when the row makes one trip instead of
// two, or two instead of one.
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
		legs := func(list []leg) (all []importer.Leg) {
			for _, l := range list {
				all = append(all, l.leg)
			}
			return all
		}
		matched, unclear, dropped := importer.MatchLegs(legs(tt.booked), legs(tt.now), func(b int) int { return tt.booked[b].rank }, func(b, n int) importer.Way {
			return importer.CompareWays(tt.booked[b].from, tt.booked[b].to, tt.now[n].from, tt.now[n].to)
		})
		if !slices.Equal(matched, tt.matched) || !slices.Equal(unclear, tt.unclear) || !slices.Equal(dropped, tt.dropped) {
			t.Errorf("%s: matched %v, unclear %v, dropped %v; want %v, %v, %v", tt.name, matched, unclear, dropped, tt.matched, tt.unclear, tt.dropped)
		}
	}
}

// A row's only trip is in the way of its legs, unless it goes another way.
func TestLegsCollide(t *testing.T) {
	for _, tt := range []struct {
		a, b importer.Leg
		way  importer.Way
		want bool
	}{
		{importer.OnlyLeg, importer.OnlyLeg, importer.OtherWay, true},
		{importer.OnlyLeg, importer.OutboundLeg, importer.SameWay, true},
		{importer.ReturnLeg, importer.OnlyLeg, importer.WayUnclear, true},
		{importer.ReturnLeg, importer.OnlyLeg, importer.OtherWay, false},
		{importer.OutboundLeg, importer.ReturnLeg, importer.WayUnclear, false},
	} {
		if got := importer.LegsCollide(tt.a, tt.b, tt.way); got != tt.want {
			t.Errorf("%s and %s, way %d: %v", tt.a.Code(), tt.b.Code(), tt.way, got)
		}
	}
}

// Case and white space make no difference between brokers' names, anything else does.
func TestBrokerText(t *testing.T) {
	const want = "lakeshore health plan"
	for _, name := range []string{
		"Lakeshore Health Plan", "lakeshore health plan", " Lakeshore Health Plan", "Lakeshore Health Plan ",
		"Lakeshore  Health   Plan", "Lakeshore\tHealth\nPlan", "Lakeshore\u00a0Health Plan",
	} {
		if got := importer.BrokerText(name); got != want {
			t.Errorf("%q is compared as %q", name, got)
		}
	}
	if got := importer.BrokerText("Lakeshore HealthPlan"); got == want {
		t.Errorf("another name is compared as %q", got)
	}
}
