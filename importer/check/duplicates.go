package check

import (
	"cmp"
	"slices"

	"tripimport/importer"
)

// duplicates are the trips that seem to stand in the files a second time, by
// where they were read. Nearly all trips have no duplicate, so it stays small.
type duplicates map[tripRef]duplicate

// A duplicate says where the other trips are; 0 is none.
type duplicate struct {
	copyOf      tripRef // the same row, earlier
	sameID      tripRef // the same id with other content
	cancelled   tripRef // the same id, cancelled
	leftOut     tripRef // the same id, left out
	mayBe       tripRef // another id, and it may be the same trip
	appointment tripRef // the linked trip that brings the rider, with a later appointment
}

func (d duplicates) change(ref tripRef, f func(*duplicate)) {
	found := d[ref]
	f(&found)
	d[ref] = found
}

// findDuplicates compares all rows once they are noted, and drops the notes.
func (c *Checker) findDuplicates() {
	n := &c.notes
	c.duplicates = duplicates{}
	c.duplicates.sameID(n.trips)
	for _, kind := range []importer.TimeKind{importer.ByPickup, importer.ByAppointment, importer.ByDay} {
		c.duplicates.sameIdentity(n.trips, kind)
	}
	c.duplicates.earlyDepartures(n.arrivals, n.departures)
	n.trips, n.arrivals, n.departures = nil, nil, nil
}

// A key is a digest of a note, and which one.
type key struct {
	digest uint64
	note   int32
}

// sameID sorts the notes by trip id, in input order within one id, and compares
// the trips of each id.
func (d duplicates) sameID(notes pages) {
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
			d.group(group)
		}
		keys = keys[n:]
	}
}

// group compares all trips of one id.
func (d duplicates) group(notes []note) {
	var first [leftOut + 1]tripRef
	for _, n := range notes {
		if first[n.kind] == 0 {
			first[n.kind] = n.ref
		}
	}

	var alive []note
	for _, n := range notes {
		if n.kind != live {
			continue
		}
		alive = append(alive, n)
		if first[cancelled] != 0 || first[leftOut] != 0 {
			d.change(n.ref, func(x *duplicate) { x.cancelled, x.leftOut = first[cancelled], first[leftOut] })
		}
	}
	if len(alive) < 2 {
		return
	}

	if copies(alive) {
		for _, n := range alive[1:] {
			d.change(n.ref, func(x *duplicate) { x.copyOf = alive[0].ref })
		}
		return
	}
	for i, n := range alive {
		other := alive[0].ref
		if i == 0 {
			other = alive[1].ref
		}
		d.change(n.ref, func(x *duplicate) { x.sameID = other })
	}
}

// copies reports whether the trips come from identical rows. Two legs of one
// row are no copies. Nor are two rows that can't be told apart because their
// files have one name: nobody could say later which of them came first.
func copies(alive []note) bool {
	for i, n := range alive {
		if n.content != alive[0].content || i > 0 && n.ref.sameRow(alive[i-1].ref) {
			return false
		}
	}
	return true
}

// A timedNote is a note's time of one kind.
type timedNote struct {
	identity uint64
	time     minute
	note     int32
}

// sameIdentity finds the trips under two ids that importer.Identity takes for
// one, by their times of the kind.
func (d duplicates) sameIdentity(notes pages, kind importer.TimeKind) {
	var list []timedNote
	for i := range int32(notes.len()) {
		if n := notes.at(i); n.identity != 0 && *n.at(kind) != never {
			list = append(list, timedNote{n.identity, *n.at(kind), i})
		}
	}
	slices.SortFunc(list, func(a, b timedNote) int {
		return cmp.Or(cmp.Compare(a.identity, b.identity), cmp.Compare(a.time, b.time), cmp.Compare(a.note, b.note))
	})
	d.neighbours(list, notes, kind)
	slices.Reverse(list)
	d.neighbours(list, notes, kind)
}

