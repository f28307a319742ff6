package sandbox

import (
	"encoding/json"
	"time"
)

// A Phase says how far a request had come when its entry was written.
type Phase string

const (
	// Received means that the request was read whole. Nothing is booked yet.
	Received Phase = "received"
	// Committed means that the trip is booked or changed, whatever the response
	// says.
	Committed Phase = "committed"
)

// An Entry is one line of a sandbox's log, as a JSON object. It is logged before the response is
// sent, so that it is there if the client is killed.
type Entry struct {
	Time  time.Time `json:"time"`
	Phase Phase     `json:"phase"`
	// Request is the number of the request, in order of arrival, from 1. Both
	// entries of a request have it.
	Request   int64     `json:"request"`
	Operation Operation `json:"operation"`
	Provider  string    `json:"provider,omitempty"`
	TripID    string    `json:"trip_id,omitempty"`
	// GUID is the GUID of the committed trip, or of the trip to be changed.
	GUID string `json:"guid,omitempty"`
	// Body is the body of a request that was received, if it is JSON.
	Body json.RawMessage `json:"body,omitempty"`
	// Fault is the failure of the request.
	Fault string `json:"fault,omitempty"`
	// Again is the number of trips that the provider had with this id before.
	Again int `json:"again,omitempty"`
}
