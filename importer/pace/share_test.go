package pace

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tripimport/importer"
)

// A fakeBudget keeps a rate in the virtual time of a test, and takes a while to answer.
type fakeBudget struct {
	every, took time.Duration

	mu       sync.Mutex
	err      error
	next     time.Time
	until    time.Time
	pauses   int64
	taken    int
	returned int
	told     []string // what the budget was told, in order
	slowed   []Grant  // the grants that came with it
}

func newFakeBudget(rate float64) *fakeBudget {
	return &fakeBudget{every: time.Duration(float64(time.Second) / rate), took: 5 * time.Millisecond}
}

func (b *fakeBudget) answer(ctx context.Context, f func(now time.Time)) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.took / 2):
	}
	b.mu.Lock()
	f(time.Now())
	err := b.err
	b.mu.Unlock()
	time.Sleep(b.took / 2)
	return err
}

func (b *fakeBudget) Take(ctx context.Context, n int) (g Grant, _ error) {
	err := b.answer(ctx, func(now time.Time) {
		if b.next.Before(now) {
			b.next = now
		}
		g = Grant{Wait: b.next.Sub(now), Every: b.every, Pauses: b.pauses}
		switch {
		case now.Before(b.until):
			g.Wait, g.Paused = b.until.Sub(now), true
		case g.Wait > time.Second/2:
			g.Wait -= time.Second / 2
		default:
			g.N = max(1, min(n, int(20*time.Millisecond/b.every)))
			b.taken += g.N
			b.next = b.next.Add(time.Duration(g.N) * b.every)
		}
	})
	return g, err
}

func (b *fakeBudget) Return(ctx context.Context, g Grant, n int) error {
	return b.answer(ctx, func(time.Time) {
		b.returned += n
		if g.Pauses == b.pauses {
			b.next = b.next.Add(-time.Duration(n) * g.Every)
		}
	})
}

func (b *fakeBudget) Pause(ctx context.Context, d time.Duration) error {
	return b.answer(ctx, func(now time.Time) { b.pause(now, "pause "+d.String(), d) })
}

func (b *fakeBudget) SlowDown(ctx context.Context, last Grant, d time.Duration) error {
	return b.answer(ctx, func(now time.Time) {
		b.slowed = append(b.slowed, last)
		b.pause(now, "slow down "+d.String(), d)
	})
}

func (b *fakeBudget) pause(now time.Time, told string, d time.Duration) {
	b.told = append(b.told, told)
	b.pauses++
	if until := now.Add(d); until.After(b.until) {
		b.until, b.next = until, until
	}
}

// used is how many permits were taken and not given back.
func (b *fakeBudget) used() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.taken - b.returned
}

// sharedPasses is passes for several gates at once.
func sharedPasses(t *testing.T, gates []*Gate, workers int, d time.Duration) [][]time.Time {
	t.Helper()
	times := make([][]time.Time, len(gates))
	var wg sync.WaitGroup
	for i, g := range gates {
		wg.Go(func() { times[i] = passes(t, g, workers, d, nil) })
	}
	wg.Wait()
	return times
}

func sharing(b Budget, n int) []*Gate {
	gates := make([]*Gate, n)
	for i := range gates {
		gates[i] = New(Config{Budget: b})
	}
	return gates
}

func TestSharedRateHolds(t *testing.T) {
	for _, rate := range []float64{2, 50, 400} {
		for _, n := range []int{1, 2, 4} {
			for _, workers := range []int{1, 8, 32} {
				if rate > 100 && workers == 1 {
					continue // it waits for the budget each time
				}
				synctest.Test(t, func(t *testing.T) {
					b := newFakeBudget(rate)
					all := 0
					for i, times := range sharedPasses(t, sharing(b, n), workers, time.Minute) {
						all += len(times)
						if part := float64(len(times)) / 60 / rate; part < 0.8/float64(n) || part > 1.2/float64(n) {
							t.Errorf("%g/s, %d gates of %d workers: gate %d has %.2f of the passes", rate, n, workers, i+1, part)
						}
					}
					if got := float64(all) / 60; got > rate*1.01+0.1 || got < rate*0.98-0.1 {
						t.Errorf("%g/s, %d gates of %d workers: %.2f/s over a minute", rate, n, workers, got)
					}
					if b.used() != all {
						t.Errorf("%d permits are used up by %d passes", b.used(), all)
					}
				})
			}
		}
	}
}

