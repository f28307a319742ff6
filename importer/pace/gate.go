package pace

import (
	"context"
	"sync"
	"time"

	"tripimport/importer"
)

// A Gate paces the attempts of all workers. It implements importer.Gate and is
// safe for concurrent use.
type Gate struct {
	now    func() time.Time
	closed chan struct{} // closed once the run is to stop

	mu    sync.Mutex
	stop  *importer.Stop
	speed speed
	// until is when the last pause ends and pauses how many there have been:
	// a waiter that slept through the beginning of one has to queue again.
	// paused says that nobody has passed since.
	until     time.Time
	pauses    int
	drainNext bool
	streak    streak
}

var _ importer.Gate = (*Gate)(nil)

// New makes an open gate.
func New(cfg Config) *Gate {
	return newGate(cfg, time.Now)
}

func newGate(cfg Config, now func() time.Time) *Gate {
	return &Gate{now: now, closed: make(chan struct{}), speed: newSpeed(cfg, now())}
}

// Wait returns when the next attempt may be made; it is called once for each
// attempt. It returns the *importer.Stop once the run is to stop, or the
// context's error.
func (g *Gate) Wait(ctx context.Context) error {
	for {
		t := g.reserve()
		if err := g.sleep(ctx, t.wait); err != nil {
			return err
		}
		if g.isValid(t) {
			return nil
		}
	}
}

// A turn is a place in the queue.
type turn struct {
	wait time.Duration
	// held means that the wait is for the end of a pause: queue again then.
	again  bool
	due    time.Time
	pauses int
}

// queue takes a turn: after the pause where there is one, else at the next time
// that the rate allows.
func (g *Gate) reserve() turn {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if now.Before(g.until) {
		return turn{wait: g.until.Sub(now), again: true}
	}
	if g.drainNext {
		g.drainNext = false
		g.speed.drain(now)
	}
	wait := g.speed.reserve(now)
	return turn{wait: wait, due: now.Add(wait), pauses: g.pauses}
}

// overslept is how late a waiter may wake and still take its turn. A timer is
// late by milliseconds; by more only where the computer slept, and then every
// waiter's turn is long over at once.
const maxLate = time.Second

// stillGood reports whether the turn may be taken. It may not if a pause began
// while it was waited for (its time was reserved at the old rate, and all that
// waited would start together when the pause ends), nor if the computer slept.
func (g *Gate) isValid(t turn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t.again || t.pauses != g.pauses {
		return false
	}
	now := g.now()
	if now.Sub(t.due) > maxLate {
		g.speed.drain(now)
		return false
	}
	g.speed.countAttempt(now)
	return true
}

// sleep waits in the caller's goroutine, unless the gate closes before.
func (g *Gate) sleep(ctx context.Context, d time.Duration) error {
	if stop := g.Stopped(); stop != nil {
		return stop
	}
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-g.closed:
	case <-ctx.Done():
		return ctx.Err()
	}
	if stop := g.Stopped(); stop != nil {
		return stop
	}
	return nil
}

// Stop closes the gate; the first reason holds.
func (g *Gate) Stop(s *importer.Stop) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.close(s)
}

// close is Stop for those who hold the lock.
func (g *Gate) close(s *importer.Stop) {
	if g.stop == nil && s != nil {
		g.stop = s
		close(g.closed)
	}
}

// Stopped gives the reason why the gate is closed, nil while it is open.
func (g *Gate) Stopped() *importer.Stop {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stop
}
