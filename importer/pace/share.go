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
	g.tellPause(now, pause)
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

func (g *Gate) tellPause(now time.Time, pause time.Duration) {
	if pause > newPauseAfter && !g.isPaused(now) && now.Add(pause).Sub(g.until) > newPauseAfter {
		g.speed.slowDown(now)
	}
	g.pauseFor(now, pause)
}

// newPauseAfter is how much longer than the last pause a pause must last to be another one.
// The same pause ends a little earlier or later by the clock of another machine.
const newPauseAfter = time.Second
