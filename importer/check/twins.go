package check

import (
	"cmp"
	"slices"

	"tripimport/importer"
)

// twins are the trips of which the files hold another one, by where they
// stand. Nearly all trips have none, so it stays small.
type twins map[place]twin

// A twin says where the other trips are; 0 is none.
type twin struct {
	copyOf      place // the same row, earlier
	twice       place // the same id with other content
	cancelled   place // the same id, cancelled
	leftOut     place // the same id, left out
	double      place // the same journey under another id
	appointment place // the leg that brings the rider, with a later appointment
}

func (t twins) change(at place, f func(*twin)) {
	w := t[at]
	f(&w)
	t[at] = w
}

// findTwins looks across all rows once they are noted, and forgets the notes.
func (c *Checker) findTwins() {
	n := &c.notes
	c.twins = twins{}
	c.twins.sameID(n.trips)
	c.twins.sameJourney(n.trips)
	c.twins.earlyLegs(n.arrivals, n.departures)
	n.trips, n.arrivals, n.departures = nil, nil, nil
}

// A key is a digest of a note, and which one.
type key struct {
	digest uint64
	note   int32
}

// sameID sorts the notes by trip id, in input order within one id.
func (t twins) sameID(notes pages) {
	keys := make([]key, notes.len())
	for i := range keys {
		keys[i] = key{notes.at(int32(i)).id, int32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(a.digest, b.digest), cmp.Compare(a.note, b.note))
	})
	var group []note
	for len(keys) > 0 {
		n := 1
		for n < len(keys) && keys[n].digest == keys[0].digest {
			n++
		}
		if n > 1 {
			group = group[:0]
			for _, k := range keys[:n] {
				group = append(group, *notes.at(k.note))
			}
			t.group(group)
		}
		keys = keys[n:]
	}
}

// group looks at all trips of one id.
func (t twins) group(notes []note) {
	var first [leftOut + 1]place
	for _, n := range notes {
		if first[n.kind] == 0 {
			first[n.kind] = n.at
		}
	}
	var alive []note
	for _, n := range notes {
		if n.kind != live {
			continue
		}
		alive = append(alive, n)
		if first[cancelled] != 0 || first[leftOut] != 0 {
			t.change(n.at, func(w *twin) { w.cancelled, w.leftOut = first[cancelled], first[leftOut] })
		}
	}
	if len(alive) < 2 {
		return
	}
	if copies(alive) {
		for _, n := range alive[1:] {
			t.change(n.at, func(w *twin) { w.copyOf = alive[0].at })
		}
		return
	}
	for i, n := range alive {
		other := alive[0].at
		if i == 0 {
			other = alive[1].at
		}
		t.change(n.at, func(w *twin) { w.twice = other })
	}
}

// copies reports whether the trips come from identical rows. Two legs of one
// row are no copies; nor are two rows that can't be told apart because their
// files have one name: which of them came first could not be said later.
func copies(alive []note) bool {
	for i, n := range alive {
		if n.content != alive[0].content || i > 0 && n.at>>8 == alive[i-1].at>>8 {
			return false
		}
	}
	return true
}

// A moment is one of a journey's times.
type moment struct {
	key  uint64
	time minute
	note int32
}

// sameJourney finds trips of one journey under two ids at about one time: by
// their pickups, by their appointments, will calls by their day.
func (t twins) sameJourney(notes pages) {
	const byAppt, byDay = 0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f // keep the three apart
	var ms []moment
	for i := range int32(notes.len()) {
		n := notes.at(i)
		if n.journey == 0 {
			continue
		}
		key := n.journey
		if n.will {
			key ^= byDay
		}
		if n.start != never {
			ms = append(ms, moment{key, n.start, i})
		}
		if n.appt != never {
			ms = append(ms, moment{n.journey ^ byAppt, n.appt, i})
		}
	}
	slices.SortFunc(ms, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.time, b.time), cmp.Compare(a.note, b.note))
	})
	t.neighbours(ms, notes)
	slices.Reverse(ms)
	t.neighbours(ms, notes)
}

