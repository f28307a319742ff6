package importer

import "time"

// A Clock gives what clocks on the wall show. It decides whether a pickup time
// has passed; it never sets a trip's time.
type Clock interface {
	// Wall gives the date and time that clocks in loc show now; in the
	// machine's own zone where loc is nil.
	Wall(loc *time.Location) DateTime
	// Now is the instant, for records.
	Now() time.Time
}

// SystemClock is the machine's clock.
type SystemClock struct{}

// Now gives the present instant.
func (SystemClock) Now() time.Time { return time.Now() }

// Wall gives what clocks in loc show now.
func (SystemClock) Wall(loc *time.Location) DateTime {
	if loc == nil {
		loc = time.Local
	}
	return DateTimeOf(time.Now().In(loc))
}

// A SetClock shows the start of one day, whatever the real time: for
// rehearsals and for --today.
type SetClock struct{ Today Date }

// Now gives the present instant: records are of real time.
func (SetClock) Now() time.Time { return time.Now() }

// Wall gives midnight of the day that is set.
func (c SetClock) Wall(*time.Location) DateTime { return DateTime{Date: c.Today} }
