package importer

import (
	"hash/maphash"
	"maps"
	"sync"
)

// links are the journeys whose legs stand on rows of their own, as the first
// pass finds them. A link is kept as a digest: it may hold row content.
type links struct {
	seed  maphash.Seed
	spans map[uint64]span
}

// A span is the number of a journey's trips and the last row that has one,
// counted over all inputs.
type span struct{ trips, last int32 }

func newLinks() links { return links{maphash.MakeSeed(), map[uint64]span{}} }

// note takes a trip of the first pass into account.
func (l links) note(link string, row int) {
	if link == "" {
		return
	}
	key := maphash.String(l.seed, link)
	l.spans[key] = span{l.spans[key].trips + 1, int32(row)}
}

// journeys are the linked journeys of a run under way. They are safe for
// concurrent use.
type journeys struct {
	links

	mu    sync.Mutex
	moved sync.Cond
	// open are those that some row still needs.
	open map[uint64]*journey
	// ended reports that nothing more will be decided.
	ended bool
}

// A journey is the trips of one link.
type journey struct {
	key uint64
	span
	decided         int32
	booked, missing bool
	// invalid reports a leg that can't be sent, for journeys that are sent
	// together or not at all. It is set before the second pass and only read
	// there.
	invalid bool
}

func newJourneys(l links) *journeys {
	js := &journeys{links: l, open: map[uint64]*journey{}}
	js.moved.L = &js.mu
	return js
}

// of gives the journey of a link, nil for a trip that stands alone.
func (js *journeys) of(link string) *journey {
	if link == "" {
		return nil
	}
	key := maphash.String(js.seed, link)
	span := js.spans[key]
	if span.trips < 2 {
		return nil
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	j := js.open[key]
	if j == nil {
		j = &journey{key: key, span: span}
		js.open[key] = j
	}
	return j
}

// decide takes a trip's outcome into account.
func (js *journeys) decide(j *journey, s State) {
	js.mu.Lock()
	defer js.mu.Unlock()
	j.booked = j.booked || s.Booked()
	j.missing = j.missing || s.missing()
	j.decided++
	if j.decided == j.trips {
		js.moved.Broadcast()
	}
}

// end says that nothing more will be decided.
func (js *journeys) end() {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.ended = true
	js.moved.Broadcast()
}

// half reports, for a row of the journey, whether one of its legs is booked and
// another is not. It waits until all of them are decided. A leg further down
// than the window has not been handed out yet, and waiting for it would be
// waiting for ourselves: its own row tells.
func (js *journeys) half(j *journey, row int) bool {
	js.mu.Lock()
	defer js.mu.Unlock()
	near := int(j.last)-row < window
	for near && j.decided < j.trips && !js.ended {
		js.moved.Wait()
	}
	if row == int(j.last) {
		delete(js.open, j.key)
	}
	return j.booked && j.missing
}

// keepInvalid forgets what was looked at ahead of the run, but for the journeys
// that were found invalid.
func (js *journeys) keepInvalid() {
	maps.DeleteFunc(js.open, func(_ uint64, j *journey) bool { return !j.invalid })
}

// missing reports whether the trip is known not to be in the service although
// it should be. An unknown one may be there; it leads the results by itself.
func (s State) missing() bool {
	return s == Refused || s == Invalid || s == NotSent || s == Held
}

func (s *slot) linked() bool {
	for i := range s.bookings {
		if s.bookings[i].journey != nil {
			return true
		}
	}
	return false
}

// invalidate marks the journeys of a row that can't be sent. A leg that is
// booked already holds nobody up.
func (s *slot) invalidate() {
	for i := range s.bookings {
		if b := &s.bookings[i]; b.open && b.journey != nil {
			b.journey.invalid = true
		}
	}
}
