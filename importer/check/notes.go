package check

import (
	"math"
	"time"

	"tripimport/importer"
)

// notes are what the first pass keeps of all trips for the rules that compare
// rows: about 80 bytes a trip, and digests instead of texts.
type notes struct {
	files      []file
	trips      notePages
	arrivals   []visit // of linked trips, with their appointments
	departures []visit // of linked trips, with their pickups
}

// A file is one sheet of an input file.
type file struct {
	name, sheet string
	// lines reports that messages name rows by their lines, because a spreadsheet program
	// shows other numbers for some of them.
	lines bool
}

// A tripRef says where a trip was read: the numbers of the file, of the row and
// of the trip within the row. Refs sort in input order; 0 is no trip, since no
// row has the number 0.
type tripRef uint64

func refOf(file, row, trip int) tripRef {
	return tripRef(uint64(file)<<48 | uint64(row)&(1<<40-1)<<8 | uint64(trip)&0xff)
}

func (r tripRef) file() int { return int(r >> 48) }
func (r tripRef) row() int  { return int(r >> 8 & (1<<40 - 1)) }

// sameRow reports whether two trips are of one row.
func (r tripRef) sameRow(other tripRef) bool { return r>>8 == other>>8 }

// A rowKind says whether a trip's row is to be booked.
type rowKind uint8

const (
	live      rowKind = iota // to be booked
	cancelled                // left out because its trip was cancelled
	leftOut                  // left out for another reason
)

// A note is what is kept of one trip. Its digests have a random seed, so they
// can be compared within one run only.
type note struct {
	id       uint64 // digest of the broker and the trip id, in any spelling; 0 for none
	row      uint64 // digest of the row's key, in any spelling; 0 for none
	content  uint64 // digest of everything mapped from the row
	identity uint64 // digest of the rider and both locations; 0 if the trip has no identity
	ref      tripRef
	// Digests of the units at both locations; 0 for none.
	pickupUnit, dropoffUnit unit
	// The times by which identities are compared; noTime if there is none.
	pickup, appointment, day minute
	date                     minute // the day of service; noTime for none
	window                   uint16 // Rules.DoubleBookingMinutes
	kind                     rowKind
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

// notePages is a list of notes that grows without copying the notes it has.
type notePages [][]note

const pageSize = 4096

func (p *notePages) add(n note) {
	if last := len(*p) - 1; last >= 0 && len((*p)[last]) < pageSize {
		(*p)[last] = append((*p)[last], n)
		return
	}
	*p = append(*p, append(make([]note, 0, pageSize), n))
}

func (p notePages) len() int {
	if len(p) == 0 {
		return 0
	}
	return (len(p)-1)*pageSize + len(p[len(p)-1])
}

func (p notePages) at(i int32) *note { return &p[i/pageSize][i%pageSize] }

// A visit says that a linked trip brings its rider to a location, or picks them
// up there, at a time.
type visit struct {
	key  uint64 // digest of the link and the location
	time minute
	ref  tripRef
}

// A minute is a wall-clock time in minutes since 2000, or noTime.
type minute int32

const noTime minute = math.MinInt32

func minuteOf(t importer.DateTime) minute {
	if t.IsZero() {
		return noTime
	}
	days := time.Date(t.Year, t.Month, t.Day, 0, 0, 0, 0, time.UTC).Unix()/86_400 - 10_957
	return minute(min(max(days*1440+int64(t.Hour)*60+int64(t.Minute), math.MinInt32+1), math.MaxInt32))
}

// day returns the day of a time; zero for noTime.
func (m minute) day() importer.Date {
	if m == noTime {
		return importer.Date{}
	}
	return importer.DateOf(time.Unix((int64(m)/1440+10_957)*86_400, 0).UTC())
}

// Note implements importer.Checker. A trip without an id is compared by its row.
func (c *Checker) Note(m *importer.Mapped, rules *importer.Rules) {
	k := live
	if m.LeftOut != "" {
		k = leftOut
		if m.Cancelled {
			k = cancelled
		}
	}

	n := &c.notes
	file := n.addFile(m.Row)
	content, row := c.contentOf(m), c.rowOf(&m.Key)
	for i := range m.Trips {
		t := &m.Trips[i]
		if t.ID == "" && row == 0 {
			continue
		}
		trip := note{
			row: row, content: content, ref: refOf(file, m.Row.Num, i), kind: k,
			pickup: noTime, appointment: noTime, day: noTime, date: minuteOf(importer.DateTime{Date: t.Date()}),
		}
		if t.ID != "" {
			trip.id = c.hash(c.brokerOf(&m.Key), importer.IDText(t.ID))
		}
		if k == live && t.ID != "" {
			c.noteIdentity(&trip, t, rules)
			c.noteLink(trip.ref, file, t)
		}
		n.trips.add(trip)
	}
}

// addFile returns the number of the row's file, and adds the file if it is new.
func (n *notes) addFile(r importer.Row) int {
	i := n.fileNumber(r)
	if i < 0 {
		n.files = append(n.files, file{name: r.File, sheet: r.Sheet})
		i = len(n.files) - 1
	}
	n.files[i].lines = n.files[i].lines || r.Shown != r.Num
	return i
}

// fileNumber returns the number of the row's file, -1 for an unknown one. It
// looks from the end, since rows come file by file.
func (n *notes) fileNumber(r importer.Row) int {
	for i := len(n.files) - 1; i >= 0; i-- {
		if n.files[i].name == r.File && n.files[i].sheet == r.Sheet {
			return i
		}
	}
	return -1
}

// noteIdentity sets the fields of the note that decide whether another trip may be the
// same.
func (c *Checker) noteIdentity(n *note, t *importer.Trip, rules *importer.Rules) {
	if rules.DoubleBookingMinutes <= 0 {
		return
	}
	id, ok := t.Identity()
	if !ok {
		return
	}

	n.identity = c.hash(id.Rider, id.Pickup, id.Dropoff)
	n.pickupUnit, n.dropoffUnit = c.unit(id.PickupUnit), c.unit(id.DropoffUnit)
	n.window = uint16(min(rules.DoubleBookingMinutes, math.MaxUint16))
	for _, time := range id.Times {
		*n.at(time.Kind) = minuteOf(time.At)
	}
}

// unit digests a unit; 0 for none.
func (c *Checker) unit(u importer.Unit) unit {
	part := func(text string) uint16 {
		if text == "" {
			return 0
		}
		return max(1, uint16(c.hash(text)))
	}
	return unit{part(u.Door), part(u.Within)}
}

// noteLink records the visits of a linked trip: its appointment at the dropoff and its
// pickup. The pickup time of a will call says nothing, so it is not recorded.
func (c *Checker) noteLink(ref tripRef, file int, t *importer.Trip) {
	if t.Link == "" {
		return
	}

	link := c.combine(c.hash(t.Link), uint64(file))
	to, _ := t.Dropoff.Location()
	if appt := minuteOf(t.Dropoff.Appt); appt != noTime && to != "" {
		c.notes.arrivals = append(c.notes.arrivals, visit{c.combine(link, c.hash(to)), appt, ref})
	}

	from, _ := t.Pickup.Location()
	if start := minuteOf(t.Pickup.PickupTime); start != noTime && from != "" && t.Type != importer.WillCall {
		c.notes.departures = append(c.notes.departures, visit{c.combine(link, c.hash(from)), start, ref})
	}
}
