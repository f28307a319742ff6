package app

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tripimport/importer"
)

// TestRiderList adds rows of every outcome. The list must have the riders of trips that the run
// tried to book, each once and in order.
func TestRiderList(t *testing.T) {
	l := newRiderList(nil)
	trip := func(provider, id string, s importer.State, attempts int) importer.TripResult {
		return importer.TripResult{
			Trip:    importer.Trip{Provider: provider, RiderID: id},
			Outcome: importer.Outcome{State: s, Attempts: attempts},
		}
	}

	for s := range importer.StateCount {
		state := importer.State(s)
		l.add(importer.RowResult{Trips: []importer.TripResult{
			trip("Lakeshore", state.Code(), state, 0), trip("Lakeshore", state.Code(), state, 0),
		}})
	}

	l.add(importer.RowResult{Trips: []importer.TripResult{
		trip("Lakeshore", "no answer", importer.NotSent, 3), trip("Prairie", "created", importer.Created, 1),
	}})

	want := []rider{
		{"Lakeshore", "unknown"},
		{"Lakeshore", "refused"},
		{"Lakeshore", "created"},
		{"Lakeshore", "no answer"},
		{"Prairie", "created"},
	}

	if diff := cmp.Diff(want, l.order, cmp.AllowUnexported(rider{})); diff != "" || l.over {
		t.Errorf("over %v (-want +got):\n%s", l.over, diff)
	}

	for i := range maxRiders {
		l.add(importer.RowResult{Trips: []importer.TripResult{trip("Prairie", fmt.Sprint("R-", i), importer.Created, 1)}})
	}

	if len(l.order) != maxRiders || !l.over {
		t.Errorf("%d riders are remembered, over %v", len(l.order), l.over)
	}

	var none *riderList
	none.add(importer.RowResult{Trips: []importer.TripResult{trip("Prairie", "R-1", importer.Created, 1)}}) // a check
}
