package postgres

import (
	"maps"
	"sync/atomic"
	"testing"

	"tripimport/importer"
)

// TestWays counts how often a new trip is a way to the server and back, for which an office
// that is far from the server waits. Each id of its rows is used once, which are the most
// questions.
func TestWays(t *testing.T) {
	m := shared(t)
	p := newProxy(t, m.location)
	l := m.at(p.location).begin(t, "run-1")
	var ways atomic.Int64
	p.set(func(_ *link, m message) fate {
		if m.asks() {
			ways.Add(1)
		}
		return pass
	})

	// post does what a run does with a row of one trip, and gives the ways of each step.
	post := func(n int) map[string]int64 {
		c := claim("run-1", n)
		c.Key.IDs = importer.UniqueIDs
		row := &importer.Mapped{Key: c.Key, Trips: []importer.Trip{*c.Trip}}
		var claimed importer.Claimed
		steps := map[string]int64{}
		step := func(name string, do func() error) {
			before := ways.Load()
			must(t, do())
			steps[name] = ways.Load() - before
		}
		step("the plan's look-up", func() error { _, err := l.RowTrips(t.Context(), c.Account.Service, row); return err })
		step("the look-up before the claim", func() error { _, err := l.Lacks(t.Context(), row, []importer.Account{c.Account}, c.Within); return err })
		step("the claim", func() (err error) { claimed, err = l.Claim(t.Context(), c); return err })
		step("the settlement", func() error { return l.Settle(t.Context(), claimed, created(n)) })
		step("other spellings", func() error {
			row.Key.ID = "other-" + row.Key.ID
			_, err := l.Respelt(t.Context(), c.Account.Service, row.Key, c.Trip)
			return err
		})
		return steps
	}
	for n := range 3 { // the account becomes known, and statements are prepared
		post(n)
	}
	want := map[string]int64{"the plan's look-up": 1, "the look-up before the claim": 1, "the claim": 2, "the settlement": 2, "other spellings": 1}
	if got := post(3); !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
