package pace

import (
	"context"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"tripimport/importer"
)

// A Gate paces the attempts of all workers of a run. It implements importer.Gate
// and is safe for concurrent use.
type Gate struct {
	cfg    Config
	now    func() time.Time
	closed chan struct{} // closed when stop is set

	mu    sync.Mutex
	stop  *importer.Stop
	speed speed
	// until is the end of the last pause, and pauses counts the pauses, so that
	// a worker that waits for its turn can notice that one began meanwhile.
	until  time.Time
	pauses int
	streak streak
	// share is what this run was told of a rate that it shares with runs of other processes, and
	// told is closed and replaced when that changes.
	share rate.Limit
	told  chan struct{}
}

var _ importer.Gate = (*Gate)(nil)

// New makes an open gate.
func New(cfg Config) *Gate {
	return newGate(cfg, time.Now)
}

func newGate(cfg Config, now func() time.Time) *Gate {
	return &Gate{cfg: cfg, now: now, closed: make(chan struct{}), speed: newSpeed(cfg), told: make(chan struct{})}
}

// Wait returns nil when the caller may make its next attempt. Once the run is to
// stop it returns the *importer.Stop, and it returns the context's error when
// the context ends. Callers call it once for each attempt.
func (g *Gate) Wait(ctx context.Context) error {
	for {
		t := g.reserve()
		if err := g.sleep(ctx, t.wait, t.told); err != nil {
			return err
		}
		if g.isValid(t) {
			return nil
		}
	}
}

// forever is longer than any run.
const forever = time.Duration(math.MaxInt64)

// A turn is a time at which one attempt may be made.
type turn struct {
	wait time.Duration
	// again means that no time was reserved because of a pause: reserve again
	// after it.
	again  bool
	due    time.Time
	pauses int // Gate.pauses when the turn was reserved
	// told is closed when this run is told another share.
	told <-chan struct{}
}

// reserve returns the next turn that the rate allows, or in a pause a turn that
// has to be reserved again after it.
func (g *Gate) reserve() turn {
	g.mu.Lock()
	defer g.mu.Unlock()

	now := g.now()
	if g.cfg.Shared && g.share <= 0 { // no attempt until this run is told a share
		return turn{wait: forever, again: true, told: g.told}
	}
	if now.Before(g.until) {
		return turn{wait: g.until.Sub(now), again: true}
	}

	wait := g.speed.reserve(now)
	return turn{wait: wait, due: now.Add(wait), pauses: g.pauses, told: g.told}
}

// maxLate is how late a worker may wake and still take its turn. Timers are late
// by milliseconds. If the computer slept, all workers wake after their turns,
// and would make their attempts at once.
const maxLate = time.Second

// isValid reports whether a turn may be taken. It may not if a pause began after
// it was reserved, because its time was computed for the old rate and all waiting
// workers would start together after the pause. Nor may it be taken if the computer slept or the gate closed.
func (g *Gate) isValid(t turn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !t.again && t.pauses == g.pauses && g.stop == nil && g.now().Sub(t.due) <= maxLate
}

// sleep waits for d. It returns early if told is closed, the gate closes or the context ends.
func (g *Gate) sleep(ctx context.Context, d time.Duration, told <-chan struct{}) error {
	if stop := g.Stopped(); stop != nil {
		return stop
	}
	if err := ctx.Err(); err != nil || d <= 0 {
		return err
	}

	select {
	case <-time.After(d):
	case <-told:
	case <-g.closed:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Stop closes the gate: all calls of Wait return s. Only the first call has an
// effect.
func (g *Gate) Stop(s *importer.Stop) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.close(s)
}

// close is Stop for callers that hold the lock.
func (g *Gate) close(s *importer.Stop) {
	if g.stop == nil && s != nil {
		g.stop = s
		close(g.closed)
	}
}

// Pause returns the rest of the pause of all workers; 0 for none.
func (g *Gate) Pause() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(0, g.until.Sub(g.now()))
}

// Stopped returns why the gate is closed, nil while it is open.
func (g *Gate) Stopped() *importer.Stop {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.stop
}

// A streak counts failures in a row, in the order in which they were reported.
type streak struct {
	unclear     int // answers that prove nothing
	noGUID      int // trips that were booked without a GUID
	unreachable int // failed connections, not counting those during a pause
	denied      int // 401s and 403s, not counting those during a pause
	throttled   int // 429s, not counting those during a pause
}
