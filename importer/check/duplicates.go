package check

import (
	"cmp"
	"slices"

	"tripimport/importer"
)

// duplicates has the trips that seem to be in the files more than once, by where
// they were read. Nearly all trips have no duplicate, so it stays small.
type duplicates map[tripRef]duplicate

// A duplicate says where the other trips are. A tripRef of 0 means none.
type duplicate struct {
	copyOf      tripRef // an earlier row with the same content
	sameID      tripRef // the same id with other content
	cancelled   tripRef // the same id on a cancelled row
	leftOut     tripRef // the same id on a row that is left out
	mayBe       tripRef // possibly the same trip under another id
	appointment tripRef // the linked trip that brings the rider for a later appointment
}

func (d duplicates) update(ref tripRef, f func(*duplicate)) {
	entry := d[ref]
	f(&entry)
	d[ref] = entry
}

// findDuplicates compares all rows after the first pass, and drops the notes.
func (c *Checker) findDuplicates() {
	n := &c.notes
	c.duplicates = duplicates{}

	c.duplicates.findSameID(n.trips)
	for _, kind := range []importer.TimeKind{importer.ByPickup, importer.ByAppointment, importer.ByDay} {
		c.duplicates.findSameIdentity(n.trips, kind)
	}
	c.duplicates.findEarlyDepartures(n.arrivals, n.departures)

	n.trips, n.arrivals, n.departures = nil, nil, nil
}

// A key is the digest of a note's trip id, and the note's index.
type key struct {
	digest uint64
	note   int32
}

// findSameID sorts the notes by trip id, in input order within one id, and
// compares the trips of each id.
func (d duplicates) findSameID(notes notePages) {
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
			d.compareGroup(group)
		}
		keys = keys[n:]
	}
}

// compareGroup compares all trips of one id. If all live ones come from copies of
// one row, the first is kept and the others are copies of it. Otherwise each is a
// duplicate of another one.
func (d duplicates) compareGroup(notes []note) {
	var first [leftOut + 1]tripRef
	for _, n := range notes {
		if first[n.kind] == 0 {
			first[n.kind] = n.ref
		}
	}

	var liveTrips []note
	for _, n := range notes {
		if n.kind != live {
			continue
		}
		liveTrips = append(liveTrips, n)
		if first[cancelled] != 0 || first[leftOut] != 0 {
			d.update(n.ref, func(x *duplicate) { x.cancelled, x.leftOut = first[cancelled], first[leftOut] })
		}
	}

	if len(liveTrips) < 2 {
		return
	}

	if areCopies(liveTrips) {
		for _, n := range liveTrips[1:] {
			d.update(n.ref, func(x *duplicate) { x.copyOf = liveTrips[0].ref })
		}
		return
	}

	for i, n := range liveTrips {
		other := liveTrips[0].ref
		if i == 0 {
			other = liveTrips[1].ref
		}
		d.update(n.ref, func(x *duplicate) { x.sameID = other })
	}
}