// A run with a lower rate of its own keeps that, and leaves the rest to the others.
func TestOwnRateIsLower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newFakeBudget(50)
		gates := []*Gate{New(Config{Rate: 5, Burst: 1, Budget: b}), New(Config{Rate: 500, Budget: b})}
		times := sharedPasses(t, gates, 8, time.Minute)
		if n := len(times[0]); n < 295 || n > 301 {
			t.Errorf("the slow run made %d attempts in a minute, want 300", n)
		}
		if n := len(times[0]) + len(times[1]); n < 2940 || n > 3001 {
			t.Errorf("both made %d attempts in a minute, want 3000: none is faster than all may be", n)
		}
	})
}

func TestSharedPause(t *testing.T) {
	for name, c := range map[string]struct {
		answer importer.Reply
		told   string
		pause  time.Duration
	}{
		"429":                {importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: 7 * time.Second}, "slow down 7s", 7 * time.Second},
		"429, a day":         {importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: 24 * time.Hour}, "slow down 5m0s", 5 * time.Minute},
		"503 with a pause":   {importer.Reply{Kind: importer.ReplyUnclear, Status: 503, RetryAfter: 9 * time.Second}, "pause 9s", 9 * time.Second},
		"503 without":        {importer.Reply{Kind: importer.ReplyUnclear, Status: 503}, "", 0},
		"no connection here": {importer.Reply{Kind: importer.ReplyNotSent}, "", 0},
		"booked":             {importer.Reply{Kind: importer.ReplyCreated, Status: 200}, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newFakeBudget(50)
				gates := sharing(b, 4)
				var began time.Time
				time.AfterFunc(10*time.Second, func() {
					began = time.Now()
					gates[0].Report(c.answer)
				})
				times := sharedPasses(t, gates[1:], 8, 6*time.Minute)
				if c.told == "" && len(b.told) > 0 || c.told != "" && (len(b.told) != 1 || b.told[0] != c.told) {
					t.Fatalf("the budget was told %q, want %q", b.told, c.told)
				}
				held, after := 0, 0
				for _, of := range times {
					for _, at := range of {
						switch d := at.Sub(began); {
						case d > time.Second && d < c.pause:
							held++
						case d >= c.pause:
							after++
						}
					}
				}
				if held > 0 || after == 0 {
					t.Errorf("%d passes in the pause, from its second second on, and %d after it", held, after)
				}
			})
		})
	}
}

// A refusal that eight workers meet at once reaches the budget once, with the newest
// grant, and the gate does not halve its own rate as well.
func TestSharedSlowDownIsToldOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newFakeBudget(50)
		g := New(Config{Rate: 20, Burst: 1, Budget: b})
		b.pauses = 3
		if err := g.Wait(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 8 {
			g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429})
		}
		if len(b.told) != 1 || b.slowed[0].Pauses != 3 {
			t.Errorf("told %q with the grants %+v", b.told, b.slowed)
		}
		if g.rate() != 20 {
			t.Errorf("its own rate is %v, want 20 as before", g.rate())
		}
		g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: time.Minute})
		if len(b.told) != 2 || b.told[1] != "pause 1m0s" {
			t.Errorf("told %q, want the longer pause as well", b.told)
		}
	})
}

