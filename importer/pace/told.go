package pace

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// told is what this run was told about a rate that it shares with runs of other processes.
// It is used under the gate's lock.
type told struct {
	shared  bool
	own     rate.Limit // the rate that this run may not exceed whatever its share is
	share   rate.Limit
	changed chan struct{} // closed and replaced when the share changes; nil if nothing is shared
	pausing func(time.Duration)
}

// forever is longer than any run.
const forever = time.Duration(math.MaxInt64)

// newPauseAfter is how much longer than the last pause a pause must last to be another one.
// The same pause ends a little earlier or later by the clock of another machine.
const newPauseAfter = time.Second

func newTold(cfg Config) told {
	t := told{shared: cfg.Shared, own: rate.Inf, pausing: cfg.Pausing}
	if cfg.Rate > 0 {
		t.own = rate.Limit(cfg.Rate)
	}
	if cfg.Shared {
		t.changed = make(chan struct{})
	}
	return t
}

// nothing reports that this run may make no attempt until it is told a share.
func (t *told) nothing() bool { return t.shared && t.share <= 0 }

// Tell tells a gate with a shared rate what this run may do from now on: perSecond is its
// share in attempts a second, 0 for none, and pause the rest of a pause that the service
// asked any of the runs for. When Tell returns, no attempt is made at an earlier share.
//
// A pause that another run was asked for also halves the rate, as it does in that run, so
// that the joint rate halves once.
func (g *Gate) Tell(perSecond float64, pause time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	g.tellPause(now, pause)
	if share := max(0, rate.Limit(perSecond)); g.told.shared && share != g.told.share {
		g.told.share = share
		g.pauses++ // turns that were reserved at the earlier share are not valid any more
		close(g.told.changed)
		g.told.changed = make(chan struct{})
		if share > 0 {
			g.speed.setCeiling(now, min(share, g.told.own))
		}
	}
}

func (g *Gate) tellPause(now time.Time, pause time.Duration) {
	if pause > newPauseAfter && !g.isPaused(now) && now.Add(pause).Sub(g.until) > newPauseAfter {
		g.speed.slowDown(now)
	}
	g.pauseFor(now, pause)
}

// setCeiling sets the highest rate. A rate that is reduced stays reduced by the same
// factor. What was saved up or reserved at the earlier rate is void, and no burst follows.
func (s *speed) setCeiling(now time.Time, ceiling rate.Limit) {
	factor := rate.Limit(1)
	if s.ceiling != rate.Inf {
		factor = s.limiter.Limit() / s.ceiling
	}
	s.ceiling = ceiling
	s.limiter = rate.NewLimiter(ceiling*factor, 1)
	s.drain(now)
}
