package pace

import (
	"context"
	"math"
	"sync"
	"time"

	"tripimport/importer"
)

// A Gate paces the attempts of all workers of a run. It implements importer.Gate
// and is safe for concurrent use.
type Gate struct {
	cfg    Config
	now    func() time.Time
	closed chan struct{} // closed when stop is set
	// turn holds an element while a worker waits for its time. The others wait behind it.
	turn chan struct{}

	mu    sync.Mutex
	stop  *importer.Stop
	speed speed
	// next is when the next attempt may be made, and until the end of the last pause.
	next, until time.Time
	streak      streak
	// share is what this run was told of a rate that it shares with runs of other processes.
	share float64
	// changed is closed and replaced when a pause begins or the share changes.
	changed chan struct{}
}

var _ importer.Gate = (*Gate)(nil)

// New makes an open gate. The first Burst attempts may be made at once.
func New(cfg Config) *Gate {
	return newGate(cfg, time.Now)
}

func newGate(cfg Config, now func() time.Time) *Gate {
	return &Gate{
		cfg: cfg, now: now, closed: make(chan struct{}), turn: make(chan struct{}, 1),
		speed: speed{rate: cfg.limit(), ceiling: cfg.limit()}, changed: make(chan struct{}),
	}
}

// Wait returns nil when the caller may make its next attempt. Once the run is to
// stop it returns the *importer.Stop, and it returns the context's error when
// the context ends. Callers call it once for each attempt.
func (g *Gate) Wait(ctx context.Context) error {
	waited := false
	select {
	case g.turn <- struct{}{}:
	default:
		waited = true
		select {
		case g.turn <- struct{}{}:
		case <-g.closed:
			return g.Stopped()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	defer func() { <-g.turn }()

	for {
		if stop := g.Stopped(); stop != nil {
			return stop
		}
		wait, changed := g.take(waited)
		if err := ctx.Err(); err != nil || wait <= 0 {
			return err
		}
		waited = true
		select {
		case <-time.After(wait):
		case <-changed:
		case <-g.closed:
		case <-ctx.Done():
		}
	}
}

// forever is longer than any run.
const forever = time.Duration(math.MaxInt64)

// maxLate is how late a worker may wake and still have its time. Timers are late
// by milliseconds. If the computer slept, nothing that was missed is made up for.
const maxLate = time.Second

// take takes the next attempt if it may be made now. Otherwise it returns how long to wait before asking again, unless
// something changes before. A worker that did not wait comes after a quiet time, of which Burst attempts were saved up.
// One that waited has its time although it woke late, so that the rate holds.
func (g *Gate) take(waited bool) (wait time.Duration, changed <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now, interval := g.now(), g.speed.interval()
	switch {
	case g.cfg.Shared && g.share <= 0: // no attempt until this run is told a share
		return forever, g.changed
	case now.Before(g.until):
		return g.until.Sub(now), g.changed
	}
	switch late, saved := now.Sub(g.next), time.Duration(max(g.cfg.Burst, 1)-1)*interval; {
	case waited && late > maxLate:
		g.next = now
	case !waited && late > saved:
		g.next = now.Add(-saved)
	}
	if wait := g.next.Sub(now); wait > 0 {
		return wait, g.changed
	}
	g.next = g.next.Add(interval)
	return 0, nil
}

// wake has the worker that waits for its time ask again.
func (g *Gate) wake() {
	close(g.changed)
	g.changed = make(chan struct{})
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
