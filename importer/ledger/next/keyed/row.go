package keyed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"tripimport/importer"
)

// A Row has what the ledger stores of a row's key, and what binds the hashes of the row's
// values to it.
type Row struct {
	// Number is the first part of the ID as a number, by which rows are found.
	Number int64
	id     [16]byte
	bind   [16]byte
}

// Row returns the hashes of a row's key, without its day.
func (h *Hashes) Row(key *importer.RowKey) Row {
	sum := h.rows.sum(key.Text()...)
	r := Row{Number: number(sum)}
	copy(r.id[:], sum[:16])
	copy(r.bind[:], sum[16:])
	return r
}

// ID returns the row's id as a text: importer.Word.ID.
func (r *Row) ID() string { return hex.EncodeToString(r.id[:]) }

// Stored returns the row's id as it is stored.
func (r *Row) Stored() []byte { return r.id[:] }

// Values returns the hashes of the values of one of the row's trips. A property without a
// value, although the cells from which it is made have a text, has the hash of the cells.
func (r *Row) Values(m *importer.Mapped, trip *importer.Trip) importer.Values {
	properties := importer.TripProperties()
	values := make(importer.Values, 0, len(properties))
	msg := make([]byte, 0, 256)
	for i := range properties {
		p := &properties[i]
		if p.OfAccount {
			continue
		}
		begin := append(append(msg, r.bind[:]...), p.Number)
		value := p.AppendComparable(append(begin, 'v'), trip)
		if len(value) == len(begin)+1 {
			value = appendCells(append(begin, 'c'), m, trip, p.Field)
		}
		if len(value) > len(begin)+1 {
			values = append(values, importer.Value{Property: p.Number, Hash: hashOf(value)})
		}
	}
	sortValues(values)
	return values
}

// sortValues sorts by number. The properties are nearly in that order.
func sortValues(v importer.Values) {
	for i := 1; i < len(v); i++ {
		for j := i; j > 0 && v[j].Property < v[j-1].Property; j-- {
			v[j], v[j-1] = v[j-1], v[j]
		}
	}
}

// appendCells appends the texts of the cells from which a field of the trip is made. It
// appends nothing if all are blank.
func appendCells(dst []byte, m *importer.Mapped, trip *importer.Trip, f importer.Field) []byte {
	if trip.Origin == nil {
		return dst
	}
	blank, begin := true, len(dst)
	for _, column := range trip.Origin.Columns(f) {
		text := strings.TrimSpace(m.Row.Cell(column.Num).Text)
		blank = blank && text == ""
		dst = append(binary.AppendUvarint(dst, uint64(len(text))), text...)
	}
	if blank {
		return dst[:begin]
	}
	return dst
}

// Digest returns importer.Word.Digest. It is never 0.
func (r *Row) Digest(says importer.Says, legs []importer.LegWord) uint64 {
	msg := append(append(make([]byte, 0, 1024), r.bind[:]...), 0, 'd')
	msg = append(append(msg, says.Code()...), 0)
	for i := range legs {
		l := &legs[i]
		msg = append(append(msg, l.Leg.Code()...), 0)
		msg = binary.AppendUvarint(msg, uint64(len(l.Values)))
		msg = l.Values.Append(msg)
	}
	return hashOf(msg)
}

// hashOf returns 64 bits of the hash of a message that begins with a key of its row. It is
// never 0, which stands for a value that nobody knows.
func hashOf(msg []byte) uint64 {
	sum := sha256.Sum256(msg)
	return max(1, binary.BigEndian.Uint64(sum[:8]))
}

// RowID returns the text of a stored id.
func RowID(stored []byte) string { return hex.EncodeToString(stored) }

// NumberOf returns Row.Number of the row with the id.
func NumberOf(id string) int64 {
	n, _ := strconv.ParseUint(id[:min(len(id), 16)], 16, 64) // an id is hexadecimal
	return int64(n)                                          //nolint:gosec // the bits stay the same
}
