package check

import (
	"hash/maphash"
	"math"
	"time"

	"tripimport/importer"
)

// notes is what the first pass keeps of every trip: digests, about 60 bytes,
// and nothing that can be read.
type notes struct {
	files      []file
	trips      pages
	arrivals   []stop // of linked trips, with their appointments
	departures []stop // of linked trips, with their pickups
}

// A file is one sheet of one file; Ref has no shorter name for it.
type file struct{ name, sheet string }

// A place is where a trip stands: the file's number, the row's, the trip's
// within the row. Places of a run sort in input order.
type place uint64

func placeOf(file, row, trip int) place {
	return place(uint64(file)<<48 | uint64(row)&(1<<40-1)<<8 | uint64(trip)&0xff)
}

func (p place) file() int { return int(p >> 48) }
func (p place) row() int  { return int(p >> 8 & (1<<40 - 1)) }

// A kind says what a trip's row is.
type kind uint8

const (
	live kind = iota
	cancelled
	leftOut
)

// A note is what is kept of one trip. Digests are seeded and last for the run.
type note struct {
	id      uint64 // of the trip id
	content uint64 // of everything mapped from the row
	journey uint64 // of rider and places; 0 where they are not all there
	at      place
	start   minute // the pickup's; for a will call the day's first
	appt    minute
	window  uint16 // minutes within which the journey is the same
	kind    kind
	will    bool
}

// pages hold notes without ever moving them: a million rows are not copied about
// as the number grows.
type pages [][]note

const pageSize = 4096

func (p *pages) add(n note) {
	if last := len(*p) - 1; last >= 0 && len((*p)[last]) < pageSize {
		(*p)[last] = append((*p)[last], n)
		return
	}
	*p = append(*p, append(make([]note, 0, pageSize), n))
}

func (p pages) len() int {
	if len(p) == 0 {
		return 0
	}
	return (len(p)-1)*pageSize + len(p[len(p)-1])
}

func (p pages) at(i int32) *note { return &p[i/pageSize][i%pageSize] }

// A stop is a moment at a place on a linked journey.
type stop struct {
	key  uint64 // of link and place
	time minute
	at   place
}

// A minute is a wall-clock time in minutes since 2000; never for no time.
type minute int32

const never minute = math.MinInt32

func minuteOf(t importer.DateTime) minute {
	if t.IsZero() {
		return never
	}
	days := time.Date(t.Year, t.Month, t.Day, 0, 0, 0, 0, time.UTC).Unix()/86_400 - 10_957
	return minute(min(max(days*1440+int64(t.Hour)*60+int64(t.Minute), math.MinInt32+1), math.MaxInt32))
}

// Note implements importer.Checker.
func (c *Checker) Note(m *importer.Mapped, rules *importer.Rules) {
	k := live
	if m.LeftOut != "" {
		k = leftOut
		if m.Cancelled {
			k = cancelled
		}
	}
	n := &c.notes
	file := n.fileOf(m.Row)
	content := c.contentOf(m)
	for i := range m.Trips {
		t := &m.Trips[i]
		if t.ID == "" {
			continue
		}
		trip := note{id: c.hash(t.ID), content: content, at: placeOf(file, m.Row.Num, i), kind: k, start: never, appt: never}
		if k == live {
			c.noteJourney(&trip, t, rules)
			c.noteLink(trip.at, file, t)
		}
		n.trips.add(trip)
	}
}

// fileOf gives the number of the row's file, a new one for a new file.
func (n *notes) fileOf(r importer.Row) int {
	if i := n.find(r); i >= 0 {
		return i
	}
	n.files = append(n.files, file{r.File, r.Sheet})
	return len(n.files) - 1
}

// find gives the number of the row's file, negative for one never noted. Rows
// come file by file, so the last one is the likeliest.
func (n *notes) find(r importer.Row) int {
	for i := len(n.files) - 1; i >= 0; i-- {
		if n.files[i] == (file{r.File, r.Sheet}) {
			return i
		}
	}
	return -1
}

func (c *Checker) hash(s string) uint64 { return maphash.String(c.seed, s) }

// noteJourney fills what tells whether two trips are the same journey.
func (c *Checker) noteJourney(n *note, t *importer.Trip, rules *importer.Rules) {
	if t.RiderID == "" || rules.DoubleBookingMinutes <= 0 {
		return
	}
	from, to := c.spotOf(&t.Pickup), c.spotOf(&t.Dropoff)
	if from == 0 || to == 0 {
		return
	}
	n.journey = c.join(c.folded(t.RiderID), from, to)
	n.window = uint16(min(rules.DoubleBookingMinutes, math.MaxUint16))
	n.will = t.Type == importer.WillCall
	start := t.Pickup.PickupTime
	if n.will {
		start.TimeOfDay = importer.TimeOfDay{}
	}
	n.start, n.appt = minuteOf(start), minuteOf(t.Dropoff.Appt)
}

// noteLink keeps when a linked trip brings its rider to a place, or fetches
// them there.
func (c *Checker) noteLink(at place, file int, t *importer.Trip) {
	if t.Link == "" {
		return
	}
	link := c.join(c.hash(t.Link), uint64(file))
	to, from := c.spotOf(&t.Dropoff), c.spotOf(&t.Pickup)
	if appt := minuteOf(t.Dropoff.Appt); appt != never && to != 0 {
		c.notes.arrivals = append(c.notes.arrivals, stop{c.join(link, to), appt, at})
	}
	if start := minuteOf(t.Pickup.PickupTime); start != never && from != 0 && t.Type != importer.WillCall {
		c.notes.departures = append(c.notes.departures, stop{c.join(link, from), start, at})
	}
}
