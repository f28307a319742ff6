package check

import (
	"encoding/binary"
	"hash/maphash"

	"tripimport/importer"
)

// contentOf digests everything that was mapped from the row: two rows with the
// same content are copies. Problems count as well: where two cells can't be
// read, the values mapped from them are alike and the cells are not.
func (c *Checker) contentOf(m *importer.Mapped) uint64 {
	d := digest{buf: c.buf[:0]}
	d.hash.SetSeed(c.seed)
	d.problems(m.Problems)
	for i := range m.Trips {
		d.trip(&m.Trips[i])
	}
	c.buf = d.buf
	return d.hash.Sum64()
}

// A digest writes values so that no two different rows write the same bytes:
// every value ends in a byte that no UTF-8 text contains.
type digest struct {
	hash maphash.Hash
	buf  []byte
}

// maphash's writes never fail; their errors exist for io.Writer's sake.

func (d *digest) text(s string) {
	_, _ = d.hash.WriteString(s)
	_ = d.hash.WriteByte(0xff)
}

func (d *digest) trip(t *importer.Trip) {
	_ = d.hash.WriteByte(byte(t.Leg))
	properties := importer.TripProperties()
	for i := range properties {
		d.buf = append(properties[i].AppendValue(d.buf[:0], t), 0xff)
		_, _ = d.hash.Write(d.buf)
	}
	d.problems(t.Problems)
}

func (d *digest) problems(ps []importer.Problem) {
	for i := range ps {
		if ps[i].Severity == importer.Fault {
			d.text(ps[i].Code)
			d.text(ps[i].Message)
		}
	}
}

// hash digests texts, each with its end.
func (c *Checker) hash(texts ...string) uint64 {
	b := c.buf[:0]
	for _, s := range texts {
		b = append(append(b, s...), 0xff)
	}
	c.buf = b
	return maphash.Bytes(c.seed, b)
}

// join digests a digest together with another one.
func (c *Checker) join(a, b uint64) uint64 {
	var buf [16]byte
	binary.LittleEndian.PutUint64(buf[:8], a)
	binary.LittleEndian.PutUint64(buf[8:], b)
	return maphash.Bytes(c.seed, buf[:])
}
