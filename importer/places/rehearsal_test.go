package places_test

import (
	"fmt"
	"math"
	"testing"

	"tripimport/importer"
	"tripimport/importer/places"
	"tripimport/importer/usps"
)

// TestRehearsal holds that an address always gets the same position, with the name
// of the other geocoder, and that one without a state gets none.
func TestRehearsal(t *testing.T) {
	p := asking(places.NewRehearsal("census"))
	home, again := line("12 Alder Way, Dearborn, MI 48124"), parts("12 ALDER WAY", "Apt 4", "Dearborn", "MI", "48124-1234")
	next, far := line("14 Alder Way, Dearborn, MI 48124"), line("12 Alder Way, Detroit, MI 48226")
	stateless := parts("12 Alder Way", "", "Dearborn", "", "48124")
	military := parts("12 Alder Way", "", "APO", "AE", "09012")
	prepare(t, p, home, again, next, far, stateless, military)

	at, problems := placed(p, home)
	if !at.IsSet() || at.Source != "census" || problems != nil {
		t.Errorf("%v, %v", at, problems)
	}
	if same, _ := placed(p, again); same != at {
		t.Errorf("the same address is at %v and %v", at, same)
	}
	if later, _ := placed(prepared(t, places.NewRehearsal("census"), home), home); later != at {
		t.Errorf("in another run it is at %v and %v", at, later)
	}
	if near, _ := placed(p, next); near == at || math.Abs(near.Latitude-at.Latitude) > 0.04 {
		t.Errorf("the house next door is at %v and %v", at, near)
	}
	if other, _ := placed(p, far); !other.IsSet() || other == at {
		t.Errorf("another ZIP code is at %v and %v", at, other)
	}
	for _, e := range []importer.Event{stateless, military} {
		if got, problems := placed(p, e); got.IsSet() || len(problems) != 1 {
			t.Errorf("%s: %v, %v", e.Address(), got, problems)
		}
	}
}

// TestRehearsalStaysInTheState tries every state with some streets and ZIP codes.
func TestRehearsalStaysInTheState(t *testing.T) {
	for n := range 1000 {
		zip := fmt.Sprintf("%03d42", n)
		s, ok := usps.StateOf(usps.ZIPState(zip))
		if !ok || !s.HasArea() {
			continue
		}
		for street := range 20 {
			q := places.Query{Number: 7, Street: fmt.Sprintf("%d Elm St", street), City: "Salem", State: s.Code, Zip: zip}
			answers, err := places.NewRehearsal("pelias").Geocode(t.Context(), []places.Query{q})
			if err != nil || len(answers) != 1 || answers[0].Number != 7 || len(answers[0].Matches) != 1 {
				t.Fatalf("%+v: %+v, %v", q, answers, err)
			}
			m := answers[0].Matches[0]
			if m.Latitude <= s.South || m.Latitude >= s.North || m.Longitude <= s.West || m.Longitude >= s.East {
				t.Errorf("%+v: at %v, %v", q, m.Latitude, m.Longitude)
			}
		}
	}
}

func prepared(t *testing.T, g places.Geocoder, events ...importer.Event) *places.Places {
	t.Helper()
	p := asking(g)
	prepare(t, p, events...)
	return p
}
