package sandbox

import (
	"net/http"
	"time"
)

// Faults make requests fail. They are for tests: see package inject.
type Faults interface {
	// Start returns a function that says how the next request fails, of an operation, about
	// the trip with those ids; it returns nil for a request that succeeds. The function is
	// called concurrently.
	Start() (next func(op Operation, ids ...string) Fault, err error)
}

// A Fault is the failure of one request.
type Fault interface {
	// String names the failure in the log.
	String() string
	// Unread reports that the request counts as never read: the log has no entry of it.
	Unread() bool
	// Serve answers the request in place of the sandbox.
	Serve(w http.ResponseWriter, a *Attempt)
}

// An Attempt is a request that fails.
type Attempt struct {
	// Process carries the request out and returns the right response. Without commit it
	// books and changes nothing. A changed address is placed that many metres too far
	// north.
	Process func(commit bool, metres float64) *Response
	// Wait waits for a time, or until the client is gone or the sandbox closes.
	Wait func(time.Duration)
	// Abandoned reports whether the client is gone or the sandbox closes.
	Abandoned func() bool
	// Trips returns the booked trips.
	Trips func() []BookedTrip
}
