package pace

import (
	"time"

	"golang.org/x/time/rate"
)

// A speed is the present rate, which falls and rises. It is used under the
// gate's lock.
type speed struct {
	limiter *rate.Limiter
	// ceiling is the highest rate: the configured rate, or without one the
	// assumed rate once the service has refused more.
	ceiling   rate.Limit
	changedAt time.Time
}

func newSpeed(cfg Config) speed {
	limit := cfg.limit()
	return speed{limiter: rate.NewLimiter(limit, 1), ceiling: limit}
}

// reserve reserves the next attempt and returns how long to wait for it.
func (s *speed) reserve(now time.Time) time.Duration {
	return s.limiter.ReserveN(now, 1).DelayFrom(now)
}

// The rate rises by a twentieth of the ceiling every ten seconds without a
// refusal, so that half of the ceiling becomes the ceiling in 100 seconds. It
// never falls below a 64th of the ceiling.
const (
	speedUpEvery = 10 * time.Second
	speedUpBy    = 1. / 20
	slowest      = 1. / 64
)

// assumed is the rate of a service that refuses the rate of a run without one.
const assumed = 100

// slowDown halves the rate.
func (s *speed) slowDown(now time.Time) {
	if s.ceiling == rate.Inf {
		s.ceiling = assumed
		s.limiter.SetLimitAt(now, s.ceiling)
	}
	s.set(now, max(s.limiter.Limit()/2, s.ceiling*slowest))
}

// speedUp raises the rate by one step if the last change is long enough ago.
func (s *speed) speedUp(now time.Time) {
	if s.limiter.Limit() < s.ceiling && now.Sub(s.changedAt) >= speedUpEvery {
		s.set(now, min(s.limiter.Limit()+s.ceiling*speedUpBy, s.ceiling))
	}
}

func (s *speed) set(now time.Time, limit rate.Limit) {
	s.limiter.SetLimitAt(now, limit)
	s.changedAt = now
}

// setCeiling sets the highest rate. A rate that is reduced stays reduced by the same
// factor. What was reserved at the earlier rate is void, and nothing is allowed at once.
func (s *speed) setCeiling(now time.Time, ceiling rate.Limit) {
	factor := rate.Limit(1)
	if s.ceiling != rate.Inf {
		factor = s.limiter.Limit() / s.ceiling
	}
	s.ceiling = ceiling
	s.limiter = rate.NewLimiter(ceiling*factor, 1)
	s.limiter.AllowN(now, 1)
}
