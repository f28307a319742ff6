package run_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"tripimport/importer"
)

// A sleeper is a ledger on a computer that sleeps after the first claims.
type sleeper struct {
	*memory
	clock *clock
	naps  []time.Duration
}

func (s *sleeper) nap() {
	if len(s.naps) > 0 {
		woken := s.clock.Now().Add(s.naps[0])
		s.clock.now.Store(&woken)
		s.naps = s.naps[1:]
	}
}

func (s *sleeper) Claim(ctx context.Context, c importer.Claim) (importer.Claimed, error) {
	defer s.nap()
	return s.memory.Claim(ctx, c)
}

func (s *sleeper) ClaimChange(ctx context.Context, c importer.ChangeClaim) (importer.ClaimedChange, error) {
	defer s.nap()
	return s.memory.ClaimChange(ctx, c)
}

// A trip that was claimed before the computer slept is not sent when it wakes, because
// another office may have found meanwhile that it is not there, and sent it. It is
// claimed again.
func TestNothingIsSentLongAfterItsClaim(t *testing.T) {
	const long = importer.StartWithin + time.Second
	for name, c := range map[string]struct {
		naps  []time.Duration
		state importer.State
		sent  int // how often
		tries int
	}{
		"a slow disk":    {[]time.Duration{importer.StartWithin}, importer.Created, 1, 1},
		"asleep once":    {[]time.Duration{long}, importer.Created, 1, 2},
		"asleep always":  {[]time.Duration{long, 8 * time.Hour, long}, importer.NotSent, 0, 3},
		"asleep at last": {[]time.Duration{0, long}, importer.Created, 1, 1},
	} {
		t.Run(name, func(t *testing.T) {
			n := newFixture("A")
			n.clock.(*clock).set("2026-12-01 09:00")
			n.ledger = &sleeper{n.ledger.(*memory), n.clock.(*clock), slices.Clone(c.naps)}
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			o := n.reporter.only()
			if o.State != c.state || len(n.service.posts) != c.sent || o.Attempts != c.tries {
				t.Errorf("%s after %d tries, %d were sent; want %s, %d and %d", o.State.Code(), o.Attempts, len(n.service.posts), c.state.Code(), c.tries, c.sent)
			}
		})
		t.Run(name+", a change", func(t *testing.T) {
			n := newChanges(t, fullTrip("A"))
			n.trip(0).Pickup.Comment = "by the back door"
			n.trip(0).Pickup.Phone = "312-555-0107"
			n.clock.(*clock).set("2026-12-01 09:00")
			n = n.again()
			n.ledger = &sleeper{n.ledger.(*memory), n.clock.(*clock), slices.Clone(c.naps)}
			if _, err := n.do(t.Context(), t); err != nil {
				t.Fatal(err)
			}
			want := map[importer.State]importer.State{importer.Created: importer.Updated, importer.NotSent: importer.Changed}[c.state]
			if o := n.reporter.only(); o.State != want || len(n.service.changes) != c.sent {
				t.Errorf("%s, %d were sent; want %s and %d", o.State.Code(), len(n.service.changes), want.Code(), c.sent)
			}
		})
	}
}