// However a run ends, it keeps no permit that it did not use.
func TestUnusedPermitsAreGivenBack(t *testing.T) {
	for name, end := range map[string]func(*Gate, context.CancelFunc){
		"interrupted": func(_ *Gate, cancel context.CancelFunc) { cancel() },
		"stopped":     func(g *Gate, _ context.CancelFunc) { g.Stop(&importer.Stop{Code: "test"}) },
		"paused":      func(g *Gate, _ context.CancelFunc) { g.Report(importer.Reply{Kind: importer.ReplyNotSent}) },
	} {
		t.Run(name, func(t *testing.T) {
			for after := time.Second; after < 1200*time.Millisecond; after += 7 * time.Millisecond {
				synctest.Test(t, func(t *testing.T) {
					b := newFakeBudget(200)
					g := New(Config{Budget: b})
					ctx, cancel := context.WithCancel(t.Context())
					defer cancel()
					time.AfterFunc(after, func() { end(g, cancel) })
					time.AfterFunc(after+time.Second, cancel)
					used := 0
					var (
						mu sync.Mutex
						wg sync.WaitGroup
					)
					for range 8 {
						wg.Go(func() {
							for g.Wait(ctx) == nil {
								mu.Lock()
								used++
								mu.Unlock()
							}
						})
					}
					wg.Wait()
					if b.used() != used {
						t.Errorf("after %v: %d permits are used up by %d passes", after, b.used(), used)
					}
				})
			}
		})
	}
}

// fail makes the budget fail from now on, for d.
func (b *fakeBudget) fail(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.err = errors.New("the ledger can't be reached")
	time.AfterFunc(d, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.err = nil
	})
}

// A permit after which nothing was sent goes to another run.
func TestUnusedTurnIsGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newFakeBudget(10)
		g := New(Config{Budget: b})
		for range 5 {
			if err := g.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
			g.Unused()
		}
		if n := b.used(); n != 0 {
			t.Errorf("%d permits are used up by turns without an attempt", n)
		}
		New(Config{Rate: 10}).Unused() // of a gate without a budget, it is nothing
	})
}

// Nothing passes without the budget. The run stops if it is away for long.
func TestBudgetFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newFakeBudget(50)
		b.fail(time.Hour)
		g := New(Config{Budget: b})
		began := time.Now()
		times := passes(t, g, 8, time.Minute, nil)
		stop := g.Stopped()
		if len(times) > 0 || stop == nil || stop.Code != "rate-unknown" || !stop.Later {
			t.Errorf("%d passes without a budget, stopped by %+v", len(times), stop)
		}
		if d := time.Since(began); d < budgetPatience || d > budgetPatience+time.Second {
			t.Errorf("stopped after %v", d)
		}
		if err := g.Wait(t.Context()); !errors.Is(err, stop) {
			t.Errorf("got %v, want the stop", err)
		}
		synctest.Wait()
	})
	synctest.Test(t, func(t *testing.T) {
		b := newFakeBudget(50)
		b.fail(20 * time.Second)
		g := New(Config{Budget: b})
		if times := passes(t, g, 8, time.Minute, nil); len(times) < 1950 || len(times) > 2001 || g.Stopped() != nil {
			t.Errorf("%d passes in the 40 seconds after the budget was back, stopped by %v", len(times), g.Stopped())
		}
	})
}

// A budget that never answers counts as failed. A person can interrupt the run.
func TestBudgetHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newFakeBudget(50)
		b.took = time.Hour
		g := New(Config{Budget: b})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := g.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) || g.Stopped() != nil || time.Since(began) > budgetTimeout {
			t.Errorf("got %v after %v, stopped %v, want the context's error", err, time.Since(began), g.Stopped())
		}
		began = time.Now()
		if err := g.Wait(t.Context()); !errors.Is(err, g.Stopped()) || time.Since(began) > budgetPatience+2*budgetTimeout {
			t.Errorf("got %v after %v", err, time.Since(began))
		}
	})
}

// What a machine's clock does changes nothing for the others: a computer that slept uses
// none of the permits that it had.
func TestSharedClockJumps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var jump time.Duration
		jumping := func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return time.Now().Add(jump)
		}
		b := newFakeBudget(50)
		gates := []*Gate{newGate(Config{Budget: b}, jumping), New(Config{Budget: b})}
		for i := range 5 {
			time.AfterFunc(time.Duration(i)*10*time.Second+5*time.Millisecond, func() {
				mu.Lock()
				jump += 8 * time.Hour
				mu.Unlock()
			})
		}
		times := sharedPasses(t, gates, 8, time.Minute)
		if n := len(times[0]) + len(times[1]); n < 2900 || n > 3001 {
			t.Errorf("%d passes in a minute, want 3000", n)
		}
		if most := mostInOneSecond(times[0]); most > 51 {
			t.Errorf("the machine whose clock jumps made %d attempts in one second", most)
		}
	})
}
