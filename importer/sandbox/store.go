package sandbox

import (
	"encoding/json"
	"maps"
	"time"
)

// A BookedTrip is a booked trip as the service has it.
type BookedTrip struct {
	GUID, Provider, FundingSource, TripID string
	// Values are the trip's values by their dotted keys, in the forms of the change
	// operation: "pickup.event_location.latitude" is "46.78", "trip_type" is "2". A trip that an
	// earlier process booked has those that were changed since.
	Values map[string]string
	// Cancelled reports that a dispatcher cancelled the trip in the service.
	Cancelled bool
	// Again is the number of trips that the provider had with this id before.
	Again int
}

// A store keeps the booked trips in memory. It is used under the sandbox's lock.
type store struct {
	order  []string // the GUIDs, in order of booking
	byGUID map[string]BookedTrip
	counts map[[2]string]int // the number of trips, by provider and trip id
}

// put stores a new or changed trip.
func (s *store) put(t BookedTrip) {
	if _, known := s.byGUID[t.GUID]; !known {
		s.order = append(s.order, t.GUID)
		s.counts[[2]string{t.Provider, t.TripID}]++
	}
	s.byGUID[t.GUID] = t
}

// find returns the trip with a GUID. The caller may change it.
func (s *store) find(guid string) (BookedTrip, bool) {
	t, found := s.byGUID[guid]
	values := map[string]string{}
	maps.Copy(values, t.Values)
	t.Values = values
	return t, found
}

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
	// Again is the number of trips that the provider had with this id before.
	Again int `json:"again,omitempty"`
}