// areCopies reports whether the trips come from rows with the same content. Two
// legs of one row are not copies. Rows of two files with one name are not
// either: a message could not say which of them is the first.
func areCopies(liveTrips []note) bool {
	for i, n := range liveTrips {
		if n.content != liveTrips[0].content || i > 0 && n.ref.sameRow(liveTrips[i-1].ref) {
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

// findSameIdentity finds trips under different ids that may be one trip, as
// importer.Identity.MayBe says, by their times of one kind.
func (d duplicates) findSameIdentity(notes notePages, kind importer.TimeKind) {
	var list []timedNote
	for i := range int32(notes.len()) {
		if n := notes.at(i); n.identity != 0 && *n.at(kind) != noTime {
			list = append(list, timedNote{n.identity, *n.at(kind), i})
		}
	}

	slices.SortFunc(list, func(a, b timedNote) int {
		return cmp.Or(cmp.Compare(a.identity, b.identity), cmp.Compare(a.time, b.time), cmp.Compare(a.note, b.note))
	})

	d.compareNext(list, notes, kind)
	slices.Reverse(list)
	d.compareNext(list, notes, kind)
}

// mostCompared bounds how many trips one trip is compared with in each direction,
// so that a file of one rider's trips takes no longer than any other. A trip
// beyond it counts as one that may be the same.
const mostCompared = 64

// compareNext compares each trip with the next ones in the list that have another
// id, up to the first that may be the same trip. It goes backwards and remembers
// where the next id begins, so that a long run of trips with one id takes one
// comparison each.
func (d duplicates) compareNext(list []timedNote, notes notePages, kind importer.TimeKind) {
	next := len(list)
	for i := len(list) - 2; i >= 0; i-- {
		n := notes.at(list[i].note)
		if notes.at(list[i+1].note).id != n.id {
			next = i + 1
		}
		if other, ok := n.firstSimilar(list[i], list[next:], notes, kind); ok {
			d.update(n.ref, func(x *duplicate) {
				if x.mayBe == 0 {
					x.mayBe = other
				}
			})
		}
	}
}

// firstSimilar returns the first of the trips that follow, in the order of their
// times, that may be the same as n.
func (n *note) firstSimilar(at timedNote, following []timedNote, notes notePages, kind importer.TimeKind) (tripRef, bool) {
	for compared, f := range following {
		apart := f.time - at.time
		if f.identity != at.identity || int(max(apart, -apart)) > kind.Window(int(n.window)) {
			break
		}
		other := notes.at(f.note)
		if other.id != n.id && !n.differentUnits(other) || compared == mostCompared {
			return other.ref, true
		}
	}
	return 0, false
}

// differentUnits is importer.DifferentUnits, for the digests of both units.
func (n *note) differentUnits(other *note) bool {
	differ := func(a, b uint32) bool { return a != 0 && b != 0 && a != b }
	return differ(n.pickupUnit, other.pickupUnit) || differ(n.dropoffUnit, other.dropoffUnit)
}

// findEarlyDepartures finds pickups that are earlier than the first appointment
// at the same location to which a linked trip brings the rider.
func (d duplicates) findEarlyDepartures(arrivals, departures []visit) {
	order := func(a, b visit) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.time, b.time)) }
	slices.SortFunc(arrivals, order)
	for _, v := range departures {
		i, _ := slices.BinarySearchFunc(arrivals, visit{key: v.key, time: noTime}, order)
		if i == len(arrivals) || arrivals[i].key != v.key || arrivals[i].time <= v.time || arrivals[i].ref == v.ref {
			continue
		}
		d.update(v.ref, func(x *duplicate) { x.appointment = arrivals[i].ref })
	}
}

// leaveOutCopy sets LeftOut on a row all of whose trips are copies.
func (c *Checker) leaveOutCopy(m *importer.Mapped) bool {
	if len(c.duplicates) == 0 || len(m.Trips) == 0 {
		return false
	}
	file := c.notes.fileNumber(m.Row)
	for i := range m.Trips {
		if c.duplicates[refOf(file, m.Row.Num, i)].copyOf == 0 {
			return false
		}
	}
	m.LeftOut = "copy of " + c.rowName(c.duplicates[refOf(file, m.Row.Num, 0)].copyOf, m.Row)
	return true
}

// rowName returns the name of another row for a message about a row: without the
// file if it is the same.
func (c *Checker) rowName(ref tripRef, from importer.Row) string {
	f := c.notes.files[ref.file()]
	s := importer.Ref{Sheet: f.sheet, Row: ref.row()}.String()
	if f.name != from.File {
		s += " of " + f.name
	}
	return s
}

// checkDuplicates reports where else in the files the trip occurs.
func (tc *tripCheck) checkDuplicates(trip int) {
	c := tc.checker
	if len(c.duplicates) == 0 {
		return
	}

	entry, ok := c.duplicates[refOf(c.notes.fileNumber(tc.row.Row), tc.row.Row.Num, trip)]
	if !ok {
		return
	}

	id := quoted(tc.trip.ID)
	where := func(ref tripRef) string { return c.rowName(ref, tc.row.Row) }
	if other := cmp.Or(entry.sameID, entry.copyOf); other != 0 {
		tc.report(tripIDTwice, "the trip id "+id+" is also on "+where(other)+", with different content",
			"keep one of the two rows; if both are trips, add what tells them apart to trip_id in the mapping, such as the date or the leg",
			importer.FieldTripID)
	}

	if entry.cancelled != 0 {
		tc.report(tripIDCancelled, "the trip id "+id+" is cancelled on "+where(entry.cancelled),
			"ask which of the two is right, and delete the other row", importer.FieldTripID)
	}

	if entry.leftOut != 0 {
		tc.report(tripIDLeftOut, "the trip id "+id+" is also on "+where(entry.leftOut)+", which the mapping leaves out",
			"check whether this row is meant to be booked", importer.FieldTripID)
	}

	if entry.mayBe != 0 {
		tc.report(doubleBooking, "possible double booking: "+where(entry.mayBe)+
			" has the same rider, places and time under another trip id",
			"keep one of the two rows; if both are meant, make double-booking a notice in the mapping",
			importer.FieldRiderID, pickupTime, dropoffAppt)
	}

	if entry.appointment != 0 {
		tc.report(legEarly, "the pickup is before the appointment on "+where(entry.appointment)+", which brings the rider there",
			"check whether the two times are meant", pickupTime)
	}
}
