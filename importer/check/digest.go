package check

import (
	"encoding/binary"
	"hash/maphash"
	"strconv"

	"tripimport/importer"
)

// contentOf returns a digest of everything that was mapped from the row. Two rows
// with the same content are copies. Faults are part of it: two cells that can't
// be read give the same empty value, but their faults quote different text. A row
// that a person has changed in results is no other row's copy: another one was
// pasted over it.
func (c *Checker) contentOf(m *importer.Mapped) uint64 {
	d := digest{buf: c.buf[:0]}
	d.hash.SetSeed(c.seed)
	d.problems(m.Problems)
	if m.Row.Edited {
		d.text(strconv.Itoa(m.Row.Num))
	}
	for i := range m.Trips {
		d.trip(&m.Trips[i])
	}
	c.buf = d.buf
	return d.hash.Sum64()
}

// A digest collects the bytes of values. Every value ends in a byte that does not
// occur in UTF-8 text, so two different rows never have the same bytes.
type digest struct {
	hash maphash.Hash
	buf  []byte
}

func (d *digest) text(s string) {
	// maphash never returns an error.
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

// hash returns a digest of the texts, which tells {"a", "bc"} from {"ab", "c"}.
func (c *Checker) hash(texts ...string) uint64 {
	b := c.buf[:0]
	for _, s := range texts {
		b = append(append(b, s...), 0xff)
	}
	c.buf = b
	return maphash.Bytes(c.seed, b)
}

// rowOf returns a digest of the row's key. It is 0 for a row that is known by its
// trip ids alone, and for one whose id comes again on a day that can't be read.
func (c *Checker) rowOf(k *importer.RowKey) uint64 {
	if k.ID == "" || k.IDs == importer.RepeatedIDs && k.Date.IsZero() {
		return 0
	}
	if k.IDs == importer.RepeatedIDs {
		return c.hash(importer.BrokerText(k.Broker), k.ID, k.Date.String())
	}
	return c.hash(importer.BrokerText(k.Broker), k.ID)
}

// combine returns a digest of two digests.
func (c *Checker) combine(a, b uint64) uint64 {
	var buf [16]byte
	binary.LittleEndian.PutUint64(buf[:8], a)
	binary.LittleEndian.PutUint64(buf[8:], b)
	return maphash.Bytes(c.seed, buf[:])
}
