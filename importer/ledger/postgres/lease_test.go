package postgres

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger"
	"tripimport/importer/ledger/ledgertest"
)

// The others take a process for dead if it sends nothing for the time of its lease. When
// it goes on it can't claim anything more. An answer that it still has is recorded,
// unless a person has answered meanwhile.
func TestPausedProcess(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = 2 * time.Second
	paused, other := m.begin(t, "run-1"), m.open(t, "other")
	var claims []importer.Claimed
	for n := range 2 {
		claimed, err := paused.Claim(t.Context(), claim("run-1", n+1))
		must(t, err)
		claims = append(claims, claimed)
	}
	time.Sleep(m.store.Lease + m.store.Lease/2)
	want := func(live bool) {
		t.Helper()
		run, err := other.Run(t.Context(), "run-1")
		must(t, err)
		if r := findFor(t, other, claim("run-1", 1)); run.Live != live || r.InFlight != live || r.State != importer.Unknown {
			t.Errorf("the run is live: %v, its trip in flight: %v; want %v", run.Live, r.InFlight, live)
		}
	}
	want(true) // its heartbeat has prolonged the lease

	paused.heartbeat.stop()
	time.Sleep(m.store.Lease + m.store.Lease/2)
	want(false)
	ledgertest.Begin(t, other, "run-2")
	want(false)
	must(t, other.Resolve(t.Context(), ledger.Resolution{
		Attempt: claims[1].Attempt, Verdict: importer.There, GUID: "guid-of-dana", State: importer.Unknown, Who: "dana", When: ledgertest.Noon().Add(time.Hour),
	}))

	_, err := paused.Claim(t.Context(), claim("run-1", 3))
	wantCode(t, err, "ledger-run-ended")
	must(t, paused.Settle(t.Context(), claims[0], created(1)))
	var failed *ledger.Error
	if err := paused.Settle(t.Context(), claims[1], created(2)); err == nil || errors.As(err, &failed) {
		t.Errorf("an answer after a person's: %v", err)
	}
	for n, guid := range map[int]string{1: "guid-1", 2: "guid-of-dana"} {
		if r := findFor(t, other, claim("run-1", n)); r.State != importer.Created || r.GUID != guid {
			t.Errorf("trip %d is %s %s, want %s", n, r.State.Code(), r.GUID, guid)
		}
	}
	if _, err := other.Claim(t.Context(), claim("run-2", 3)); err != nil {
		t.Errorf("what the paused process could not claim: %v", err)
	}
	checkWhole(t, other)
}

// Four processes have the same rows in two shapes: of each row one trip is claimed.
func TestShapesOfOthers(t *testing.T) {
	t.Parallel()
	m := shared(t)
	const processes, rows = 4, 25
	var wait sync.WaitGroup
	var mu sync.Mutex
	granted := map[int]int{}
	for p := range processes {
		run := fmt.Sprint("run-", p)
		l := m.begin(t, run)
		for n := range rows {
			wait.Go(func() {
				c := claim(run, n+1)
				c.Input = fmt.Sprint("file of ", p)
				if p%2 == 1 {
					c.Trip.Leg, c.Trip.ID = importer.OutboundLeg, c.Trip.ID+"-A"
					c.Trip.Pickup.PickupTime.Hour, c.Trip.Dropoff.Appt.Hour = 10, 11
				}
				_, err := l.Claim(t.Context(), c)
				if err != nil && !errors.Is(err, importer.ErrClaimed) {
					t.Error(err)
				}
				if err == nil {
					mu.Lock()
					granted[n]++
					mu.Unlock()
				}
			})
		}
	}
	wait.Wait()
	for n := range rows {
		if granted[n] != 1 {
			t.Errorf("of row %d %d trips were claimed", n+1, granted[n])
		}
	}
}
