package sandbox

import "maps"

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