// neighbours looks, for every moment, at the next one of the same journey under
// another id. The index of that one is carried along from the end, so that any
// number of copies costs no more than a glance each.
func (t twins) neighbours(ms []moment, notes pages) {
	next := len(ms)
	for i := len(ms) - 2; i >= 0; i-- {
		me := notes.at(ms[i].note)
		if notes.at(ms[i+1].note).id != me.id {
			next = i + 1
		}
		if next == len(ms) || ms[next].key != ms[i].key {
			continue
		}
		apart := ms[next].time - ms[i].time
		if max(apart, -apart) > me.allowed() {
			continue
		}
		other := notes.at(ms[next].note).at
		t.change(me.at, func(w *twin) {
			if w.double == 0 {
				w.double = other
			}
		})
	}
}

// allowed is how far apart the same journey's times may be.
func (n *note) allowed() minute {
	if n.will {
		return 0
	}
	return minute(n.window)
}

// earlyLegs finds the pickups before the first appointment for which another
// leg of the same journey brings the rider to that place.
func (t twins) earlyLegs(arrivals, departures []stop) {
	order := func(a, b stop) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.time, b.time)) }
	slices.SortFunc(arrivals, order)
	for _, d := range departures {
		i, _ := slices.BinarySearchFunc(arrivals, stop{key: d.key, time: never}, order)
		if i == len(arrivals) || arrivals[i].key != d.key || arrivals[i].time <= d.time || arrivals[i].at == d.at {
			continue
		}
		t.change(d.at, func(w *twin) { w.appointment = arrivals[i].at })
	}
}

// leaveOutCopy sets LeftOut on a row all of whose trips are copies.
func (c *Checker) leaveOutCopy(m *importer.Mapped) bool {
	if len(c.twins) == 0 || len(m.Trips) == 0 {
		return false
	}
	file := c.notes.find(m.Row)
	for i := range m.Trips {
		if c.twins[placeOf(file, m.Row.Num, i)].copyOf == 0 {
			return false
		}
	}
	m.LeftOut = "copy of " + c.where(c.twins[placeOf(file, m.Row.Num, 0)].copyOf, m.Row)
	return true
}

// where names another row for a message in this one.
func (c *Checker) where(p place, from importer.Row) string {
	f := c.notes.files[p.file()]
	s := importer.Ref{Sheet: f.sheet, Row: p.row()}.String()
	if f.name != from.File {
		s += " of " + f.name
	}
	return s
}

// twins reports what the files hold of the row's trip a second time.
func (f *finder) twins(trip int) {
	c := f.checker
	if len(c.twins) == 0 {
		return
	}
	w, ok := c.twins[placeOf(c.notes.find(f.row.Row), f.row.Row.Num, trip)]
	if !ok {
		return
	}
	id := shown(f.trip.ID)
	where := func(p place) string { return c.where(p, f.row.Row) }
	if other := cmp.Or(w.twice, w.copyOf); other != 0 {
		f.report(tripIDTwice, "the trip id "+id+" stands on "+where(other)+" as well, with other content",
			"keep one of the two rows; if both are trips, the mapping's trip_id needs what tells them apart, such as the date or the leg",
			importer.FieldTripID)
	}
	if w.cancelled != 0 {
		f.report(tripIDCancelled, "the trip id "+id+" is cancelled on "+where(w.cancelled),
			"ask which of the two holds, and delete the other row", importer.FieldTripID)
	}
	if w.leftOut != 0 {
		f.report(tripIDLeftOut, "the trip id "+id+" stands on "+where(w.leftOut)+" as well, which is left out",
			"look whether this row is meant to be booked", importer.FieldTripID)
	}
	if w.double != 0 {
		f.report(doubleBooking, "possible double booking: "+where(w.double)+
			" has the same rider, places and time under another trip id",
			"keep one of the two rows; if both are meant, make double-booking a notice in the mapping",
			importer.FieldRiderID, pickupTime, dropoffAppt)
	}
	if w.appointment != 0 {
		f.report(legEarly, "the pickup is before the appointment on "+where(w.appointment)+", which brings the rider there",
			"look whether the two times are meant", pickupTime)
	}
}
