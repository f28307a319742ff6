package check

import (
	"cmp"
	"slices"

	"tripimport/importer"
)

// duplicates has the trips that seem to be in the files more than once. Nearly all trips
// have no duplicate, so the map stays small.
type duplicates map[tripRef]duplicate

// A duplicate refers to the other trips. A tripRef of 0 means none.
type duplicate struct {
	copyOf      tripRef // an earlier row with the same content
	sameID      tripRef // the same id with other content
	sameRow     tripRef // the same row with other content
	cancelled   tripRef // the same id or row key, on a row that is cancelled
	leftOut     tripRef // the same id or row key, on a row that is left out
	mayBe       tripRef // possibly the same trip under another id
	appointment tripRef // the linked trip to an appointment that is later than this pickup
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

	n.trips.eachGroup(n.trips.keys(func(n *note) uint64 { return n.id }), c.duplicates.compareGroup)
	n.trips.eachGroup(n.trips.keys(func(n *note) uint64 { return n.row }), c.duplicates.compareRows)
	for _, kind := range []importer.TimeKind{importer.ByPickup, importer.ByAppointment, importer.ByDay} {
		c.duplicates.findSameIdentity(n.trips, kind)
	}
	c.duplicates.findEarlyDepartures(n.arrivals, n.departures)
	c.copies = map[importer.Date]int{}
	for i := range int32(n.trips.len()) {
		if trip := n.trips.at(i); c.duplicates[trip.ref].copyOf != 0 {
			c.copies[trip.date.day()]++
		}
	}

	n.trips, n.arrivals, n.departures = nil, nil, nil
}

// A key is a digest by which trips are compared, and the index of a trip's note.
type key struct {
	digest uint64
	note   int32
}

// keys returns the keys of all notes whose digest is not 0.
func (p notePages) keys(digest func(*note) uint64) []key {
	keys := make([]key, 0, p.len())
	for i := range int32(p.len()) {
		if d := digest(p.at(i)); d != 0 {
			keys = append(keys, key{d, i})
		}
	}
	return keys
}

// eachGroup sorts the keys, and calls compare for each digest that several notes have,
// with these notes in input order.
func (p notePages) eachGroup(keys []key, compare func([]note)) {
	slices.SortFunc(keys, func(a, b key) int {
		if a.digest != b.digest { // as nearly always
			return cmp.Compare(a.digest, b.digest)
		}
		return cmp.Compare(a.note, b.note)
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
				group = append(group, *p.at(k.note))
			}
			compare(group)
		}
		keys = keys[n:]
	}
}

// compareGroup compares all trips with the same id. If all live ones come from copies of
// one row, the first is kept and the others are marked as its copies. Otherwise each is
// marked as a duplicate of another one.
func (d duplicates) compareGroup(notes []note) {
	liveTrips := d.compareKinds(notes)
	if len(liveTrips) < 2 {
		return
	}

	if areCopies(liveTrips) {
		for _, n := range liveTrips[1:] {
			d.update(n.ref, func(x *duplicate) { x.copyOf = liveTrips[0].ref })
		}
		return
	}

	eachUnlike(liveTrips, func(a, b *note) bool { return a != b }, func(n, other *note) {
		d.update(n.ref, func(x *duplicate) { x.sameID = other.ref })
	})
}

// compareKinds marks live trips that are also on a row that is cancelled or left out. It
// returns the live trips.
func (d duplicates) compareKinds(notes []note) []note {
	var first [leftOut + 1]tripRef
	var liveTrips []note
	for _, n := range notes {
		if first[n.kind] == 0 {
			first[n.kind] = n.ref
		}
		if n.kind == live {
			liveTrips = append(liveTrips, n)
		}
	}

	for _, n := range liveTrips {
		if first[cancelled] != 0 || first[leftOut] != 0 {
			d.update(n.ref, func(x *duplicate) {
				x.cancelled, x.leftOut = cmp.Or(x.cancelled, first[cancelled]), cmp.Or(x.leftOut, first[leftOut])
			})
		}
	}
	return liveTrips
}

// compareRows compares all trips with the same row key. Rows that are no copies make
// different trips of the same row.
func (d duplicates) compareRows(notes []note) {
	eachUnlike(d.compareKinds(notes), func(a, b *note) bool { return a.content != b.content }, func(n, other *note) {
		d.update(n.ref, func(x *duplicate) { x.sameRow = other.ref })
	})
}

// eachUnlike calls f for each note together with a note that is unlike it: the first
// note, or for notes like the first one, the first note that is unlike that. It does not
// call f for notes without an unlike one.
func eachUnlike(notes []note, unlike func(a, b *note) bool, f func(n, other *note)) {
	second := 1
	for second < len(notes) && !unlike(&notes[0], &notes[second]) {
		second++
	}
	for i := range notes {
		n := &notes[i]
		if unlike(n, &notes[0]) {
			f(n, &notes[0])
		} else if second < len(notes) && unlike(n, &notes[second]) {
			f(n, &notes[second])
		}
	}
}

