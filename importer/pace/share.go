package pace

import (
	"time"

	"golang.org/x/time/rate"
)

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
	if pause > newPauseAfter && !g.isPaused(now) {
		g.speed.slowDown(now)
	}
	g.pauseFor(now, pause)
	if share := max(0, rate.Limit(perSecond)); g.cfg.Shared && share != g.share {
		g.share = share
		g.pauses++ // turns that were reserved at the earlier share are not valid any more
		close(g.told)
		g.told = make(chan struct{})
		if share > 0 {
			g.speed.setCeiling(now, min(share, g.cfg.limit()))
		}
	}
}

// newPauseAfter is how long the rest of a pause must be to be another one than the last.
// The same pause ends a little earlier or later by the clock of another machine.
const newPauseAfter = time.Second
