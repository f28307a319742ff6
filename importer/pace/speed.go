package pace

import (
	"math"
	"time"
)

// A speed is the present rate, which falls and rises, in attempts a second. It is used under the
// gate's lock.
type speed struct {
	// ceiling is the highest rate: the configured rate, or without one the
	// assumed rate once the service has refused more.
	rate, ceiling float64
	changedAt     time.Time
}

// interval returns the time between two attempts.
func (s *speed) interval() time.Duration { return time.Duration(float64(time.Second) / s.rate) }

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
	if math.IsInf(s.ceiling, 1) {
		s.rate, s.ceiling = assumed, assumed
	}
	s.rate, s.changedAt = max(s.rate/2, s.ceiling*slowest), now
}

// speedUp raises the rate by one step if the last change is long enough ago.
func (s *speed) speedUp(now time.Time) {
	if s.rate < s.ceiling && now.Sub(s.changedAt) >= speedUpEvery {
		s.rate, s.changedAt = min(s.rate+s.ceiling*speedUpBy, s.ceiling), now
	}
}

// setCeiling sets the highest rate. A rate that is reduced stays reduced by the same
// factor.
func (s *speed) setCeiling(ceiling float64) {
	if math.IsInf(s.ceiling, 1) {
		s.rate = s.ceiling
	} else {
		s.rate *= ceiling / s.ceiling
	}
	s.rate, s.ceiling = min(s.rate, ceiling), ceiling
}