// areCopies reports whether the trips come from different rows with the same content.
// Rows with the same number in two files of the same name are not copies either, because
// a message could not say which of them is the first.
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
		if a.identity != b.identity { // as nearly always
			return cmp.Compare(a.identity, b.identity)
		}
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.note, b.note))
	})

	d.compareNext(list, notes, kind)
	slices.Reverse(list)
	d.compareNext(list, notes, kind)
}

// mostCompared limits the number of trips with which a trip is compared in each
// direction, so that a file of one rider's trips takes no longer than any other. The next
// trip after them counts as possibly the same.
const mostCompared = 64

// compareNext compares each trip with the following ones in the list that have another
// id, up to the first that may be the same trip. It goes through the list backwards and
// remembers where the next id begins, so that each trip in a long run with the same id
// takes only one comparison.
func (d duplicates) compareNext(list []timedNote, notes notePages, kind importer.TimeKind) {
	next := len(list)
	for i := len(list) - 2; i >= 0; i-- {
		n := notes.at(list[i].note)
		if notes.at(list[i+1].note).id != n.id {
			next = i + 1
		}
		if other, ok := n.firstSimilar(list[i], list[next:], notes, kind); ok {
			d.update(n.ref, func(x *duplicate) { x.mayBe = cmp.Or(x.mayBe, other) })
		}
	}
}

// firstSimilar returns the first of the following trips, which are in the order of their
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

// A unit has digests of the parts of an importer.Unit; 0 for none. Two different units whose
// digests are equal by chance are asked about.
type unit struct{ door, within uint16 }

// differs is importer.Unit.Differs.
func (u unit) differs(other unit) bool {
	differ := func(a, b uint16) bool { return a != 0 && b != 0 && a != b }
	return differ(u.door, other.door) || differ(u.within, other.within)
}

// differentUnits reports whether the trips go to different doors.
func (n *note) differentUnits(other *note) bool {
	return n.pickupUnit.differs(other.pickupUnit) || n.dropoffUnit.differs(other.dropoffUnit)
}

// findEarlyDepartures finds pickups that are earlier than the rider's first appointment
// at the same location, to which a linked trip brings the rider.
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

// Copies returns the number of trips on each day that are copies of others; trips without
// a day are under the zero Date. Check leaves copies out. Copies is called after the last
// Note.
func (c *Checker) Copies() map[importer.Date]int {
	c.compare.Do(c.findDuplicates)
	return c.copies
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

// rowName names another row in a message about the row from. It leaves out the file if
// both rows are in the same one.
func (c *Checker) rowName(ref tripRef, from importer.Row) string {
	f := c.notes.files[ref.file()]
	at := importer.Ref{Sheet: f.sheet, Row: ref.row()}
	if !f.lines {
		at.Shown = at.Row
	}
	s := at.String()
	if f.name != from.File {
		s += " of " + f.name
	}
	return s
}

// checkDuplicates reports where else the trip occurs in the files.
func (tc *tripCheck) checkDuplicates(trip int) {
	c := tc.checker
	if len(c.duplicates) == 0 {
		return
	}

	ref := refOf(c.notes.fileNumber(tc.row.Row), tc.row.Row.Num, trip)
	entry := c.duplicates[ref]
	where := func(ref tripRef) string { return c.rowName(ref, tc.row.Row) }

	id, sayIDs := quoted(tc.trip.ID), ""
	if tc.row.Key.IDs == importer.UnsaidIDs {
		sayIDs = "; if the broker uses an id again on other days, write ids: repeat in the mapping, otherwise ids: unique"
	}

	if other := cmp.Or(entry.sameID, entry.copyOf); other != 0 {
		tc.report("trip-id-twice", "the trip id "+id+" is also on "+where(other)+", with different content",
			"keep one of the two rows: ids that differ only in case, spaces, punctuation or leading zeros are one; if each is a leg, add the leg to trip_id in the mapping"+sayIDs, importer.FieldTripID)
	} else if entry.sameRow != 0 {
		tc.report("row-twice", "the same row is also on "+where(entry.sameRow)+", which makes other trips of it",
			"if each is a leg, add the leg to row_id in the mapping, or take row_id out of it; if not, ask which of the two is right, and delete the other row", importer.FieldTripID)
	}

	if entry.cancelled != 0 {
		tc.report(importer.CodeTripIDCancelled, "trip "+id+" is cancelled on "+where(entry.cancelled),
			"if each is a leg, add the leg to trip_id in the mapping, and to row_id if it has one; if not, ask which of the two is right, and delete the other row"+sayIDs, importer.FieldTripID)
	}

	if entry.leftOut != 0 {
		tc.report("trip-id-left-out", "trip "+id+" is also on "+where(entry.leftOut)+", which the mapping leaves out",
			"check whether this row is meant to be booked", importer.FieldTripID)
	}

	if entry.mayBe != 0 {
		tc.report(importer.CodeDoubleBooking, "possible double booking: "+where(entry.mayBe)+
			" has the same rider, places and time under another trip id",
			"keep one of the two rows; "+importer.AdviceMeant,
			importer.FieldRiderID, pickupTime, dropoffAppt)
	}

	if entry.appointment != 0 {
		tc.report("leg-before-appointment", "the pickup is before the appointment on "+where(entry.appointment)+", which brings the rider there",
			"check whether the two times are meant", pickupTime)
	}
}
