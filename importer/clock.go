package importer

import (
	"cmp"
	"time"
)

// A Clock tells the time. Its time decides whether a pickup time has passed, and is never
// written into a trip. Implementations are safe for concurrent use.
type Clock interface {
	// Wall returns the date and time in loc now, or in the machine's own zone if
	// loc is nil.
	Wall(loc *time.Location) DateTime
	// Now returns the present instant, for records.
	Now() time.Time
}

// SystemClock is the machine's clock.
type SystemClock struct{}

// Now returns the present instant.
func (SystemClock) Now() time.Time { return time.Now() }

// Wall returns the date and time in loc now.
func (SystemClock) Wall(loc *time.Location) DateTime {
	return DateTimeOf(time.Now().In(cmp.Or(loc, time.Local)))
}

// A SetClock always shows the beginning of the same day, for rehearsals and for --today.
type SetClock struct{ Today Date }

// Now returns the real present instant, since records are of real time.
func (SetClock) Now() time.Time { return time.Now() }

// Wall returns 00:00 on the day Today, in any zone.
func (c SetClock) Wall(*time.Location) DateTime { return DateTime{Date: c.Today} }
