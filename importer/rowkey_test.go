package importer_test

import (
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