// neighbours compares each trip with the next one of the same identity under
// another id. The index of that one is carried along from the end of the list,
// so that many trips of one id cost no more than one comparison each.
func (d duplicates) neighbours(list []timedNote, notes pages, kind importer.TimeKind) {
	next := len(list)
	for i := len(list) - 2; i >= 0; i-- {
		n := notes.at(list[i].note)
		if notes.at(list[i+1].note).id != n.id {
			next = i + 1
		}
		if next == len(list) || list[next].identity != list[i].identity {
			continue
		}
		apart := list[next].time - list[i].time
		if int(max(apart, -apart)) > kind.Window(int(n.window)) {
			continue
		}
		other := notes.at(list[next].note).ref
		d.change(n.ref, func(x *duplicate) {
			if x.mayBe == 0 {
				x.mayBe = other
			}
		})
	}
}

// earlyDepartures finds the pickups before the first appointment to which a
// linked trip brings the rider, at the same location.
func (d duplicates) earlyDepartures(arrivals, departures []visit) {
	order := func(a, b visit) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.time, b.time)) }
	slices.SortFunc(arrivals, order)
	for _, v := range departures {
		i, _ := slices.BinarySearchFunc(arrivals, visit{key: v.key, time: never}, order)
		if i == len(arrivals) || arrivals[i].key != v.key || arrivals[i].time <= v.time || arrivals[i].ref == v.ref {
			continue
		}
		d.change(v.ref, func(x *duplicate) { x.appointment = arrivals[i].ref })
	}
}

// leaveOutCopy sets LeftOut on a row all of whose trips are copies.
func (c *Checker) leaveOutCopy(m *importer.Mapped) bool {
	if len(c.duplicates) == 0 || len(m.Trips) == 0 {
		return false
	}
	file := c.notes.find(m.Row)
	for i := range m.Trips {
		if c.duplicates[refOf(file, m.Row.Num, i)].copyOf == 0 {
			return false
		}
	}
	m.LeftOut = "copy of " + c.where(c.duplicates[refOf(file, m.Row.Num, 0)].copyOf, m.Row)
	return true
}

// where names another row for a message in this one.
func (c *Checker) where(ref tripRef, from importer.Row) string {
	f := c.notes.files[ref.file()]
	s := importer.Ref{Sheet: f.sheet, Row: ref.row()}.String()
	if f.name != from.File {
		s += " of " + f.name
	}
	return s
}

// duplicates reports where the files have the row's trip a second time.
func (f *finder) duplicates(trip int) {
	c := f.checker
	if len(c.duplicates) == 0 {
		return
	}
	found, ok := c.duplicates[refOf(c.notes.find(f.row.Row), f.row.Row.Num, trip)]
	if !ok {
		return
	}
	id := shown(f.trip.ID)
	where := func(ref tripRef) string { return c.where(ref, f.row.Row) }
	if other := cmp.Or(found.sameID, found.copyOf); other != 0 {
		f.report(tripIDTwice, "the trip id "+id+" stands on "+where(other)+" as well, with other content",
			"keep one of the two rows; if both are trips, the mapping's trip_id needs what tells them apart, such as the date or the leg",
			importer.FieldTripID)
	}
	if found.cancelled != 0 {
		f.report(tripIDCancelled, "the trip id "+id+" is cancelled on "+where(found.cancelled),
			"ask which of the two holds, and delete the other row", importer.FieldTripID)
	}
	if found.leftOut != 0 {
		f.report(tripIDLeftOut, "the trip id "+id+" stands on "+where(found.leftOut)+" as well, which is left out",
			"look whether this row is meant to be booked", importer.FieldTripID)
	}
	if found.mayBe != 0 {
		f.report(doubleBooking, "possible double booking: "+where(found.mayBe)+
			" has the same rider, places and time under another trip id",
			"keep one of the two rows; if both are meant, make double-booking a notice in the mapping",
			importer.FieldRiderID, pickupTime, dropoffAppt)
	}
	if found.appointment != 0 {
		f.report(legEarly, "the pickup is before the appointment on "+where(found.appointment)+", which brings the rider there",
			"look whether the two times are meant", pickupTime)
	}
}
