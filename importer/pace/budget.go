package pace

import (
	"context"
	"time"
)

// A Budget is a rate that the runs of several processes share. It has the clock by which
// all of them are paced. It is safe for concurrent use. Its errors say in words for a
// dispatcher what is wrong.
type Budget interface {
	// Take reserves at most n permits, the next ones that are free. It grants few at
	// once, so that other runs get theirs in between.
	Take(ctx context.Context, n int) (Grant, error)
	// Return gives back n permits of a grant that were not used.
	Return(ctx context.Context, g Grant, n int) error
	// Pause lets no process take a permit for d. It never shortens a pause.
	Pause(ctx context.Context, d time.Duration) error
	// SlowDown pauses as Pause does, and halves the rate, which comes back slowly.
	// last is the newest grant that this process got: if several processes are
	// refused at the same rate, the rate is halved once.
	SlowDown(ctx context.Context, last Grant, d time.Duration) error
}

// A Grant is a number of permits, each for one attempt.
type Grant struct {
	// N is how many there are. 0 means that none is free soon: ask again after Wait.
	N int
	// Wait is the time until the first permit is due, not above 0 if it is due
	// already, and Every the time between two permits.
	Wait, Every time.Duration
	// Paused reports that Wait is the rest of a pause.
	Paused bool
	// Pauses is how many pauses the budget has had.
	Pauses int64
}

// Limits of what a gate takes of a budget.
const (
	// permitLife is how long a permit may be used after it was granted. It is also
	// the longest time until a pause that another process began holds here.
	permitLife = time.Second
	// takeAhead is how long before its last permit is due a gate takes the next ones, in
	// addition to the time that the budget needs to answer.
	takeAhead = 20 * time.Millisecond
	// maxTake is how many permits a gate takes at once.
	maxTake = 64
	// budgetTimeout is how long the budget may take to answer, and budgetPatience how
	// long it is asked again if it fails, budgetRetry apart, before the run stops.
	budgetTimeout  = 5 * time.Second
	budgetPatience = 30 * time.Second
	budgetRetry    = 250 * time.Millisecond
)

// An order is a pause that the service asked for, to be passed on to the budget. The zero
// order is none.
type order struct {
	pause    time.Duration
	slowDown bool
	last     Grant
}

// tell passes an order on. If that fails, this process alone pauses.
func (o order) tell(b Budget) {
	ctx, cancel := context.WithTimeout(context.Background(), budgetTimeout)
	defer cancel()
	d := min(o.pause, maxPause)
	if o.slowDown {
		_ = b.SlowDown(ctx, o.last, d)
		return
	}
	_ = b.Pause(ctx, d)
}

// giveBack returns permits that were not used. If that fails, their times pass unused.
func giveBack(b Budget, g Grant, n int) {
	ctx, cancel := context.WithTimeout(context.Background(), budgetTimeout)
	defer cancel()
	_ = b.Return(ctx, g, n)
}
