package pace

import (
	"context"
	"sync/atomic"
	"time"
)

// A share is one gate's part of a budget. Workers that wait take permits from it; one of
// them at a time asks the budget on behalf of all.
type share struct {
	budget  Budget
	permits chan permit
	asking  chan struct{} // full while a worker asks
	waiting atomic.Int32  // workers without a permit

	// What follows is used under the gate's lock: the newest grant, when its last permit
	// is due, and how long the budget took to answer.
	last    Grant
	lastDue time.Time
	took    time.Duration
}

// A permit is the right to one attempt.
type permit struct {
	grant        Grant
	due, expires time.Time
	pauses       int // Gate.pauses when it was asked for
}

// newShare makes an empty share; nil without a budget.
func newShare(b Budget) *share {
	if b == nil {
		return nil
	}
	return &share{budget: b, permits: make(chan permit, maxTake), asking: make(chan struct{}, 1)}
}

// awaitPermit waits until the budget allows an attempt. It reports false if a pause began
// meanwhile: the caller's own turn is over then.
func (g *Gate) awaitPermit(ctx context.Context) (bool, error) {
	if g.share == nil {
		return true, nil
	}

	p, ok, err := g.nextPermit(ctx)
	if err != nil || !ok {
		return false, err
	}
	err = g.sleep(ctx, p.due.Sub(g.now()))
	if ok = err == nil && g.isUsable(p); !ok {
		giveBack(g.share.budget, p.grant, 1)
	}
	return ok, err
}

// isUsable reports whether an attempt may be made with a permit: it is void if a pause
// began after it was asked for, or if it has expired.
func (g *Gate) isUsable(p permit) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return p.pauses == g.pauses && g.now().Before(p.expires)
}

// Unused implements importer.Gate: it gives the permit back to the budget.
func (g *Gate) Unused() {
	if g.share == nil {
		return
	}
	g.mu.Lock()
	last := g.share.last
	g.mu.Unlock()
	giveBack(g.share.budget, last, 1)
}

// nextPermit returns a permit as soon as this gate has one. It reports false in a pause.
func (g *Gate) nextPermit(ctx context.Context) (permit, bool, error) {
	g.share.waiting.Add(1)
	defer g.leave()

	select {
	case p := <-g.share.permits:
		return p, true, nil
	case g.share.asking <- struct{}{}:
		defer func() { <-g.share.asking }()
		return g.ask(ctx)
	case <-g.closed:
		return permit{}, false, g.Stopped()
	case <-ctx.Done():
		return permit{}, false, ctx.Err()
	}
}

// leave counts a worker that waits no longer. The last one gives back the permits of
// workers that left without theirs.
func (g *Gate) leave() {
	if g.share.waiting.Add(-1) > 0 {
		return
	}
	for {
		select {
		case p := <-g.share.permits:
			giveBack(g.share.budget, p.grant, 1)
		default:
			return
		}
	}
}

// ask takes permits for all workers that wait, and returns the first. It reports false in
// a pause.
func (g *Gate) ask(ctx context.Context) (permit, bool, error) {
	for asked := 2; ; asked++ {
		select {
		case p := <-g.share.permits: // left by the worker that asked before
			return p, true, nil
		default:
		}
		if err := g.sleep(ctx, g.untilAsking()); err != nil {
			return permit{}, false, err
		}

		permits, wait, err := g.take(ctx)
		switch {
		case err != nil:
			return permit{}, false, err
		case len(permits) > 0:
			for _, p := range permits[1:] {
				g.share.permits <- p
			}
			return permits[0], true, nil
		case g.inPause():
			return permit{}, false, nil
		}
		// Of several runs the one that has asked most often asks first.
		if err := g.sleep(ctx, wait+takeAhead/time.Duration(asked)); err != nil {
			return permit{}, false, err
		}
	}
}

// untilAsking returns how long this gate leaves the next permits to others, because it has
// enough. At low rates it asks again when half of the time to the next permit is over, so
// that the process that had the last permit does not get the next one too.
func (g *Gate) untilAsking() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.share
	return s.lastDue.Add(s.last.Every/2 - takeAhead - s.took).Sub(g.now())
}

// inPause is isPaused for callers that do not hold the lock.
func (g *Gate) inPause() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.isPaused(g.now())
}

// take asks the budget for the permits of all workers that wait. If it gets none, it
// returns how long to wait before it asks again. If the budget is paused, it pauses
// the gate.
func (g *Gate) take(ctx context.Context) ([]permit, time.Duration, error) {
	if g.inPause() {
		return nil, 0, nil
	}
	g.mu.Lock()
	began, pauses := g.now(), g.pauses
	g.mu.Unlock()

	grant, err := g.grant(ctx)
	if err != nil {
		return nil, 0, err
	}

	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if grant.Paused {
		g.pauseFor(now, grant.Wait)
	}
	s := g.share
	s.took = now.Sub(began)
	permits := make([]permit, grant.N)
	for i := range permits {
		due := now.Add(grant.Wait + time.Duration(i)*grant.Every)
		permits[i] = permit{grant: grant, due: due, expires: now.Add(permitLife), pauses: pauses}
		s.last, s.lastDue = grant, due
	}
	return permits, grant.Wait, nil
}

// grant asks the budget until it answers. It returns an error if the run is to end.
func (g *Gate) grant(ctx context.Context) (Grant, error) {
	for began := g.now(); ; {
		grant, err := g.askOnce(ctx)
		switch {
		case err == nil:
			return grant, nil
		case ctx.Err() != nil:
			return Grant{}, ctx.Err()
		case g.now().Sub(began) >= budgetPatience:
			g.Stop(stopNoBudget(err))
		}
		if err := g.sleep(ctx, budgetRetry); err != nil {
			return Grant{}, err
		}
	}
}

// askOnce asks the budget once. An interrupt does not cancel the question, because
// permits that were granted must be given back.
func (g *Gate) askOnce(ctx context.Context) (Grant, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), budgetTimeout)
	defer cancel()
	return g.share.budget.Take(ctx, min(int(g.share.waiting.Load()), maxTake))
}
