package pace

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// told is what this run was told about a rate that it shares with runs of other processes.
// It is used under the gate's lock.
type told struct {
	shared  bool
	own     rate.Limit // the rate that this run may not exceed whatever its share is
	share   rate.Limit
	changed chan struct{} // closed and replaced when the share changes; nil if nothing is shared
	pausing func(time.Duration)
}

// forever is longer than any run.
const forever = time.Duration(math.MaxInt64)

func newTold(cfg Config) told {
	t := told{shared: cfg.Shared, own: rate.Inf, pausing: cfg.Pausing}
	if cfg.Rate > 0 {
		t.own = rate.Limit(cfg.Rate)
	}
	if cfg.Shared {
		t.changed = make(chan struct{})
	}
	return t
}

// nothing reports that this run may make no attempt until it is told a share.
func (t *told) nothing() bool { return t.shared && t.share <= 0 }
