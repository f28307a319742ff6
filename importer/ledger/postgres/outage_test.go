package postgres

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tripimport/importer"
	"tripimport/importer/ledger/pgtest"
)

// Notices gathers what a person is told.
type notices struct {
	mu   sync.Mutex
	told []string
}

func (n *notices) notice(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told = append(n.told, text)
}

// want fails unless as many were told since the last time as there are texts, each with one.
func (n *notices) want(t *testing.T, texts ...string) {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.told) != len(texts) {
		t.Fatalf("told %q, want %q", n.told, texts)
	}
	for i, text := range texts {
		if !strings.Contains(n.told[i], text) {
			t.Errorf("told %q, want %q in it", n.told[i], text)
		}
	}
	n.told = nil
}

// All of a process wait for a server that is away for one time of patience together, and a
// person is told of it once. After that nobody waits any more.
func TestOutage(t *testing.T) {
	t.Parallel()
	c := pgtest.Start(t)
	m := newMachine(t, c.NewDatabase(t))
	told := &notices{}
	m.store.Notice, m.store.Patience = told.notice, 6*time.Second
	l := m.begin(t, "run-1")
	budget, err := l.Budget(t.Context(), "https://trips.example", importer.NewSecret("token"), Rate{PerSecond: 100, Burst: 10})
	must(t, err)
	claimed, err := l.Claim(t.Context(), claim("run-1", 1))
	must(t, err)
	find := func(n int) error {
		c := claim("run-1", n)
		_, _, err := l.Find(t.Context(), c.Account, c.Trip)
		return err
	}
	write := func(n int) error {
		_, err := l.Claim(t.Context(), claim("run-1", n))
		return err
	}

	for i := range 2 { // it may come back as often as it likes
		c.Stop(t, pgtest.Immediate)
		var wait sync.WaitGroup
		for n := range 4 {
			wait.Go(func() { must(t, find(n+10)) })
		}
		wait.Go(func() { must(t, write(2+i)) })
		time.Sleep(3 * time.Second)
		c.Restart(t)
		wait.Wait()
		told.want(t, "waiting for it, for 6 seconds at most", "can be reached again")
	}

	c.Stop(t, pgtest.Immediate)
	began := time.Now()
	for time.Since(began) < m.store.Patience/2 { // the first to notice
		if _, err := budget.Take(t.Context(), 1); err == nil {
			t.Fatal("the server is there")
		}
		time.Sleep(100 * time.Millisecond)
	}
	for n := range 20 { // one after the other
		wantCode(t, find(n+20), "ledger-unreachable")
	}
	wantCode(t, write(9), "ledger-unreachable")
	must(t, l.Settle(t.Context(), claimed, created(1))) // kept on this machine
	if n := l.Number(); n == 0 {
		t.Error("the number that it had is forgotten")
	}
	if lasted := time.Since(began); lasted > m.store.Patience+2*time.Second {
		t.Errorf("all of it took %s, with a patience of %s", lasted, m.store.Patience)
	}
	told.want(t, "can't be reached")
}

// A person is told once of a trip that another run keeps others waiting for, and not of one
// whose answer comes soon.
func TestAwaitIsTold(t *testing.T) {
	t.Parallel()
	m := shared(t)
	m.store.Lease = 6 * time.Second
	dead := m.begin(t, "run-dead")
	told := &notices{}
	m.store.Notice = told.notice
	l := m.begin(t, "run-2")
	wait := func(numbers ...int) {
		var all sync.WaitGroup
		for n := range slices.Values(numbers) {
			all.Go(func() {
				c := claim("run-2", n)
				if _, found, err := l.Find(t.Context(), c.Account, c.Trip); err != nil || !found {
					t.Errorf("got %v and %v", found, err)
				}
			})
		}
		all.Wait()
	}

	var claims []importer.Claimed
	for n := range 4 {
		claimed, err := dead.Claim(t.Context(), claim("run-dead", n))
		must(t, err)
		claims = append(claims, claimed)
	}
	time.AfterFunc(500*time.Millisecond, func() {
		if err := dead.Settle(t.Context(), claims[0], created(0)); err != nil {
			t.Error(err)
		}
	})
	wait(0)
	told.want(t)

	dead.heartbeat.stop()
	wait(1, 2, 3)
	told.want(t, "another run is sending a trip", "no longer waiting")
}
