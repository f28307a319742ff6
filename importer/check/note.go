package check

import (
	"strings"

	"tripimport/importer"
)

// Note implements importer.Checker. A trip without an id is compared by its row, and one that is left out without
// being cancelled by nothing.
func (c *Checker) Note(m *importer.Mapped) {
	c.words.note(m)
	n := &c.notes
	n.lines = n.lines || m.Row.Shown != m.Row.Num
	isLive := m.LeftOut == ""
	if !isLive && !m.Cancelled {
		return
	}

	content, row := c.contentOf(m), c.rowOf(&m.Key)
	for i := range m.Trips {
		t := &m.Trips[i]
		if t.ID == "" && row == 0 {
			continue
		}
		trip := note{
			row: row, content: content, ref: refOf(m.Row.Num, i), cancelled: !isLive,
			times: [...]minute{noTime, noTime, noTime}, date: minuteOf(importer.DateTime{Date: t.Date()}),
		}
		if t.ID != "" {
			trip.id = c.hash(c.brokerOf(&m.Key), importer.IDText(t.ID))
		}
		if isLive && t.ID != "" {
			c.noteIdentity(&trip, t)
		}
		n.trips.add(trip)
	}
}

// noteIdentity sets the fields of the note that decide whether another trip may be the
// same.
func (c *Checker) noteIdentity(n *note, t *importer.Trip) {
	id, ok := t.Identity()
	if !ok {
		return
	}

	var from, to string
	from, n.pickup = c.door(id.Pickup)
	to, n.dropoff = c.door(id.Dropoff)
	n.identity = c.hash(id.Rider, from, to)
	for kind, at := range id.Times {
		n.times[kind] = minuteOf(at)
	}
}

// door returns what two spellings of a location have in common, whether or not they have its ZIP code: the
// house number. The door has digests of the rest.
func (c *Checker) door(l importer.Location) (number string, d door) {
	part := func(text string) uint16 {
		if text == "" {
			return 0
		}
		return max(1, uint16(c.hash(text)))
	}
	number, area, _ := strings.Cut(l.At, " ")
	d = door{area: part(area) &^ 1, unit: part(l.Unit.Door), within: part(l.Unit.Within)}
	if len(area) == 5 && strings.Trim(area, "0123456789") == "" {
		d.area |= 1
	}
	return number, d
}

// NewWords returns, for each status column with words that are in none of the mapping's lists and that nobody has decided
// about, which they are and how many rows have them. It is called after the last Note.
func (c *Checker) NewWords() []string { return c.words.questions() }
