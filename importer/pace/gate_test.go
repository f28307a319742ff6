package pace

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"

	"tripimport/importer"
)

// pause is how much longer all workers are paused, 0 if they are not.
func (g *Gate) pause() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return max(0, g.until.Sub(g.now()))
}

// rate is the present limit in attempts a second, 0 if there is none.
func (g *Gate) rate() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.speed.limiter.Limit() == rate.Inf {
		return 0
	}
	return float64(g.speed.limiter.Limit())
}

// passes lets workers pass the gate for d of virtual time and returns when each
// attempt passed. If after is set, it is called after each.
func passes(t *testing.T, g *Gate, workers int, d time.Duration, after func()) []time.Time {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var (
		mu    sync.Mutex
		times []time.Time
		wg    sync.WaitGroup
	)
	for range workers {
		wg.Go(func() {
			for g.Wait(ctx) == nil {
				mu.Lock()
				times = append(times, time.Now())
				mu.Unlock()
				if after != nil {
					after()
				}
			}
		})
	}
	wg.Wait()
	return times
}

// mostInOneSecond returns the largest number of passes in any second, both ends
// included.
func mostInOneSecond(times []time.Time) int {
	most, from := 0, 0
	for to := range times {
		for times[to].Sub(times[from]) > time.Second {
			from++
		}
		most = max(most, to-from+1)
	}
	return most
}

// 50 attempts per second, for a minute.
func TestRateHolds(t *testing.T) {
	for _, workers := range []int{1, 8, 32} {
		synctest.Test(t, func(t *testing.T) {
			g := New(Config{Rate: 50})
			times := passes(t, g, workers, time.Minute, nil)
			t.Logf("%d workers: %.2f/s over a minute, at most %d in one second", workers, float64(len(times))/60, mostInOneSecond(times))
			if got := float64(len(times)) / 60; got < 49.85 || got > 50.15 {
				t.Errorf("%d workers: %.2f/s over a minute, want 49.85 to 50.15", workers, got)
			}
			if most := mostInOneSecond(times); most > 51 {
				t.Errorf("%d workers: %d in one second, want at most 51", workers, most)
			}
		})
	}
}

func TestNoRateMeansNoWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, began := New(Config{}), time.Now()
		for range 10_000 {
			if err := g.Wait(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if spent := time.Since(began); spent != 0 {
			t.Errorf("10,000 turns took %v", spent)
		}
		if g.rate() != 0 {
			t.Errorf("rate %v, want none", g.rate())
		}
	})
}

func TestThrottledPausesEveryWorker(t *testing.T) {
	for name, c := range map[string]struct {
		asked    time.Duration
		min, max time.Duration
	}{
		"seconds":             {7 * time.Second, 7 * time.Second, 7 * time.Second},
		"a day is capped":     {24 * time.Hour, 5 * time.Minute, 5 * time.Minute},
		"not said":            {0, 2 * time.Second, 2400 * time.Millisecond},
		"negative is nothing": {-3 * time.Second, 2 * time.Second, 2400 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, began := New(Config{Rate: 10}), time.Now()
				if err := g.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: c.asked})
				if p := g.pause(); p < c.min || p > c.max {
					t.Errorf("paused for %v, want %v to %v", p, c.min, c.max)
				}
				times := passes(t, g, 8, 10*time.Minute, nil)
				if d := times[0].Sub(began); d < c.min || d > c.max+time.Second {
					t.Errorf("the first attempt came after %v", d)
				}
				// The rate is halved, and nothing was saved up in the pause.
				if most := mostInOneSecond(times[:40]); most > 6 {
					t.Errorf("%d attempts in one second after the pause, want at most 6", most)
				}
			})
		})
	}
}

// Workers that wait when a pause begins have turns at the old rate. They must not
// all start when it ends.
func TestWaitersQueuedBeforeAPauseQueueAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 2})
		began := time.Now()
		go func() {
			time.Sleep(100 * time.Millisecond)
			g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: 30 * time.Second})
		}()
		times := passes(t, g, 8, time.Minute, nil)
		if d := times[1].Sub(began); d < 30*time.Second {
			t.Errorf("an attempt passed %v into the pause", d)
		}
		for i := 2; i < 8; i++ {
			if gap := times[i].Sub(times[i-1]); gap < 900*time.Millisecond {
				t.Errorf("attempts %d and %d are %v apart, want a second (half of 2/s)", i-1, i, gap)
			}
		}
	})
}

func TestManyThrottledAtOnceHalveOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 16})
		for range 8 {
			g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: time.Second})
		}
		if g.rate() != 8 {
			t.Errorf("rate %v after one pause, want 8", g.rate())
		}
		if g.Stopped() != nil {
			t.Errorf("stopped: %v", g.Stopped())
		}
	})
}

func TestRateComesBackSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 20})
		g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: time.Second})
		good := func() { g.Report(importer.Reply{Kind: importer.ReplyCreated, Status: 200}) }
		passes(t, g, 4, 55*time.Second, good)
		if r := g.rate(); r <= 10 || r >= 20 {
			t.Errorf("rate %v after 55 s, want it on its way from 10 to 20", r)
		}
		passes(t, g, 4, 60*time.Second, good)
		if r := g.rate(); r != 20 {
			t.Errorf("rate %v after two minutes, want all of 20", r)
		}
	})
}

func TestUnlimitedGateSlowsDownToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{})
		passes(t, g, 1, 3*time.Second, func() { time.Sleep(10 * time.Millisecond) })
		g.Report(importer.Reply{Kind: importer.ReplyThrottled, Status: 429, RetryAfter: time.Second})
		if r := g.rate(); r < 45 || r > 55 {
			t.Errorf("rate %v after 100/s was refused, want about 50", r)
		}
	})
}

func TestStopWakesWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 0.001})
		first := &importer.Stop{Code: "first"}
		errs := make(chan error)
		for range 4 {
			go func() {
				var err error
				for err == nil {
					err = g.Wait(t.Context())
				}
				errs <- err
			}()
		}
		synctest.Wait()
		g.Stop(first)
		g.Stop(&importer.Stop{Code: "second"})
		for range 4 {
			var stop *importer.Stop
			if err := <-errs; !errors.As(err, &stop) || stop != first {
				t.Errorf("woke with %v, want the first reason", err)
			}
		}
		if g.Stopped() != first {
			t.Errorf("stopped by %v, want the first reason", g.Stopped())
		}
	})
}

func TestWaitEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Rate: 0.001})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := g.Wait(ctx); err != nil {
			t.Fatal(err)
		}
		if err := g.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error", err)
		}
	})
}

// After a laptop has slept, all turns are over and the limiter has saved up a
// burst. Neither may lead to one.
func TestNoBurstAfterTheComputerSlept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var slept time.Duration
		g := newGate(Config{Rate: 5}, func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return time.Now().Add(slept)
		})
		go func() {
			time.Sleep(10*time.Second + 50*time.Millisecond)
			mu.Lock()
			slept = 8 * time.Hour
			mu.Unlock()
		}()
		times := passes(t, g, 8, time.Minute, nil)
		var after []time.Time
		for _, at := range times {
			if at.Sub(times[0]) > 10*time.Second {
				after = append(after, at)
			}
		}
		if most := mostInOneSecond(after); most > 6 {
			t.Errorf("%d attempts in one second after the sleep, want at most 6", most)
		}
		if len(after) < 200 {
			t.Errorf("only %d attempts in the 50 s after the sleep", len(after))
		}
	})
}
