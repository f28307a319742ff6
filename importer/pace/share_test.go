package pace

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"tripimport/importer"
)

// perSecond is how many passes a second there are in (from, to] after began.
func perSecond(times []time.Time, began time.Time, from, to time.Duration) float64 {
	n := 0
	for _, at := range times {
		if d := at.Sub(began); d > from && d <= to {
			n++
		}
	}
	return float64(n) / (to - from).Seconds()
}

// A run with a shared rate waits until it is told a share, and then keeps to the newest one,
// however many workers wait.
func TestTold(t *testing.T) {
	for _, workers := range []int{1, 8, 64} {
		synctest.Test(t, func(t *testing.T) {
			g, began := New(Config{Shared: true}), time.Now()
			for after, share := range map[time.Duration]float64{
				10 * time.Second: 50, 20 * time.Second: 12.5, 25 * time.Second: 12.5, 30 * time.Second: 0, 40 * time.Second: 25,
			} {
				time.AfterFunc(after, func() { g.Tell(share, 0) })
			}
			times := passes(t, g, workers, 50*time.Second, nil)
			for from, want := range map[time.Duration]float64{0: 0, 10 * time.Second: 50, 20 * time.Second: 12.5, 30 * time.Second: 0, 40 * time.Second: 25} {
				got := perSecond(times, began, from, from+10*time.Second)
				if got > want || want-got > 0.2 {
					t.Errorf("%d workers: %.2f/s from %v on, want %v at most and no less", workers, got, from, want)
				}
			}
			if most := mostInOneSecond(times); most > 51 {
				t.Errorf("%d workers: %d in one second", workers, most)
			}
		})
	}
}

// The settings of a run can only make it slower.
func TestToldOwnRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Shared: true, Rate: 5})
		g.Tell(50, 0)
		if got := g.rate(); got != 5 {
			t.Errorf("rate %v, want its own", got)
		}
		g.Tell(2, 0)
		if got := g.rate(); got != 2 {
			t.Errorf("rate %v, want its share", got)
		}
	})
}

// A pause that one run is asked for holds in all. Each halves its share once, whoever was
// refused, and keeps it reduced when the share changes.
func TestToldPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var pauses []time.Duration
		refused := New(Config{Shared: true, Pausing: func(d time.Duration) { pauses = append(pauses, d) }})
		other := New(Config{Shared: true})
		for _, g := range []*Gate{refused, other} {
			g.Tell(20, 0)
		}
		for range 3 { // workers of one run are refused together
			refused.Report(importer.Reply{Kind: importer.ReplyThrottled, RetryAfter: 8 * time.Second})
		}
		if len(pauses) != 3 || pauses[0] != 8*time.Second {
			t.Errorf("told the others of %v", pauses)
		}
		for range 12 { // each second, by a clock that is a little behind
			pause := refused.pause()
			if pause > 0 {
				pause += 20 * time.Millisecond
			}
			for _, g := range []*Gate{refused, other} {
				g.Tell(20, pause)
			}
			if pause > 0 && (other.pause() == 0 || refused.pause() == 0) {
				t.Errorf("a run goes on in the pause")
			}
			time.Sleep(time.Second)
		}
		for name, g := range map[string]*Gate{"refused": refused, "other": other} {
			if got := g.rate(); got != 10 || g.pause() != 0 {
				t.Errorf("%s: rate %v, paused for %v, want half of 20", name, got, g.pause())
			}
			g.Tell(40, 0)
			if got := g.rate(); math.Abs(got-20) > 1e-9 {
				t.Errorf("%s: rate %v of a share of 40, want half", name, got)
			}
		}
		other.Report(importer.Reply{Kind: importer.ReplyThrottled, RetryAfter: 24 * time.Hour})
		refused.Report(importer.Reply{Kind: importer.ReplyThrottled, RetryAfter: 24 * time.Hour})
		if last := pauses[len(pauses)-1]; last != maxPause {
			t.Errorf("told the others of a pause of %v", last)
		}
	})
}

// A worker that waits for a share stops with the run.
func TestToldNothingAndStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := New(Config{Shared: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := g.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		stop := stops()[importer.ReplyThrottled]
		time.AfterFunc(time.Second, func() { g.Stop(stop) })
		if err := g.Wait(t.Context()); !errors.Is(err, stop) {
			t.Errorf("got %v", err)
		}
	})
}
