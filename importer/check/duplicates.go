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
	copyOf    tripRef // an earlier row with the same content
	sameID    tripRef // the same id with other content
	sameRow   tripRef // the same row with other content
	cancelled tripRef // the same id or row key, on a row that is cancelled
	mayBe     tripRef // possibly the same trip under another id
}

func (d duplicates) update(ref tripRef, f func(*duplicate)) {
	entry := d[ref]
	f(&entry)
	d[ref] = entry
}

// A key is a digest by which trips are compared, and the index of a trip's note.
type key struct {
	digest uint64
	note   int32
}

// eachGroup calls compare for each digest, other than 0, that several notes have, with these notes
// in input order.
func (p notePages) eachGroup(digest func(*note) uint64, compare func([]note)) {
	digests, keys := make([]uint64, 0, p.len()), make([]key, 0, p.len())
	for i := range int32(p.len()) {
		if d := digest(p.at(i)); d != 0 {
			digests, keys = append(digests, d), append(keys, key{d, i})
		}
	}
	slices.Sort(digests)
	if len(slices.Compact(digests)) == len(keys) { // as nearly always, and sooner known
		return
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.digest != b.digest {
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

// compareKinds marks live trips that are also on a row that is cancelled. It returns the live trips.
func (d duplicates) compareKinds(notes []note) (live []note) {
	var cancelled tripRef
	for _, n := range notes {
		if n.cancelled {
			cancelled = cmp.Or(cancelled, n.ref)
		} else {
			live = append(live, n)
		}
	}

	if cancelled != 0 {
		for _, n := range live {
			d.update(n.ref, func(x *duplicate) { x.cancelled = cmp.Or(x.cancelled, cancelled) })
		}
	}
	return live
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
func areCopies(liveTrips []note) bool {
	for i, n := range liveTrips {
		if n.content != liveTrips[0].content || i > 0 && n.ref.sameRow(liveTrips[i-1].ref) {
			return false
		}
	}
	return true
}

// compareIdentities marks trips with the same identity under different ids that may be one trip, as
// importer.Identity.MayBe says. In a file of one rider's trips alone, each is compared with so many others, and the next
// one counts as possibly the same.
func (d duplicates) compareIdentities(notes []note) {
	const most = 1000
	for i := range notes {
		a := &notes[i]
		for j := i + 1; j < min(len(notes), i+most+1); j++ {
			if b := &notes[j]; a.id != b.id && (j == i+most || a.mayBe(b)) {
				d.update(a.ref, func(x *duplicate) { x.mayBe = cmp.Or(x.mayBe, b.ref) })
				d.update(b.ref, func(x *duplicate) { x.mayBe = cmp.Or(x.mayBe, a.ref) })
			}
		}
	}
}

// mayBe reports whether two times of the same kind are near each other, and the trips may go to the same doors.
func (n *note) mayBe(other *note) bool {
	for kind, at := range n.times {
		apart := int64(other.times[kind]) - int64(at)
		if at != noTime && max(apart, -apart) <= importer.DoubleBookingMinutes {
			return !n.pickup.differs(other.pickup) && !n.dropoff.differs(other.dropoff)
		}
	}
	return false
}
