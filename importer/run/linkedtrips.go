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

	mu sync.Mutex
	// open are the links that some row still needs.
	open map[uint64]*link
}

// A link is a set of linked trips in the second pass.
type link struct {
	key uint64
	linkSpan
	booked, missing bool // trips that were reported
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

// halfBooked takes note of the state of a trip of the link, in the row with the index, which is being reported. It
// reports whether by now one trip of the link is booked and another is missing: what becomes of rows further down is
// reported with them.
func (l *linkedTrips) halfBooked(of *link, row int, s importer.State) bool {
	of.booked = of.booked || s.Booked()
	of.missing = of.missing || s.Missing()
	if row == int(of.lastRow) {
		l.mu.Lock()
		defer l.mu.Unlock()
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
