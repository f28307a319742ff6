package pace

import (
	"math/rand/v2"
	"time"

	"tripimport/importer"
)

// A streak counts what came in a row, in order of completion.
type streak struct {
	unclear     int // answers that prove nothing
	noGUID      int // trips created without a GUID
	unreachable int // pauses after which no connection came about
	throttled   int // pauses after which the rate was refused again
}

// Report tells the gate what came of an attempt, in order of completion.
//
// What many workers meet at once counts once: a 429 or a missing connection
// that comes back while all workers are already held for one belongs to it.
func (g *Gate) Report(a importer.Answer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	switch a.Kind {
	case importer.AnswerThrottled:
		g.throttled(now, a)
	case importer.AnswerNotSent:
		g.unreachable(now)
	case importer.AnswerBadCertificate:
		g.close(stopCertificate())
	case importer.AnswerPage:
		g.close(stopPage())
	case importer.AnswerRedirected:
		g.close(stopRedirected())
	case importer.AnswerMisdirected:
		g.close(stopMisdirected())
	case importer.AnswerCreated, importer.AnswerCreatedNoGUID, importer.AnswerRefused, importer.AnswerDenied:
		g.answered(now, a.Kind)
	case importer.AnswerUnclear:
		g.unclear(now, a)
	}
}

// answered takes a clear answer: the service is there and at work.
func (g *Gate) answered(now time.Time, kind importer.AnswerKind) {
	g.streak.unclear, g.streak.unreachable, g.streak.throttled = 0, 0, 0
	g.speed.speedUp(now)
	switch kind {
	case importer.AnswerCreated:
		g.streak.noGUID = 0
	case importer.AnswerCreatedNoGUID:
		if g.streak.noGUID++; g.streak.noGUID >= maxNoGUID {
			g.close(stopNoGUID(g.streak.noGUID))
		}
	}
}

// unclear takes an answer that proves nothing. A refused rate or a missing
// connection between two of these does not end their row: neither shows that
// the service books trips again, and each unclear trip is work for a person.
func (g *Gate) unclear(now time.Time, a importer.Answer) {
	g.streak.unreachable = 0
	if a.RetryAfter > 0 {
		g.pauseFor(now, a.RetryAfter)
	}
	if g.streak.unclear++; g.streak.unclear >= maxUnclear {
		g.close(stopUnclear(g.streak.unclear))
	}
}

// throttled takes a 429: all workers pause, and the rate halves once a pause.
func (g *Gate) throttled(now time.Time, a importer.Answer) {
	g.streak.unreachable = 0
	if g.isPaused(now) {
		if a.RetryAfter > 0 {
			g.pauseFor(now, a.RetryAfter)
		}
		return
	}
	g.streak.throttled++
	if g.streak.throttled >= maxThrottled {
		g.close(stopThrottled(g.streak.throttled))
		return
	}
	g.speed.slowDown(now)
	pause := a.RetryAfter
	if pause <= 0 {
		pause = backoff(2, g.streak.throttled)
	}
	g.pauseFor(now, pause)
}

// unreachable takes a connection that did not come about: all workers pause,
// each time three times as long.
func (g *Gate) unreachable(now time.Time) {
	if g.isPaused(now) {
		return
	}
	g.streak.unreachable++
	if g.streak.unreachable >= maxUnreachable {
		g.close(stopUnreachable(g.streak.unreachable))
		return
	}
	g.pauseFor(now, backoff(3, g.streak.unreachable))
}

// held reports whether all workers are paused.
func (g *Gate) isPaused(now time.Time) bool { return now.Before(g.until) }

// hold pauses all workers for d, at most maxPause; a pause that already goes on
// can only become longer. What gathers meanwhile is drained when it ends.
func (g *Gate) pauseFor(now time.Time, d time.Duration) {
	until := now.Add(min(d, maxPause))
	if !until.After(g.until) {
		return
	}
	g.until = until
	g.pauses++
	g.drainNext = true
}

// backoff is the n-th pause in a row where the service does not say how long:
// the first one times a power of factor. Up to a fifth is added by chance, so
// that offices that were cut off together do not come back together.
func backoff(factor, n int) time.Duration {
	d := firstBackoff
	for i := 1; i < n && d < maxPause; i++ {
		d *= time.Duration(factor)
	}
	return d + rand.N(d/5+1)
}
