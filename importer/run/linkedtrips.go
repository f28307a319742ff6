package run

import (
	"hash/maphash"
	"slices"
	"sync"
	"sync/atomic"

	"tripimport/importer"
)

// A linkCount counts, during the first pass, the trips on different rows that the
// mapping's linked_by ties together. A link text may hold row
// content, so only its digest is kept.
type linkCount struct {
	seed  maphash.Seed
	spans map[uint64]linkSpan
}

// A linkSpan is the number of trips with the same link, and the index of the last row
// that has one, counted over all inputs.
type linkSpan struct{ trips, lastRow int32 }

// add counts a trip of the first pass.
func (c linkCount) add(link string, row int) {
	if link == "" {
		return
	}
	key := maphash.String(c.seed, link)
	c.spans[key] = linkSpan{c.spans[key].trips + 1, int32(row)}
}

// linkedTrips keeps, during the second pass, what became of linked trips. It is
// safe for concurrent use.
type linkedTrips struct {
	linkCount

	mu      sync.Mutex
	decided sync.Cond
	// open are the links that some row still needs.
	open map[uint64]*link
	// ended reports that no further trip will be decided.
	ended bool
}

// A link is a set of linked trips in the second pass.
type link struct {
	key uint64
	linkSpan
	decided         int32 // trips that have an outcome
	booked, missing bool
	// begun is linkUnderWay once a trip of the link is sent: the others are too, even if the run is
	// interrupted. It is linkLeft once one was not sent because of that: the others are not either.
	begun atomic.Int32
}

// What has become of a link when the run is interrupted.
const (
	linkUnderWay int32 = iota + 1
	linkLeft
)

// is makes the link begun or left if it is neither, and reports whether it is that now.
func (of *link) is(what int32) bool {
	return of.begun.CompareAndSwap(0, what) || of.begun.Load() == what
}

func newLinkedTrips(c linkCount) *linkedTrips {
	l := &linkedTrips{linkCount: c, open: map[uint64]*link{}}
	l.decided.L = &l.mu
	return l
}

// of returns the link with that text, or nil if no other trip has it.
func (l *linkedTrips) of(text string) *link {
	if text == "" {
		return nil
	}
	key := maphash.String(l.seed, text)
	span := l.spans[key]
	if span.trips < 2 {
		return nil
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	found := l.open[key]
	if found == nil {
		found = &link{key: key, linkSpan: span}
		l.open[key] = found
	}
	return found
}

// decide records the state of a trip of the link, which has its outcome now.
func (l *linkedTrips) decide(of *link, s importer.State) {
	l.mu.Lock()
	defer l.mu.Unlock()
	of.booked = of.booked || s.Booked()
	of.missing = of.missing || s.Missing()
	of.decided++
	if of.decided == of.trips {
		l.decided.Broadcast()
	}
}

// end records that no further trip will be decided.
func (l *linkedTrips) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.decided.Broadcast()
}

// halfBooked reports, for the row with that index, whether one trip of the link
// is booked and another is missing. It waits until all of them are decided,
// unless the last one is more than a window further down: that row is not read
// before this one is reported, so waiting would never end. The last row itself
// reports the link then.
func (l *linkedTrips) halfBooked(of *link, row int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	withinWindow := int(of.lastRow)-row < window
	for withinWindow && of.decided < of.trips && !l.ended {
		l.decided.Wait()
	}
	if row == int(of.lastRow) {
		delete(l.open, of.key)
	}
	return of.booked && of.missing
}

// links makes each of the row's links begun or left, and reports whether all of them are that now.
func (row *rowTask) links(are int32) bool {
	all := true
	for i := range row.trips {
		if of := row.trips[i].link; of != nil && !of.is(are) {
			all = false
		}
	}
	return all
}

// isLinkUnderWay reports whether a trip that is linked to the row, or one of its own, was sent.
func (row *rowTask) isLinkUnderWay() bool {
	return slices.ContainsFunc(row.trips, func(t tripTask) bool {
		return t.link != nil && t.link.begun.Load() == linkUnderWay
	})
}
