package check

import (
	"encoding/binary"
	"hash/maphash"
	"math"

	"tripimport/importer"
)

// contentOf digests everything that was mapped from the row. A row with
// problems is told apart by them as well: where two cells can't be read, what
// was mapped from them is alike, and the cells are not.
func (c *Checker) contentOf(m *importer.Mapped) uint64 {
	var d digest
	d.hash.SetSeed(c.seed)
	d.problems(m.Problems)
	for i := range m.Trips {
		d.trip(&m.Trips[i])
	}
	return d.hash.Sum64()
}

// A digest writes values so that no two different trips write the same bytes:
// every text ends in a byte that no UTF-8 text has.
type digest struct{ hash maphash.Hash }

// maphash's writes never fail; their errors exist for io.Writer's sake.

func (d *digest) text(s string) {
	_, _ = d.hash.WriteString(s)
	_ = d.hash.WriteByte(0xff)
}

func (d *digest) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	_, _ = d.hash.Write(b[:])
}

func (d *digest) time(t importer.DateTime) {
	d.number(uint64(t.Year)<<40 | uint64(t.Month)<<32 | uint64(t.Day)<<24 |
		uint64(t.Hour)<<16 | uint64(t.Minute)<<8 | uint64(t.Second))
}

func (d *digest) trip(t *importer.Trip) {
	d.number(uint64(t.Leg)<<8 | uint64(t.Type))
	d.text(t.Provider)
	d.text(t.FundingSource)
	d.text(t.ID)
	d.text(t.RiderID)
	d.text(t.SpaceType)
	d.text(t.Phone)
	if t.BillableDistance.Given {
		d.number(math.Float64bits(t.BillableDistance.Value))
	}
	for _, r := range t.AdditionalRiders {
		d.text(r.SpaceType)
		d.number(uint64(r.Count))
	}
	d.event(&t.Pickup)
	d.event(&t.Dropoff)
	d.problems(t.Problems)
}

func (d *digest) event(e *importer.Event) {
	d.text(e.Name)
	d.text(e.Comment)
	d.text(e.CompleteAddress)
	d.text(e.LocationName)
	d.text(e.Address1)
	d.text(e.Address2)
	d.text(e.City)
	d.text(e.State)
	d.text(e.Zip)
	if e.Position.Source == "" {
		d.number(math.Float64bits(e.Position.Latitude))
		d.number(math.Float64bits(e.Position.Longitude))
	}
	d.time(e.Appt)
	d.time(e.PickupTime)
	d.text(e.Phone)
}

func (d *digest) problems(ps []importer.Problem) {
	for i := range ps {
		if ps[i].Severity == importer.Fault {
			d.text(ps[i].Code)
			d.text(ps[i].Message)
		}
	}
}

// spotOf digests where an event is, spelling of case, spaces and punctuation
// aside; 0 where it does not say.
func (c *Checker) spotOf(e *importer.Event) uint64 {
	zip := e.Zip
	if len(zip) > 5 {
		zip = zip[:5]
	}
	switch p := e.Position; {
	case e.CompleteAddress != "":
		return c.folded(e.CompleteAddress)
	case e.HasAddress():
		return c.folded(e.Address1, e.Address2, e.City, zip)
	case p.Known():
		return c.join(math.Float64bits(p.Latitude), math.Float64bits(p.Longitude))
	case e.LocationName != "":
		return c.folded(e.LocationName)
	}
	return 0
}

// folded digests the letters and digits of texts, case aside.
func (c *Checker) folded(texts ...string) uint64 {
	var buf [256]byte
	b := buf[:0]
	for _, s := range texts {
		for i := range len(s) {
			switch ch := s[i]; {
			case 'A' <= ch && ch <= 'Z':
				b = append(b, ch|0x20)
			case 'a' <= ch && ch <= 'z', '0' <= ch && ch <= '9', ch >= 0x80:
				b = append(b, ch)
			}
		}
		b = append(b, 0xff)
	}
	return maphash.Bytes(c.seed, b)
}

// join digests digests.
func (c *Checker) join(parts ...uint64) uint64 {
	var buf [32]byte
	b := buf[:0]
	for _, p := range parts {
		b = binary.LittleEndian.AppendUint64(b, p)
	}
	return maphash.Bytes(c.seed, b)
}
