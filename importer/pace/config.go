package pace

import (
	"time"

	"golang.org/x/time/rate"
)

// A Config configures a gate. The zero value is a gate without a rate.
type Config struct {
	// Rate is how many attempts per second are allowed, one after the other. 0 means
	// no limit until the service asks for one.
	Rate float64
	// Shared reports that the service's rate is shared with runs of other processes:
	// nothing is allowed until Gate.Tell says how much of it is this run's. Rate can only
	// make this run slower.
	Shared bool
	// Pausing, if set, is called with each pause that the service asks for, before Report
	// returns.
	Pausing func(time.Duration)
}

// limit returns the rate that may not be exceeded.
func (c *Config) limit() rate.Limit {
	if c.Rate > 0 {
		return rate.Limit(c.Rate)
	}
	return rate.Inf
}

// Limits of the pauses.
const (
	// maxPause is the longest pause, however long the service asks for.
	maxPause = 5 * time.Minute
	// firstBackoff is the first pause if the service does not say how long.
	firstBackoff = 2 * time.Second
)

// How many failures in a row, of one kind, stop the run; the last one does.
const (
	maxUnclear = 5 // answers that prove nothing
	maxNoGUID  = 3 // trips that were booked without a GUID
	// maxUnreachable and maxThrottled count pauses that ended in the same
	// failure again. Unreachable pauses take about 80 seconds in all.
	maxUnreachable = 5
	maxThrottled   = 6
)
