package check

import (
	"math"
	"time"

	"tripimport/importer"
)

// notes are what the first pass keeps of all trips for the rules that compare
// rows: about 80 bytes a trip, and digests instead of texts.
type notes struct {
	trips notePages
	// lines reports that messages name rows by their lines, because a spreadsheet program
	// shows other numbers for some of them.
	lines bool
}

// A tripRef says where a trip was read: the numbers of the row and of the trip within
// the row. Refs sort in input order; 0 is no trip, since no row has the number 0.
type tripRef uint64

func refOf(row, trip int) tripRef { return tripRef(uint64(row)<<8 | uint64(trip)&0xff) }

func (r tripRef) row() int { return int(r >> 8) }

// sameRow reports whether two trips are of one row.
func (r tripRef) sameRow(other tripRef) bool { return r>>8 == other>>8 }

// A note is what is kept of one trip. Its digests have a random seed, so they
// can be compared within one run only.
type note struct {
	id       uint64 // digest of the broker and the trip id, in any spelling; 0 for none
	row      uint64 // digest of the row's key, in any spelling; 0 for none
	content  uint64 // digest of everything mapped from the row
	identity uint64 // digest of the rider and both house numbers; 0 if the trip has no identity
	ref      tripRef
	pickup   door
	dropoff  door
	times    [importer.ByDay]minute // by importer.TimeKind from ByPickup: those by which identities are compared; noTime if there is none
	date     minute                 // the day of service; noTime for none

	cancelled bool // its row is left out because its trip was cancelled
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

// A door has digests of what tells two locations with one house number apart: the ZIP code, or without one
// the city, and the parts of an importer.Unit; 0 for none. Two different ones whose digests are equal by
// chance are asked about. The area of a ZIP code is odd, any other is even.
type door struct{ area, unit, within uint16 }

// differs reports whether the locations are certainly different. A city may be that of a ZIP code: a rider who
// is picked up twice within a quarter of an hour, at one house number, is asked about.
func (d door) differs(other door) bool {
	differ := func(a, b uint16) bool { return a != 0 && b != 0 && a != b }
	return d.area%2 == other.area%2 && d.area != other.area || differ(d.unit, other.unit) || differ(d.within, other.within)
}
