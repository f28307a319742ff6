package check

import (
	"hash/maphash"
	"strconv"

	"tripimport/importer"
)

// contentOf returns a digest of everything that was mapped from the row. Two rows with
// the same content are copies. Faults are part of the content: two cells that can't be
// read give the same empty value, but their faults quote different text. A row that a
// person has edited in results is never a copy of another row: if they are equal, one was
// pasted over the other. Words that nobody has approved are part of the content: the row that has one
// may be cancelled.
func (c *Checker) contentOf(m *importer.Mapped) uint64 {
	b := appendFaults(c.buf[:0], m.Problems)
	if m.Row.Edited {
		b = append(strconv.AppendInt(b, int64(m.Row.Num), 10), endOfValue)
	}
	b = m.AppendContent(b)
	for i := range m.NewWords {
		b = append(append(b, m.NewWords[i].Column...), endOfValue)
		b = append(append(b, importer.WordKey(m.NewWords[i].Text)...), endOfValue)
	}
	for i := range m.Trips {
		b = append(appendFaults(b, m.Trips[i].Problems), endOfValue)
	}
	c.buf = b
	return maphash.Bytes(c.seed, b)
}

// endOfValue ends every value. It does not occur in UTF-8 text, so two different rows
// never have the same bytes.
const endOfValue = 0xff

func appendFaults(dst []byte, problems []importer.Problem) []byte {
	for i := range problems {
		if p := &problems[i]; p.Severity == importer.Fault {
			dst = append(append(dst, p.Code...), endOfValue)
			dst = append(append(dst, p.Message...), endOfValue)
		}
	}
	return dst
}

// hash returns a digest of the texts. {"a", "bc"} and {"ab", "c"} have different digests.
func (c *Checker) hash(texts ...string) uint64 {
	b := c.buf[:0]
	for _, s := range texts {
		b = append(append(b, s...), endOfValue)
	}
	c.buf = b
	return maphash.Bytes(c.seed, b)
}

// rowOf returns a digest of the row's key, in which ids are spelt as ledgers compare them. It is 0
// for a row that has only trip ids, and for a row with a repeated id whose day can't be read.
func (c *Checker) rowOf(k *importer.RowKey) uint64 {
	switch {
	case k.ID == "" || k.IDs == importer.RepeatedIDs && k.Date.IsZero():
		return 0
	case k.IDs == importer.RepeatedIDs:
		return c.hash("row", c.brokerOf(k), importer.IDText(k.ID), k.Date.String())
	}
	return c.hash("row", c.brokerOf(k), importer.IDText(k.ID))
}

// brokerOf returns the form in which the row's broker is compared.
func (c *Checker) brokerOf(k *importer.RowKey) string {
	if k.Broker != c.broker {
		c.broker, c.brokerText = k.Broker, importer.BrokerText(k.Broker)
	}
	return c.brokerText
}
