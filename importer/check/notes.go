package check

import (
	"math"
	"time"

	"tripimport/importer"
)

// notes is what the first pass keeps of every trip, for the rules that look
// across rows: digests, about 60 bytes a trip, and nothing that can be read.
type notes struct {
	files      []file
	trips      pages
	arrivals   []visit // of linked trips, with their appointments
	departures []visit // of linked trips, with their pickups
}

// A file is one sheet of one file; Ref has no shorter name for it.
type file struct{ name, sheet string }

// A tripRef says where a trip was read: the file's number, the row's, the
// trip's within the row. The refs of a run sort in input order.
type tripRef uint64

func refOf(file, row, trip int) tripRef {
	return tripRef(uint64(file)<<48 | uint64(row)&(1<<40-1)<<8 | uint64(trip)&0xff)
}

func (r tripRef) file() int { return int(r >> 48) }
func (r tripRef) row() int  { return int(r >> 8 & (1<<40 - 1)) }

// sameRow reports whether two trips are of one row.
func (r tripRef) sameRow(other tripRef) bool { return r>>8 == other>>8 }

// A kind says what a trip's row is.
type kind uint8

const (
	live kind = iota
	cancelled
	leftOut
)

// A note is what is kept of one trip. Digests are seeded and last for the run.
type note struct {
	id       uint64 // of the trip id
	content  uint64 // of everything mapped from the row
	identity uint64 // of the rider and both locations; 0 where the trip has no identity
	ref      tripRef
	// The times by which the identity is compared; never for none.
	pickup, appointment, day minute
	window                   uint16 // minutes within which two times are the same
	kind                     kind
}

// at returns the note's time of the kind.
func (n *note) at(kind importer.TimeKind) *minute {
	switch kind {
	case importer.ByPickup:
		return &n.pickup
	case importer.ByAppointment:
		return &n.appointment
	default:
		return &n.day
	}
}

// pages hold notes without ever moving them: a million rows are not copied
// while their number grows.
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

// A visit is a linked trip that brings its rider to a location, or picks them
// up there, at a time.
type visit struct {
	key  uint64 // of link and location
	time minute
	ref  tripRef
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
		trip := note{
			id: c.hash(t.ID), content: content, ref: refOf(file, m.Row.Num, i), kind: k,
			pickup: never, appointment: never, day: never,
		}
		if k == live {
			c.noteIdentity(&trip, t, rules)
			c.noteLink(trip.ref, file, t)
		}
		n.trips.add(trip)
	}
}

// fileOf returns the number of the row's file, a new one for a new file.
func (n *notes) fileOf(r importer.Row) int {
	if i := n.find(r); i >= 0 {
		return i
	}
	n.files = append(n.files, file{r.File, r.Sheet})
	return len(n.files) - 1
}

// find returns the number of the row's file, negative for one never noted. Rows
// come file by file, so the last one is the likeliest.
func (n *notes) find(r importer.Row) int {
	for i := len(n.files) - 1; i >= 0; i-- {
		if n.files[i] == (file{r.File, r.Sheet}) {
			return i
		}
	}
	return -1
}

// noteIdentity keeps what tells whether another trip may be this one.
func (c *Checker) noteIdentity(n *note, t *importer.Trip, rules *importer.Rules) {
	if rules.DoubleBookingMinutes <= 0 {
		return
	}
	id, ok := t.Identity()
	if !ok {
		return
	}
	n.identity = c.hash(id.Rider, id.Pickup, id.Dropoff)
	n.window = uint16(min(rules.DoubleBookingMinutes, math.MaxUint16))
	for _, time := range id.Times {
		*n.at(time.Kind) = minuteOf(time.At)
	}
}

// noteLink keeps when a linked trip brings its rider to a location, and when it
// picks them up.
func (c *Checker) noteLink(ref tripRef, file int, t *importer.Trip) {
	if t.Link == "" {
		return
	}
	link := c.join(c.hash(t.Link), uint64(file))
	if appt, to := minuteOf(t.Dropoff.Appt), t.Dropoff.Location(); appt != never && to != "" {
		c.notes.arrivals = append(c.notes.arrivals, visit{c.join(link, c.hash(to)), appt, ref})
	}
	if start, from := minuteOf(t.Pickup.PickupTime), t.Pickup.Location(); start != never && from != "" && t.Type != importer.WillCall {
		c.notes.departures = append(c.notes.departures, visit{c.join(link, c.hash(from)), start, ref})
	}
}
