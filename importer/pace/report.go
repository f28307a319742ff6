package pace

import (
	"math/rand/v2"
	"time"

	"golang.org/x/time/rate"

	"tripimport/importer"
)

// Report tells the gate the answer to an attempt. It is called once for each
// attempt, as soon as the answer is known.
//
// A failure that many workers meet at the same time counts once: a 429 or a
// failed connection that is reported during a pause does not count again.
//
// If the rate is shared, Report passes a pause that the service asks for on to the other
// runs before it returns.
func (g *Gate) Report(a importer.Reply) {
	if pause := g.report(a); pause > 0 && g.cfg.Pausing != nil {
		g.cfg.Pausing(min(pause, maxPause))
	}
}

// report is Report without telling the others. It returns the pause that the service asked for.
func (g *Gate) report(a importer.Reply) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()

	now := g.now()
	switch a.Kind {
	case importer.ReplyThrottled:
		g.streak.unreachable = 0
		pause, first := g.failed(now, a, &g.streak.throttled, maxThrottled, 2)
		if first {
			g.speed.slowDown(now)
		}
		return pause
	case importer.ReplyNotSent:
		_, _ = g.failed(now, a, &g.streak.unreachable, maxUnreachable, 3)
	case importer.ReplyBadCertificate, importer.ReplyPage, importer.ReplyRedirected, importer.ReplyMisdirected, importer.ReplyForeign:
		g.close(stops()[a.Kind])
	case importer.ReplyCreated, importer.ReplyCreatedNoGUID, importer.ReplyChanged, importer.ReplyRefused, importer.ReplyDenied:
		g.answered(now, a.Kind)
	case importer.ReplyUnclear:
		return g.unclear(now, a)
	}
	return 0
}

// answered handles an answer that proves what happened, which shows that the
// service works.
func (g *Gate) answered(now time.Time, kind importer.ReplyKind) {
	g.streak.unclear, g.streak.unreachable, g.streak.throttled = 0, 0, 0
	g.speed.speedUp(now)
	if kind != importer.ReplyDenied {
		g.streak.denied = 0
	}
	switch kind {
	case importer.ReplyCreated:
		g.streak.noGUID = 0
	case importer.ReplyDenied:
		if !g.isPaused(now) { // a trip that was denied is tried again after the pause
			g.streak.denied++
			g.pauseFor(now, backoff(2, g.streak.denied))
		}
	case importer.ReplyCreatedNoGUID:
		if g.streak.noGUID++; g.streak.noGUID >= maxNoGUID {
			g.close(stops()[kind])
		}
	}
}

// unclear handles an answer that proves nothing. A 429 or a failed connection
// between two of them does not end the streak: neither shows that the service
// books trips again, and a person must look up each unclear trip.
func (g *Gate) unclear(now time.Time, a importer.Reply) time.Duration {
	g.streak.unreachable = 0
	g.pauseFor(now, a.RetryAfter)
	if g.streak.unclear++; g.streak.unclear >= maxUnclear {
		g.close(stops()[a.Kind])
	}
	return a.RetryAfter
}

// failed handles an attempt that reached nothing, or was refused by a 429: all workers pause, each time factor times as
// long as before if the service does not say how long. The last of most failures in a row stops the run. It reports
// false if a pause has begun already.
func (g *Gate) failed(now time.Time, a importer.Reply, inARow *int, most, factor int) (pause time.Duration, first bool) {
	pause, first = a.RetryAfter, !g.isPaused(now)
	if first {
		*inARow++
		if pause <= 0 {
			pause = backoff(factor, *inARow)
		}
		if *inARow >= most {
			g.close(stops()[a.Kind])
			return pause, first
		}
	}
	g.pauseFor(now, pause)
	return pause, first
}

// isPaused reports whether all workers are paused.
func (g *Gate) isPaused(now time.Time) bool { return now.Before(g.until) }

// pauseFor pauses all workers for d, if it is above 0, but not longer than maxPause.
// It never shortens a pause that has begun.
func (g *Gate) pauseFor(now time.Time, d time.Duration) {
	until := now.Add(min(d, maxPause))
	if d <= 0 || !until.After(g.until) {
		return
	}
	g.until = until
	g.pauses++
}

// backoff returns the length of the n-th pause in a row if the service does not
// say how long: firstBackoff, and each time factor times as long. A random fifth
// is added, so that offices that lost their connections at the same time do not
// all return at the same time.
func backoff(factor, n int) time.Duration {
	d := firstBackoff
	for i := 1; i < n && d < maxPause; i++ {
		d *= time.Duration(factor)
	}
	return d + rand.N(d/5+1)
}

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
