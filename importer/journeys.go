package importer

import (
	"hash/maphash"
	"sync"
)

// journeys ties the legs that stand on rows of their own. A link is kept as a
// digest: it may hold row content.
type journeys struct {
	seed maphash.Seed
	all  map[uint64]*journey
}

// A journey is the trips of one link.
type journey struct {
	first, last int // the rows it spans, counted over all inputs
	trips       int

	// invalid reports a leg that can't be sent, for journeys that are sent
	// together or not at all. It is set before the second pass and only read
	// there.
	invalid bool

	mu       sync.Mutex
	handed   int // trips given to a worker
	decided  int
	booked   bool
	missing  bool
	finished chan struct{} // closed once every trip is decided
}

func newJourneys() journeys {
	return journeys{seed: maphash.MakeSeed(), all: map[uint64]*journey{}}
}

// note takes a trip of the first pass into account.
func (js journeys) note(link string, row int) {
	if link == "" {
		return
	}
	key := maphash.String(js.seed, link)
	j := js.all[key]
	if j == nil {
		j = &journey{first: row, finished: make(chan struct{})}
		js.all[key] = j
	}
	j.last = row
	j.trips++
}

// of gives the journey of a link, nil for a trip that stands alone.
func (js journeys) of(link string) *journey {
	if link == "" {
		return nil
	}
	if j := js.all[maphash.String(js.seed, link)]; j != nil && j.trips > 1 {
		return j
	}
	return nil
}

// hand takes note that a worker will decide one of the trips.
func (j *journey) hand() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.handed++
}

// decide takes a trip's outcome into account.
func (j *journey) decide(s State) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.booked = j.booked || s.Booked()
	j.missing = j.missing || s.missing()
	j.decided++
	if j.decided == j.trips {
		close(j.finished)
	}
}

// half reports whether, by what is decided so far, one leg is booked and
// another is not.
func (j *journey) half() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.booked && j.missing
}

// missing reports whether the trip is known not to be in the service although
// it should be. An unknown one may be there; it leads the results by itself.
func (s State) missing() bool {
	return s == Refused || s == Invalid || s == NotSent || s == Held
}
