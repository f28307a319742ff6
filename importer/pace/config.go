package pace

import (
	"cmp"
	"time"
)

// A Config sets the gate. The zero value is a gate without a rate, with the
// default patience.
type Config struct {
	// Rate is how many attempts may be made in a second, on average; 0 means no
	// limit until the service asks for one.
	Rate float64
	// Burst is how many attempts may follow each other at once after a quiet
	// time; 0 means 1. Within any one second there are never more than Rate +
	// Burst.
	Burst int

	// MaxPause is the longest pause that a service can ask for; a longer
	// Retry-After, however absurd, counts as this. 0 means 5 minutes.
	MaxPause time.Duration
	// Backoff is the first pause where the service does not say how long: it
	// doubles with each refusal in a row for the rate, and trebles with each
	// connection that did not come about. 0 means 2 seconds.
	Backoff time.Duration

	// Unclear is how many unclear answers in a row stop the run; 0 means 5.
	Unclear int
	// NoGUID is how many trips in a row may be created without a GUID; the last
	// of them stops the run. 0 means 3.
	NoGUID int
	// Unreachable is how many times in a row, each after its pause, a
	// connection may fail to come about; the last of them stops the run. 0
	// means 5, which takes 80 seconds with the default Backoff.
	Unreachable int
	// Throttled is how many pauses in a row may end in another 429; the last of
	// them stops the run. 0 means 6.
	Throttled int
}

// withDefaults gives the configuration with every zero replaced.
func (c Config) withDefaults() Config {
	c.Burst = max(c.Burst, 1)
	c.MaxPause = cmp.Or(c.MaxPause, 5*time.Minute)
	c.Backoff = cmp.Or(c.Backoff, 2*time.Second)
	c.Unclear = cmp.Or(c.Unclear, 5)
	c.NoGUID = cmp.Or(c.NoGUID, 3)
	c.Unreachable = cmp.Or(c.Unreachable, 5)
	c.Throttled = cmp.Or(c.Throttled, 6)
	return c
}
