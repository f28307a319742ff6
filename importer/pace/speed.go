package pace

import (
	"time"

	"golang.org/x/time/rate"
)

// A speed is the rate at which attempts pass, with its way down and back up.
// It is used under the gate's lock.
type speed struct {
	limiter *rate.Limiter
	// ceiling is the rate to come back to.
	ceiling   rate.Limit
	changedAt time.Time

	// Attempts since begun, and the rate of the whole second before: what
	// there is to halve where no rate was set.
	windowStart time.Time
	inWindow    int
	measured    rate.Limit
}

func newSpeed(cfg Config, now time.Time) speed {
	limit := rate.Inf
	if cfg.Rate > 0 {
		limit = rate.Limit(cfg.Rate)
	}
	return speed{limiter: rate.NewLimiter(limit, max(cfg.Burst, 1)), ceiling: limit, windowStart: now}
}

// reserve takes the next place in the queue and gives how long it is to wait
// for it.
func (s *speed) reserve(now time.Time) time.Duration {
	return s.limiter.ReserveN(now, 1).DelayFrom(now)
}

// drain takes what has gathered in a quiet time, so that no burst follows it.
func (s *speed) drain(now time.Time) {
	if n := int(s.limiter.TokensAt(now)); n > 0 {
		s.limiter.AllowN(now, n)
	}
}

// count notes an attempt.
func (s *speed) countAttempt(now time.Time) {
	if past := now.Sub(s.windowStart); past >= time.Second {
		s.measured = rate.Limit(float64(s.inWindow) / past.Seconds())
		s.windowStart, s.inWindow = now, 0
	}
	s.inWindow++
}

// The way back up: a twentieth of the full rate every ten seconds that go well,
// so that half becomes full again in a hundred seconds.
const (
	speedUpEvery = 10 * time.Second
	speedUpBy    = 1. / 20
	slowest      = 1. / 64
)

// halve slows down. A gate without a rate takes the one it has reached.
func (s *speed) slowDown(now time.Time) {
	if s.ceiling == rate.Inf {
		s.ceiling = max(1, s.measured, rate.Limit(s.inWindow))
		s.limiter.SetLimitAt(now, s.ceiling)
	}
	s.set(now, max(s.limiter.Limit()/2, s.ceiling*slowest))
}

// recover comes one step back where the last change is long enough ago.
func (s *speed) speedUp(now time.Time) {
	if s.limiter.Limit() < s.ceiling && now.Sub(s.changedAt) >= speedUpEvery {
		s.set(now, min(s.limiter.Limit()+s.ceiling*speedUpBy, s.ceiling))
	}
}

func (s *speed) set(now time.Time, limit rate.Limit) {
	s.limiter.SetLimitAt(now, limit)
	s.changedAt = now
}
