package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"tripimport/importer"
)

// A model is what a ledger must know, in its simplest form.
type model struct {
	state   map[string]importer.State // by trip id
	guid    map[string]string         // by trip id
	row     map[string]int            // by trip id, of its last claim
	pending map[string]importer.Claimed
	run     int
}

// testModel does random things to a ledger, also crashes, and compares it with the model
// after each.
func testModel(t *testing.T, f fixture) {
	base := 0
	rapid.Check(t, func(rt *rapid.T) {
		base++ // the ledger stays the same, so each check has ids of its own
		m := &model{state: map[string]importer.State{}, guid: map[string]string{}, row: map[string]int{}, pending: map[string]importer.Claimed{}}
		run := fmt.Sprintf("model-%d", base)
		Begin(t, f.Ledger, run)
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			id := fmt.Sprintf("m%d-%d", base, rapid.IntRange(0, 3).Draw(rt, "trip"))
			switch rapid.IntRange(0, 9).Draw(rt, "do") {
			case 0:
				f.Ledger = f.Crash(t)
				m.pending = map[string]importer.Claimed{}
				m.run++
				run = fmt.Sprintf("model-%d-%d", base, m.run)
				Begin(t, f.Ledger, run)
			case 1, 2, 3, 4:
				m.claim(rt, f.Ledger, run, id, base*10+rapid.IntRange(0, 2).Draw(rt, "row"))
			default:
				m.settle(rt, f.Ledger, id, rapid.SampledFrom([]importer.State{
					importer.Created, importer.Unknown, importer.Refused, importer.NotSent,
				}).Draw(rt, "answer"), fmt.Sprintf("m%d-g%d", base, rapid.IntRange(0, 2).Draw(rt, "guid")))
			}
			m.compare(rt, f.Ledger, id)
		}
	})
}

func (m *model) free(id string) bool {
	state, known := m.state[id]
	return !known || state == importer.Refused || state == importer.NotSent
}

func (m *model) claim(t *rapid.T, l importer.Ledger, run, id string, row int) {
	want := m.free(id)
	for other, r := range m.row {
		if other != id && r == row && !m.free(other) {
			want = false
		}
	}

	claimed, err := l.Claim(context.Background(), Claim(run, Trip(id), row))
	if granted := err == nil; granted != want || !granted && !errors.Is(err, importer.ErrClaimed) {
		t.Fatalf("claiming %s: %v, want granted: %v", id, err, want)
	}

	if want {
		m.state[id], m.guid[id], m.row[id], m.pending[id] = importer.Unknown, "", row, claimed
	}
}

func (m *model) settle(t *rapid.T, l importer.Ledger, id string, state importer.State, guid string) {
	claimed, pending := m.pending[id]
	if !pending {
		return
	}

	taken := false
	for other, g := range m.guid {
		taken = taken || other != id && g == guid && state == importer.Created
	}

	err := l.Settle(context.Background(), claimed, Settlement(state, guid))
	if taken != errors.Is(err, importer.ErrGUIDTaken) || !taken && err != nil {
		t.Fatalf("settling %s with %s: %v, want taken: %v", id, guid, err, taken)
	}

	if taken {
		return
	}

	delete(m.pending, id)
	m.state[id] = state
	if state == importer.Created {
		m.guid[id] = guid
	}
}

func (m *model) compare(t *rapid.T, l importer.Ledger, id string) {
	r, ok, err := l.Find(context.Background(), Lakeshore(), Trip(id))
	if err != nil {
		t.Fatal(err)
	}
	state, known := m.state[id]
	_, pending := m.pending[id]
	if ok != known || ok && (r.State != state || r.GUID != m.guid[id] || r.InFlight != pending) {
		t.Fatalf("%s: found %v as %s, GUID %q, in flight %v; want %v, %s, %q, %v",
			id, ok, r.State.Code(), r.GUID, r.InFlight, known, state.Code(), m.guid[id], pending)
	}
}
