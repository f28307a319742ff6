package postgres

import (
	"context"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/ledgertest"
	"tripimport/importer/ledger/pgtest"
)

// TestStandbyTakesOver has a standby take over during a run: nothing more is claimed, and the answer
// that came then is recorded by the next process. What was recorded is all there.
func TestStandbyTakesOver(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	m := newMachine(t, primary.NewDatabase(t))
	standby := primary.Standby(t)
	m = m.at(primary.Either(m.location, standby))
	l := m.begin(t, "run-1")
	ledgertest.Book(t, l, claim("run-1", 1), "guid-1")
	sent, err := l.Claim(t.Context(), claim("run-1", 2))
	must(t, err)

	standby.Follow(t, primary)
	primary.Stop(t, pgtest.Immediate)
	standby.Promote(t)
	must(t, l.Settle(context.Background(), sent, created(2))) // it is kept aside
	_, err = l.Claim(t.Context(), claim("run-1", 3))
	if wantCode(t, err, "ledger-taken-over"); err == nil {
		t.Error("a trip could be sent")
	}
	must(t, l.Close())

	next := m.begin(t, "run-2")
	for n := 1; n <= 2; n++ {
		if r := findFor(t, next, claim("run-2", n)); r.State != importer.Created {
			t.Errorf("trip %d: %+v", n, r)
		}
	}
	ledgertest.Book(t, next, claim("run-2", 3), "guid-3")
	checkWhole(t, next)
}

// TestStandbyThatLacksCommits has a standby take over that lacks the last commits: it is refused as
// an older copy.
func TestStandbyThatLacksCommits(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	m := newMachine(t, primary.NewDatabase(t))
	standby := primary.Standby(t)
	l := m.begin(t, "run-1")
	ledgertest.Book(t, l, claim("run-1", 1), "guid-1")
	standby.Follow(t, primary)
	standby.Stop(t, pgtest.Fast)
	ledgertest.Book(t, l, claim("run-1", 2), "guid-2")
	must(t, l.Close())

	primary.Stop(t, pgtest.Immediate)
	standby.Restart(t)
	standby.Promote(t)
	m = m.at(primary.Either(m.location, standby))
	m.store.Patience = time.Second
	_, err := m.store.Open(t.Context(), m.location, m.options("run-2"))
	wantCode(t, err, "ledger-older-copy")
}
